package endgame

import (
	"cmp"
	"context"
	"sync"

	"goalproof/arimaa"
)

// Stats says what the table of a class holds. Mirror images count as one position, and where both
// sides have the same pieces so do boards with colours exchanged.
type Stats struct {
	Class Class
	// ToMove is by the side to move; where both sides have the same pieces it is Gold.
	ToMove []Distribution
	// Longest is the longest win; Gold has the stronger pieces.
	Longest arimaa.Position
	N       int
	// Zugzwangs counts the mutual zugzwangs.
	Zugzwangs Zugzwangs
}

// Distribution counts positions with one side to move.
type Distribution struct {
	Wins, Losses [MaxTurns + 1]int // by N
	Neither      int
}

// Zugzwangs counts mutual zugzwangs: boards on which each side does worse with the move than
// without it. On a full one whoever is to move loses. On a half one a side loses if it is to move,
// and otherwise nobody can force a win.
type Zugzwangs struct {
	Full, Half int
	// The one of each kind with the most turns to the end, both sides to move added, Gold to move;
	// N is that number, 0 where there is none.
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

// Stats reads the table of a class. A nil context sets no limit. The error says that there is no
// table or no thread, what is wrong with its file, or is that of the context.
func (ts *Tables) Stats(ctx context.Context, c Class, threads int) (*Stats, error) {
	ctx = cmp.Or(ctx, context.Background())
	t, err := ts.table(c)
	if err != nil {
		return nil, err
	}
	all := newTally(t)
	var mu sync.Mutex
	err = each(ctx, threads, t.Numbers, func(_ *worker, from, to int) {
		part := newTally(t)
		for number := from; number < to; number++ {
			part.count(ts, number)
		}
		mu.Lock()
		defer mu.Unlock()
		all.merge(part)
	})
	s, z := &all.stats, &all.stats.Zugzwangs
	s.N, s.Longest = all.longest.n, all.longest.p
	z.FullN, z.FullBoard = all.full.n, all.full.p.Board
	z.HalfN, z.HalfBoard = all.half.n, all.half.p.Board
	return s, cmp.Or(err, ts.Err())
}

// tally counts positions of a table.
type tally struct {
	t                   *table
	stats               Stats
	longest, full, half longest // win, full and half zugzwang
}

// longest is the position of a kind with the most turns to the end.
type longest struct {
	n, number int // turns, and the number of the board
	p         arimaa.Position
}

// add adds a position. Of equally long lines that of the board with the lower number counts, so that
// the answer does not depend on the threads.
func (l *longest) add(m longest) {
	if m.n > l.n || m.n == l.n && m.number < l.number {
		*l = m
	}
}

func newTally(t *table) *tally {
	return &tally{t: t, stats: Stats{Class: t.layout.class, ToMove: make([]Distribution, t.Sides)}}
}

// count counts the positions of a board.
func (a *tally) count(ts *Tables, number int) {
	b, ok := a.t.layout.board(number)
	if !ok {
		return
	}
	var v [2]Value
	known := true
	for side := range 2 {
		if v[side], ok = ts.Probe(&b, arimaa.Side(side)); !ok {
			known = false
		} else if side < a.t.Sides {
			a.countValue(&b, side, v[side], number)
		}
	}
	// With equal sides a board and the same with colours exchanged are one.
	if known && (a.t.Sides == 2 || a.t.layout.numberOf(&b, &a.t.layout.kinds, true) >= number) {
		a.countZugzwang(&b, v, number)
	}
}

func (a *tally) countValue(b *arimaa.Board, side int, v Value, number int) {
	d := &a.stats.ToMove[side]
	if n, ok := v.Win(); ok {
		d.Wins[n]++
		a.longest.add(longest{n, number, arimaa.NewPosition(*b, arimaa.Side(side))})
	} else if n, ok := v.Loss(); ok {
		d.Losses[n]++
	} else {
		d.Neither++
	}
}

func (a *tally) countZugzwang(b *arimaa.Board, v [2]Value, number int) {
	z := &a.stats.Zugzwangs
	m, goldLoses := v[gold].Loss()
	n, silverLoses := v[silver].Loss()
	both := longest{m + n, number, arimaa.NewPosition(*b, arimaa.Gold)}
	switch {
	case goldLoses && silverLoses:
		z.Full++
		a.full.add(both)
	case goldLoses && v[silver] == Neither || silverLoses && v[gold] == Neither:
		z.Half++
		a.half.add(both)
	}
}

// merge adds the counts of other boards.
func (a *tally) merge(other *tally) {
	for side := range a.stats.ToMove {
		d, o := &a.stats.ToMove[side], &other.stats.ToMove[side]
		for n := range d.Wins {
			d.Wins[n] += o.Wins[n]
			d.Losses[n] += o.Losses[n]
		}
		d.Neither += o.Neither
	}
	a.stats.Zugzwangs.Full += other.stats.Zugzwangs.Full
	a.stats.Zugzwangs.Half += other.stats.Zugzwangs.Half
	a.longest.add(other.longest)
	a.full.add(other.full)
	a.half.add(other.half)
}
