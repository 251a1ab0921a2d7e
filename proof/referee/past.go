package referee

// NoTurnEnds says, in words for a person, why no turn of the side moved can have ended with this board, whatever the
// position before it. "" means that it knows no reason, not that there is such a turn. It looks at the last
// displacement alone: docs/rules.md, "A turn" and "Captures".
func NoTurnEnds(b Board, moved Side) (why string) {
	for _, trap := range [4]int{c3, f3, c6, f6} {
		if b.undefended(trap) {
			return "an undefended piece stands on the trap " + SquareName(trap)
		}
	}
	for from, piece := range b {
		if piece != Empty {
			continue // the last displacement left a square, and nothing has entered it since
		}
		for d := range directions {
			if to, ok := neighbour(from, d); ok && b.mayBeLast(to, d, moved) {
				return ""
			}
		}
	}
	return "the side that has just moved cannot have made a last step"
}

// mayBeLast reports whether a displacement to a square, in direction number d, may have been the last one of a turn of
// the side moved. It was a step of its own piece, perhaps at the end of a push, or an enemy piece was pulled.
func (b *Board) mayBeLast(to, d int, moved Side) bool {
	switch piece := b[to]; {
	case piece == Empty: // the piece was captured as it arrived
		return isTrap(to) && (!b.near(to, moved) || !b.near(to, moved.Other()) && b.mayHavePulled(to, 'r', moved))
	case owner(piece) == moved:
		return piece != moved.rabbit() || directions[d] != moved.backward()
	default:
		return b.mayHavePulled(to, piece, moved)
	}
}

// mayHavePulled reports whether a piece of the side moved may have pulled this one to a square. The puller stands next
// to that square, or has been captured on a trap next to it.
func (b *Board) mayHavePulled(to int, piece byte, moved Side) bool {
	for d := range directions {
		next, ok := neighbour(to, d)
		switch {
		case !ok:
		case b[next] == Empty:
			if isTrap(next) && !b.near(next, moved) {
				return true
			}
		case owner(b[next]) == moved && strength(b[next]) > strength(piece):
			return true
		}
	}
	return false
}

// near reports whether a piece of the side stands next to the square.
func (b *Board) near(square int, side Side) bool {
	for d := range directions {
		next, ok := neighbour(square, d)
		if ok && isPiece(b[next]) && owner(b[next]) == side {
			return true
		}
	}
	return false
}
