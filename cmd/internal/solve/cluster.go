package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cheggaaa/pb/v3"

	"goalproof/answer"
	"goalproof/cluster"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/jobs"
	"goalproof/internal/files"
	"goalproof/internal/printable"
	"goalproof/joblevel"
	"goalproof/solve"
)

// checkCluster returns an error if a flag excludes --cluster, and prepares for what the cluster
// finds.
func (f *flags) checkCluster(changed func(string) bool) error {
	if !f.jobs.Given() {
		return nil
	}
	for _, name := range []string{"nodes", "try", "resume", "epsilon", "game", "turn"} {
		switch {
		case !changed(name):
		case name == "nodes":
			return errors.New("--cluster and --nodes exclude each other: limit the search with --time")
		default:
			return fmt.Errorf("--cluster and --%s exclude each other", name)
		}
	}
	switch {
	case f.search.Algorithm != "dfpns":
		return errors.New("--cluster needs --algorithm dfpns")
	case !f.aim.Win():
		return fmt.Errorf("--goal %s: --cluster is about wins alone", f.aim)
	}
	f.search.Found = jobs.NewFound()
	return nil
}

// alone is how many nodes this machine searches, for each of its threads, before it asks the
// cluster.
const alone = 1 << 22

// together answers a question with the help of a cluster. This machine begins, and if it comes to no
// end soon, the cluster decides one number of turns after the other. What follows from the facts
// this machine finds again, with the line.
func (w *writer) together(ctx context.Context, solver *solve.Solver, known *solved) (a solve.Answer, err error) {
	start, q := time.Now(), known.Question
	if w.pns.Given.Changed("time") {
		limited, cancel := w.search.Start(ctx, solver)
		defer cancel()
		ctx = limited
	}
	first, cancel := answer.Limit{Nodes: alone * uint64(w.search.Threads)}.Start(ctx)
	defer cancel()
	quick := q
	quick.NoLine, quick.All = true, false
	if a, err = solver.Solve(first, quick); err != nil {
		return a, err
	}
	before, last := a.Nodes, q.Deepest
	var unsaved error
	if a.Within > 0 {
		last = a.Within - 1
	}
	if n := a.Refuted + 1; n > 2 && n <= last && ctx.Err() == nil {
		d, err := w.decide(ctx, solver, q, n, last)
		if errors.Is(err, cluster.ErrFalse) {
			known.early, err = err, nil
		}
		if err != nil {
			return a, err
		}
		if g := d.Graph(); w.pns.Save != "" && g != nil {
			unsaved = files.Write(w.pns.Save, g.Write)
		}
		before += d.Nodes
	}
	a, err = solver.Solve(ctx, q)
	a.Nodes, a.Time = a.Nodes+before, time.Since(start)
	a.Unsaved = cmp.Or(unsaved, a.Unsaved)
	return a, err
}

// decide has the cluster decide whether there is a win in n turns, and if not, in more.
func (w *writer) decide(ctx context.Context, solver *solve.Solver, q solve.Question, n, last int) (*jobs.Decide, error) {
	show, stop := w.showCluster()
	defer stop()
	saved := time.Now()
	d := jobs.Decide{
		Position: q.Position, Solving: solver.Options(), Unsure: w.search.Found, Killers: joblevel.KillersOf(solver, n),
		Wanted: func(n int, v answer.Verdict) int {
			if v == answer.Proved || n == last {
				return 0
			}
			return n + 1
		},
		Progress: func(g *joblevel.Graph) {
			show(g)
			if w.pns.Save != "" && time.Since(saved) > w.pns.SaveEvery {
				saved = time.Now()
				w.saves.report(files.Write(w.pns.Save, g.Write))
			}
		},
	}
	return &d, w.contradicted(d.Run(ctx, &w.jobs, n))
}

// contradicted says of answers that contradict each other what to do next.
func (w *writer) contradicted(err error) error {
	switch {
	case !errors.Is(err, joblevel.ErrContradiction):
		return err
	case w.jobs.Untrusted:
		return fmt.Errorf("%w, although each was given twice: two machines err alike, or the program does; please report it with the position", err)
	}
	return fmt.Errorf("%w: a worker is broken or lies; run the command again with --untrusted, so that only what two machines say counts", err)
}

// showCluster returns what shows on a terminal how far a graph is.
func (w *writer) showCluster() (show func(*joblevel.Graph), stop func()) {
	if !cli.IsTerminal(w.t.Err) || w.json {
		return func(*joblevel.Graph) {}, func() {}
	}
	const template = `{{string . "asked"}} {{bar . }} {{etime . }}`
	bar := pb.New(0).SetTemplateString(template).SetWriter(cli.Raw(w.t.Err)).SetRefreshRate(200 * time.Millisecond)
	bar.Set(pb.CleanOnFinish, true).Set(pb.Terminal, true)
	show = func(g *joblevel.Graph) {
		decided, turns, out := g.Progress()
		bar.Set("asked", fmt.Sprintf("win in %d? %d of %s refuted, %s out", g.Turns(), decided, printable.Amount(turns, "first turn"), printable.Amount(out, "question")))
		if bar.SetTotal(int64(turns)).SetCurrent(int64(decided)); !bar.IsStarted() {
			bar.Start()
		}
	}
	return show, func() {
		if bar.IsStarted() {
			bar.Finish()
		}
	}
}
