package retro

import "goalproof/arimaa"

// Ply is a turn and the position before it.
type Ply struct {
	Before arimaa.Position
	Turn   arimaa.Turn
}

// point is a board on the way back through a turn.
type point struct {
	board  arimaa.Board
	option arimaa.Option // that leads from here to the later board
	later  int32         // index of the point with that board
}

// army is a number of pieces of each kind.
type army = [arimaa.Elephant + 1]int

// newWalk returns a walk through the last turn of side in a game between full armies.
func newWalk(side arimaa.Side) walk {
	return walk{side: side, army: [2]army{arimaa.FullArmy, arimaa.FullArmy}}
}

// walk goes back through the last turn of a position, breadth first.
type walk struct {
	side   arimaa.Side // that made the turn
	army   [2]army     // with which Gold and Silver began
	points []point     // the position itself, then what was found: fewer steps first
	met    map[arimaa.Board]bool
	found  func() bool // called for each new point, the last of points; false ends the walk
	ended  bool
}

// back finds every board from which side can come to b within a turn, until found returns false.
// It reports whether it found all.
func (w *walk) back(b *arimaa.Board) bool {
	w.points, w.met = []point{{board: *b}}, map[arimaa.Board]bool{*b: true}
	ends := [arimaa.StepsPerTurn + 2]int{1: 1} // where the points of 0, 1, ... steps end, one place on
	for steps := 1; steps <= arimaa.StepsPerTurn; steps++ {
		for i := ends[steps-1]; i < ends[steps] && !w.ended; i++ {
			w.steps(i)
		}
		if steps > 1 {
			for i := ends[steps-2]; i < ends[steps-1] && !w.ended; i++ {
				w.pushes(i)
				w.pulls(i)
			}
		}
		ends[steps+1] = len(w.points)
	}
	return !w.ended
}

// add adds a board, unless it was met before. Side's piece on square at makes the option.
func (w *walk) add(board *arimaa.Board, at arimaa.Square, o arimaa.Option, later int) {
	if w.ended || w.met[*board] || board.Frozen(w.side).Has(at) {
		return
	}
	w.met[*board] = true
	w.points = append(w.points, point{*board, o, int32(later)})
	w.ended = !w.found()
}

// ply returns the turn that begins with point i.
func (w *walk) ply(i int) Ply {
	p := Ply{Before: arimaa.NewPosition(w.points[i].board, w.side)}
	for ; i != 0; i = int(w.points[i].later) {
		p.Turn = p.Turn.WithOption(w.points[i].option)
	}
	return p
}

// steps takes back single steps that lead to point i.
func (w *walk) steps(i int) {
	board := w.points[i].board
	backward := w.side.Other().Forward()
	w.takeBack(&board, w.side, arimaa.Everywhere, func(before *arimaa.Board, s arimaa.Step) {
		if s.Piece().Kind() != arimaa.Rabbit || s.Direction() != backward {
			w.add(before, s.From(), arimaa.SingleStep(s), i)
		}
	})
}

// pushes takes back pushes that lead to point i.
func (w *walk) pushes(i int) {
	board := w.points[i].board
	w.takeBack(&board, w.side, arimaa.Everywhere, func(half *arimaa.Board, own arimaa.Step) {
		w.takeBack(half, w.side.Other(), own.To().Set(), func(before *arimaa.Board, enemy arimaa.Step) {
			if own.Piece().Kind() > enemy.Piece().Kind() {
				w.add(before, own.From(), arimaa.PushOrPull(enemy, own), i)
			}
		})
	})
}

// pulls takes back pulls that lead to point i.
func (w *walk) pulls(i int) {
	board := w.points[i].board
	w.takeBack(&board, w.side.Other(), arimaa.Everywhere, func(half *arimaa.Board, enemy arimaa.Step) {
		w.takeBack(half, w.side, enemy.To().Set(), func(before *arimaa.Board, own arimaa.Step) {
			if own.Piece().Kind() > enemy.Piece().Kind() {
				w.add(before, own.From(), arimaa.PushOrPull(own, enemy), i)
			}
		})
	})
}

// takeBack yields every settled board on which the displacement of a piece of side from one of the
// squares of a set gives b, and that displacement. The board is valid until yield returns.
func (w *walk) takeBack(b *arimaa.Board, side arimaa.Side, set arimaa.Bitboard, yield func(before *arimaa.Board, s arimaa.Step)) {
	try := func(before *arimaa.Board, from, to arimaa.Square) {
		if before.Undefended() != 0 {
			return
		}
		after := *before
		if after.Displace(from, to); after == *b {
			yield(before, arimaa.StepBetween(before.At(from), from, to))
		}
	}
	occupied, own := b.Occupied(), b.Of(side)
	for rest := set &^ occupied & (own | arimaa.Traps&^occupied).Neighbors(); rest != 0; rest = rest.Rest() {
		from := rest.First()
		for next := from.Beside() & own; next != 0; next = next.Rest() {
			to := next.First()
			before := *b
			before.Put(from, b.At(to))
			before.Put(to, arimaa.Empty)
			try(&before, from, to)
			if trap := from.Beside() & arimaa.Traps &^ occupied; trap != 0 {
				w.missing(b, side, func(piece arimaa.Piece) {
					with := before
					with.Put(trap.First(), piece)
					try(&with, from, to)
				})
			}
		}
		if trap := from.Beside() & arimaa.Traps &^ occupied; trap != 0 {
			w.missing(b, side, func(piece arimaa.Piece) {
				before := *b
				before.Put(from, piece)
				try(&before, from, trap.First())
			})
		}
	}
}

// missing yields a piece of each kind of which side has fewer than it began with.
func (w *walk) missing(b *arimaa.Board, side arimaa.Side, yield func(arimaa.Piece)) {
	for kind := arimaa.Rabbit; kind <= arimaa.Elephant; kind++ {
		if b.Pieces(side, kind).Len() < w.army[side][kind] {
			yield(arimaa.NewPiece(side, kind))
		}
	}
}
