package jobs

import (
	"errors"
	"slices"
	"testing"

	"goalproof/cluster"
	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/require"
	"goalproof/puzzles"
	"goalproof/puzzles/compose"
)

// TestComposeProofs has a puzzle taken apart, and changes the answer: a win without a certificate
// waits for a second opinion, and one with another's certificate, or about another puzzle, is
// refused.
func TestComposeProofs(t *testing.T) {
	o := &composing{Search: Search{Nodes: 5000}, Task: compose.Task{Aim: compose.Small, Seed: 1}}
	q := &Compose[compose.Made]{Task: o.Task, Nodes: o.Nodes, Take: func(m compose.Made) compose.Made { return m }}
	p := puzzles.Puzzle{Position: load.Example(t, "win-in-2.txt"), Claim: 2}
	question, err := q.Question(p)
	require.NoError(t, err)
	w, err := o.open(t.Context(), nil, nil)
	require.NoError(t, err)
	found, err := o.answer(t.Context(), w, question)
	require.NoError(t, err)
	a := found.(*composed)
	check := func(change func(*composed)) error {
		b := *a
		b.Proofs, b.Found.Parts = slices.Clone(a.Proofs), slices.Clone(a.Found.Parts)
		change(&b)
		data, err := pack(&b)
		require.NoError(t, err)
		return q.Check(t.Context(), question, data)
	}
	require.NoError(t, check(func(*composed) {}))
	if len(a.Proofs) < 3 {
		t.Fatalf("%d certificates", len(a.Proofs))
	}
	for i := range a.Proofs {
		if err := check(func(b *composed) { b.Proofs[i] = "" }); !errors.Is(err, cluster.ErrUnproved) {
			t.Errorf("without certificate %d: %v", i, err)
		}
		if err := check(func(b *composed) { b.Proofs[i] = a.Proofs[(i+1)%len(a.Proofs)] }); err == nil || errors.Is(err, cluster.ErrUnproved) {
			t.Errorf("with another certificate in place of %d: %v", i, err)
		}
	}
	for what, change := range map[string]func(*composed){
		"a certificate less":   func(b *composed) { b.Proofs = b.Proofs[1:] },
		"a part less":          func(b *composed) { b.Found.Parts = b.Found.Parts[1:] },
		"another puzzle":       func(b *composed) { b.Found.To = "g" + p.Position.String()[1:] },
		"no such position":     func(b *composed) { b.Found.To = "?" },
		"a turn of nobody":     func(b *composed) { b.Found.Solution = 1 },
		"nothing before":       func(b *composed) { b.Found.Before = nil },
		"before, by nobody":    func(b *composed) { b.Found.From = 1 },
		"no miner before":      func(b *composed) { b.Found.Before = &puzzles.MiningFindings{Least: 7} },
		"no puzzle":            func(b *composed) { b.Found.Puzzle = false },
		"nothing judged":       func(b *composed) { b.Found.Judged = 0 },
		"a win in none":        func(b *composed) { b.Found.Parts[0].Without.Least = 9 },
		"a stop of no kind":    func(b *composed) { b.Found.Parts[0].Without.Stop = 99 },
		"a piece of no kind":   func(b *composed) { b.Found.Parts[0].Weaker = 99 },
		"repairs of a puzzle":  func(b *composed) { b.Found.Finding.Essential = 2 },
		"findings of no miner": func(b *composed) { b.Found.Mined.Least = 7 },
	} {
		if err := check(change); err == nil || errors.Is(err, cluster.ErrUnproved) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
