package main

import (
	"context"
	"encoding/json"
	"fmt"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/puzzles"
	"goalproof/solve"
)

// A candidate is a position with a win in one to [longestWin] turns and one essential solution. Each
// position of a game is looked at, and, of the last turns of the loser, what follows the turns that
// the engine likes best beside the one played.
//
//   - Wins in one and two are decided everywhere, within shallow nodes.
//   - Where there is none, a search of threats alone looks for a longer win, within shallow nodes.
//   - If it finds one, or if the game will be over soon, the least number of turns is decided, within
//     deep nodes.
const (
	longestWin   = 5
	shallow      = 30_000  // nodes
	deep         = 400_000 // nodes
	lastTurns    = 12      // turns of both sides before the end of a game in which wins in three are decided
	instead      = 4       // turns of the engine beside the one played
	insteadNodes = 10_000
)

// candidate is a row of what was found.
type candidate struct {
	Position string `json:"position"`
	Turns    int    `json:"turns"`
	Solution string `json:"solution"`
	Origin   string `json:"origin"`
	First    int    `json:"first"` // distinct first turns
	Winning  int    `json:"winning"`
	Tries    int    `json:"tries"`
	Replies  int    `json:"replies"`
	Themes   string `json:"themes"`
}

// candidateOf returns a puzzle as a candidate.
func candidateOf(m *puzzles.Mined, origin string) candidate {
	return candidate{Position: m.Position.String(), Turns: m.Turns, Solution: m.Position.Notation(m.Solution), Origin: origin,
		First: m.First, Winning: m.Solutions, Tries: m.Tries, Replies: m.Replies, Themes: m.Themes.String()}
}

// counts are what happened to the positions of a job.
type counts struct {
	Looked    int                 `json:"looked"`
	NoWin     int                 `json:"no_win"`    // none in two, and no threats that win
	Undecided int                 `json:"undecided"` // a win, of which the length or the solutions were not decided
	Shorter   int                 `json:"shorter"`   // a win that is shorter than the one asked for
	Wins      [longestWin + 1]int `json:"wins"`      // by their length
	Several   [longestWin + 1]int `json:"several"`   // of these, with several essential solutions
}

// add adds the counts of another job.
func (c *counts) add(other *counts) {
	c.Looked += other.Looked
	c.NoWin += other.NoWin
	c.Undecided += other.Undecided
	c.Shorter += other.Shorter
	for n := range c.Wins {
		c.Wins[n] += other.Wins[n]
		c.Several[n] += other.Several[n]
	}
}

// found is the line of a job.
type found struct {
	counts
	Candidates []candidate `json:"candidates"`
}

// finder looks for candidates. It serves one goroutine.
type finder struct {
	solver *solve.Solver
	engine *engine.Engine
	found
}

// newFinder returns a finder.
func newFinder() (*finder, error) {
	s, err := solve.New(solve.Options{}.ForNodes(deep, 1))
	if err != nil {
		return nil, err
	}
	e, err := newEngine()
	return &finder{solver: s, engine: e}, err
}

// game looks at a game, unless it is nil, and returns the line.
func (f *finder) game(ctx context.Context, name string, g *arimaa.Game) (string, error) {
	f.found = found{Candidates: []candidate{}}
	if g == nil {
		return f.line()
	}
	for i, place := range puzzles.PlacesOf(name, g) {
		left := g.Len() - i
		won, err := f.look(ctx, place.Position, place.Name, left <= lastTurns && g.Outcome().Over() && place.Position.Side() == g.Outcome().Winner)
		if err != nil {
			return "", err
		}
		// What would have followed other turns of the side that was lost one turn later.
		if won && i > 0 && left <= lastTurns {
			if err := f.otherwise(ctx, name, g, i-1); err != nil {
				return "", err
			}
		}
	}
	return f.line()
}

// line returns what was found as a line.
func (f *found) line() (string, error) {
	line, err := json.Marshal(f)
	return string(line), err
}

// otherwise looks at what follows other turns than the one played after i turns of a game.
func (f *finder) otherwise(ctx context.Context, name string, g *arimaa.Game, i int) error {
	before := g.At(i)
	p := before.Last()
	exclude := []arimaa.Turn{g.Turn(i)}
	for range instead {
		f.engine.Forget()
		r, err := f.engine.Search(ctx, before, engine.Limits{Nodes: insteadNodes, Exclude: exclude}, nil)
		if err != nil {
			return err
		}
		exclude = append(exclude, r.Turn)
		after, ok := p.Try(r.Turn)
		if !ok || after.Ended(p.Side()).Over() || after.Unusual() != nil {
			continue
		}
		origin := fmt.Sprintf("%s %s instead: %s", name, g.Label(i), p.Notation(r.Turn))
		if _, err := f.look(ctx, after, origin, true); err != nil {
			return err
		}
	}
	return nil
}

// look looks at a position and adds it if it is a candidate. Closely, it decides wins in three even
// where no threats win. Won reports whether it has found a win.
func (f *finder) look(ctx context.Context, p arimaa.Position, origin string, closely bool) (won bool, err error) {
	f.Looked++
	n, err := f.least(ctx, p, closely)
	switch {
	case err != nil:
		return false, err
	case n == 0:
		f.NoWin++
		return false, nil
	case n == undecided:
		f.Undecided++
		return true, nil
	}
	f.Wins[n]++
	limit := answer.Limit{Nodes: deep}
	miner := puzzles.Miner{Solver: f.solver, Turns: n, Limit: limit, Listing: limit}
	m, j, err := miner.Look(ctx, p)
	switch {
	case err != nil:
		return false, err
	case j.Verdict == answer.Unknown:
		f.Undecided++
		f.Wins[n]--
	case m == nil:
		f.Several[n]++
	default:
		f.Candidates = append(f.Candidates, candidateOf(m, origin))
	}
	return true, nil
}

// undecided is the length of a win that was not decided.
const undecided = -1

// least returns the number of turns of the shortest win, 0 if none was found, or undecided.
func (f *finder) least(ctx context.Context, p arimaa.Position, closely bool) (int, error) {
	ask := func(q solve.Question, nodes uint64) (solve.Answer, error) {
		limited, cancel := f.solver.Start(ctx, answer.Limit{Nodes: nodes})
		defer cancel()
		q.Position, q.NoLine = p, true
		a, err := f.solver.Solve(limited, q)
		if err == nil {
			err = ctx.Err()
		}
		return a, err
	}
	a, err := ask(solve.Question{Deepest: 2}, shallow)
	if err != nil || a.Exact() {
		return a.Within, err
	}
	if a.Verdict == answer.Proved {
		return undecided, nil
	}
	threats, err := ask(solve.Question{Deepest: longestWin, Any: true, Threats: true}, shallow)
	switch {
	case err != nil:
		return 0, err
	case threats.Verdict == answer.Proved:
		a, err = ask(solve.Question{Deepest: threats.Within}, deep)
	case closely:
		a, err = ask(solve.Question{Deepest: 3}, deep)
	default:
		return 0, nil
	}
	switch {
	case err != nil:
		return 0, err
	case a.Exact():
		return a.Within, nil
	case a.Verdict == answer.Disproved || threats.Verdict != answer.Proved:
		return 0, nil
	}
	return undecided, nil
}
