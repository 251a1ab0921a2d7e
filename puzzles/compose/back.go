package compose

import (
	"math/rand/v2"
	"slices"

	"goalproof/arimaa"
)

// levelBoards is how many boards are kept for each number of steps that are taken back.
const levelBoards = 5000

// taken is a turn that was taken back.
type taken struct {
	before   arimaa.Position
	turn     arimaa.Turn
	defences int // at before, see [Composer.replies]
}

// takeBack takes back turns that may have led to a position, as far as there is room, in random
// order. The position before each may come up in a game, and the turn leads from there to p by the
// rules. Of the pieces that a turn may have captured, one at most is put back for each option.
func takeBack(random *rand.Rand, p *arimaa.Position) (all []taken) {
	side := p.Side().Other()
	var levels [5][]taken // by the number of steps
	levels[0] = []taken{{before: arimaa.NewPosition(p.Board, side)}}
	seen := map[arimaa.Board]bool{p.Board: true}
	for steps := range 4 {
		level := levels[steps]
		random.Shuffle(len(level), func(i, k int) { level[i], level[k] = level[k], level[i] })
		for _, later := range level {
			for _, o := range backwards(&later.before.Board, side, 4-steps) {
				n := steps + o.Steps()
				b, ok := undo(random, &later.before.Board, o, side)
				if ok && !seen[b] && len(levels[n]) < levelBoards {
					seen[b] = true
					levels[n] = append(levels[n], taken{before: arimaa.NewPosition(b, side), turn: later.turn.Before(o)})
				}
			}
		}
	}
	for _, t := range slices.Concat(levels[1:]...) {
		after, legal := t.before.Try(t.turn)
		if legal && after == *p && t.before.Unusual() == nil {
			all = append(all, t)
		}
	}
	random.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	return all
}

// undo returns the board from which an option leads to a later one, if there is one.
func undo(random *rand.Rand, later *arimaa.Board, o arimaa.Option, side arimaa.Side) (b arimaa.Board, ok bool) {
	b = *later
	if o.Steps() == 2 {
		back(&b, o.Second())
	}
	back(&b, o.First())
	const often = 4 // one option in so many is tried with a piece that it captures
	if random.IntN(often) == 0 {
		for rest := arimaa.Traps &^ (b.Occupied() | later.Occupied()); rest != 0; rest = rest.Rest() {
			kind := arimaa.Rabbit + arimaa.Kind(random.IntN(int(arimaa.Elephant)))
			with := b
			if with.Put(rest.First(), arimaa.NewPiece(arimaa.Side(random.IntN(2)), kind)); leads(&with, o, later, side) {
				return with, true
			}
		}
	}
	return b, leads(&b, o, later, side)
}

// back takes a step back.
func back(b *arimaa.Board, s arimaa.Step) {
	b.Put(s.To(), arimaa.Empty)
	b.Put(s.From(), s.Piece())
}

// leads reports whether an option leads from a board to a later one.
func leads(b *arimaa.Board, o arimaa.Option, later *arimaa.Board, side arimaa.Side) bool {
	if b.Undefended() != 0 {
		return false
	}
	p := arimaa.NewPosition(*b, side)
	after, legal := p.TryPart(arimaa.Turn{}.WithOption(o))
	return legal && after.Board == *later
}

// backwards lists the steps, pushes and pulls of a side that may have led to a board, of at most so
// many steps. Whether they are legal is seen when they are played.
func backwards(b *arimaa.Board, side arimaa.Side, steps int) (all []arimaa.Option) {
	free := ^b.Occupied()
	for own := b.Of(side); own != 0; own = own.Rest() {
		at := own.First()
		piece := b.At(at)
		for from := at.Beside() & free; from != 0; from = from.Rest() {
			all = append(all, arimaa.SingleStep(arimaa.StepBetween(piece, from.First(), at)))
		}
		if steps < 2 {
			continue
		}
		for prey := at.Beside() & b.Of(side.Other()); prey != 0; prey = prey.Rest() {
			to := prey.First()
			enemy := b.At(to)
			for from := at.Beside() & free; from != 0; from = from.Rest() {
				all = append(all, arimaa.PushOrPull(arimaa.StepBetween(enemy, at, to), arimaa.StepBetween(piece, from.First(), at)))
			}
			for from := to.Beside() & free; from != 0; from = from.Rest() {
				all = append(all, arimaa.PushOrPull(arimaa.StepBetween(piece, to, at), arimaa.StepBetween(enemy, from.First(), to)))
			}
		}
	}
	return all
}
