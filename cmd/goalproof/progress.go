package main

import (
	"fmt"
	"io"
	"time"

	"github.com/cheggaaa/pb/v3"
	"github.com/dustin/go-humanize"

	"goalproof/internal/input"
	"goalproof/solve"
)

// showProgress draws a bar of the time that is used up, with what is being tried and
// the nodes made, until stop is called.
func showProgress(w io.Writer, name string, limit time.Duration, solver *solve.Solver) (stop func()) {
	const template = `{{string . "name"}}: {{string . "trying"}} {{bar . }} {{etime . }}`
	bar := pb.New64(limit.Milliseconds()).SetTemplateString(template).SetWriter(w).SetRefreshRate(200 * time.Millisecond)
	bar.Set("name", name).Set(pb.CleanOnFinish, true).Set(pb.Terminal, true)
	done, gone := make(chan struct{}), make(chan struct{})
	start := time.Now()
	go func() {
		defer close(gone)
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				if bar.IsStarted() {
					bar.Finish()
				}
				return
			case <-tick.C:
				n, nodes := solver.Progress()
				bar.Set("trying", fmt.Sprintf("win in %d? %s nodes", n, humanize.Comma(int64(nodes))))
				bar.SetCurrent(min(time.Since(start), limit).Milliseconds())
				if !bar.IsStarted() {
					bar.Start()
				}
			}
		}
	}()
	return func() {
		close(done)
		<-gone
	}
}

// counter is a progress bar on a terminal, and nothing elsewhere. Of 0 the total is not known.
func counter(t terminal, name string, total int) *pb.ProgressBar {
	return newBar(t, t.err, name, total).Start()
}

// newBar is a progress bar that is drawn to w if standard error is a terminal.
func newBar(t terminal, w io.Writer, name string, total int) *pb.ProgressBar {
	bar := pb.New(total).SetTemplateString(`{{string . "name"}}: {{counters . }} {{bar . }} {{etime . }}`)
	bar.Set("name", name).Set(pb.CleanOnFinish, true).SetWriter(io.Discard)
	if isTerminal(t.err) {
		bar.Set(pb.Terminal, true).SetWriter(w).SetRefreshRate(200 * time.Millisecond)
	}
	return bar
}

// known is how many elements of the inputs are read before the work begins: where there are no more, their number is known.
const known = 1000

// progress is a bar on a terminal that counts what is done, or the bytes that have been read where nobody knows how
// much there is to do.
type progress struct {
	bar    *pb.ProgressBar
	source *input.Source // nil: it counts
}

// inputCounter returns a bar, drawn to w, for inputs with a total, or, where it is 0, with as many bytes as are found in the
// files with these endings that the arguments name.
func inputCounter(t terminal, w io.Writer, name string, total int, source *input.Source, args []string, endings ...string) progress {
	if total > 0 {
		return progress{bar: newBar(t, w, name, total).Start()}
	}
	size := 0
	if isTerminal(t.err) {
		size = int(input.Size(args, endings...))
	}
	return progress{newBar(t, w, name, size).Set(pb.Bytes, true).Start(), source}
}

// advance says that something has been done; workers may call it.
func (p progress) advance() {
	if p.source == nil {
		p.bar.Increment()
		return
	}
	p.bar.SetCurrent(p.source.Read())
}

func (p progress) finish() {
	if !p.bar.IsFinished() {
		p.bar.Finish()
	}
}
