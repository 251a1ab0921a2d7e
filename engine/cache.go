package engine

import (
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/tables"
)

// cacheEntry is an entry of a worker's evaluation cache, for the root of a turn or for a point at
// the horizon.
type cacheEntry struct {
	key    uint64
	static int16 // static evaluation
	score  int16 // at the horizon, as in the transposition table
	bound  tables.Bound
	flags  flags
}

// cacheLine holds the entries of one board, by the side to move, in a line of the processor's
// cache, as the search looks up several together.
type cacheLine struct {
	roots  [2]cacheEntry // of turns
	points [2]cacheEntry // within turns
}

// flags say what an entry holds besides a score at the horizon.
type flags uint8

const (
	scored flags = 1 << iota
	noGoal       // the side to move has no goal in this turn
	noWin        // nor any other win
)

const cacheBits = 15 // of the number of lines

// entry returns the entry of a position with its key, an empty one if there was none.
func (w *worker) entry(p *arimaa.Position, key uint64) *cacheEntry {
	line := &w.cache[p.PiecesKey().Lo>>(64-cacheBits)]
	e := &line.roots[p.Side()&1]
	if p.StepsLeft() < arimaa.StepsPerTurn {
		e = &line.points[p.Side()&1]
	}
	if e.key != key {
		*e = cacheEntry{key: key}
	}
	return e
}

// static returns the static evaluation of the root of a turn.
func (w *worker) static(p *arimaa.Position) int {
	e := w.entry(p, p.Key().Lo)
	if e.flags&scored == 0 {
		e.static = int16(w.evaluator.Score(&p.Board, p.Side()))
		e.flags |= scored
	}
	return int(e.static)
}

// canWin reports whether the side to move at the root of a turn can win in that turn, and by which
// turn.
func (w *worker) canWin(p *arimaa.Position) (arimaa.Turn, bool) {
	e := w.entry(p, p.Key().Lo)
	if e.flags&noWin != 0 {
		return arimaa.Turn{}, false
	}
	t, ok := w.detector.CanWin(p, &p.Board)
	if !ok {
		e.flags |= noGoal | noWin
	}
	return t, ok
}

// hasGoal reports whether the side to move at the root of a turn can reach a goal in that turn.
func (w *worker) hasGoal(p *arimaa.Position) bool {
	e := w.entry(p, p.Key().Lo)
	if e.flags&noGoal != 0 {
		return false
	}
	distance, _ := w.detector.Goal(p, &p.Board)
	if distance == goal.None {
		e.flags |= noGoal
	}
	return distance != goal.None
}

// cachedScore returns an earlier score at the horizon, if it is a cutoff in a null window.
func (w *worker) cachedScore(p *arimaa.Position, key uint64, ply, alpha, beta int) (score int, ok bool) {
	e := w.entry(p, key)
	return fromTable(tables.Score{Score: e.score, Bound: e.bound}, ply, alpha, beta)
}

// cacheScore stores a score at the horizon.
func (w *worker) cacheScore(p *arimaa.Position, key uint64, ply, score, alpha, beta int) {
	if w.stopped || score == illegal {
		return
	}
	e := w.entry(p, key)
	e.score, e.bound = int16(toTable(score, ply)), tables.Exact
	switch {
	case score >= beta:
		e.bound = tables.AtLeast
	case score <= alpha:
		e.bound = tables.AtMost
	}
}
