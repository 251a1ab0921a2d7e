package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"goalproof/experiment"
	"goalproof/pns"
	"goalproof/solve"
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
	{"epsilon", "epsilon", "dfpns: part of the second best number, for wins in three and more"},
	{"killers", "killers a level (steps)", "pns: steps of each level"},
	{"gc-high", "high mark of the garbage collector (nodes; 0: none)", "pns: nodes, 0 for never"},
	{"gc-low", "low mark of the garbage collector (nodes, or % of the high mark)",
		"pns with gc-high: nodes, or in percent of gc-high, for example 80%"},
	{"widening", "open children that count at a time (0: all)", "pns: open children, 0 for all"},
	{"evaluation", "when the end of a turn is judged", "pns: immediate or delayed"},
	{"start-numbers", "what the numbers of a turn begin with", "pns: one, mobility or distance"},
}

// parameterHelp lists the parameters for people.
func parameterHelp() string {
	var b strings.Builder
	for _, p := range experimentParameters {
		fmt.Fprintf(&b, "  %-14s %s\n", p.name, p.help)
	}
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
			return nil, nil, fmt.Errorf("%q: there is no parameter %s; see goalproof experiment --help", axis, axis.Name)
		}
	}
	cells, err = grid.Cells(func(c experiment.Cell, name string) bool {
		if name == "epsilon" {
			return grid.Value(c, "algorithm") != "pns"
		}
		if !slices.Contains(pnsOnly, name) {
			return true
		}
		high := grid.Value(c, "gc-high")
		return grid.Value(c, "algorithm") == "pns" && (name != "gc-low" || high != experiment.None && high != "0")
	})
	if err != nil {
		return nil, nil, fmt.Errorf("%w: what is for pns needs algorithm=pns, and gc-low a gc-high", err)
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
	var search searchFlags
	var best pnsFlags
	flags := pflag.NewFlagSet("experiment", pflag.ContinueOnError)
	search.register(flags, 1)
	search.registerEpsilon(flags)
	best.register(flags)
	search.memory = defaultSearchMemory
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
	if s.options, err = search.options(); err != nil {
		return s, err
	}
	if err := s.options.Check(); err != nil {
		return s, search.tooLittle(err)
	}
	err = best.check(search.algorithm)
	s.parameters = best.parameters
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
