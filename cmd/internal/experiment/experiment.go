// Package experiment is the command experiment: a set of positions searched over a grid of
// parameters.
package experiment

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cheggaaa/pb/v3"
	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"goalproof/answer"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/jobs"
	"goalproof/cmd/internal/search"
	"goalproof/internal/memory"
	"goalproof/solve"
	"goalproof/solve/report"
	"goalproof/tools/experiment"
)

// flags are the flags of the experiment command.
type flags struct {
	inputs  inputs.Flags
	grid    []string
	winIn   int
	limits  search.Flags // --nodes and --time of these
	threads int
	out     string
	json    bool
	jobs    jobs.Flags
}

// Command returns the command experiment.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "experiment --out DIR [--grid NAME=VALUE,VALUE...]... INPUT...",
		Short: "Compare searches: a set of positions over a grid of parameters",
		Long: `Compares searches. It searches every position once with each combination of the
values in the grid, and writes the results as tables and plots. After an
interruption the same command continues.

See also: goalproof help grid, formats, json, clusters, exit-codes.`,
		Example: `  goalproof experiment --out runs/killers --grid killers=0,1,2,4 --grid algorithm=pns,dfpns examples
  goalproof experiment --out runs/gc --grid algorithm=pns --grid gc-high=0,20000,100000 --grid gc-low=20%,80% examples
  goalproof experiment --out runs/memory --grid memory=1MiB,16MiB,256MiB --win-in 3 --time 5m --threads 1 examples`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.out == "" {
				return errors.New("--out names the directory for the results")
			}
			if err := cmp.Or(search.CheckTurns(cmd.Flags(), "win-in", 1), search.CheckThreads(f.threads), f.limits.CheckLimits(), f.jobs.Check(&f.limits)); err != nil {
				return err
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	flags := cmd.Flags()
	f.inputs.Register(flags)
	flags.StringArrayVar(&f.grid, "grid", nil, "a parameter and its values, for example killers=0,1,2; repeat it for more (see goalproof help grid)")
	flags.StringVar(&f.out, "out", "", "`directory` for the results")
	flags.IntVar(&f.winIn, "win-in", 2, "look for a win within this many turns")
	f.limits.RegisterLimits(flags, answer.Limit{Time: 60 * time.Second}, "each run")
	flags.IntVar(&f.threads, "threads", runtime.GOMAXPROCS(0), "number of runs at the same time")
	cli.JSONFlag(flags, &f.json, "each combination")
	f.limits.Algorithm = "dfpns" // for the certificates; the grid says what searches
	f.jobs.Register(flags, t)
	help.Group(flags, help.Question, "grid", "win-in")
	help.Group(flags, help.Search, "threads")
	help.Group(flags, help.Output, "out", "json")
	return cmd
}

func (f *flags) run(ctx context.Context, args []string, t cli.Terminal) error {
	grid, err := experiment.ParseGrid(f.grid)
	if err != nil {
		return fmt.Errorf("--grid: %w", err)
	}
	settings, cells, err := searches(grid)
	if err != nil {
		return fmt.Errorf("--grid: %w", err)
	}
	items, err := f.set(ctx, args, t)
	if err != nil {
		return err
	}
	plan := &experiment.Plan{Grid: grid, Cells: cells, Digest: digest(items), WinIn: f.winIn, Limit: f.limits.Limit()}
	for _, it := range items {
		plan.Positions = append(plan.Positions, it.Name)
	}
	workers := min(f.threads, plan.Runs())
	if f.jobs.Given() {
		workers = 1 // for answers that two machines differ on
	}
	if err := limitMemory(settings, workers); err != nil {
		return err
	}
	records, err := experiment.OpenRecords(f.out, plan)
	if err != nil {
		return cli.Unwritten(fmt.Errorf("--out: %w", err))
	}
	if f.jobs.Given() {
		err = f.ask(ctx, plan, records, items, settings, t)
	} else {
		err = f.do(ctx, plan, records, items, settings, workers, t)
	}
	if err := errors.Join(err, records.Close()); err != nil {
		return cli.Exit(cli.CodeOf(err, cli.Internal), err)
	}
	return f.finish(experiment.Summarise(plan, records.Runs()), t)
}

// set reads the positions. An experiment may take hours, so it begins only if all are valid.
func (f *flags) set(ctx context.Context, args []string, t cli.Terminal) (set []inputs.Item, err error) {
	in, err := f.inputs.Read(ctx, args, t)
	if err != nil {
		return nil, err
	}
	var bad []error
	positions := 0
	for it := range in.All {
		if it.Err == nil {
			it.Err = f.question(it).Check()
		}
		if positions++; it.Game != nil {
			positions += it.Game.Len()
		}
		if positions > mostPositions {
			it.Err = fmt.Errorf("%s: an experiment takes %d positions at most, those before the turns of games counted", it.Name, mostPositions)
		}
		if it.Err != nil {
			bad = append(bad, it.Err)
		}
		if positions > mostPositions || len(bad) == mostErrors {
			break
		}
		it.Entry = nil // all of them are kept
		set = append(set, it)
	}
	switch err := cli.Ended(in.Source, cli.Holds); {
	case err != nil:
		return nil, err
	case len(bad) > 0:
		return nil, cli.Exit(cli.BadInput, errors.Join(bad...))
	case len(set) == 0:
		return nil, cli.Exit(cli.BadInput, errors.New("there are no positions in the input"))
	}
	return set, nil
}

// Bounds of the input.
const (
	mostPositions = 50_000 // some 20 MB
	mostErrors    = 100    // errors reported
)

func (f *flags) question(it inputs.Item) solve.Question {
	return solve.Question{Position: it.Diagram.Position, Deepest: f.winIn, Game: it.Game, NoLine: true}
}

// digest returns a hash of the boards and games of a set, whatever the names of its files.
func digest(items []inputs.Item) string {
	h := sha256.New()
	for _, it := range items {
		fmt.Fprintln(h, it.Diagram.Position)
		if it.Game != nil {
			io.WriteString(h, notation.Turns(it.Game))
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// limitMemory bounds the memory of the process, which runs one search per worker.
func limitMemory(settings []search.Cell, workers int) error {
	most := uint64(0)
	for _, s := range settings {
		most = max(most, s.Memory)
	}
	all := most * uint64(workers)
	if total := memory.Machine(); total > 0 && all > total {
		return fmt.Errorf("%d searches at a time with %s each: this machine has %s",
			workers, humanize.IBytes(most), humanize.IBytes(total))
	}
	memory.Limit(all + memory.Experiment)
	return nil
}

// do performs the missing runs.
func (f *flags) do(ctx context.Context, plan *experiment.Plan, records *experiment.Records, items []inputs.Item,
	settings []search.Cell, workers int, t cli.Terminal) error {
	bar := counter(plan, records, t)
	defer bar.Finish()
	var mu sync.Mutex
	defer f.limits.ReportCuts(t)
	return plan.Do(ctx, records, workers, func(ctx context.Context, position, cell int) (experiment.Run, error) {
		a, cut, err := settings[cell].Search(ctx, f.question(items[position]), plan.Limit)
		mu.Lock()
		f.limits.ReportCut(t, fmt.Sprintf("%s %s", items[position].Name, plan.Grid.Describe(plan.Cells[cell])), cut)
		mu.Unlock()
		return jobs.RunOf(a, cell), err
	}, func() { bar.Increment() })
}

// counter returns a bar that counts runs, and says how many are recorded.
func counter(plan *experiment.Plan, records *experiment.Records, t cli.Terminal) *pb.ProgressBar {
	done := len(records.Runs())
	if done > 0 {
		fmt.Fprintf(t.Err, "%d of %d runs are recorded\n", done, plan.Runs())
	}
	bar := cli.Counter(t, "experiment", plan.Runs())
	bar.SetCurrent(int64(done))
	return bar
}

// ask has the missing runs performed by a cluster, all of a position by one machine.
func (f *flags) ask(ctx context.Context, plan *experiment.Plan, records *experiment.Records, items []inputs.Item, settings []search.Cell, t cli.Terminal) error {
	bar := counter(plan, records, t)
	defer bar.Finish()
	due := records.Due()
	f.jobs.Keeps = f.out
	if f.jobs.Total = len(due); f.jobs.Total == 0 {
		return nil
	}
	q := &jobs.Experiment{Plan: plan, Cells: settings, Search: func(position int) solve.Question { return f.question(items[position]) }}
	asker, end, err := q.Open(ctx, &f.jobs)
	if err != nil {
		return err
	}
	for o := range jobs.Outcomes(ctx, asker, slices.Values(due), q, func(experiment.Due) {}) {
		if o.Err == nil {
			o.Err = records.Add(o.Value...)
		}
		if o.Err != nil {
			return fmt.Errorf("%s: %w", plan.Positions[o.Job.Position], o.Err)
		}
		bar.Add(len(o.Value))
	}
	return end.Close()
}

// finish writes the summary of the runs.
func (f *flags) finish(s *experiment.Summary, t cli.Terminal) error {
	if err := s.WriteFiles(f.out, parameterTitle); err != nil {
		return cli.Unwritten(fmt.Errorf("--out: %w", err))
	}
	if f.json {
		writeCells(t, s)
	} else {
		fmt.Fprint(t.Out, s.Markdown())
	}
	if len(s.Contradictions) > 0 {
		return cli.Exit(cli.Internal, fmt.Errorf("searches contradict each other about %s", strings.Join(s.Contradictions, ", ")))
	}
	if s.Runs < s.Plan.Runs() {
		return cli.Exit(cli.Unknown, errors.New("interrupted: the same command continues"))
	}
	return nil
}

// writeCells writes a line of JSON for each cell.
func writeCells(t cli.Terminal, s *experiment.Summary) {
	for i := range s.Cells {
		c := &s.Cells[i]
		record := struct {
			Parameters     map[string]*string `json:"parameters"`
			Runs           int                `json:"runs"`
			Solved         int                `json:"solved"`
			Proved         int                `json:"proved"`
			Disproved      int                `json:"disproved"`
			Unknown        int                `json:"unknown"`
			CommonlySolved int                `json:"commonly_solved"`
			MeanSeconds    *float64           `json:"mean_seconds"`
			MedianSeconds  *float64           `json:"median_seconds"`
			MeanNodes      *float64           `json:"mean_nodes"`
			MedianNodes    *float64           `json:"median_nodes"`
		}{
			Parameters: map[string]*string{}, Runs: c.Runs, Solved: c.Solved(),
			Proved: c.Proved, Disproved: c.Disproved, Unknown: c.Unknown, CommonlySolved: s.Common,
		}
		for j, axis := range s.Plan.Grid {
			record.Parameters[axis.Name] = nil
			if c.Cell[j] != experiment.None {
				record.Parameters[axis.Name] = &c.Cell[j]
			}
		}
		if s.Common > 0 {
			record.MeanSeconds, record.MedianSeconds = &c.MeanSeconds, &c.MedianSeconds
			record.MeanNodes, record.MedianNodes = &c.MeanNodes, &c.MedianNodes
		}
		if err := report.WriteJSON(t.Out, record); err != nil {
			return // the output remembers that it could not be written
		}
	}
}
