package solve

import (
	"context"
	"slices"

	"goalproof/answer"
	"goalproof/arimaa"
)

// Replies are the turns of the side to move, sorted by whether its opponent, the attacker, then
// wins within a number of his turns, with the third repetition set aside.
type Replies struct {
	Count int // of the replies, by distinct results
	// Groups are those after which he wins, by the answer that they meet, the largest group first. Each
	// answer holds its turn only.
	Groups []Group
	Held   []arimaa.Turn // those after which he does not, fewest steps first
	Open   int           // those of which that is not known
	Stop   answer.Stop   // why, or Finished
}

// Won returns how many replies there are after which the attacker wins.
func (r *Replies) Won() int { return r.Count - len(r.Held) - r.Open }

// Replies sorts the replies at p by what follows them within q.Deepest turns of the opponent of the
// side to move; it reads Position and Deepest. Those that allow a win at once are sorted first, as
// they need no search. When the context is done, the others stay open. The game must not be over at
// p. The error is ErrNoVariations with pns, and otherwise as for [Solver.Solve].
func (s *Solver) Replies(ctx context.Context, q Question) (r Replies, err error) {
	if ctx, err = s.asked(ctx, q); err != nil {
		return r, err
	}
	if !s.usesDepthFirst() {
		return r, ErrNoVariations
	}
	k := sorting{s: s, q: q, r: &r}
	return r, k.all(ctx)
}

// sorting is a call of Replies under way.
type sorting struct {
	s      *Solver
	q      Question
	r      *Replies
	groups []Group
	lost   Group
	held   []int // the numbers of the replies
}

func (k *sorting) all(ctx context.Context) error {
	p, defender := k.q.Position, k.q.Position.Side()
	if passed := p.EndTurn(); p.Undefended() == 0 && !passed.Ended(defender).Over() {
		if t, wins := k.s.detector.CanWin(&passed, &passed.Board); wins {
			k.groups = []Group{{Turns: 1, Answer: &Variation{Turn: k.s.plainest(&passed, t)}}}
		}
	}
	var replies arimaa.Generator
	k.r.Count = replies.Generate(&p)
	var later []int // those after which he does not win at once
	for i := range k.r.Count {
		next := replies.Position(i, defender)
		if o := next.Ended(defender); o.Over() {
			if o.Winner == defender {
				k.held = append(k.held, i)
			} else {
				k.lost.Replies = append(k.lost.Replies, replies.Turn(i))
			}
			continue
		}
		if _, wins := k.s.detector.CanWin(&next, &next.Board); !wins {
			later = append(later, i)
		} else if err := k.place(ctx, replies.Turn(i), next, 1); err != nil {
			return err
		}
	}
	for _, i := range later {
		if err := k.sort(ctx, i, replies.Turn(i), replies.Position(i, defender)); err != nil {
			return err
		}
	}
	slices.Sort(k.held)
	for _, i := range k.held {
		k.r.Held = append(k.r.Held, replies.Turn(i))
	}
	k.r.Groups = slices.DeleteFunc(append(k.groups, k.lost), func(g Group) bool { return len(g.Replies) == 0 })
	slices.SortStableFunc(k.r.Groups, func(a, b Group) int { return len(b.Replies) - len(a.Replies) })
	return nil
}

// sort sorts a reply that leaves the attacker, to move at next, no win at once.
func (k *sorting) sort(ctx context.Context, i int, reply arimaa.Turn, next arimaa.Position) error {
	for n := 2; n <= k.q.Deepest; n++ {
		f, err := k.s.decide(ctx, Question{Position: next}, n, n)
		switch {
		case err != nil:
			return err
		case f.verdict == answer.Proved:
			return k.place(ctx, reply, next, n)
		case f.verdict == answer.Unknown:
			k.open(f.stop)
			return nil
		}
	}
	k.held = append(k.held, i)
	return nil
}

// place adds a reply, after which the attacker needs n turns, to the groups, unless the context is
// done before it is known which answer it meets.
func (k *sorting) place(ctx context.Context, reply arimaa.Turn, next arimaa.Position, n int) error {
	groups, err := k.s.place(ctx, k.groups, reply, next, n)
	switch {
	case err == nil:
		k.groups = groups
	case ctx.Err() != nil:
		k.open(answer.StopOf(ctx))
	default:
		return err
	}
	return nil
}

func (k *sorting) open(why answer.Stop) { k.r.Open, k.r.Stop = k.r.Open+1, why }
