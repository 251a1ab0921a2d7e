package puzzles

import (
	"context"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/goal"
	"goalproof/puzzles/describe"
	"goalproof/solve"
)

// MiningVersion is the version of the mining. It is raised when a [Miner] may find something else
// in the same position, with the same limits: other puzzles, or other figures and themes. A library
// then mines its games again, and keeps the puzzles that it has as they are.
const MiningVersion = 2

// Mined is a position that makes a puzzle: the side to move wins within Turns turns and not sooner,
// and only one first turn keeps that win, or only one essential one, of which the others are
// continuations.
type Mined struct {
	Position  arimaa.Position
	Turns     int // of the win
	Solution  arimaa.Turn
	Solutions int // first turns that keep the win, of which Solution alone is essential
	Pieces    int // on the board
	Replies   int // distinct results of the defender's next turn
	Tries     int // other first turns that threaten to win at once, all of which fail
	Quiet     bool
	First     int             // distinct first turns
	Themes    describe.Themes // of the solution, as far as they were proved within the limit
	// Line is the win against the longest defence in notation, if the miner writes lines; it may end
	// early where the limit was reached.
	Line []string

	winning []dfpns.Solution // all first turns that keep the win, Solution among them
}

// Difficulty estimates how hard the solution is to see, from 0 to [describe.MaxDifficulty].
func (m *Mined) Difficulty() float64 {
	return m.counts().Difficulty()
}

func (m *Mined) counts() describe.Counts {
	return describe.Counts{Turns: m.First, Winning: m.Solutions, Threats: m.Tries, Surprise: describe.Surprise(m.Position, m.Solution)}
}

// Miner mines puzzles. It serves one goroutine.
type Miner struct {
	Solver *solve.Solver
	Turns  int  // length of the wins to look for, at least 2
	Lines  bool // add the line of each win
	// Limit is for the length of the win of a position. Listing is for all its solutions if it is as
	// long as asked for, and as much again for their themes and for the line.
	Limit, Listing answer.Limit

	detector goal.Detector
	turns    arimaa.Generator
	replies  arimaa.Generator
	describe describe.Describer
}

// Judgement is the judgement of a position as a puzzle with a win in exactly a miner's number of
// turns.
type Judgement struct {
	Verdict answer.Verdict // unknown if a limit was reached, or the context was done, before all was decided
	Stop    answer.Stop    // why it is unknown, or Finished
	Cut     bool           // a limit in time has cut a search short of its limit in nodes, see [answer.Cut]
	// Least is the number of turns of the shortest win if it takes at most the miner's number, else 0.
	// It is known, and the verdict Unknown, where the solutions were not all listed.
	Least int
	// Solutions are the first turns that keep the win, those with fewest steps first, where Least is
	// the miner's number.
	Solutions []dfpns.Solution
}

// Essential returns the first essential solution and how many there are.
func (j *Judgement) Essential() (first *dfpns.Solution, n int) {
	for i := range j.Solutions {
		if s := &j.Solutions[i]; s.Essential {
			if n++; n == 1 {
				first = s
			}
		}
	}
	return first, n
}

// Judge judges a position. With a limit in nodes the judgement does not depend on what the solver
// was asked before.
func (m *Miner) Judge(ctx context.Context, p arimaa.Position) (Judgement, error) {
	return m.judge(ctx, p, 0)
}

// judge is Judge with a list of solutions that may end as soon as enough of them are certainly
// essential; with 0 it is complete.
func (m *Miner) judge(ctx context.Context, p arimaa.Position, enough int) (j Judgement, err error) {
	deciding, cancel := m.Solver.Start(ctx, m.Limit)
	a, err := m.Solver.Solve(deciding, solve.Question{Position: p, Deepest: m.Turns, NoLine: true})
	j.noteCut(deciding)
	cancel()
	switch j.Stop = a.Stop; {
	case err != nil || a.Verdict == answer.Proved && !a.Exact():
		return j, err
	case a.Verdict != answer.Proved || a.Within < m.Turns:
		j.Verdict, j.Least = a.Verdict, a.Within
		return j, nil
	}
	j.Least = m.Turns
	listing, cancel := m.Listing.Start(ctx)
	defer cancel()
	defer j.noteCut(listing)
	a, err = m.Solver.Solve(listing, solve.Question{Position: p, Deepest: m.Turns, All: true, Enough: enough, NoLine: true})
	switch {
	case err != nil:
	case a.Verdict != answer.Proved || !a.Exact():
		j.Stop = a.Stop
	case a.Listing != answer.Finished:
		j.Stop = a.Listing
	default:
		j.Verdict, j.Solutions = answer.Proved, a.Solutions
	}
	return j, err
}

// noteCut notes whether a limit in time has cut a search short of its limit in nodes.
func (j *Judgement) noteCut(ctx context.Context) { j.Cut = j.Cut || answer.Cut(ctx) }

// Look examines a position. Found is the puzzle, or nil if the position makes none. The judgement
// lists no more solutions than it takes to decide that.
func (m *Miner) Look(ctx context.Context, p arimaa.Position) (found *Mined, j Judgement, err error) {
	j, err = m.judge(ctx, p, 2) // with two essential solutions it is no puzzle, however many more there are
	solution, essential := j.Essential()
	if err != nil || essential != 1 {
		return nil, j, err
	}
	found = &Mined{
		Position:  p,
		Turns:     m.Turns,
		Solution:  solution.Turn,
		Solutions: len(j.Solutions),
		Pieces:    p.Occupied().Len(),
		Replies:   m.replies.Generate(&solution.After),
		Quiet:     !m.threatens(&solution.After),
		winning:   j.Solutions,
	}
	found.Themes, err = m.themes(ctx, p, solution, &j)
	if err != nil {
		return nil, Judgement{}, err
	}
	solves := map[arimaa.Position]bool{}
	for i := range j.Solutions {
		solves[j.Solutions[i].After] = true
	}
	found.First = m.turns.Generate(&p)
	for i := range found.First {
		after := m.turns.Position(i, p.Side())
		if !after.Board.Ended(p.Side()).Over() && m.threatens(&after) && !solves[after] {
			found.Tries++
		}
	}
	if m.Lines {
		ctx, cancel := m.Listing.Start(ctx)
		defer cancel()
		line, err := m.Solver.Line(ctx, solve.Question{Position: p, Deepest: m.Turns}, m.Turns, solution.Turn)
		if err != nil {
			return nil, Judgement{}, err
		}
		j.noteCut(ctx)
		for _, ply := range line {
			found.Line = append(found.Line, ply.Before.Notation(ply.Turn))
		}
	}
	return found, j, nil
}

// threatens reports whether the side that has just moved would win if it were to move again.
func (m *Miner) threatens(p *arimaa.Position) bool {
	_, wins := m.detector.Threat(p)
	return wins
}

// themes returns the themes of a solution.
func (m *Miner) themes(ctx context.Context, p arimaa.Position, solution *dfpns.Solution, j *Judgement) (describe.Themes, error) {
	ctx, cancel := m.Listing.Start(ctx)
	defer cancel()
	defer j.noteCut(ctx)
	m.describe.Solver = m.Solver
	s, _, err := m.describe.Solution(ctx, p, m.Turns, solution)
	return s.Themes, err
}

// Look is what a [Miner] sees in a position: a puzzle, or nil, and the judgement.
type Look struct {
	Found *Mined
	Judgement
}
