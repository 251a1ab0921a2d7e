package compose

import (
	"cmp"
	"context"
	"errors"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/puzzles"
	"goalproof/puzzles/describe"
	"goalproof/solve"
)

// Task is what is to be made of puzzles.
type Task struct {
	Aim    Aim
	Themes describe.Themes // that the solution is to have
	Rounds int             // of a [Search]; 0: the puzzle is only reduced; of Longer and Twin: positions to judge
	Seed   uint64
	Tries  bool // list the phases of what was made
}

// Made is what was made of a position.
type Made struct {
	From    Puzzle         // the position as a puzzle; no turns if it is none
	Before  *puzzles.Mined // From, described; nil if the limit was too short for that
	To      Puzzle         // what was made of it; From if nothing better was found
	Parts   []Part         // of To
	Mined   *puzzles.Mined // To, described; nil if the limit was too short for that
	Finding Finding        // if the position is no puzzle
	Repairs []Repaired     // if it has several essential solutions
	Judged  int            // positions
	Cut     bool           // time has ended a search before its nodes were spent
	Rounds  int            // done
	// Phases has the near tries, set play and duals of To, or of a position that is no puzzle. It is nil
	// if nobody asked, or they cannot be listed; Unlisted says why.
	Phases   *puzzles.Phases
	Unlisted answer.Stop

	Variants Variants // where the aim is other puzzles; To is then the puzzle itself, and has no parts

	looks struct{ from, to puzzles.Judgement } // when they were described
}

// Changed reports whether what was made of a puzzle is another position.
func (m *Made) Changed() bool { return m.To.Position != m.From.Position }

// SavedError is the error of a saved search that cannot be resumed.
type SavedError struct{ Err error }

func (e *SavedError) Error() string { return e.Err.Error() }

func (e *SavedError) Unwrap() error { return e.Err }

// mostRepairs is how many changes are looked for that leave one essential solution.
const mostRepairs = 5

// Make makes what a task asks of a position with a win in a number of turns. Its searches are kept
// in the states. When the context is done before the end, the error is that of the context, and m
// is what was made until then. The error may be a [SavedError].
func (c *Composer) Make(ctx context.Context, t Task, p arimaa.Position, turns int, states *States) (m Made, err error) {
	c.Forget() // earlier puzzles must not change the result or the node count
	defer func() { m.Judged, m.Cut = c.Judged(), m.Cut || c.Cut() }()
	if m.From, err = c.Puzzle(ctx, p, turns); errors.Is(err, ErrNoPuzzle) {
		if m.Finding, err = c.Judge(ctx, p, turns); err == nil && m.Finding.Essential > 1 {
			m.Repairs, err = c.Repair(ctx, p, turns, mostRepairs)
		}
		if err == nil && t.Tries {
			err = c.phases(ctx, &m, p, turns)
		}
		return m, err
	} else if err != nil {
		return m, err
	}
	m.To = m.From
	if m.Before, m.looks.from, err = c.describe(ctx, &m, &m.From); err != nil {
		return m, err
	}
	switch {
	case t.Aim.Varies():
		m.Mined, m.looks.to = m.Before, m.looks.from
		return m, t.vary(ctx, c, &m)
	case t.Rounds == 0:
		m.To, _, err = c.Reduce(ctx, m.From)
	default:
		err = t.search(ctx, c, &m, states)
	}
	if err == nil {
		err = t.finish(ctx, c, &m)
	}
	return m, err
}

// describe describes a puzzle; found is nil if the limit was too short for that.
func (c *Composer) describe(ctx context.Context, m *Made, z *Puzzle) (found *puzzles.Mined, j puzzles.Judgement, err error) {
	c.miner.Turns = z.Turns
	found, j, err = c.miner.Look(ctx, z.Position)
	m.Cut = m.Cut || j.Cut
	return found, j, cmp.Or(err, ctx.Err())
}

// finish describes what was made, takes it apart, and adds its phases if they were asked for.
func (t *Task) finish(ctx context.Context, c *Composer, m *Made) (err error) {
	found, look := m.Before, m.looks.from
	if m.Changed() {
		if found, look, err = c.describe(ctx, m, &m.To); err != nil {
			return err
		}
		if t.noHarder(m.Before, found) {
			m.To, found, look = m.From, m.Before, m.looks.from
		}
	}
	m.Mined, m.looks.to = found, look
	if m.Parts, err = c.Parts(ctx, m.To); err == nil && t.Tries {
		err = c.phases(ctx, m, m.To.Position, m.To.Turns)
	}
	return err
}

// noHarder reports whether a puzzle that was to be harder is not, and has no wanted theme that was
// missing: a search also counts pieces. A difference counts if it shows with one decimal.
func (t *Task) noHarder(before, after *puzzles.Mined) bool {
	return t.Aim == Hard && before != nil && after != nil && describe.Shown(after.Difficulty()) <= describe.Shown(before.Difficulty()) && t.Themes&^before.Themes == 0
}

// phases adds the phases of a position that claims a win in so many turns, within the limit of a
// position, and as much again.
func (c *Composer) phases(ctx context.Context, m *Made, p arimaa.Position, turns int) error {
	limited, cancel := c.miner.Solver.Start(ctx, c.miner.Limit)
	defer cancel()
	a, err := c.miner.Solver.Solve(limited, solve.Question{Position: p, Deepest: turns, All: true, NoLine: true})
	if err != nil {
		return err
	}
	again, cancel := c.miner.Limit.Start(ctx)
	defer cancel()
	d := describe.Describer{Solver: c.miner.Solver}
	f, stop, err := d.Phases(again, p, &a, turns)
	m.Unlisted = stop
	if f != nil {
		m.Phases = &puzzles.Phases{Phases: f, Position: p, Claim: turns}
	}
	m.Cut = m.Cut || answer.Cut(limited) || answer.Cut(again)
	return cmp.Or(err, ctx.Err())
}

// vary looks for other puzzles.
func (t *Task) vary(ctx context.Context, c *Composer, m *Made) (err error) {
	if t.Aim == Twin {
		m.Variants, err = c.Twins(ctx, m.From, t.Rounds)
	} else {
		m.Variants, err = c.Longer(ctx, m.From, t.Rounds, t.Seed)
	}
	return err
}

// search runs the remaining rounds of a puzzle.
func (t *Task) search(ctx context.Context, c *Composer, m *Made, states *States) (err error) {
	var s *Search
	if saved, ok := states.Of(&m.From); ok {
		if s, err = c.Resume(ctx, saved, t.Themes); err != nil {
			return &SavedError{err}
		}
	} else {
		start := m.From
		if t.Aim == Small && t.Themes == 0 {
			if start, _, err = c.Reduce(ctx, m.From); err != nil {
				m.To = start
				return err
			}
		}
		s = &Search{Aim: t.Aim, Themes: t.Themes, Rounds: t.Rounds, Seed: t.Seed, Current: start, Best: start}
	}
	err = s.Run(ctx, c, func() { states.Keep(&m.From, s) })
	states.Keep(&m.From, s)
	if m.To, m.Rounds = s.Best, s.Round; err == nil {
		m.To, err = s.Reduced(ctx, c)
	}
	return err
}
