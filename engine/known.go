package engine

import (
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/tables"
)

// known is an entry of a worker's cache: what is known about the root of a turn, or about a point at the horizon.
type known struct {
	key    uint64
	static int16 // static evaluation
	score  int16 // at the horizon, as in the transposition table
	bound  tables.Bound
	facts  facts
}

// knownLine is a cache line of entries for one board, by the side to move: the search asks about several together.
type knownLine struct {
	roots  [2]known // of turns
	points [2]known // within turns
}

// facts tells what an entry of the cache holds besides a score at the horizon.
type facts uint8

const (
	scored facts = 1 << iota
	noGoal       // the side to move has no goal in this turn
	noWin        // nor any other win
)

const knownLineBits = 15 // of the number of lines

// about returns the entry of a position with a key of its own, which is empty if there was none.
func (w *worker) about(p *arimaa.Position, key uint64) *known {
	line := &w.known[p.BoardKey().Lo>>(64-knownLineBits)]
	j := &line.roots[p.Side()&1]
	if p.StepsLeft() < arimaa.StepsPerTurn {
		j = &line.points[p.Side()&1]
	}
	if j.key != key {
		*j = known{key: key}
	}
	return j
}

// static returns the static evaluation of the root of a turn.
func (w *worker) static(p *arimaa.Position) int {
	j := w.about(p, p.Key().Lo)
	if j.facts&scored == 0 {
		j.static = int16(w.evaluator.Score(&p.Board, p.Side()))
		j.facts |= scored
	}
	return int(j.static)
}

// canWin tells whether the side to move at the root of a turn can win in that turn, and by which turn.
func (w *worker) canWin(p *arimaa.Position) (arimaa.Turn, bool) {
	j := w.about(p, p.Key().Lo)
	if j.facts&noWin != 0 {
		return arimaa.Turn{}, false
	}
	t, ok := w.detector.CanWin(p, &p.Board)
	if !ok {
		j.facts |= noGoal | noWin
	}
	return t, ok
}

// hasGoal tells whether the side to move at the root of a turn can reach a goal in that turn.
func (w *worker) hasGoal(p *arimaa.Position) bool {
	j := w.about(p, p.Key().Lo)
	if j.facts&noGoal != 0 {
		return false
	}
	distance, _ := w.detector.Goal(p, &p.Board)
	if distance == goal.None {
		j.facts |= noGoal
	}
	return distance != goal.None
}

// cachedScore returns an earlier score at the horizon, if it is a cutoff in a null window.
func (w *worker) cachedScore(p *arimaa.Position, key uint64, ply, alpha, beta int) (score int, ok bool) {
	j := w.about(p, key)
	return fromTable(tables.Score{Score: j.score, Bound: j.bound}, ply, alpha, beta)
}

// cacheScore takes note of a score at the horizon.
func (w *worker) cacheScore(p *arimaa.Position, key uint64, ply, score, alpha, beta int) {
	if w.stopped || score == illegal {
		return
	}
	j := w.about(p, key)
	j.score, j.bound = int16(toTable(score, ply)), tables.Exact
	switch {
	case score >= beta:
		j.bound = tables.AtLeast
	case score <= alpha:
		j.bound = tables.AtMost
	}
}
