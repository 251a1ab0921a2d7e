package arimaa

// Mobility is what decides which options a side has on one board. Its iterators are the one
// enumeration of steps, pushes and pulls that all packages share.
type Mobility struct {
	Own, Enemy, Empty Bitboard
	Rabbits           Bitboard // own rabbits
	Free              Bitboard // own pieces that are not frozen
	side              Side
}

// Mobility returns what side can move on the board.
func (b *Board) Mobility(side Side) (m Mobility) {
	occupied := b.Occupied()
	m.side = side
	m.Own = b.Of(side)
	m.Enemy = occupied ^ m.Own
	m.Empty = ^occupied
	m.Rabbits = b.kind[0] &^ b.kind[1] &^ b.kind[2] & m.Own
	m.Free = m.Own &^ b.Frozen(side)
	return m
}

// steps returns the squares to which the free piece on from may step.
func (m *Mobility) steps(from Square) Bitboard {
	other := 1
	if m.Rabbits.Has(from) {
		other = 0
	}
	return ownSteps[m.side][other][from&63] & m.Empty
}

// Steps iterates over single steps:
//
//	for s := m.Steps(leave, enter); s.Next(); { ... s.From, s.To ... }
type Steps struct {
	mobility     *Mobility
	leave, enter Bitboard
	movers       Bitboard // still to come
	targets      Bitboard // still to come, from From
	From, To     Square
}

// Steps returns the single steps that leave a square of one set or enter a square of the other.
func (m *Mobility) Steps(leave, enter Bitboard) Steps {
	return Steps{mobility: m, leave: leave, enter: enter, movers: m.Free & (leave | enter.Neighbors())}
}

// Next advances to the next step and reports whether there is one.
func (s *Steps) Next() bool {
	for s.targets == 0 {
		if s.movers == 0 {
			return false
		}
		s.From = s.movers.First()
		s.movers = s.movers.Rest()
		s.targets = s.mobility.steps(s.From)
		if !s.leave.Has(s.From) {
			s.targets &= s.enter
		}
	}
	s.To = s.targets.First()
	s.targets = s.targets.Rest()
	return true
}

// Play makes the step on a settled board and returns the square of what it captures.
func (s *Steps) Play(b *Board) (captured Bitboard) { return b.Displace(s.From, s.To) }

// Option returns the step, which has not been made on b.
func (s *Steps) Option(b *Board) Option { return SingleStep(StepBetween(b.At(s.From), s.From, s.To)) }

// Doubles iterates over pushes and pulls, ordered by the square of the own piece and then by that
// of its victim. For each pair the pushes come first.
type Doubles struct {
	mobility      *Mobility
	prey, zone    Bitboard
	movers        Bitboard // still to come
	victims       Bitboard // still to come, beside From
	pushes, pulls Bitboard // still to come: the squares that the victim or the puller enters
	From, At, To  Square   // of the own piece, of its victim, and the empty square
	Pull          bool
}

// Doubles returns the pushes and pulls that move an enemy piece of prey and change a square of
// zone.
func (m *Mobility) Doubles(prey, zone Bitboard) Doubles {
	prey &= m.Enemy
	return Doubles{mobility: m, prey: prey, zone: zone, movers: m.Free &^ m.Rabbits & prey.Neighbors()}
}

// Next advances to the next push or pull on the board of the mobility and reports whether there is
// one.
func (d *Doubles) Next(b *Board) bool {
	for d.pushes|d.pulls == 0 {
		if d.victims == 0 {
			if d.movers == 0 {
				return false
			}
			d.From = d.movers.First()
			d.movers = d.movers.Rest()
			d.victims = d.From.Beside() & d.prey &^ b.AtLeast(d.mobility.side.Other(), b.At(d.From).Kind())
			continue
		}
		d.At = d.victims.First()
		d.victims = d.victims.Rest()
		d.pushes, d.pulls = d.At.Beside()&d.mobility.Empty, d.From.Beside()&d.mobility.Empty
		if (d.From.Set()|d.At.Set())&d.zone == 0 {
			d.pushes &= d.zone
			d.pulls &= d.zone
		}
	}
	if d.Pull = d.pushes == 0; d.Pull {
		d.To = d.pulls.First()
		d.pulls = d.pulls.Rest()
	} else {
		d.To = d.pushes.First()
		d.pushes = d.pushes.Rest()
	}
	return true
}

// Play makes the push or pull on a settled board and returns the squares of what it captures.
func (d *Doubles) Play(b *Board) (captured Bitboard) {
	if d.Pull {
		captured = b.Displace(d.From, d.To)
		return captured | b.Displace(d.At, d.From)
	}
	captured = b.Displace(d.At, d.To)
	return captured | b.Displace(d.From, d.At)
}

// Option returns the push or pull, which has not been made on b.
func (d *Doubles) Option(b *Board) Option {
	own, enemy := b.At(d.From), b.At(d.At)
	if d.Pull {
		return PushOrPull(StepBetween(own, d.From, d.To), StepBetween(enemy, d.At, d.From))
	}
	return PushOrPull(StepBetween(enemy, d.At, d.To), StepBetween(own, d.From, d.At))
}
