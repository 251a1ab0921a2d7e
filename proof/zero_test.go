package proof_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"goalproof/proof"
)

// TestZeroValues checks and writes what says nothing, as a whole and in one part: that is a hole,
// and never a proof.
func TestZeroValues(t *testing.T) {
	p := example(t, "win-in-2.txt")
	good := newBuilder(t).certify(p, 2)
	accepted(t, good)
	changed := func(change func(*proof.Certificate)) *proof.Certificate {
		c := clone(good)
		change(c)
		return c
	}
	for name, tt := range map[string]struct {
		c         *proof.Certificate
		want      string
		writeable bool
	}{
		"nil":      {nil, "there is no certificate", false},
		"zero":     {&proof.Certificate{}, "in 0 turns", false},
		"turns":    {changed(func(c *proof.Certificate) { c.Turns = 0 }), "in 0 turns", false},
		"entries":  {changed(func(c *proof.Certificate) { c.Entries = nil }), "no entries", false},
		"entry":    {changed(func(c *proof.Certificate) { c.Entries[0] = proof.Entry{} }), "rank 0", false},
		"rank":     {changed(func(c *proof.Certificate) { c.Entries[0].Rank = 0 }), "rank 0", false},
		"position": {changed(func(c *proof.Certificate) { c.Entries[0].Position = "" }), "position", false},
		"turn":     {changed(func(c *proof.Certificate) { c.Entries[0].Turn = "" }), "without steps", false},
		"answer":   {changed(func(c *proof.Certificate) { c.Entries[0].Answers = []string{""} }), "without steps", false},
		"answers":  {changed(func(c *proof.Certificate) { c.Entries[0].Answers = nil }), "no answer wins", true},
		"game":     {changed(func(c *proof.Certificate) { c.Game = &proof.Game{} }), "position", false},
	} {
		var hole *proof.Hole
		err := tt.c.Check(t.Context(), nil)
		if !errors.As(err, &hole) || !strings.Contains(hole.Error(), tt.want) {
			t.Errorf("a certificate with no %s: the error is %v, want %q", name, err, tt.want)
		}
		if err := tt.c.Write(io.Discard); (err == nil) != tt.writeable {
			t.Errorf("a certificate with no %s: Write: %v", name, err)
		}
	}
	for name, r := range map[string]*proof.Refutation{
		"nil": nil, "zero": {}, "turns": {Position: p.String()}, "position": {Turns: 1},
		"refuted": {Turns: 2, Position: p.String()}, "turn": {Turns: 2, Position: p.String(), Refuted: make([]proof.Refuted, 1)},
	} {
		var hole *proof.Hole
		if err := r.Check(t.Context(), nil); !errors.As(err, &hole) {
			t.Errorf("a refutation with no %s: the error is %v", name, err)
		}
		if _, _, err := r.CheckSample(t.Context(), 0, 0, nil); !errors.As(err, &hole) {
			t.Errorf("a sample of a refutation with no %s: the error is %v", name, err)
		}
		if err := r.Write(io.Discard); (err == nil) != (name == "refuted") {
			t.Errorf("a refutation with no %s: Write: %v", name, err)
		}
	}
	var none context.Context
	if err := good.Check(none, nil); err != nil {
		t.Errorf("without a context: %v", err)
	}
	if _, err := proof.Read(strings.NewReader(""), "nothing"); err == nil {
		t.Error("no text is a certificate")
	}
	if _, err := proof.ReadRefutation(strings.NewReader(""), "nothing"); err == nil {
		t.Error("no text is a refutation")
	}
	var c proof.Certificate
	var r proof.Refutation
	if c.ToMove() != "" || c.GameOver() != "" || r.Attacker() != "" || r.GameOver() != "" {
		t.Error("what says nothing has a side or a winner")
	}
}
