package proof_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/goal"
	"goalproof/internal/testkit/require"
	"goalproof/proof"
)

// builder makes certificates with the fast solver. It shares no code with the package under test.
type builder struct {
	testing.TB
	solver   *dfpns.Solver
	detector goal.Detector
	c        *proof.Certificate
	known    map[arimaa.Position]bool // has an entry
}

func newBuilder(t testing.TB) *builder {
	return &builder{TB: t, solver: dfpns.New(dfpns.Options{Facts: 32 << 20, Numbers: 32 << 20, Threads: 2})}
}

// solve decides a win in n.
func (b *builder) solve(p arimaa.Position, n int) (arimaa.Turn, bool) {
	b.Helper()
	r, err := b.solver.Solve(context.Background(), dfpns.Question{Position: p, N: n})
	if err != nil || r.Verdict == answer.Unknown {
		b.Fatalf("%v: win in %d: %v, %v", p, n, r.Verdict, err)
	}
	return r.Turn, r.Verdict == answer.Proved
}

// certify makes a certificate for the least win within a number of turns, or returns nil.
func (b *builder) certify(p arimaa.Position, most int) *proof.Certificate {
	b.Helper()
	for n := 1; n <= most; n++ {
		if turn, ok := b.solve(p, n); ok {
			b.c = &proof.Certificate{Turns: n}
			b.known = map[arimaa.Position]bool{}
			b.entry(p, turn, n)
			return b.c
		}
	}
	return nil
}

// entry adds the entry of a position of which this turn is known to win in n, the least, and the
// entries it needs.
func (b *builder) entry(p arimaa.Position, turn arimaa.Turn, n int) {
	b.known[p] = true
	me := len(b.c.Entries)
	b.c.Entries = append(b.c.Entries, proof.Entry{Rank: n, Position: p.String(), Turn: p.Notation(turn)})
	after := p.AfterTurn(turn)
	if after.Board.Ended(p.Side()).Over() {
		return
	}
	b.meet(me, after)
}

// lose makes a certificate for the least loss of the side to move within a number of its opponent's
// turns, or returns nil.
func (b *builder) lose(p arimaa.Position, most int) *proof.Certificate {
	b.Helper()
	for n := 1; n <= most; n++ {
		r, err := b.solver.Loss(context.Background(), dfpns.Question{Position: p, N: n})
		if err != nil {
			b.Fatalf("%v: loss in %d: %v", p, n, err)
		}
		if r.Verdict == answer.Proved {
			return b.claimLoss(p, n)
		}
	}
	return nil
}

// claimLoss makes a certificate of a loss within n turns that meets each turn after which the
// opponent wins so soon.
func (b *builder) claimLoss(p arimaa.Position, n int) *proof.Certificate {
	b.Helper()
	b.c = &proof.Certificate{Turns: n, Loss: true, Entries: []proof.Entry{{Rank: n, Position: p.String()}}}
	b.known = map[arimaa.Position]bool{}
	b.meet(0, p)
	return b.c
}

// meet adds to an entry what meets each reply at a position, with the defender to move: answers, or
// other entries.
func (b *builder) meet(me int, after arimaa.Position) {
	defender := after.Side()
	attacker := defender.Other()
	var replies arimaa.Generator
	var answers []arimaa.Turn
reply:
	for i := range replies.Generate(&after) {
		q := replies.Position(i, defender)
		if q.Board.Ended(defender).Over() {
			continue
		}
		for _, a := range answers {
			if end, ok := q.Try(a); ok {
				if o := end.Board.Ended(attacker); o.Over() && o.Winner == attacker {
					continue reply
				}
			}
		}
		if a, ok := b.detector.CanWin(&q, &q.Board); ok {
			answers = append(answers, a)
			// Without captures, which may differ from reply to reply.
			b.c.Entries[me].Answers = append(b.c.Entries[me].Answers, a.String())
			continue
		}
		for m := 2; !b.known[q] && (!b.c.Loss || m <= b.c.Turns); m++ {
			if turn, ok := b.solve(q, m); ok {
				b.entry(q, turn, m)
			}
		}
	}
}

// text is the text of a certificate or a refutation.
func text(t rapid.TB, p interface{ Write(io.Writer) error }) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, p.Write(&b))
	return b.String()
}
