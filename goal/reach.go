package goal

import (
	"goalproof/arimaa"
	"goalproof/internal/recent"
)

// arrivalSearch is the memory of searches for a rabbit on a rank.
type arrivalSearch struct {
	turns, replies arimaa.Generator
	drives         []arimaa.Turn // recent replies that drove the rabbits off the rank
}

// mostDrives is the length of that list.
const mostDrives = 8

// Reach reports whether the side to move at p, at the start of a turn, reaches the aim with this
// turn, and returns a turn that does, not always the shortest.
func (d *Detector) Reach(p *arimaa.Position, a Aim) (arimaa.Turn, bool) {
	if turn, ok := d.CanWin(p, &p.Board); ok || a.Win() {
		return turn, ok
	}
	if a.IsCapture() {
		distance, turn := d.Capture(p, a)
		return turn, distance != None
	}
	var turn arimaa.Turn
	found := false
	d.arrivals(p, a, func(i int) bool {
		turn, found = d.arrival.turns.Turn(i), true
		return false
	})
	return turn, found
}

// ReachAll lists every result of the turn of the side to move at p, at the start of a turn, that
// reaches the aim with this turn, fewest steps first, each with a turn that does.
func (d *Detector) ReachAll(p *arimaa.Position, a Aim) (turns []arimaa.Turn) {
	type result struct {
		turn  arimaa.Turn
		after arimaa.Board
	}
	var byLength [arimaa.StepsPerTurn + 1][]result
	add := func(t arimaa.Turn, b arimaa.Board) { byLength[t.Len()] = append(byLength[t.Len()], result{t, b}) }
	for i := range d.generator.Generate(p) {
		if d.generator.Board(i).Ended(p.Side()).WonBy(p.Side()) {
			add(d.generator.Turn(i), *d.generator.Board(i))
		}
	}
	switch {
	case a.IsCapture():
		for _, c := range listCaptures(p, a, 0) {
			add(c.turn, c.after)
		}
	case !a.Win():
		d.arrivals(p, a, func(i int) bool {
			add(d.arrival.turns.Turn(i), *d.arrival.turns.Board(i))
			return true
		})
	}
	seen := map[arimaa.Board]bool{}
	for _, results := range byLength {
		for _, r := range results {
			if !seen[r.after] {
				seen[r.after] = true
				turns = append(turns, r.turn)
			}
		}
	}
	return turns
}

// arrivals calls found with the number of each result of a turn, in the list of d.arrival.turns,
// after which a rabbit stands on the rank to stay and nobody has won, until it returns false.
func (d *Detector) arrivals(p *arimaa.Position, a Aim, found func(i int) bool) {
	side := p.Side()
	// A rabbit moves by its own steps alone in its side's turn, and never backward.
	rank, from := arimaa.Rank1<<(8*(a.rank-1)), arimaa.Bitboard(0)
	back := side.Other().Forward()
	for band, i := rank, 0; i <= p.StepsLeft(); i++ {
		from |= band
		band = band.Shift(back)
	}
	if p.Rabbits(side)&from == 0 {
		return
	}
	turns := &d.arrival.turns
	for i := range turns.Generate(p) {
		if d.stopped() {
			return
		}
		b := turns.Board(i)
		if b.Rabbits(side)&rank == 0 || b.Ended(side).Over() {
			continue
		}
		next := turns.Position(i, side)
		if d.stays(&next, a) && !found(i) {
			return
		}
	}
}

// stays reports whether every reply of the side to move at p loses or leaves a rabbit of the other
// side, of which there is one now, on the rank of the aim.
func (d *Detector) stays(p *arimaa.Position, a Aim) bool {
	if _, wins := d.CanWin(p, &p.Board); wins {
		return false
	}
	attacker := p.Side().Other()
	drives := func(b *arimaa.Board) bool { return !b.Ended(p.Side()).Over() && !a.Stands(b, attacker) }
	for _, t := range d.arrival.drives {
		if after, ok := p.Try(t); ok && drives(&after.Board) {
			return false
		}
	}
	replies := &d.arrival.replies
	for i := range replies.Generate(p) {
		if i&255 == 0 && d.stopped() {
			return false
		}
		if drives(replies.Board(i)) {
			d.arrival.drives = recent.Add(d.arrival.drives, replies.Turn(i), mostDrives)
			return false
		}
	}
	return true
}

// stopped reports whether to give up.
func (d *Detector) stopped() bool { return d.Stop != nil && d.Stop.Load() }
