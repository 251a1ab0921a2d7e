// Package reviews is what the commands that review games share: what they ask, with what, and the
// forms in which they write reviews: text, table, JSON, pages and annotated games.
package reviews

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"goalproof/answer"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/jobs"
	"goalproof/cmd/internal/search"
	"goalproof/engine"
	"goalproof/internal/memory"
	"goalproof/review"
	"goalproof/solve"
	"goalproof/tables/endgame"
)

// Questions are the flags that say what reviews ask, and with what.
type Questions struct {
	Search  search.Flags
	Jobs    jobs.Flags
	WinIn   int
	Effort  uint64 // nodes for each search of an evaluation; 0: there are no evaluations
	Defence uint64 // nodes for each turn; 0: only wins in 1

	endgames *endgame.Tables // while With runs
}

// Endgames names the classes of the endgame tables that there are while With runs.
func (q *Questions) Endgames() string {
	var all []string
	for _, c := range q.endgames.Classes() {
		all = append(all, c.String())
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// Register adds the flags, but for those of the limits, which are the caller's.
func (q *Questions) Register(flags *pflag.FlagSet, t cli.Terminal) {
	q.Search.Register(flags, runtime.GOMAXPROCS(0))
	q.Search.RegisterEndgames(flags, t)
	q.Jobs.Register(flags, t)
	flags.IntVar(&q.WinIn, "win-in", 3, "look for wins within this many turns")
	flags.Uint64Var(&q.Effort, "effort", 10_000, "nodes for each search of an evaluation; with 0 there are no evaluations")
	flags.Uint64Var(&q.Defence, "defence-nodes", 0, "for each turn that gives a win in two turns or more, nodes to count the turns that would have stopped it (default: only those that stop a win in one)")
	help.Group(flags, help.Question, "win-in", "defence-nodes")
	help.Group(flags, help.Search, "effort")
}

// Check returns an error if a flag is out of range.
func (q *Questions) Check() error {
	if q.WinIn < 1 || q.WinIn > solve.MaxTurns {
		return fmt.Errorf("--win-in %d: the number of turns is 1 to %d", q.WinIn, solve.MaxTurns)
	}
	return q.Jobs.Check(&q.Search)
}

// Ahead is how many games for each worker may be reviewed before an earlier one is done.
const Ahead = 4

// Reviewer holds what a worker reviews a game with.
type Reviewer struct {
	Solvers []*solve.Solver
	engine  *engine.Engine // nil: there are no evaluations
	notes   review.Notes   // nil: there is no store
}

// Options returns the options of the reviews of a worker.
func (q *Questions) Options(r *Reviewer) review.Options {
	return review.Options{WinIn: q.WinIn, Limit: q.Search.Limit(), Defence: answer.Limit{Nodes: q.Defence},
		Engine: r.engine, Effort: q.Effort, Notes: r.notes}
}

// Asked calls run with the options of the solvers of a cluster, which has their endgame tables, and
// the store of which takes the facts.
func (q *Questions) Asked(run func(solve.Options) error) error {
	return q.Search.WithJobs(0, true, func(_ int, o solve.Options) error {
		q.endgames = o.Endgames
		return run(o)
	})
}

// With calls run with the number of workers, one for each thread, and what starts the reviewer of
// each. A single game gets the solvers of all threads. Solvers and engines take one thread each.
func (q *Questions) With(games int, run func(workers int, start func() (*Reviewer, error)) error) error {
	o, err := q.Search.Options()
	if err != nil {
		return err
	}
	if q.Effort > 0 {
		for range min(o.Threads, games) {
			o.Memory = memory.BesideEvaluation(o.Memory)
		}
	}
	solvers, o, err := q.Search.Divide(o, o.Threads)
	if err != nil {
		return err
	}
	workers := max(1, min(solvers, games))
	return q.Search.WithStore(o, func(o solve.Options) error {
		q.endgames = o.Endgames
		return run(workers, func() (r *Reviewer, err error) {
			r = &Reviewer{}
			r.notes, _ = o.Store.(review.Notes)
			if q.Effort > 0 {
				r.engine, err = engine.New(engine.Options{Threads: 1, Memory: memory.Evaluation, Without: engine.Probe, Endgames: o.Endgames})
				if err != nil {
					return nil, err
				}
			}
			for range solvers / workers {
				s, err := solve.New(o)
				if err != nil {
					return nil, err
				}
				r.Solvers = append(r.Solvers, s)
			}
			return r, nil
		})
	})
}
