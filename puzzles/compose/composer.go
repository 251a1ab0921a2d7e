package compose

import (
	"context"
	"errors"
	"fmt"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/puzzles"
	"goalproof/solve"
)

// Puzzle is a position in which the side to move wins in exactly Turns turns, by one essential
// solution.
type Puzzle struct {
	Position arimaa.Position
	Turns    int
	Solution arimaa.Turn
	Single   bool // the solution is the only first turn that wins as soon
}

// Finding is the judgement of a position as a puzzle with a win in a number of turns.
type Finding struct {
	Verdict   answer.Verdict // unknown if it was not decided within the limit
	Stop      answer.Stop    // why it was not, or Finished
	Turns     int            // the number asked for
	Least     int            // turns of the shortest win, if the verdict is Proved
	Solutions int            // first turns that win as soon, if Least is the number asked for
	Essential int            // the essential ones of them
	Solution  arimaa.Turn    // the first essential one
}

// String returns the finding in words, such as "wins in 1" or "3 solutions".
func (f Finding) String() string {
	switch {
	case f.Verdict == answer.Unknown:
		return fmt.Sprintf("not decided (%v)", f.Stop)
	case f.Verdict == answer.Disproved:
		return fmt.Sprintf("no win in %d", f.Turns)
	case f.Essential == 0:
		return fmt.Sprintf("a win in %d", f.Least)
	case f.Essential == 1 && f.Solutions == 1:
		return "another solution"
	case f.Essential == 1:
		return fmt.Sprintf("%d solutions, 1 essential", f.Solutions)
	}
	return fmt.Sprintf("%d essential solutions", f.Essential)
}

// Composer judges changes of puzzles. It serves one goroutine.
type Composer struct {
	// Before, if not nil, is called before each position is judged. It may wait, and returns the solver
	// that is asked from then on. An error of it ends the work, which returns the error.
	Before func(context.Context, Progress) (*solve.Solver, error)

	miner    puzzles.Miner
	detector goal.Detector
	turns    arimaa.Generator
	progress Progress
	cut      bool
	known    map[question]Finding
}

// Progress says how far a composer is.
type Progress struct {
	Judged int // positions, with the one that comes next
	Rounds int // done, of those that a task has
}

// question is what a finding answers: the key of the known findings.
type question struct {
	position arimaa.Position
	turns    int
}

// mostKnown is how many findings a composer keeps, some 20 MB.
const mostKnown = 100_000

// New returns a composer that asks a solver, with a limit for the win of each position, and as much
// for the list of its solutions.
func New(s *solve.Solver, limit answer.Limit) *Composer {
	return &Composer{miner: puzzles.Miner{Solver: s, Limit: limit, Listing: limit}, known: map[question]Finding{}}
}

// Forget forgets all findings, and resets the counts.
func (c *Composer) Forget() {
	clear(c.known)
	c.progress, c.cut = Progress{}, false
}

// Judged returns how many positions have been judged.
func (c *Composer) Judged() int { return c.progress.Judged }

// begin begins to judge a position.
func (c *Composer) begin(ctx context.Context) error {
	c.progress.Judged++
	if c.Before == nil {
		return nil
	}
	s, err := c.Before(ctx, c.progress)
	if err == nil {
		c.miner.Solver = s
	}
	return err
}

// Cut reports whether a limit in time has cut a search short of its limit in nodes, see
// [answer.Cut].
func (c *Composer) Cut() bool { return c.cut }

// Judge judges a position as a puzzle with a win in a number of turns.
func (c *Composer) Judge(ctx context.Context, p arimaa.Position, turns int) (f Finding, err error) {
	q := question{p, turns}
	if f, ok := c.known[q]; ok {
		return f, nil
	}
	if len(c.known) >= mostKnown {
		clear(c.known)
	}
	if err := c.begin(ctx); err != nil {
		return f, err
	}
	c.miner.Turns = turns
	j, err := c.miner.Judge(ctx, p)
	if err != nil {
		return f, err
	}
	c.cut = c.cut || j.Cut
	f = Finding{Verdict: j.Verdict, Stop: j.Stop, Turns: turns, Least: j.Least, Solutions: len(j.Solutions)}
	first, n := j.Essential()
	if f.Essential = n; n > 0 {
		f.Solution = first.Turn
	}
	if ctx.Err() == nil { // otherwise the limit was not what was asked for
		c.known[q] = f
	}
	return f, ctx.Err()
}

// ErrNoPuzzle is in the error of a position that is not a puzzle.
var ErrNoPuzzle = errors.New("no puzzle")

// Puzzle returns the puzzle at a position, with a win in a number of turns. The error is
// ErrNoPuzzle if there is no such win or more than one essential solution, or if that was not
// decided within the limit.
func (c *Composer) Puzzle(ctx context.Context, p arimaa.Position, turns int) (Puzzle, error) {
	f, err := c.Judge(ctx, p, turns)
	if err == nil && f.Essential != 1 {
		err = fmt.Errorf("%v: %w about a win in %d: %v", p, ErrNoPuzzle, turns, f)
	}
	if err != nil {
		return Puzzle{}, err
	}
	return Puzzle{Position: p, Turns: turns, Solution: f.Solution, Single: f.Solutions == 1}, nil
}

// keeps reports whether a finding about a changed position keeps a puzzle; with any solution, if
// that is allowed.
func (z *Puzzle) keeps(f *Finding, anySolution bool) bool {
	return f.Essential == 1 && (f.Solutions == 1 || !z.Single) && (anySolution || puzzles.SameRoute(f.Solution, z.Solution))
}

// try judges a change of a puzzle. If ok, the changed position keeps it, and is the returned
// puzzle. Odd is the reason why the position cannot come up, nil if it can.
func (c *Composer) try(ctx context.Context, z *Puzzle, change Change, anySolution bool) (kept Puzzle, f Finding, ok bool, odd, err error) {
	q, odd := change.Apply(z.Position)
	if odd != nil {
		return kept, f, false, odd, nil
	}
	f, err = c.Judge(ctx, q, z.Turns)
	if err != nil || !z.keeps(&f, anySolution) {
		return kept, f, false, nil, err
	}
	return Puzzle{Position: q, Turns: z.Turns, Solution: f.Solution, Single: z.Single}, f, true, nil, nil
}
