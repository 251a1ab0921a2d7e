package experiment

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/dustin/go-humanize"

	"goalproof/answer"
	"goalproof/internal/batch"
)

// Plan describes an experiment.
type Plan struct {
	Grid      Grid
	Cells     []Cell       // of the grid
	Positions []string     // names of the positions
	Digest    string       // hash of the positions
	WinIn     int          // the longest wins to search for, in turns
	Limit     answer.Limit // for each run: nodes, or time on the clock
}

// each writes the limit of a run.
func each(l answer.Limit) string {
	switch {
	case l.Nodes == 0:
		return fmt.Sprintf("%g s", l.Time.Seconds())
	case l.Time == 0:
		return humanize.Comma(int64(l.Nodes)) + " nodes"
	default:
		return fmt.Sprintf("%s nodes and %g s", humanize.Comma(int64(l.Nodes)), l.Time.Seconds())
	}
}

// Runs returns the number of runs.
func (p *Plan) Runs() int { return len(p.Positions) * len(p.Cells) }

// number returns the number of a run, from 0.
func (p *Plan) number(position, cell int) int { return position*len(p.Cells) + cell }

// Run is the result of one search.
type Run struct {
	Position, Cell int // indices in the plan
	Verdict        answer.Verdict
	Stop           answer.Stop // why the verdict is unknown; never Interrupted in records
	answer.Bounds
	Nodes uint64
	Time  time.Duration // on the clock; records keep microseconds
}

// Search searches a position with the parameters of a cell, within the limit of the plan. It is
// called from several goroutines. A run that stops with answer.Interrupted is discarded.
type Search func(ctx context.Context, position, cell int) (Run, error)

// Do does the runs missing from the records on a number of workers, each of which calls recorded
// after a run. When the context is done it returns as soon as the current runs have stopped. The
// first error of a search or of the records ends the experiment.
func (p *Plan) Do(ctx context.Context, r *Records, workers int, search Search, recorded func()) error {
	due := r.missing()
	start := func() (struct{}, error) { return struct{}{}, nil }
	do := func(ctx context.Context, _ struct{}, number int) (none struct{}, err error) {
		position, cell := number/len(p.Cells), number%len(p.Cells)
		run, err := search(ctx, position, cell)
		if err != nil || run.Stop == answer.Interrupted {
			return none, err
		}
		run.Position, run.Cell = position, cell
		if err := r.Add(run); err != nil {
			return none, err
		}
		recorded()
		return none, nil
	}
	for o := range batch.Run(ctx, slices.Values(due), workers, len(due), start, do) {
		if o.Err != nil {
			position, cell := o.Job/len(p.Cells), o.Job%len(p.Cells)
			return fmt.Errorf("%s %s: %w", p.Positions[position], p.Grid.Describe(p.Cells[cell]), o.Err)
		}
	}
	return nil
}
