package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/cmd/internal/search"
	"goalproof/experiment"
	"goalproof/pns"
	"goalproof/solve"
	"goalproof/tables"
)

// parameter is a flag of a search that can vary in an experiment.
type parameter struct {
	name  string // of the flag
	title string // on the axis of a plot, with its unit
	help  string
}

var experimentParameters = []parameter{
	{"algorithm", "algorithm", "dfpns or pns"},
	{"memory", "memory of a search", "bytes, for example 64MiB"},
	{"epsilon", "epsilon", "dfpns: margin over the second-best child (wins in 3 on)"},
	{"proof-table", "proof table", "dfpns: bytes, for example 64KiB (default: half the memory)"},
	{"transposition-table", "transposition table", "dfpns: bytes (default: half the memory)"},
	{"scheme", "replacement scheme of the tables", "dfpns: greater, deeper, newer, older, two-level or aged"},
	{"killers", "killers a level (steps)", "pns: steps per level"},
	{"gc-high", "high mark of the garbage collector (nodes; 0: none)", "pns: nodes, 0 for never"},
	{"gc-low", "low mark of the garbage collector (nodes, or % of the high mark)",
		"pns with gc-high: nodes, or a percentage such as 80%"},
	{"widening", "open children that count at a time (0: all)", "pns: open children, 0 for all"},
	{"evaluation", "when the end of a turn is judged", "pns: immediate or delayed"},
	{"start-numbers", "initial proof and disproof numbers", "pns: one, mobility or distance"},
}

// gridTopic is a help topic about the parameters and results of experiments.
func gridTopic() *cobra.Command {
	return &cobra.Command{Use: "grid", Short: "Parameters and results of experiments", Long: gridHelp()}
}

func gridHelp() string {
	var b strings.Builder
	b.WriteString(`Each --grid of experiment names a parameter and its values. Most are the values
of the flag of goalproof solve with that name. proof-table, transposition-table
and scheme are parameters of experiments only.

`)
	for _, p := range experimentParameters {
		fmt.Fprintf(&b, "  %-19s %s\n", p.name, p.help)
	}
	b.WriteString(`
A parameter that means nothing in a combination, such as one of pns with dfpns,
is left out of it. A parameter that the grid does not name has its usual value.
Memory is for each search, and ` + defaultSearchMemory + ` by default.

Every search has one thread and tables of its own. It first answers a win in 1,
off the clock, to set up its tables. For comparable times the machine must be
otherwise idle. A set with unreadable entries is refused.

The directory gets

  runs.csv                  a row for each run, as soon as it ends
  summary.csv, summary.md   for each combination the number of positions solved,
                            and the mean time and nodes over the positions that
                            all combinations have solved
  solved.svg, time.svg, nodes.svg
                            plots against the first numeric parameter that
                            varies; the other parameters that vary make the
                            series

After an interruption the same command continues. It refuses a directory that
belongs to another grid, other positions or another limit, or in which another
process is running.
`)
	return b.String()
}

// parameterTitle returns what a parameter is called on the axis of a plot.
func parameterTitle(name string) string {
	i := slices.IndexFunc(experimentParameters, func(p parameter) bool { return p.name == name })
	return experimentParameters[i].title
}

// defaultSearchMemory is what each search of an experiment has where the grid does not say, the same
// on every machine.
const defaultSearchMemory = "256MiB"

// dfpnsOnly are the parameters that pns does not have. The tables are no flags of solve.
var dfpnsOnly = []string{"epsilon", "proof-table", "transposition-table", "scheme"}

// tableFlags are the parameters of the tables of dfpns.
type tableFlags struct{ proof, transposition, scheme string }

func (f *tableFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.proof, "proof-table", "", "")
	flags.StringVar(&f.transposition, "transposition-table", "", "")
	flags.StringVar(&f.scheme, "scheme", "greater", "")
}

// apply reads the flags into the options of a search.
func (f *tableFlags) apply(o *solve.Options) (err error) {
	if o.Scheme = tables.SchemeNamed(f.scheme); o.Scheme == nil {
		return fmt.Errorf("scheme %q: it is greater, deeper, newer, older, two-level or aged", f.scheme)
	}
	for _, table := range []struct {
		name, text string
		size       *uint64
	}{{"proof-table", f.proof, &o.ProofTable}, {"transposition-table", f.transposition, &o.TranspositionTable}} {
		if table.text == "" {
			continue
		}
		if *table.size, err = humanize.ParseBytes(table.text); err != nil || *table.size == 0 {
			return fmt.Errorf("%s %q: write a number of bytes such as 64KiB", table.name, table.text)
		}
	}
	return nil
}

// setting is how the searches of a cell are done.
type setting struct {
	options    solve.Options
	parameters pns.Parameters
}

// solver returns a solver of its own for a question. It has been asked for a win in one, which takes
// no search but makes it set up its tables: that is no part of what is measured.
func (s *setting) solver(ctx context.Context, q solve.Question) (*solve.Solver, error) {
	solver, err := solve.New(s.options)
	if err != nil {
		return nil, err
	}
	if err := solver.Tune(s.parameters); err != nil {
		return nil, err
	}
	q.Deepest = 1
	_, err = solver.Solve(ctx, q)
	return solver, err
}

// searches returns the cells of a grid and the setting of each.
func searches(grid experiment.Grid) (settings []setting, cells []experiment.Cell, err error) {
	for _, axis := range grid {
		if !slices.ContainsFunc(experimentParameters, func(p parameter) bool { return p.name == axis.Name }) {
			return nil, nil, fmt.Errorf("%q: there is no parameter %s; see goalproof help grid", axis, axis.Name)
		}
	}
	cells, err = grid.Cells(func(c experiment.Cell, name string) bool {
		if slices.Contains(dfpnsOnly, name) {
			return grid.Value(c, "algorithm") != "pns"
		}
		if !slices.Contains(search.PNSOnly, name) {
			return true
		}
		high := grid.Value(c, "gc-high")
		return grid.Value(c, "algorithm") == "pns" && (name != "gc-low" || high != experiment.None && high != "0")
	})
	if err != nil {
		return nil, nil, fmt.Errorf("%w: parameters of pns need algorithm=pns, those of dfpns algorithm=dfpns, and gc-low a gc-high", err)
	}
	for _, c := range cells {
		s, err := cellSetting(grid, c)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", grid.Describe(c), err)
		}
		settings = append(settings, s)
	}
	return settings, cells, nil
}

// cellSetting reads the values of a cell as the flags of goalproof solve that they stand for.
func cellSetting(grid experiment.Grid, c experiment.Cell) (s setting, err error) {
	var f search.Flags
	var best search.PNSFlags
	var table tableFlags
	flags := pflag.NewFlagSet("experiment", pflag.ContinueOnError)
	f.Register(flags, 1)
	f.RegisterEpsilon(flags)
	best.Register(flags)
	table.register(flags)
	f.Memory = defaultSearchMemory
	for i, axis := range grid {
		value := c[i]
		if value == experiment.None {
			continue
		}
		if axis.Name == "gc-low" {
			if value, err = portion(value, grid.Value(c, "gc-high")); err != nil {
				return s, err
			}
		}
		if err := flags.Set(axis.Name, value); err != nil {
			return s, err
		}
	}
	if s.options, err = f.Options(); err != nil {
		return s, err
	}
	if err := table.apply(&s.options); err != nil {
		return s, err
	}
	if err := s.options.Check(); err != nil {
		return s, f.TooLittle(err)
	}
	err = best.Check(f.Algorithm)
	s.parameters = best.Parameters
	return s, err
}

// portion returns a number of nodes: a value as it is, or so many percent of another one.
func portion(value, of string) (string, error) {
	text, ok := strings.CutSuffix(value, "%")
	if !ok {
		return value, nil
	}
	percent, err := strconv.ParseUint(text, 10, 64)
	if err != nil || percent > 100 {
		return "", fmt.Errorf("gc-low %q: write nodes, or a whole number of percent", value)
	}
	whole, err := strconv.ParseUint(of, 10, 64)
	if err != nil {
		return "", fmt.Errorf("gc-high %q: write a number of nodes", of)
	}
	return strconv.FormatUint(whole/100*percent+whole%100*percent/100, 10), nil // no product overflows
}
