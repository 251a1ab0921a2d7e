package endgame

import (
	"cmp"
	"context"
	"sync"

	"goalproof/arimaa"
)

// Stats says what the table of a class holds. Mirror images count as one position, and where both sides have the same
// pieces so do boards with colours exchanged.
type Stats struct {
	Class Class
	// ToMove is by the side to move; where both sides have the same pieces it is Gold.
	ToMove []Distribution
	// Longest is the longest win; Gold has the stronger pieces.
	Longest arimaa.Position
	N       int
	// Zugzwangs: whoever is to move would rather not.
	Zugzwangs Zugzwangs
}

// Distribution counts positions with one side to move.
type Distribution struct {
	Wins, Losses [MaxTurns + 1]int // by N
	Neither      int
}

// Zugzwangs counts mutual zugzwangs: boards on which either side, if it is to move, does worse than if the
// other one is. On a full one whoever is to move loses; on a half one a side loses if it is to move, and
// otherwise nobody can force a win.
type Zugzwangs struct {
	Full, Half int
	// The one of each kind with the most turns to the end, both sides to move added, Gold to move; N is that
	// number, 0 where there is none.
	FullBoard, HalfBoard arimaa.Board
	FullN, HalfN         int
}

// Total returns how many positions there are, and how many are wins and losses of the side to move.
func (d *Distribution) Total() (total, wins, losses int) {
	for n := range d.Wins {
		wins += d.Wins[n]
		losses += d.Losses[n]
	}
	return wins + losses + d.Neither, wins, losses
}

// Quiet returns the same for the positions that no turn ends: neither wins nor losses in 1.
func (d *Distribution) Quiet() (total, wins, losses int) {
	total, wins, losses = d.Total()
	return total - d.Wins[1] - d.Losses[1], wins - d.Wins[1], losses - d.Losses[1]
}

// Stats reads the table of a class. A nil context sets no limit. The error says that there is no table or no thread, what is
// wrong with its file, or is that of the context.
func (ts *Tables) Stats(ctx context.Context, c Class, threads int) (*Stats, error) {
	ctx = cmp.Or(ctx, context.Background())
	t, err := ts.table(c)
	if err != nil {
		return nil, err
	}
	s := &Stats{Class: c, ToMove: make([]Distribution, t.Sides)}
	longest := -1 // its number
	full, half := -1, -1
	var mu sync.Mutex
	err = each(ctx, threads, t.Numbers, func(_ *worker, from, to int) {
		part := Stats{ToMove: make([]Distribution, t.Sides)}
		z := &part.Zugzwangs
		longestHere, fullHere, halfHere := -1, -1, -1
		for number := from; number < to; number++ {
			b, ok := t.layout.board(number)
			if !ok {
				continue
			}
			var v [2]Value
			known := true
			for side := range 2 {
				v[side], ok = ts.Probe(&b, arimaa.Side(side))
				known = known && ok
				if !ok || side >= t.Sides {
					continue
				}
				d := &part.ToMove[side]
				if n, ok := v[side].Win(); ok {
					d.Wins[n]++
					if n > part.N {
						part.N, part.Longest, longestHere = n, arimaa.NewPosition(b, arimaa.Side(side)), number
					}
				} else if n, ok := v[side].Loss(); ok {
					d.Losses[n]++
				} else {
					d.Neither++
				}
			}
			a, aLoses := v[gold].Loss()
			e, eLoses := v[silver].Loss()
			switch {
			case !known, t.Sides == 1 && t.layout.of(&b, &t.layout.kinds, true) < number: // seen with colours exchanged
			case aLoses && eLoses:
				z.Full++
				if a+e > z.FullN {
					z.FullN, z.FullBoard, fullHere = a+e, b, number
				}
			case aLoses && v[silver] == Neither || eLoses && v[gold] == Neither:
				z.Half++
				if a+e > z.HalfN {
					z.HalfN, z.HalfBoard, halfHere = a+e, b, number
				}
			}
		}
		mu.Lock()
		defer mu.Unlock()
		for side := range part.ToMove {
			s.ToMove[side].add(&part.ToMove[side])
		}
		// Of equals the first one, so that the answer does not depend on the threads.
		before := func(n, most, number, first int) bool { return n > most || n == most && n > 0 && number < first }
		if before(part.N, s.N, longestHere, longest) {
			s.N, s.Longest, longest = part.N, part.Longest, longestHere
		}
		all := &s.Zugzwangs
		all.Full += z.Full
		all.Half += z.Half
		if before(z.FullN, all.FullN, fullHere, full) {
			all.FullN, all.FullBoard, full = z.FullN, z.FullBoard, fullHere
		}
		if before(z.HalfN, all.HalfN, halfHere, half) {
			all.HalfN, all.HalfBoard, half = z.HalfN, z.HalfBoard, halfHere
		}
	})
	if err == nil {
		err = ts.Err()
	}
	return s, err
}

func (d *Distribution) add(other *Distribution) {
	for n := range d.Wins {
		d.Wins[n] += other.Wins[n]
		d.Losses[n] += other.Losses[n]
	}
	d.Neither += other.Neither
}
