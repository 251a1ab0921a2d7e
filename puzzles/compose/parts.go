package compose

import (
	"cmp"
	"context"
	"slices"

	"goalproof/arimaa"
)

// Part says what a puzzle needs a piece for.
type Part struct {
	Square      arimaa.Square
	Piece       arimaa.Piece
	Superfluous bool    // the puzzle stays the same without it
	Without     Finding // what the position is without it, if it can come up
	Odd         error   // why it cannot come up without it; nil if it can
	// Weaker is the weakest kind that does as well, None if there is none or the piece is superfluous.
	Weaker arimaa.Kind
}

// Parts takes each piece of a puzzle away and replaces it by weaker ones, one at a time. When the
// context is done before all is decided, the error is that of the context.
func (c *Composer) Parts(ctx context.Context, z Puzzle) (parts []Part, err error) {
	p := &z.Position
	for rest := p.Occupied(); rest != 0; rest = rest.Rest() {
		part := Part{Square: rest.First(), Piece: p.At(rest.First())}
		_, part.Without, part.Superfluous, part.Odd, err = c.try(ctx, &z, remove(p, part.Square), false)
		if err != nil {
			return nil, err
		}
		if !part.Superfluous {
			change, _, err := c.weaken(ctx, &z, part.Square)
			if err != nil {
				return nil, err
			}
			part.Weaker = change.New.Kind()
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// weaken replaces a piece by the weakest that does as well. The zero change says that none does.
func (c *Composer) weaken(ctx context.Context, z *Puzzle, s arimaa.Square) (change Change, weaker Puzzle, err error) {
	for kind := arimaa.Rabbit; kind < z.Position.At(s).Kind(); kind++ {
		change := replace(&z.Position, s, kind)
		weaker, _, ok, _, err := c.try(ctx, z, change, false)
		if err != nil || ok {
			return change, weaker, err
		}
	}
	return change, weaker, nil
}

// Reduce takes pieces away until each that is left is needed, and then replaces pieces by weaker
// ones until no weaker one does. Pieces far from the solution go first. The changes are those made,
// in their order. When the context is done before the end, the puzzle is what it was then, and the
// error is that of the context.
func (c *Composer) Reduce(ctx context.Context, z Puzzle) (reduced Puzzle, changes []Change, err error) {
	for again := true; again; {
		again = false
		for _, s := range farthest(&z) {
			next, _, ok, _, err := c.try(ctx, &z, remove(&z.Position, s), false)
			if err != nil {
				return z, changes, err
			}
			if ok {
				changes = append(changes, remove(&z.Position, s))
				z, again = next, true
			}
		}
		if again {
			continue
		}
		for _, s := range farthest(&z) {
			change, next, err := c.weaken(ctx, &z, s)
			if err != nil {
				return z, changes, err
			}
			if change != (Change{}) {
				changes = append(changes, change)
				z, again = next, true
			}
		}
	}
	return z, changes, nil
}

// farthest returns the squares of a puzzle's pieces, those far from the squares of the solution
// first.
func farthest(z *Puzzle) (squares []arimaa.Square) {
	steps := func(a, b arimaa.Square) int {
		files, ranks := int(a%8)-int(b%8), int(a/8)-int(b/8)
		return max(files, -files) + max(ranks, -ranks)
	}
	distance := func(s arimaa.Square) int {
		least := steps(0, 63)
		for i := range z.Solution.Len() {
			step := z.Solution.Step(i)
			least = min(least, steps(s, step.From()), steps(s, step.To()))
		}
		return least
	}
	for rest := z.Position.Occupied(); rest != 0; rest = rest.Rest() {
		squares = append(squares, rest.First())
	}
	slices.SortStableFunc(squares, func(a, b arimaa.Square) int { return cmp.Compare(distance(b), distance(a)) })
	return squares
}

// Repaired is a change that makes a puzzle of a position.
type Repaired struct {
	Change Change
	Puzzle Puzzle
}

// Repair looks for single changes that leave one essential solution to a position in which the side
// to move wins in a number of turns by several: pieces taken away, replaced by weaker ones, moved
// to a square beside, and added, in this order. It returns at most a number of them. When the
// context is done before the end, the error is that of the context, and repaired is what was found
// until then.
func (c *Composer) Repair(ctx context.Context, p arimaa.Position, turns, most int) (repaired []Repaired, err error) {
	for _, change := range changes(&p) {
		if len(repaired) == most {
			break
		}
		q, odd := change.Apply(p)
		if odd != nil {
			continue
		}
		f, err := c.Judge(ctx, q, turns)
		if err != nil {
			return repaired, err
		}
		if f.Essential == 1 {
			repaired = append(repaired, Repaired{change, Puzzle{Position: q, Turns: turns, Solution: f.Solution, Single: f.Solutions == 1}})
		}
	}
	return repaired, nil
}
