package experiment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"goalproof/cmd/internal/search"
	"goalproof/tables"
	"goalproof/tools/experiment"
)

// defaultSearchMemory is the memory of each search unless the grid sets it, the same on every
// machine.
const defaultSearchMemory = "256MiB"

// dfpnsOnly are the parameters that pns does not have. Those of the tables are not flags of solve.
var dfpnsOnly = []string{"epsilon", "proof-table", "transposition-table", "scheme"}

// tableFlags are the parameters of the tables of dfpns.
type tableFlags struct{ proof, transposition, scheme string }

func (f *tableFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.proof, "proof-table", "", "")
	flags.StringVar(&f.transposition, "transposition-table", "", "")
	flags.StringVar(&f.scheme, "scheme", "greater", "")
}

// apply reads the flags into what a cell searches with.
func (f *tableFlags) apply(c *search.Cell) (err error) {
	if c.Scheme = f.scheme; tables.SchemeNamed(f.scheme) == nil {
		return fmt.Errorf("scheme %q: it is greater, deeper, newer, older, two-level or aged", f.scheme)
	}
	for _, table := range []struct {
		name, text string
		size       *uint64
	}{{"proof-table", f.proof, &c.ProofTable}, {"transposition-table", f.transposition, &c.TranspositionTable}} {
		if table.text == "" {
			continue
		}
		if *table.size, err = humanize.ParseBytes(table.text); err != nil || *table.size == 0 {
			return fmt.Errorf("%s %q: write a number of bytes such as 64KiB", table.name, table.text)
		}
	}
	return nil
}

// searches returns the cells of a grid, and what each searches with.
func searches(grid experiment.Grid) (settings []search.Cell, cells []experiment.Cell, err error) {
	for _, axis := range grid {
		if !slices.ContainsFunc(parameters, func(p parameter) bool { return p.name == axis.Name }) {
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

// cellSetting reads the values of a cell as flags of goalproof solve.
func cellSetting(grid experiment.Grid, c experiment.Cell) (s search.Cell, err error) {
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
	o, err := f.Options()
	if err != nil {
		return s, err
	}
	s = search.Cell{Algorithm: o.Algorithm, Memory: o.Memory, Epsilon: o.Epsilon}
	if err := table.apply(&s); err != nil {
		return s, err
	}
	if err := s.Options().Check(); err != nil {
		return s, f.TooLittle(err)
	}
	err = best.Check(f.Algorithm, false)
	s.Parameters = best.Parameters
	return s, err
}

// portion returns a number of nodes: the value itself, or a percentage of another number.
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
