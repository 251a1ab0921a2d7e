package goal

import "goalproof/arimaa"

// blockade describes which pieces of Silver can move on one board, and what could stop them.
type blockade struct {
	gold, silver, empty arimaa.Bitboard
	rabbits             arimaa.Bitboard // Silver's
	fixed               arimaa.Bitboard // Silver's pieces that no piece of Gold is stronger than
	mobile              arimaa.Bitboard // Silver's pieces that can step
	firm                arimaa.Bitboard // of the mobile ones, those that are fixed or have a friend beside them
	// Silver's strongest pieces, if they are fixed and more than rabbits, and Gold's of the same
	// kind.
	top, rivals arimaa.Bitboard
	// From closer: the steps left, and Silver's pieces that nothing can freeze with them.
	steps int
	far   arimaa.Bitboard
}

// blockadeOf returns the blockade of a board.
func blockadeOf(b *arimaa.Board) (h blockade) {
	occupied := b.Occupied()
	h.silver = b.Of(arimaa.Silver)
	h.gold = occupied ^ h.silver
	h.empty = ^occupied
	h.rabbits = b.Rabbits(arimaa.Silver)
	free := h.silver &^ b.Frozen(arimaa.Silver)
	h.mobile = free & (h.empty<<8 | east(h.empty) | west(h.empty) | h.empty>>8&^h.rabbits)
	strongest := arimaa.Elephant // of both sides
	for strongest > arimaa.Cat && b.AtLeast(arimaa.Gold, strongest)|b.AtLeast(arimaa.Silver, strongest) == 0 {
		strongest--
	}
	h.top, h.rivals = b.AtLeast(arimaa.Silver, strongest), b.AtLeast(arimaa.Gold, strongest)
	h.fixed = h.top
	for kind := strongest; h.rivals == 0 && kind > arimaa.Rabbit && b.AtLeast(arimaa.Gold, kind) == 0; {
		kind--
		h.fixed = b.AtLeast(arimaa.Silver, kind)
	}
	h.firm = h.mobile & (h.silver.Neighbors() | h.fixed)
	return h
}

// targets returns the empty squares that some of the pieces could step to.
func (h *blockade) targets(pieces arimaa.Bitboard) arimaa.Bitboard {
	return (pieces>>8 | east(pieces) | west(pieces) | pieces&^h.rabbits<<8) & h.empty
}

// closer adds what n implies: pieces of Silver that are more than n steps away from every piece
// that could freeze them stay free as if they were fixed, so they must be blocked. See also crowd.
func (h *blockade) closer(b *arimaa.Board, n int) blockade {
	c := *h
	c.steps = n
	for rest := h.silver &^ h.fixed; rest != 0; rest = rest.Rest() {
		x := rest.First()
		if x.Within(n+1)&b.AtLeast(arimaa.Gold, b.At(x).Kind()+1) == 0 {
			c.far |= x.Set()
		}
	}
	c.firm |= h.mobile & c.far
	return c
}
