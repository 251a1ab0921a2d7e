package arimaa

import (
	"slices"

	"goalproof/zobrist"
)

// Generator lists the distinct results of a turn. It keeps its memory from one call to the next, so
// listing allocates nothing once the memory has grown to the size of the largest turn so far (about
// 120 bytes a result). A Generator serves one goroutine; the zero value is ready.
//
// Results are found in breadth-first order of the steps they take: layer u holds the boards that u
// steps reach and u-1 do not. They come from single steps out of layer u-1 and from pushes and
// pulls out of layer u-2. A board is kept when it is first met, so it is met with the fewest steps,
// and what it leads to is a superset of what any later path to it leads to: one visit to a board is
// enough. Boards are compared by their 128-bit keys (package zobrist).
//
// Singles and doubles have loops of their own in place of [Steps] and [Doubles]: with those
// iterators and a key for each option, listing takes a third more time (BenchmarkTurns).
type Generator struct {
	nodes     []Point
	seen      keySet
	order     []uint64 // of Longest: priority and number of a node
	spare     spared
	skip      Skip    // of Skipping
	late      bool    // of LongestLate
	skippable []Point // of a call of skip by LongestLate
}

// spared says which own pieces a turn must not lose; the zero value: none.
type spared struct {
	traps Bitboard
	kinds uint8 // bit 1<<k for kind k
}

// Point is a board that a turn can reach, or that it starts from.
type Point struct {
	board  Board
	key    zobrist.Key
	parent int32
	option Option // leads here from the parent
	used   uint8  // steps since the turn's start
	out    bool   // left out
}

// Board returns the board. The pointer is valid as long as the Point is.
func (p *Point) Board() *Board { return &p.board }

// Key returns the key of the pieces, without side and steps.
func (p *Point) Key() zobrist.Key { return p.key }

// LeaveOut leaves the board out of the listing, and with it all that only this board leads to.
func (p *Point) LeaveOut() { p.out = true }

// Generate lists what the side to move at p can reach within the steps it has left and returns the
// number of distinct results. The board of p itself is not a result. The listing replaces that of
// an earlier call.
func (g *Generator) Generate(p *Position) int {
	g.layers(p, int(p.left))
	return g.Len()
}

// Sparing lists only the results of turns in which the side to move loses no piece of these kinds
// (bit 1<<k for kind k) on these traps. A turn that loses one may have the same result. The board
// must be settled.
func (g *Generator) Sparing(p *Position, kinds uint8, traps Bitboard) int {
	g.spare = spared{traps, kinds}
	defer func() { g.spare = spared{} }()
	return g.Generate(p)
}

// Longest lists the same results in another order and calls batch for each batch of new results,
// from..to-1. Those that take all the steps left come first, in many batches; the others follow
// together. The long results are made from the boards one option earlier, those with the highest
// priority first. The listing ends when batch returns false. It is for a search that expects to
// find its result soon, among the longest turns.
func (g *Generator) Longest(p *Position, priority func(*Board) int, batch func(from, to int) bool) {
	const least, most = 32, 1024 // results in a batch, and points that are asked about at once
	left := int(p.left)
	if left == 0 {
		g.layers(p, 0)
		return
	}
	layer := g.layers(p, left-1)
	last, shorter := layer[left-1], len(g.nodes) // last: where the points with one step left begin
	g.order = g.order[:0]
	for i := layer[max(left-2, 0)]; i < shorter; i++ {
		g.order = append(g.order, uint64(priority(&g.nodes[i].board)+1<<30)<<32|uint64(i))
	}
	slices.Sort(g.order)
	from, size := shorter, least
	known, more := len(g.order), least // what the order holds from known on has been asked about
	for k := len(g.order) - 1; k >= 0; k-- {
		if k < known && g.late {
			known, more = max(0, known-more), min(2*more, most)
			g.askSkip(g.order[known:k+1], max(last, 1))
		}
		switch i := int(uint32(g.order[k])); {
		case g.nodes[i].out:
		case i < last:
			g.doubles(int32(i), p.side)
		default:
			g.singles(int32(i), p.side)
		}
		if len(g.nodes)-from >= size {
			first := from
			from, size = len(g.nodes), min(2*size, most)
			if !batch(first-1, from-1) {
				return
			}
		}
	}
	if len(g.nodes) > from && !batch(from-1, len(g.nodes)-1) {
		return
	}
	if !g.late {
		last = shorter
	}
	if last > 1 && !batch(0, last-1) {
		return
	}
	// Of the points that were asked about late, those that are not left out follow once more, as
	// other results lie between.
	from = len(g.nodes)
	for i := max(last, 1); i < shorter; i++ {
		if !g.nodes[i].out {
			g.nodes = append(g.nodes, g.nodes[i])
		}
	}
	if len(g.nodes) > from {
		batch(from-1, len(g.nodes)-1)
	}
}

// askSkip asks skip about the points of an order with numbers from first on: those with one step
// left.
func (g *Generator) askSkip(order []uint64, first int) {
	g.skippable = g.skippable[:0]
	for _, o := range order {
		if i := int(uint32(o)); i >= first {
			g.skippable = append(g.skippable, g.nodes[i])
		}
	}
	if len(g.skippable) == 0 {
		return
	}
	g.skip(g.skippable, 1)
	n := 0
	for _, o := range order {
		if i := int(uint32(o)); i >= first {
			g.nodes[i].out = g.skippable[n].out
			n++
		}
	}
}

// Skip leaves points out of a listing. It gets many points at once, with the number of steps that
// they all have left, at least one. They are valid until it returns. It is asked once about each
// such board but the one at the start, unless the listing ends early. A nil Skip leaves nothing
// out.
type Skip func(points []Point, left int)

// LeavingOut returns a Skip that leaves out the points for which out is true, which is asked about
// each board alone.
func LeavingOut(out func(b *Board, left int) bool) Skip {
	return func(points []Point, left int) {
		for i := range points {
			if out(&points[i].board, left) {
				points[i].LeaveOut()
			}
		}
	}
}

// Skipping is Generate without what skip leaves out.
func (g *Generator) Skipping(p *Position, skip Skip) int {
	g.skip = skip
	defer func() { g.skip = nil }()
	return g.Generate(p)
}

// LongestSkipping is Longest without what skip leaves out.
func (g *Generator) LongestSkipping(p *Position, skip Skip, priority func(*Board) int, batch func(from, to int) bool) {
	g.skip = skip
	defer func() { g.skip = nil }()
	g.Longest(p, priority, batch)
}

// LongestLate is LongestSkipping for a search that expects to end soon: it asks about points with
// one step left, which are most of them, just before the results that pass them. A search of all
// results takes longer than with LongestSkipping. After a complete listing Len counts a point with
// one step left once if it was left out, and twice if not.
func (g *Generator) LongestLate(p *Position, skip Skip, priority func(*Board) int, batch func(from, to int) bool) {
	g.late = skip != nil
	defer func() { g.late = false }()
	g.LongestSkipping(p, skip, priority, batch)
}

// layers lists the results of at most the given steps. Layer u is nodes[layer[u]:layer[u+1]].
func (g *Generator) layers(p *Position, steps int) (layer [StepsPerTurn + 2]int) {
	g.nodes = append(g.nodes[:0], Point{board: p.Board, key: p.key, parent: -1})
	g.seen.clear()
	g.seen.insert(p.key)
	layer[1] = 1
	for u := 1; u <= steps; u++ {
		for i := layer[u-1]; i < layer[u]; i++ {
			g.singles(int32(i), p.side)
		}
		if u >= 2 {
			for i := layer[u-2]; i < layer[u-1]; i++ {
				g.doubles(int32(i), p.side)
			}
		}
		if left := int(p.left) - u; g.skip != nil && left > 0 && !(g.late && left == 1) {
			g.leaveOut(layer[u], left)
		}
		layer[u+1] = len(g.nodes)
	}
	return layer
}

// leaveOut removes what skip leaves out of the last layer, which begins at first.
func (g *Generator) leaveOut(first, left int) {
	g.skip(g.nodes[first:], left)
	kept := first
	for i := first; i < len(g.nodes); i++ {
		if !g.nodes[i].out {
			if kept < i {
				g.nodes[kept] = g.nodes[i]
			}
			kept++
		}
	}
	g.nodes = g.nodes[:kept]
}

// Len returns the number of results of the last listing.
func (g *Generator) Len() int { return max(len(g.nodes)-1, 0) }

// Board returns the i-th result, 0 <= i < Len, fewer steps first. The pointer is valid until the
// next call of Generate.
func (g *Generator) Board(i int) *Board { return &g.nodes[i+1].board }

// Key returns the key of the pieces of the i-th result, without side and steps.
func (g *Generator) Key(i int) zobrist.Key { return g.nodes[i+1].key }

// Steps returns the fewest steps that reach the i-th result.
func (g *Generator) Steps(i int) int { return int(g.nodes[i+1].used) }

// Turn returns a sequence of steps that reaches the i-th result with the fewest steps.
func (g *Generator) Turn(i int) Turn {
	var t Turn
	for n := &g.nodes[i+1]; n.parent >= 0; n = &g.nodes[n.parent] {
		t = t.Before(n.option)
	}
	return t
}

// Position returns the i-th result with the opponent of side to move.
func (g *Generator) Position(i int, side Side) Position {
	n := &g.nodes[i+1]
	return Position{Board: n.board, key: n.key, side: side.Other(), left: StepsPerTurn}
}

// singles adds the results of the single steps from node i.
func (g *Generator) singles(i int32, side Side) {
	n := &g.nodes[i]
	board, key, used := n.board, n.key, n.used+1
	settled := i > 0 || board.Undefended() == 0
	m := board.prey(side)
	for rest := m.Free; rest != 0; rest = rest.Rest() {
		from := rest.First()
		piece := board.At(from)
		for targets := m.steps(from); targets != 0; targets = targets.Rest() {
			to := targets.First()
			option := SingleStep(StepBetween(piece, from, to))
			if !settled {
				g.addUnsettled(i, side, option)
				continue
			}
			k := key.Xor(zobrist.Displace(piece.index(), int(from), int(to)))
			var captured Bitboard
			if (trapArea>>(from&63)|Traps>>(to&63))&1 != 0 {
				if captured = captureBy(m.Own, from, to); captured != 0 {
					if g.spare.traps != 0 && g.mustSpare(&board, captured, to, piece) {
						continue
					}
					k = k.Xor(capturedKey(&board, captured.First(), to, piece))
				}
			}
			if !g.seen.insert(k) {
				continue
			}
			r := g.addPoint(i, option, k, used)
			r.board = board
			r.board.shift(from, to)
			if captured != 0 {
				r.board.remove(captured)
			}
		}
	}
}

// mustSpare reports whether the own piece that is captured on a trap, when moved goes to a square, is
// one that the turn must not lose.
func (g *Generator) mustSpare(before *Board, trap Bitboard, to Square, moved Piece) bool {
	if trap != to.Set() {
		moved = before.At(trap.First())
	}
	return g.spare.traps&trap != 0 && g.spare.kinds>>moved.Kind()&1 != 0
}

// capturedKey is the change of key when the piece that stands at the square after the displacement
// of moved to the square to is captured there.
func capturedKey(before *Board, at, to Square, moved Piece) zobrist.Key {
	piece := moved
	if at != to {
		piece = before.At(at)
	}
	return zobrist.Piece(piece.index(), int(at))
}

// doubles adds the results of the pushes and pulls from node i.
func (g *Generator) doubles(i int32, side Side) {
	n := &g.nodes[i]
	board, key, used := n.board, n.key, n.used+2
	m := board.prey(side)
	movers := m.Free &^ m.Rabbits & m.Enemy.Neighbors()
	if movers == 0 {
		return
	}
	if i == 0 && board.Undefended() != 0 {
		p := Position{Board: board, side: side, left: StepsPerTurn}
		for _, o := range p.Options(nil) {
			if o.Steps() == 2 {
				g.addUnsettled(i, side, o)
			}
		}
		return
	}
	for rest := movers; rest != 0; rest = rest.Rest() {
		from := rest.First()
		own := board.At(from)
		for enemies := neighbors[from&63] & m.weaker[own.Kind()]; enemies != 0; enemies = enemies.Rest() {
			at := enemies.First()
			enemy := board.At(at)
			inward := zobrist.Displace(own.index(), int(from), int(at))
			for targets := neighbors[at&63] & m.Empty; targets != 0; targets = targets.Rest() {
				to := targets.First()
				k := key.Xor(inward).Xor(zobrist.Displace(enemy.index(), int(at), int(to)))
				lost := captureBy(m.Enemy, at, to)
				if lost != 0 {
					k = k.Xor(capturedKey(&board, lost.First(), to, enemy))
				}
				ownLost := captureBy(m.Own, from, at)
				if ownLost != 0 {
					if g.spare.traps != 0 && g.mustSpare(&board, ownLost, at, own) {
						continue
					}
					k = k.Xor(capturedKey(&board, ownLost.First(), at, own))
				}
				if g.seen.insert(k) {
					r := g.addPoint(i, PushOrPull(StepBetween(enemy, at, to), StepBetween(own, from, at)), k, used)
					r.board = board
					r.board.shift(at, to)
					r.board.remove(lost)
					r.board.shift(from, at)
					r.board.remove(ownLost)
				}
			}
			follow := zobrist.Displace(enemy.index(), int(at), int(from))
			for targets := neighbors[from&63] & m.Empty; targets != 0; targets = targets.Rest() {
				to := targets.First()
				k := key.Xor(follow).Xor(zobrist.Displace(own.index(), int(from), int(to)))
				ownLost := captureBy(m.Own, from, to)
				if ownLost != 0 {
					if g.spare.traps != 0 && g.mustSpare(&board, ownLost, to, own) {
						continue
					}
					k = k.Xor(capturedKey(&board, ownLost.First(), to, own))
				}
				lost := captureBy(m.Enemy, at, from)
				if lost != 0 {
					k = k.Xor(capturedKey(&board, lost.First(), from, enemy))
				}
				if g.seen.insert(k) {
					r := g.addPoint(i, PushOrPull(StepBetween(own, from, to), StepBetween(enemy, at, from)), k, used)
					r.board = board
					r.board.shift(from, to)
					r.board.remove(ownLost)
					r.board.shift(at, from)
					r.board.remove(lost)
				}
			}
		}
	}
}

// prey is the mobility of a side with the enemy pieces that are weaker than each kind of piece.
type prey struct {
	Mobility
	weaker [Elephant + 1]Bitboard
}

// prey returns what [Board.AtLeast] would say for each mover. The pieces of all kinds are computed
// at once, also for single steps: listing takes 4 % more time with the smaller Mobility alone,
// which the compiler spreads over registers.
func (b *Board) prey(side Side) (m prey) {
	m.Mobility = b.Mobility(side)
	k0, k1, k2 := b.kind[0], b.kind[1], b.kind[2]
	m.weaker = [...]Bitboard{
		Cat:      m.Enemy &^ k2 &^ k1,
		Dog:      m.Enemy &^ k2 &^ (k1 & k0),
		Horse:    m.Enemy &^ k2,
		Camel:    m.Enemy &^ (k2 & (k1 | k0)),
		Elephant: m.Enemy &^ (k2 & k1),
	}
	return m
}

// addUnsettled adds the result of an option at a turn's start while some trap holds an undefended
// piece, which only positions set up by hand have. It is slower.
func (g *Generator) addUnsettled(i int32, side Side, o Option) {
	n := &g.nodes[i]
	p := Position{Board: n.board, key: n.key, side: side, left: StepsPerTurn}.After(o)
	if g.seen.insert(p.key) {
		g.addPoint(i, o, p.key, n.used+uint8(o.Steps())).board = p.Board
	}
}

func (g *Generator) addPoint(parent int32, o Option, k zobrist.Key, used uint8) *Point {
	g.nodes = append(g.nodes, Point{key: k, parent: parent, option: o, used: used})
	return &g.nodes[len(g.nodes)-1]
}

// keySet is a set of keys: open addressing with linear probing. A bitmap marks the slots that are
// taken, so clearing the set touches one bit a slot.
type keySet struct {
	keys  []zobrist.Key
	taken []uint64
	n     int
}

const smallestKeySet = 1 << 12

func (s *keySet) clear() {
	if s.keys == nil {
		s.resize(smallestKeySet)
	}
	clear(s.taken)
	s.n = 0
}

// insert adds k and reports whether it is new.
func (s *keySet) insert(k zobrist.Key) bool {
	mask := uint64(len(s.keys) - 1)
	for i := k.Lo & mask; ; i = (i + 1) & mask {
		if word, bit := &s.taken[i>>6], uint64(1)<<(i&63); *word&bit == 0 {
			*word |= bit
			s.keys[i] = k
			if s.n++; s.n > len(s.keys)/2 {
				s.resize(2 * len(s.keys))
			}
			return true
		}
		if s.keys[i] == k {
			return false
		}
	}
}

func (s *keySet) resize(size int) {
	old := *s
	*s = keySet{keys: make([]zobrist.Key, size), taken: make([]uint64, size/64)}
	for i, k := range old.keys {
		if old.taken[i>>6]>>(i&63)&1 != 0 {
			s.insert(k)
		}
	}
}
