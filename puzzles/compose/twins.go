package compose

import (
	"cmp"
	"context"
	"slices"

	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/puzzles"
)

// Twins looks for twins of a puzzle: positions that differ from it by one piece, moved to any
// square, replaced by another kind, taken away or added, and are puzzles about a win in as many
// turns with another solution. The steps of neither solution are among those of the other, and the
// old one no longer wins in so many turns. It asks the solver about at most so many positions as
// there are rounds, the nearest changes first: see [nearness]. When the context is done before the
// end, the error is that of the context, and v has what was found until then.
func (c *Composer) Twins(ctx context.Context, z Puzzle, rounds int) (v Variants, err error) {
	for _, change := range singleChanges(&z.Position) {
		if rounds == 0 || len(v.Found) == mostVariants {
			return v, nil
		}
		q, odd := change.Apply(z.Position)
		if odd != nil {
			v.refuse(Odd)
			continue
		}
		if c.stillWins(&q, &z) {
			v.refuse(OldWins)
			continue
		}
		rounds--
		c.progress.Rounds++
		found, why, err := c.twin(ctx, q, &z)
		if err != nil {
			return v, err
		}
		if why != NumReasons {
			v.refuse(why)
			continue
		}
		v.Tried++
		v.Found = append(v.Found, Variant{Puzzle: puzzleOf(found), Mined: found, Change: change})
	}
	v.All = true
	return v, nil
}

// twin judges a changed position as a twin of a puzzle.
func (c *Composer) twin(ctx context.Context, q arimaa.Position, z *Puzzle) (*puzzles.Mined, Reason, error) {
	found, j, why, err := c.look(ctx, q, z.Turns)
	old := func(s dfpns.Solution) bool { return puzzles.SameRoute(s.Turn, z.Solution) }
	switch {
	case err != nil || why != NumReasons:
	case slices.ContainsFunc(j.Solutions, old):
		why = OldWins
	case shared(found.Solution, z.Solution) == min(found.Solution.Len(), z.Solution.Len()):
		why = Alike
	}
	return found, why, err
}

// stillWins reports whether it is certain, without a search, that the steps of a puzzle's solution
// win at a changed position in as many turns. False says nothing.
func (c *Composer) stillWins(q *arimaa.Position, z *Puzzle) bool {
	after, legal := q.Try(onBoard(q, z.Solution))
	if !legal {
		return false
	}
	switch outcome := after.Ended(q.Side()); {
	case outcome.Over():
		return outcome.WonBy(q.Side())
	case z.Turns == 2:
		_, defends := c.detector.Defence(&after)
		return !defends
	}
	return false
}

// onBoard returns the turn that makes the steps of another one with the pieces that stand there.
func onBoard(p *arimaa.Position, t arimaa.Turn) (same arimaa.Turn) {
	b := p.Board
	for i := range t.Len() {
		from, to := t.Step(i).From(), t.Step(i).To()
		piece := b.At(from)
		if piece == arimaa.Empty {
			return t // which is illegal
		}
		same = same.With(arimaa.StepBetween(piece, from, to))
		b.Put(from, arimaa.Empty)
		b.Put(to, piece)
		for rest := b.Undefended(); rest != 0; rest = rest.Rest() {
			b.Put(rest.First(), arimaa.Empty)
		}
	}
	return same
}

// shared counts the steps that two turns have in common, whatever pieces make them.
func shared(a, b arimaa.Turn) (n int) {
	var used [4]bool
	for i := range a.Len() {
		for k := range b.Len() {
			if !used[k] && a.Step(i).From() == b.Step(k).From() && a.Step(i).To() == b.Step(k).To() {
				used[k] = true
				n++
				break
			}
		}
	}
	return n
}

// singleChanges lists all changes of one piece of a position, the nearest first.
func singleChanges(p *arimaa.Position) (all []Change) {
	for rest := p.Occupied(); rest != 0; rest = rest.Rest() {
		s := rest.First()
		for free := ^p.Occupied(); free != 0; free = free.Rest() {
			all = append(all, move(p, s, free.First()))
		}
		for kind := arimaa.Rabbit; kind <= arimaa.Elephant; kind++ {
			if kind != p.At(s).Kind() {
				all = append(all, replace(p, s, kind))
			}
		}
		all = append(all, remove(p, s))
	}
	for free := ^p.Occupied(); free != 0; free = free.Rest() {
		for kind := arimaa.Rabbit; kind <= arimaa.Elephant; kind++ {
			for side := range arimaa.Side(2) {
				all = append(all, add(arimaa.NewPiece(side, kind), free.First()))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Change) int { return cmp.Compare(nearness(a), nearness(b)) })
	return all
}

// nearness orders changes: a piece moved by one square, by two, and so on; replaced, by the next
// kind first; taken away; added.
func nearness(c Change) int {
	const replaced, removed, added = 20, 30, 40 // a piece moves by 14 squares at most
	switch {
	case c.Old == arimaa.Empty:
		return added
	case c.New == arimaa.Empty:
		return removed
	case c.At == c.To:
		kinds := int(c.Old.Kind()) - int(c.New.Kind())
		return replaced + max(kinds, -kinds)
	}
	files, ranks := int(c.At%8)-int(c.To%8), int(c.At/8)-int(c.To/8)
	return max(files, -files) + max(ranks, -ranks)
}
