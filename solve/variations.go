package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
)

// Variation is a turn of the attacker that keeps his win, with what follows it.
type Variation struct {
	Before  arimaa.Position
	Turn    arimaa.Turn
	Outcome arimaa.Outcome // after the turn; over if the turn wins
	// Threat would win at once if the defender could pass; the zero turn if the turn is quiet.
	Threat  arimaa.Turn
	Replies int // of the defender, by distinct results
	// Groups are the replies by the answer that they meet: those that hold out longest first, then
	// those whose answer meets the fewest replies (near misses); last the largest group of replies
	// after which he wins at once.
	Groups []Group
	// Hidden is the number of groups left out before the last one, with HiddenReplies in all.
	Hidden, HiddenReplies int
}

// Group are replies that meet the same answer.
type Group struct {
	Replies []arimaa.Turn // fewest steps first
	Turns   int           // that the attacker needs after them; 0 if the replies lose by themselves
	// Answer follows the first reply; nil if Turns is 0. The other replies meet the same turn,
	// though play may differ after it.
	Answer *Variation
}

// ErrNoVariations is in the error of a win whose variations cannot be listed.
var ErrNoVariations = errors.New("no variations")

// Variations lists the variations of a proved win within n turns that begins with a turn: at most
// width groups of replies, 1 or more, and the largest one; one group fewer after each following
// turn; and where none is left, the longest resistance alone. It searches how many turns each reply
// takes. The error is ErrNoVariations with pns, and in a game in which a position has occurred
// twice, that of the context when it is done, or one of the search.
func (s *Solver) Variations(ctx context.Context, q Question, n int, turn arimaa.Turn, width int) (*Variation, error) {
	ctx, err := s.askedWin(ctx, q, n, turn)
	switch {
	case err != nil:
		return nil, err
	case width < 1:
		return nil, fmt.Errorf("%d groups of replies: at least one is listed", width)
	case !s.usesDepthFirst():
		return nil, fmt.Errorf("%w: they are listed with dfpns", ErrNoVariations)
	case !q.Aim.Win():
		return nil, fmt.Errorf("%w: they are those of a win", ErrNoVariations)
	case q.Game != nil && repeated(q.Game):
		return nil, fmt.Errorf("%w: a position has occurred twice, so the third repetition may forbid a turn", ErrNoVariations)
	}
	return s.variation(ctx, q.Position, turn, n, width)
}

// variation lists the variations after a turn at p that wins within n turns.
func (s *Solver) variation(ctx context.Context, p arimaa.Position, turn arimaa.Turn, n, width int) (*Variation, error) {
	after := p.AfterTurn(turn)
	v := &Variation{Before: p, Turn: turn, Outcome: after.Ended(p.Side())}
	if v.Outcome.Over() {
		return v, nil
	}
	passed := after.EndTurn()
	if t, wins := s.detector.CanWin(&passed, &passed.Board); wins {
		v.Threat = s.plainest(&passed, t)
	}
	groups, err := s.group(ctx, v, after, n-1)
	if err != nil {
		return nil, err
	}
	hide := func(from, to int) {
		for _, g := range groups[from:to] {
			v.Hidden++
			v.HiddenReplies += len(g.Replies)
		}
		groups = slices.Delete(groups, from, to)
	}
	if width < 1 {
		hide(1, len(groups))
	} else if len(groups) > width+1 {
		hide(width, len(groups)-1)
	}
	for i := range groups {
		g := &groups[i]
		if g.Turns == 0 {
			continue
		}
		if g.Answer, err = s.variation(ctx, after.AfterTurn(g.Replies[0]), g.Answer.Turn, g.Turns, width-1); err != nil {
			return nil, err
		}
	}
	v.Groups = groups
	return v, nil
}

// group sorts the replies at after into groups by the answer that they meet, a win within n turns.
// Each answer holds its turn only. Known answers are tried first on each reply, the threat before
// all, so that few answers serve many replies.
func (s *Solver) group(ctx context.Context, v *Variation, after arimaa.Position, n int) (groups []Group, err error) {
	lost := Group{}
	if v.Threat.Len() > 0 {
		groups = append(groups, Group{Turns: 1, Answer: &Variation{Turn: v.Threat}})
	}
	var replies arimaa.Generator
	for i := range replies.Generate(&after) {
		if i&15 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v.Replies++
		reply, next := replies.Turn(i), replies.Position(i, after.Side())
		if next.Ended(after.Side()).Over() { // the attacker wins: his turn keeps the win
			lost.Replies = append(lost.Replies, reply)
			continue
		}
		most := 1
		if _, wins := s.detector.CanWin(&next, &next.Board); !wins {
			if most, err = s.least(ctx, next, n); err != nil {
				return nil, err
			}
		}
		if groups, err = s.place(ctx, groups, reply, next, most); err != nil {
			return nil, err
		}
	}
	if len(lost.Replies) > 0 {
		groups = append(groups, lost)
	}
	groups = slices.DeleteFunc(groups, func(g Group) bool { return len(g.Replies) == 0 })
	slices.SortStableFunc(groups, func(a, b Group) int {
		return cmp.Or(b.Turns-a.Turns, len(a.Replies)-len(b.Replies))
	})
	if last := len(groups) - 1; last > 0 && groups[last].Turns == 0 && groups[last-1].Turns == 1 { // the largest of those that meet an answer comes last
		groups[last-1], groups[last] = groups[last], groups[last-1]
	}
	return groups, nil
}

// place adds a reply, after which the attacker, to move at next, needs so many turns, to the first
// of the groups whose answer it meets, or to a new one.
func (s *Solver) place(ctx context.Context, groups []Group, reply arimaa.Turn, next arimaa.Position, most int) (_ []Group, err error) {
	k := slices.IndexFunc(groups, func(g Group) bool {
		ok := g.Turns == most && err == nil
		if ok {
			ok, err = s.keeps(ctx, next, g.Answer.Turn, most)
		}
		return ok
	})
	if err != nil {
		return nil, err
	}
	if k < 0 {
		f, err := s.decide(ctx, Question{Position: next}, most, most)
		if err != nil || f.verdict != answer.Proved {
			return nil, cmp.Or(err, ctx.Err(), fmt.Errorf("%w: at %v the win in %d was not found again", ErrNoVariations, next, most))
		}
		k = len(groups)
		groups = append(groups, Group{Turns: most, Answer: &Variation{Turn: s.plainest(&next, f.turn)}})
	}
	groups[k].Replies = append(groups[k].Replies, reply)
	return groups, nil
}

// least returns the least number of turns, from 2 to most, within which the attacker wins at p.
func (s *Solver) least(ctx context.Context, p arimaa.Position, most int) (int, error) {
	for n := 2; n <= most; n++ {
		f, err := s.decide(ctx, Question{Position: p}, n, n)
		if err != nil || f.verdict == answer.Proved {
			return n, err
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	return 0, fmt.Errorf("%w: at %v there is no win in %d", ErrNoVariations, p, most)
}

// keeps reports whether a turn at p wins within n turns.
func (s *Solver) keeps(ctx context.Context, p arimaa.Position, t arimaa.Turn, n int) (ok bool, err error) {
	after, legal := p.Try(t)
	if !legal || n > 1 && after.Ended(p.Side()).Over() {
		return false, nil
	}
	if n == 1 {
		o := after.Ended(p.Side())
		return o.Over() && o.Winner == p.Side(), nil
	}
	s.needDepthFirst()
	err = s.count(s.depthFirst, func() error {
		r, err := s.depthFirst.SolveTurn(ctx, dfpns.Question{Position: p, N: n}, t)
		ok = r.Verdict == answer.Proved
		return cmp.Or(err, ctx.Err())
	})
	return ok, err
}
