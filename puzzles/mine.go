package puzzles

import (
	"bytes"
	"context"
	"math"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/solve"
)

// Mined is a position that makes a puzzle: the side to move wins within Turns turns and not
// sooner, and only one first turn keeps that win.
type Mined struct {
	Position arimaa.Position
	Turns    int // of the win
	Solution arimaa.Turn
	Pieces   int // on the board
	Replies  int // distinct results of the defender's next turn
	Tries    int // other first turns that threaten to win at once, all of which fail
	Quiet    bool
	// Line is the win against the longest defence in notation, if the miner writes lines; it may end early where the time
	// was up.
	Line []string
}

// Difficulty estimates how hard a puzzle is for a person: the binary logarithm of the number of tries, the solution
// included, plus three if the solution is quiet, as if there were eight times as many. A person who examines threats finds
// a solution that threatens, but overlooks a quiet one.
func (m *Mined) Difficulty() float64 {
	d := math.Log2(float64(1 + m.Tries))
	if m.Quiet {
		d += 3
	}
	return d
}

// Miner mines puzzles. It serves one goroutine.
type Miner struct {
	Solver   *solve.Solver
	Turns    int  // length of the wins to look for, at least 2
	Lines    bool // add the line of each win
	detector goal.Detector
	turns    arimaa.Generator
	replies  arimaa.Generator
}

// Look examines a position. Found is the puzzle, or nil if the position makes none. Least is the number of turns of the
// shortest win, if it takes at most m.Turns, or 0. The verdict is unknown if the context was done before that was
// decided, or before all solutions were listed.
func (m *Miner) Look(ctx context.Context, p arimaa.Position) (found *Mined, least int, verdict answer.Verdict, err error) {
	a, err := m.Solver.Solve(ctx, solve.Question{Position: p, Deepest: m.Turns, NoLine: true})
	if a.Verdict == answer.Proved && !a.Exact() {
		return nil, 0, answer.Unknown, err
	}
	if err != nil || a.Verdict != answer.Proved || a.Within < m.Turns {
		return nil, a.Within, a.Verdict, err
	}
	a, err = m.Solver.Solve(ctx, solve.Question{Position: p, Deepest: m.Turns, All: true, NoLine: true})
	if err != nil {
		return nil, 0, answer.Unknown, err
	}
	if a.Verdict != answer.Proved || a.Listing != answer.Finished {
		return nil, m.Turns, answer.Unknown, nil
	}
	if len(a.Solutions) != 1 {
		return nil, m.Turns, answer.Proved, nil
	}
	solution := a.Solutions[0]
	found = &Mined{
		Position: p,
		Turns:    m.Turns,
		Solution: solution.Turn,
		Pieces:   p.Occupied().Len(),
		Replies:  m.replies.Generate(&solution.After),
		Quiet:    !m.threatens(&solution.After),
	}
	for i := range m.turns.Generate(&p) {
		after := m.turns.Position(i, p.Side())
		if after != solution.After && !after.Board.Ended(p.Side()).Over() && m.threatens(&after) {
			found.Tries++
		}
	}
	if m.Lines {
		line, err := m.Solver.Line(ctx, solve.Question{Position: p, Deepest: m.Turns}, m.Turns, solution.Turn)
		if err != nil {
			return nil, 0, answer.Unknown, err
		}
		for _, ply := range line {
			found.Line = append(found.Line, ply.Before.Notation(ply.Turn))
		}
	}
	return found, m.Turns, answer.Proved, nil
}

// threatens reports whether the side that has just moved would win if it were to move again.
func (m *Miner) threatens(p *arimaa.Position) bool {
	_, wins := m.detector.Threat(p)
	return wins
}

// Known is a set of positions, in which a position and its mirror image (files reversed) are the same.
type Known map[string]bool

// Add adds a position, and reports whether it is new.
func (k Known) Add(p *arimaa.Position) bool {
	var b arimaa.Board
	for rest := p.Occupied(); rest != 0; rest = rest.Rest() {
		s := rest.First()
		b.Put(s^7, p.At(s))
	}
	mirror := arimaa.NewPosition(b, p.Side())
	one, other := p.AppendPacked(nil), mirror.AppendPacked(nil)
	if bytes.Compare(other, one) < 0 {
		one = other
	}
	if k[string(one)] {
		return false
	}
	k[string(one)] = true
	return true
}
