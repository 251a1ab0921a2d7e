package proof_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"goalproof/internal/testkit/load"
	"goalproof/proof"
)

// TestZeroValues checks and writes what says nothing: that is a hole, and never a proof.
func TestZeroValues(t *testing.T) {
	good := newBuilder(t).certify(load.Example(t, "win-in-2.txt"), 2)
	for want, c := range map[string]*proof.Certificate{
		"there is no certificate": nil, "in 0 turns": {}, "game: position": after(good, ""),
	} {
		var hole *proof.Hole
		if err := c.Check(t.Context(), nil); !errors.As(err, &hole) || !strings.Contains(hole.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
		if err := c.Write(io.Discard); err == nil {
			t.Errorf("%q is written", want)
		}
	}
	for _, r := range []*proof.Refutation{nil, {}} {
		var hole *proof.Hole
		if err := r.Check(t.Context(), nil); !errors.As(err, &hole) {
			t.Errorf("%v: the error is %v", r, err)
		}
		if _, _, err := r.CheckSample(t.Context(), 0, 0, nil); !errors.As(err, &hole) {
			t.Errorf("a sample of %v: the error is %v", r, err)
		}
		if err := r.Write(io.Discard); err == nil {
			t.Errorf("%v is written", r)
		}
	}
	var none context.Context
	if err := good.Check(none, nil); err != nil {
		t.Errorf("without a context: %v", err)
	}
	var c proof.Certificate
	var r proof.Refutation
	if c.ToMove() != "" || c.GameOver() != "" || r.Attacker() != "" || r.GameOver() != "" {
		t.Error("what says nothing has a side or a winner")
	}
}
