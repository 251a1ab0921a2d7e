package solve

import (
	"fmt"
	"io"
	"time"

	"github.com/cheggaaa/pb/v3"

	"goalproof/answer"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/printable"
	"goalproof/solve"
)

// showProgress draws a bar of the time or, if they are limited, of the nodes used, with the N being
// tried and the number of nodes, until stop is called.
func showProgress(w io.Writer, name, goal string, limit answer.Limit, solver *solve.Solver) (stop func()) {
	const template = `{{string . "name"}}: {{string . "trying"}} {{bar . }} {{etime . }}`
	all := limit.Time.Milliseconds()
	if limit.Nodes > 0 {
		all = int64(limit.Nodes)
	}
	bar := pb.New64(all).SetTemplateString(template).SetWriter(cli.Raw(w)).SetRefreshRate(200 * time.Millisecond)
	bar.Set("name", printable.Text(name)).Set(pb.CleanOnFinish, true).Set(pb.Terminal, true)
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
				bar.Set("trying", fmt.Sprintf("%s in %d? %s", goal, n, printable.Amount(nodes, "node")))
				used := time.Since(start).Milliseconds()
				if limit.Nodes > 0 {
					used = int64(nodes)
				}
				bar.SetCurrent(min(used, all))
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
