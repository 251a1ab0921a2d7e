package search

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"goalproof/answer"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/internal/memory"
	"goalproof/internal/printable"
	"goalproof/solve"
)

// limits are the flags --nodes and --time.
type limits struct {
	answer.Limit
	flags *pflag.FlagSet // that have them, or nil
	of    string         // what is limited, in words
	cut   int            // number of positions for which the time ended before the nodes
}

// RegisterLimits adds --nodes and --time with their defaults, one of which is 0. What they limit
// is of, in words, such as "each position".
func (f *Flags) RegisterLimits(flags *pflag.FlagSet, usual answer.Limit, of string) {
	f.limits = limits{Limit: usual, flags: flags, of: of}
	flags.Uint64Var(&f.limits.Nodes, "nodes", usual.Nodes, "nodes for "+of+": the same answers on every machine (0: no limit in nodes)")
	text := "time for " + of + ", for example 10s or 5m"
	if usual.Time == 0 {
		text += ": it only cuts, but with --nodes 0 it is the limit (default: none)"
	}
	flags.DurationVar(&f.limits.Time, "time", usual.Time, text)
	help.Group(flags, help.Question, "nodes", "time")
}

// RegisterNodes adds --nodes alone, with its default, for what must not depend on the machine.
func (f *Flags) RegisterNodes(flags *pflag.FlagSet, usual uint64, of string) {
	f.limits = limits{Limit: answer.Limit{Nodes: usual}, flags: flags, of: of}
	flags.Uint64Var(&f.limits.Nodes, "nodes", usual, "nodes for "+of+": the same answers on every machine")
	help.Group(flags, help.Question, "nodes")
}

// Limit returns the limit of a question. With --nodes the default limit in time does not apply.
// With --time a default limit in nodes stays, and the time only cuts it short.
func (f *Flags) Limit() answer.Limit {
	l := f.limits.Limit
	if l.Nodes > 0 && !f.limits.flags.Changed("time") {
		l.Time = 0
	}
	return l
}

// CheckLimits returns an error if the flags leave no limit, or one out of range.
func (f *Flags) CheckLimits() error {
	if f.limits.flags == nil {
		return nil
	}
	switch l := f.Limit(); {
	case f.limits.flags.Changed("time") && l.Time <= 0:
		return fmt.Errorf("--time %v: the time must be more than zero", l.Time)
	case l.None() && f.limits.flags.Lookup("time") == nil:
		return errors.New("--nodes 0: the number of nodes is at least 1")
	case l.None():
		return fmt.Errorf("--nodes 0: without a limit in nodes give one in time, for example --time 10s")
	case l.Nodes > memory.MostNodes:
		return fmt.Errorf("--nodes %d: at most %s", l.Nodes, humanize.Comma(memory.MostNodes))
	}
	return nil
}

// InNodes reports whether searches are limited in nodes. Their output is then the same on every
// machine, so it has no times.
func (f *Flags) InNodes() bool { return f.limits.flags != nil && f.Limit().Nodes > 0 }

// Varies reports whether the extent of a search varies in spite of a limit in nodes, because
// several threads share it.
func (f *Flags) Varies() bool {
	return f.InNodes() && f.Algorithm == "dfpns" && f.limits.flags.Changed("threads") && f.Threads > 1
}

// Start begins the search of a position: see [solve.Solver.Start].
func (f *Flags) Start(ctx context.Context, s *solve.Solver) (context.Context, context.CancelFunc) {
	return s.Start(ctx, f.Limit())
}

// WarnVaries warns on standard error if several threads share a search that is limited in nodes.
func WarnVaries(t cli.Terminal, threads int) {
	if threads > 1 {
		fmt.Fprintf(t.Err, "goalproof: %d threads search one position: how far they come in so many nodes may vary; without --threads it does not\n", threads)
	}
}

// ReportCut reports on standard error a position whose time ended before its nodes were spent, if
// that is so: see [answer.Cut].
func (f *Flags) ReportCut(t cli.Terminal, name string, cut bool) {
	if cut {
		f.limits.cut++
		fmt.Fprintf(t.Err, "goalproof: %s: %v before the nodes were spent\n", name, answer.Time)
	}
}

// ReportCuts reports on standard error, at the end, how many positions were cut.
func (f *Flags) ReportCuts(t cli.Terminal) {
	if f.limits.cut > 0 {
		fmt.Fprintf(t.Err, "goalproof: --time stopped %s before --nodes was reached: those results depend on the machine\n", printable.Amount(f.limits.cut, "position"))
	}
}

// Took writes the nodes searched and the time, which goes to standard error if the limit is in
// nodes.
func (f *Flags) Took(t cli.Terminal, name string, nodes uint64, took time.Duration, more string) {
	if f.InNodes() {
		fmt.Fprintf(t.Out, "%s%s\n", printable.Amount(nodes, "node"), more)
		fmt.Fprintf(t.Err, "goalproof: %s: %s\n", name, cli.Took(took))
		return
	}
	fmt.Fprintf(t.Out, "%s in %s%s\n", printable.Amount(nodes, "node"), cli.Took(took), more)
}

// single returns the options of one solver whose threads share a position.
func (f *Flags) single(o solve.Options) (solve.Options, error) {
	if f.InNodes() {
		threads := 1
		if f.Varies() {
			threads = o.Threads
		}
		fixed := o.ForNodes(f.Limit().Nodes, threads)
		if need := memory.SolverProcess(fixed.Memory, threads); need > o.Memory {
			return o, f.tooLittle(need)
		}
		WarnVaries(f.terminal, threads)
		o = fixed
	}
	if err := o.Check(); err != nil {
		return o, f.TooLittle(err)
	}
	return o, nil
}

// Divide returns the number of workers for some jobs, at most one for each thread, and the options
// of each, which has one thread. With a limit in nodes there are no more workers than fit in the
// memory.
func (f *Flags) Divide(o solve.Options, jobs int) (workers int, each solve.Options, err error) {
	workers = max(1, min(o.Threads, jobs))
	each = o
	if f.InNodes() {
		each = o.ForNodes(f.Limit().Nodes, 1)
		need := memory.SolverProcess(each.Memory, 1)
		workers = min(workers, int(o.Memory/need))
		if workers == 0 {
			return 0, o, f.tooLittle(need)
		}
		return workers, each, nil
	}
	each.Memory = memory.Share(o.Memory, workers)
	each.Threads = 1
	if err := each.Check(); err != nil {
		return 0, o, f.TooLittle(fmt.Errorf("%w for each of %d threads", err, workers))
	}
	return workers, each, nil
}

// tooLittle returns the error of a limit in nodes whose tables do not fit in the memory.
func (f *Flags) tooLittle(need uint64) error {
	return f.TooLittle(fmt.Errorf("a search of %s nodes takes %s: give that much, or fewer --nodes",
		humanize.Comma(int64(f.Limit().Nodes)), humanize.IBytes(need)))
}
