package review_test

import (
	"context"
	"errors"
	"testing"

	"goalproof/answer"
	"goalproof/proof"
	"goalproof/review"
	"goalproof/solve"
	"goalproof/tables/store"
)

// inThree is examples/win-in-3.txt with its solution, the longest defence and a turn that misses the win.
const inThree = `1w Ra7 Ec4 Rg3 Rb2
1b ra8 rh8 rb7 rf7 ef5 hb3
2w Ec4w Eb4n Eb5n
2b hb3w ha3n ha4n ha5n
3w Rg3n
3b
`

// TestStore reviews a game twice with one store, each time with an empty table: the second time nearly
// nothing is searched.
func TestStore(t *testing.T) {
	facts, err := store.Open(t.TempDir(), store.Options{Memory: 8 << 20, Keys: solve.StoreKeys, Rules: solve.StoreRules})
	if err != nil {
		t.Fatal(err)
	}
	defer facts.Close()
	var nodes [2]uint64
	for i := range nodes {
		s, err := solve.New(solve.Options{Memory: 64 << 20, Threads: 1, Store: facts})
		if err != nil {
			t.Fatal(err)
		}
		v, err := review.Play(t.Context(), s, read(t, inThree), review.Options{WinIn: 3, Time: unhurried})
		if err != nil {
			t.Fatal(err)
		}
		nodes[i] = v.Nodes
		if err := facts.Sync(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("nodes: %v", nodes)
	if nodes[0] < 1000 || nodes[1] > nodes[0]/10 {
		t.Errorf("nodes of the two reviews: %v; the second is to take less than a tenth", nodes)
	}
}

// TestInterrupt reviews with a context that is done: nothing is known, and that is said.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	v, err := review.Play(ctx, newSolver(t), read(t, inThree), review.Options{WinIn: 3, Time: unhurried})
	if err != nil {
		t.Fatal(err)
	}
	for i := range v.Standings {
		if s := &v.Standings[i]; s.Loss.Verdict != answer.Unknown || s.Loss.Stop != answer.Interrupted {
			t.Errorf("%s: %+v", v.Record.Game.Label(i), s.Loss)
		}
	}
	if !v.Interrupted {
		t.Error("the review is said to be complete")
	}
	if v.Decision != nil {
		t.Errorf("decision %+v", v.Decision)
	}
}

// TestCertifyError checks that an error of the caller's ends the review.
func TestCertifyError(t *testing.T) {
	full := errors.New("the disk is full")
	_, err := review.Play(t.Context(), newSolver(t), read(t, race), review.Options{WinIn: 2, Time: unhurried,
		Certify: func(int, *proof.Certificate) error { return full }})
	if !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
}
