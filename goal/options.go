package goal

import "goalproof/arimaa"

// view is what the searches of this package need to know about Gold, to move.
type view struct {
	own     arimaa.Bitboard
	enemy   arimaa.Bitboard
	empty   arimaa.Bitboard
	rabbits arimaa.Bitboard // Gold's
	free    arimaa.Bitboard // Gold's pieces that are not frozen
}

func look(b *arimaa.Board) (v view) {
	occupied := b.Occupied()
	v.own = b.Of(arimaa.Gold)
	v.enemy = occupied ^ v.own
	v.empty = ^occupied
	v.rabbits = b.Rabbits(arimaa.Gold)
	v.free = v.own &^ b.Frozen(arimaa.Gold)
	return v
}

// steps returns where the free piece on from may step by itself.
func (v *view) steps(from arimaa.Square) arimaa.Bitboard {
	to := from.Beside() & v.empty
	if v.rabbits.Has(from) {
		to &^= from.Set() >> 8
	}
	return to
}

// singles calls try with each single step of Gold that leaves or enters the zone,
// until it returns true.
func (v *view) singles(b *arimaa.Board, zone arimaa.Bitboard, try func(o arimaa.Option, c arimaa.Board) bool) bool {
	movers := v.free & (zone | zone.Neighbors())
	for rest := movers; rest != 0; rest = rest.Rest() {
		from := rest.First()
		targets := v.steps(from)
		if !zone.Has(from) {
			targets &= zone
		}
		for ; targets != 0; targets = targets.Rest() {
			to := targets.First()
			c := *b
			c.Displace(from, to)
			if try(arimaa.SingleStep(arimaa.StepBetween(b.At(from), from, to)), c) {
				return true
			}
		}
	}
	return false
}

// doubles calls try with each push and pull of Gold that changes a square of the
// zone, until it returns true.
func (v *view) doubles(b *arimaa.Board, zone arimaa.Bitboard, try func(o arimaa.Option, c arimaa.Board) bool) bool {
	for rest := v.free &^ v.rabbits & v.enemy.Neighbors(); rest != 0; rest = rest.Rest() {
		from := rest.First()
		own := b.At(from)
		victims := from.Beside() & v.enemy &^ b.AtLeast(arimaa.Silver, own.Kind())
		for ; victims != 0; victims = victims.Rest() {
			at := victims.First()
			enemy := b.At(at)
			pushes, pulls := at.Beside()&v.empty, from.Beside()&v.empty
			if (from.Set()|at.Set())&zone == 0 {
				pushes &= zone
				pulls &= zone
			}
			for ; pushes != 0; pushes = pushes.Rest() {
				to := pushes.First()
				c := *b
				c.Displace(at, to)
				c.Displace(from, at)
				if try(arimaa.PushOrPull(arimaa.StepBetween(enemy, at, to), arimaa.StepBetween(own, from, at)), c) {
					return true
				}
			}
			for ; pulls != 0; pulls = pulls.Rest() {
				to := pulls.First()
				c := *b
				c.Displace(from, to)
				c.Displace(at, from)
				if try(arimaa.PushOrPull(arimaa.StepBetween(own, from, to), arimaa.StepBetween(enemy, at, from)), c) {
					return true
				}
			}
		}
	}
	return false
}
