package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/puzzles"
	"goalproof/puzzles/compose"
	"goalproof/puzzles/describe"
	"goalproof/solve"
)

// Some themes are rare in games. For these, positions with few pieces are drawn at random until one
// is a puzzle whose solution has the theme; then package compose makes it smaller or harder, by
// turns. A job has a theme and a length, and depends on nothing but the seed and its number.
const (
	draws        = 1000 // positions of a job, at most
	drawnNodes   = 10_000
	rounds       = 60 // random changes of a puzzle
	changedNodes = 50_000
)

// rare are the themes of the jobs, one after the other.
var rare = []describe.Themes{describe.Immobilisation, describe.Elimination, describe.InZugzwang, describe.Quiet, describe.Sacrifice, describe.Capture, describe.Pull}

// composer composes puzzles. It serves one goroutine.
type composer struct {
	solver   *solve.Solver
	composer *compose.Composer
}

// newComposer returns a composer.
func newComposer() (*composer, error) {
	s, err := solve.New(solve.Options{}.ForNodes(changedNodes, 1))
	if err != nil {
		return nil, err
	}
	return &composer{s, compose.New(s, answer.Limit{Nodes: changedNodes})}, nil
}

// job composes the puzzle of a job, and returns the line.
func (c *composer) job(ctx context.Context, seed uint64, job int) (string, error) {
	theme, turns := rare[job%len(rare)], 1+job/len(rare)%longestWin
	f := found{Candidates: []candidate{}}
	origin := fmt.Sprintf("composed-%d-%d", seed, job+1)
	switch {
	case theme == describe.Immobilisation || theme == describe.Elimination:
		turns = 1 + turns%2 // longer wins do not have these themes
	case turns == 1 && theme&(describe.InZugzwang|describe.Quiet) != 0:
		turns = 2 // nor does a win in one have those
	}
	task := compose.Task{Aim: compose.Small, Themes: theme, Rounds: rounds, Seed: seed + uint64(job)}
	if job/len(rare)%2 == 1 && turns > 1 { // a win in one has no difficulty
		task.Aim = compose.Hard
	}
	m, err := c.make(ctx, rand.New(rand.NewPCG(seed, 1<<32+uint64(job))), task, turns, &f.counts)
	if err != nil {
		return "", err
	}
	if m != nil {
		f.Candidates = append(f.Candidates, candidateOf(m, origin))
	}
	return f.line()
}

// make returns a puzzle with the theme of a task, nil if none was found.
func (c *composer) make(ctx context.Context, random *rand.Rand, task compose.Task, turns int, n *counts) (*puzzles.Mined, error) {
	limit := answer.Limit{Nodes: drawnNodes}
	miner := puzzles.Miner{Solver: c.solver, Turns: turns, Limit: limit, Listing: limit}
	for range draws {
		p := draw(random)
		if p.Unusual() != nil || p.Ended(arimaa.Silver).Over() {
			continue
		}
		n.Looked++
		m, j, err := miner.Look(ctx, p)
		switch {
		case err != nil:
			return nil, err
		case j.Least == 0:
			n.NoWin++
		case j.Least < turns:
			n.Shorter++
		case j.Verdict == answer.Unknown:
			n.Undecided++
		default:
			n.Wins[turns]++
		}
		if m == nil {
			if j.Verdict == answer.Proved && j.Least == turns {
				n.Several[turns]++
			}
			continue
		}
		if m.Themes&task.Themes == 0 {
			continue
		}
		states, err := compose.OpenStates("", task.Aim, task.Themes, task.Rounds, task.Seed)
		if err != nil {
			return nil, err
		}
		made, err := c.composer.Make(ctx, task, p, turns, states)
		switch {
		case errors.Is(err, compose.ErrNoPuzzle) || err == nil && made.Mined == nil: // not within its limit
			return m, ctx.Err()
		case err != nil:
			return nil, err
		}
		return made.Mined, ctx.Err()
	}
	return nil, ctx.Err()
}

// draw draws a position with Gold to move: three to six pieces of Gold's army against one to five of
// Silver's, at least a rabbit on each side.
func draw(random *rand.Rand) arimaa.Position {
	var b arimaa.Board
	put := func(side arimaa.Side, kind arimaa.Kind) {
		for {
			if s := arimaa.Square(random.IntN(64)); b.At(s) == arimaa.Empty {
				b.Put(s, arimaa.NewPiece(side, kind))
				return
			}
		}
	}
	kind := func() arimaa.Kind { return arimaa.Rabbit + arimaa.Kind(random.IntN(int(arimaa.Elephant))) }
	put(arimaa.Gold, arimaa.Rabbit)
	for range 2 + random.IntN(4) {
		put(arimaa.Gold, kind())
	}
	put(arimaa.Silver, arimaa.Rabbit)
	for range random.IntN(5) {
		put(arimaa.Silver, kind())
	}
	return arimaa.NewPosition(b, arimaa.Gold)
}
