package goal

import "goalproof/arimaa"

// NoThreat reports whether it is certain that side threatens to win (see [Detector.Threat]) neither
// after a turn that ends on the board nor after one that ends within left more steps of it; false
// means unknown.
//
// After such a turn side would need the left steps and those of another turn, in a row, and fewer
// are too few for a goal (goalFar), for the elimination and for the immobilisation (staysMobile).
func NoThreat(b *arimaa.Board, side arimaa.Side, left int) bool {
	if b.Undefended() != 0 {
		return false
	}
	o := orient(b, side)
	n := left + arimaa.StepsPerTurn
	if _, far := goalFar(&o, n); !far || eliminationCost(&o) <= n {
		return false
	}
	c := cordonOf(&o, n)
	return c.topFar(n, 0) || c.staysMobile(n, 0)
}

// Calm reports whether it is certain that no turn of side that ends on the board, or within left
// more steps of it, forces a win in two; false means unknown. If such a turn has not won at once,
// the opponent then has a reply that leaves side no win with its next turn.
//
// The reply is a single step of one piece. It cannot be named, since the steps left may prevent it,
// so it is one of several: more than those steps can prevent (canStep). Whichever of them is
// possible, all steps of side, those left and those of its next turn, are too few for a win:
//
//   - For a goal, as the bound is the same without the piece that replies.
//   - For the elimination. The reply saves what one push or pull does, two steps.
//   - For the immobilisation. Either one of Silver's strongest pieces stays mobile, if the reply
//     goes to no square within 2 of it, or is made by it and keeps it mobile on its new square
//     (topFar). Or what staysMobile counts is too much even with the reply.
func Calm(b *arimaa.Board, side arimaa.Side, left int) bool {
	if b.Undefended() != 0 {
		return false
	}
	o := orient(b, side)
	n := left + arimaa.StepsPerTurn
	passed, far := goalFar(&o, n)
	if !far || eliminationCost(&o) <= n+savedByReply {
		return false
	}
	c := cordonOf(&o, n)
	free := c.secure(0, left)
	aside := free &^ passed // these do not matter to a goal
	if c.topFar(n, 1) {
		near := c.nearTop()
		if c.canStep(aside&^c.top, left, near) || c.canStep(aside, left, near&^c.topMoves(&o, aside, n)) {
			return true
		}
	}
	repliers := arimaa.Bitboard(0)
	for rest := free; rest != 0; rest = rest.Rest() {
		piece := rest & -rest
		if c.targets(piece)&^arimaa.Traps == 0 || piece&aside == 0 && !farWithout(o, piece, n) || !c.staysMobile(n, piece) {
			continue
		}
		if repliers |= piece; c.canStep(repliers, left, 0) {
			return true
		}
	}
	return false
}

// farWithout reports whether a goal is far without a piece of Silver (goalFar).
func farWithout(b arimaa.Board, piece arimaa.Bitboard, n int) bool {
	b.Put(piece.First(), arimaa.Empty)
	_, far := goalFar(&b, n)
	return far
}
