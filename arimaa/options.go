package arimaa

// mobility is what the generators need to know about the side to move, computed
// once for each position whose options are listed.
type mobility struct {
	side    Side
	own     Bitboard
	enemy   Bitboard
	empty   Bitboard
	rabbits Bitboard               // own rabbits
	free    Bitboard               // own pieces that are not frozen
	weaker  [Elephant + 1]Bitboard // enemy pieces weaker than a kind
}

func (b *Board) mobility(side Side) (m mobility) {
	m.side = side
	occupied := b.Occupied()
	m.own = b.Of(side)
	m.enemy = occupied ^ m.own
	m.empty = ^occupied
	m.free = m.own &^ b.Frozen(side)
	k0, k1, k2 := b.kind[0], b.kind[1], b.kind[2]
	m.rabbits = k0 &^ k1 &^ k2 & m.own
	m.weaker = [...]Bitboard{
		Cat:      m.enemy &^ k2 &^ k1,
		Dog:      m.enemy &^ k2 &^ (k1 & k0),
		Horse:    m.enemy &^ k2,
		Camel:    m.enemy &^ (k2 & (k1 | k0)),
		Elephant: m.enemy &^ (k2 & k1),
	}
	return m
}

// Options appends to dst every single step, push and pull of the side to move
// that fits in the steps left, in a fixed order: steps, then pushes, then pulls,
// each by square. It may be called only between options, not inside a push.
func (p *Position) Options(dst []Option) []Option {
	if p.left == 0 {
		return dst
	}
	m := p.Board.mobility(p.side)
	for rest := m.free; rest != 0; rest = rest.Rest() {
		from := rest.First()
		for to := m.steps(from); to != 0; to = to.Rest() {
			dst = append(dst, SingleStep(StepBetween(p.At(from), from, to.First())))
		}
	}
	if p.left < 2 {
		return dst
	}
	gone := p.Undefended()
	for rest := m.free &^ m.rabbits &^ gone; rest != 0; rest = rest.Rest() {
		from := rest.First()
		own := p.At(from)
		for enemies := neighbors[from] & m.weaker[own.Kind()]; enemies != 0; enemies = enemies.Rest() {
			at := enemies.First()
			for to := neighbors[at] & m.empty; to != 0; to = to.Rest() {
				dst = append(dst, PushOrPull(StepBetween(p.At(at), at, to.First()), StepBetween(own, from, at)))
			}
		}
	}
	for rest := m.free &^ m.rabbits; rest != 0; rest = rest.Rest() {
		from := rest.First()
		own := p.At(from)
		for enemies := neighbors[from] & m.weaker[own.Kind()] &^ gone; enemies != 0; enemies = enemies.Rest() {
			at := enemies.First()
			for to := neighbors[from] & m.empty; to != 0; to = to.Rest() {
				dst = append(dst, PushOrPull(StepBetween(own, from, to.First()), StepBetween(p.At(at), at, from)))
			}
		}
	}
	return dst
}

// steps returns where the free piece on from may step by itself.
func (m *mobility) steps(from Square) Bitboard {
	other := 1
	if m.rabbits.Has(from) {
		other = 0
	}
	return ownSteps[m.side][other][from&63] & m.empty
}
