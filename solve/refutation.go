package solve

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/proof"
)

// Refutation writes down that the side to move, the attacker, has no win within n of his turns, 1
// to [proof.MaxRefuted], for package proof to check. It takes no search: goal.Detector.Defence
// finds a reply to each first turn. It sets the third repetition aside: in a game it concerns the
// position without its history. The error is that of the context when it is done, that of
// [Question.Check], or ErrNoCertificate if n is greater or there is a win. A nil context sets no
// limit.
func Refutation(ctx context.Context, p arimaa.Position, n int) (*proof.Refutation, error) {
	if n > proof.MaxRefuted {
		return nil, fmt.Errorf("%w of no win in %d: %w", ErrNoCertificate, n, proof.ErrTooDeep)
	}
	if err := (Question{Position: p, Deepest: n}).Check(); err != nil {
		return nil, err
	}
	ctx = cmp.Or(ctx, context.Background())
	r := &proof.Refutation{Turns: n, Position: p.String()}
	var turns arimaa.Generator
	var detector goal.Detector
	group := map[string]int{} // replies, in the order in which they were needed first
	for i := range turns.Generate(&p) {
		if i&63 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		next := turns.Position(i, p.Side())
		outcome := next.Board.Ended(p.Side())
		wins, reply := outcome.Over() && outcome.Winner == p.Side(), ""
		if n > 1 && !outcome.Over() {
			t, holds := detector.Defence(&next)
			wins, reply = !holds, t.String() // without captures, which differ from turn to turn
		}
		if wins {
			return nil, fmt.Errorf("%w: %s wins in %d with the third repetition set aside", ErrNoCertificate, p.Notation(turns.Turn(i)), n)
		}
		if n > 1 {
			if _, known := group[reply]; !known {
				group[reply] = len(group)
			}
			r.Refuted = append(r.Refuted, proof.Refuted{Turn: p.Notation(turns.Turn(i)), Reply: reply})
		}
	}
	slices.SortStableFunc(r.Refuted, func(a, b proof.Refuted) int { return group[a.Reply] - group[b.Reply] })
	return r, nil
}
