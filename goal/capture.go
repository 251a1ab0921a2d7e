package goal

import "goalproof/arimaa"

// A capture within the turn (Wu 2015, section 4.3.2; Hřebejk 2013, section 3.6).
//
// Only pushes and pulls move enemy pieces. On a settled board a piece falls on a trap when no
// friend stands beside the trap any more, so the push or pull that captures on a trap moves the
// last enemy piece beside it: into the trap (it falls itself), or away from it (the piece on the
// trap falls). Before that push or pull, which ends the search, exactly one enemy piece stands
// beside the trap: the guard. Call the trap open then, if the piece that would fall is wanted.
//
// With four steps there is time for these turns, where "double" means a push or pull: a double; a
// step and a double; two steps and a double; two doubles. What comes after the capture does not
// matter, unless the turn loses the game as it stands: then [Detector.Capture] lists all results
// instead.
//
// Steps before the double. Own steps move no enemy piece, so the trap must be open from the start,
// and a piece stronger than the guard must be near enough to come beside it. The double depends on
// four sets of squares: the guard's; those beside the guard, where the pusher comes from and the
// guard goes; those beside the pusher, which decide whether it is frozen and where it may step with
// the guard behind; and the trap, which is beside the guard. All are within two squares of the
// guard: its zone. An own step changes the square that it leaves and the one that it enters, and
// perhaps an own piece falls on a trap: one that the step enters, or beside which it leaves a
// square. So a step that changes something in the zone leaves or enters a square of the zone or
// beside a trap in the zone: the wide zone. If the last step before the double changes nothing in
// the zone, the double captures without it, in fewer steps.
//
// Of two steps before the double, the second is therefore in the wide zone. The first one is so
// too, or the second depends on it: it moves the same piece on, enters the square that the first
// left, or moves a piece that the first has unfrozen by stepping beside it. (If the first makes an
// own piece fall, it is taken in any case.) What falls on a trap in the zone by the second step
// depends on squares beside that trap, which are in the wide zone. If none of this holds, the
// second step and the double capture without the first.
//
// Two doubles. At most two enemy pieces change their squares, or one of them twice. Every enemy
// piece beside the trap must go away, or into it; so there are at most two, and if there is none,
// one within two squares of the trap has to come. No other condition is asked: doubles are few.

// captureSearch looks for a capture.
type captureSearch struct {
	aim   Aim
	side  arimaa.Side
	turn  arimaa.Turn // that captures
	loses bool        // a capture was met that loses the game
}

// Capture returns the fewest steps in which the side to move at p can end its turn having captured,
// from here on, what the aim wants, without having lost, and the steps. It is [None] for an aim
// that is no capture.
func (d *Detector) Capture(p *arimaa.Position, a Aim) (Distance, arimaa.Turn) {
	if !a.IsCapture() {
		return None, arimaa.Turn{}
	}
	if p.Undefended() != 0 {
		return firstCapture(p, a)
	}
	s := captureSearch{aim: a, side: p.Side()}
	for steps := 2; steps <= p.StepsLeft(); steps++ {
		if s.within(&p.Board, steps) {
			if s.loses && steps > 3 {
				break // a capture that loses may be followed by a step that saves the game
			}
			return After(steps), s.turn
		}
	}
	if s.loses {
		return firstCapture(p, a)
	}
	return None, arimaa.Turn{}
}

// within looks for a capture that takes exactly a number of steps, 2 to 4.
func (s *captureSearch) within(b *arimaa.Board, steps int) bool {
	open := s.inReach(b, s.open(b), steps-2)
	switch steps {
	case 2:
		return s.double(b, open)
	case 3:
		return open != 0 && s.stepAndDouble(b, open)
	}
	return open != 0 && s.stepsAndDouble(b, open) || s.doubles(b)
}

// inReach returns those of the guards beside which a stronger own piece can come with a number of
// steps.
func (s *captureSearch) inReach(b *arimaa.Board, guards arimaa.Bitboard, steps int) (near arimaa.Bitboard) {
	for rest := guards; rest != 0; rest = rest.Rest() {
		if v := rest.First(); b.AtLeast(s.side, b.At(v).Kind()+1)&v.Within(steps+1) != 0 {
			near |= v.Set()
		}
	}
	return near
}

// open returns the guards of the open traps.
func (s *captureSearch) open(b *arimaa.Board) (guards arimaa.Bitboard) {
	enemy := b.Of(s.side.Other())
	for traps := s.aim.traps; traps != 0; traps = traps.Rest() {
		t := traps.First()
		guard := t.Beside() & enemy
		if guard == 0 || guard.Rest() != 0 {
			continue
		}
		falls := t
		if !enemy.Has(t) {
			falls = guard.First()
		}
		if s.aim.Wants(b.At(falls).Kind(), t) {
			guards |= guard
		}
	}
	return guards
}

// double looks for a push or pull of a guard that captures. The enemy piece that falls is the
// wanted one: a guard's square is beside one trap only, and no other trap is within reach of it.
func (s *captureSearch) double(b *arimaa.Board, guards arimaa.Bitboard) bool {
	if guards == 0 {
		return false
	}
	m := b.Mobility(s.side)
	for d := m.Doubles(guards, arimaa.Everywhere); d.Next(b); {
		after := *b
		if d.Play(&after); after.Of(s.side.Other()).Len() == m.Enemy.Len() {
			continue
		}
		if after.Ended(s.side).WonBy(s.side.Other()) {
			s.loses = true
			continue
		}
		s.turn = arimaa.Turn{}.WithOption(d.Option(b))
		return true
	}
	return false
}

// wide returns the wide zone of guards.
func wide(guards arimaa.Bitboard) (zone arimaa.Bitboard) {
	for rest := guards; rest != 0; rest = rest.Rest() {
		zone |= rest.First().Within(2)
	}
	return zone | (zone & arimaa.Traps).Neighbors()
}

// stepAndDouble looks for a step and a double that capture.
func (s *captureSearch) stepAndDouble(b *arimaa.Board, guards arimaa.Bitboard) bool {
	zone := wide(guards)
	m := b.Mobility(s.side)
	for step := m.Steps(zone, zone); step.Next(); {
		after := *b
		step.Play(&after)
		if s.double(&after, guards) {
			s.turn = s.turn.Before(step.Option(b))
			return true
		}
	}
	return false
}

// stepsAndDouble looks for two steps and a double that capture.
func (s *captureSearch) stepsAndDouble(b *arimaa.Board, guards arimaa.Bitboard) bool {
	zone := wide(guards)
	m := b.Mobility(s.side)
	for one := m.Steps(arimaa.Everywhere, 0); one.Next(); {
		after := *b
		captured := one.Play(&after)
		inside := captured != 0 || (one.From.Set()|one.To.Set())&zone != 0
		near := after.Mobility(s.side)
		for two := near.Steps(zone, zone); two.Next(); {
			if !inside && two.From != one.To && two.To != one.From && !one.To.Beside().Has(two.From) {
				continue
			}
			last := after
			two.Play(&last)
			if s.double(&last, guards) {
				s.turn = s.turn.Before(two.Option(&after)).Before(one.Option(b))
				return true
			}
		}
	}
	return false
}

// doubles looks for two doubles that capture.
func (s *captureSearch) doubles(b *arimaa.Board) bool {
	if !s.near(b) {
		return false
	}
	m := b.Mobility(s.side)
	for d := m.Doubles(arimaa.Everywhere, arimaa.Everywhere); d.Next(b); {
		after := *b
		d.Play(&after)
		if s.double(&after, s.open(&after)) {
			s.turn = s.turn.Before(d.Option(b))
			return true
		}
	}
	return false
}

// near reports whether two doubles can be enough to capture on a trap.
func (s *captureSearch) near(b *arimaa.Board) bool {
	enemy := b.Of(s.side.Other())
	for traps := s.aim.traps; traps != 0; traps = traps.Rest() {
		t := traps.First()
		if guards := (t.Beside() & enemy).Len(); guards == 1 || guards == 2 || guards == 0 && t.Within(2)&enemy != 0 {
			return true
		}
	}
	return false
}

// capturing is a result of a turn that captures.
type capturing struct {
	after arimaa.Board
	turn  arimaa.Turn
}

// firstCapture answers for Capture by listing all results.
func firstCapture(p *arimaa.Position, a Aim) (Distance, arimaa.Turn) {
	if all := listCaptures(p, a, 1); len(all) > 0 {
		return After(all[0].turn.Len()), all[0].turn
	}
	return None, arimaa.Turn{}
}

// listCaptures lists results of the turn that reach a capture and do not lose, fewest steps first
// and at most so many (0: all). It goes through the pairs of a board and whether the capture has
// been made, breadth first: of two ways to the same pair the shorter one leads to whatever the
// longer one leads to.
func listCaptures(p *arimaa.Position, a Aim, most int) (found []capturing) {
	type pair struct {
		board    arimaa.Board
		captured bool
	}
	type point struct {
		at       arimaa.Position
		captured bool
		turn     arimaa.Turn
	}
	left := p.StepsLeft()
	layers := make([][]point, left+1)
	layers[0] = []point{{at: *p}}
	seen := map[pair]bool{}
	var options []arimaa.Option
	for used := range layers {
		for _, from := range layers[used] {
			k := pair{from.at.Board, from.captured}
			if seen[k] {
				continue
			}
			seen[k] = true
			if from.captured && !from.at.Board.Ended(p.Side()).WonBy(p.Side().Other()) {
				if found = append(found, capturing{from.at.Board, from.turn}); len(found) == most {
					return found
				}
			}
			options = from.at.Options(options[:0])
			for _, o := range options {
				next := point{from.at.After(o), from.captured, from.turn.WithOption(o)}
				next.captured = next.captured || a.Takes(&from.at, &next.at, arimaa.Turn{}.WithOption(o), p.Side())
				layers[used+o.Steps()] = append(layers[used+o.Steps()], next)
			}
		}
	}
	return found
}
