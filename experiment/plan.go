package experiment

import (
	"context"
	"fmt"
	"time"

	"goalproof/answer"
	"goalproof/batch"
)

// Plan is what an experiment is made of.
type Plan struct {
	Grid      Grid
	Cells     []Cell        // of the grid
	Positions []string      // their names, for people
	Digest    string        // of the positions: others have another
	WinIn     int           // the greatest number of turns that is asked for
	Time      time.Duration // for each run, on the clock
}

// Runs returns the number of runs.
func (p *Plan) Runs() int { return len(p.Positions) * len(p.Cells) }

// number returns the number of a run, from 0.
func (p *Plan) number(position, cell int) int { return position*len(p.Cells) + cell }

// Run is what came out of one search.
type Run struct {
	Position, Cell int // their numbers in the plan
	Verdict        answer.Verdict
	Stop           answer.Stop // why the verdict is unknown; never Interrupted in records
	Least          int         // turns of the shortest win, for Proved
	Refuted        int         // the greatest number of turns without a win, 0 if none was decided
	Nodes          uint64
	Time           time.Duration // on the clock; records keep microseconds
}

// Search searches a position with the parameters of a cell, in the time of the plan. It is called
// from several goroutines. A run that stops with answer.Interrupted is as if it had not been.
type Search func(ctx context.Context, position, cell int) (Run, error)

// Do does the runs that the records lack, on so many workers, and calls recorded after each, from any
// of them. When the context is done it returns as soon as the runs under way have stopped. The error is
// the first of a search or of the records, and ends the experiment.
func (p *Plan) Do(ctx context.Context, r *Records, workers int, search Search, recorded func()) error {
	due := r.missing()
	start := func() (struct{}, error) { return struct{}{}, nil }
	do := func(ctx context.Context, _ struct{}, job int) (none struct{}, err error) {
		position, cell := due[job]/len(p.Cells), due[job]%len(p.Cells)
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
	for o := range batch.Run(ctx, len(due), workers, start, do) {
		if o.Err != nil {
			position, cell := due[o.Job]/len(p.Cells), due[o.Job]%len(p.Cells)
			return fmt.Errorf("%s %s: %w", p.Positions[position], p.Grid.Describe(p.Cells[cell]), o.Err)
		}
	}
	return nil
}
