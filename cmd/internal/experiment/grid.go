package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// parameter is a flag of a search that an experiment can vary.
type parameter struct {
	name  string // of the flag
	title string // on the axis of a plot, with its unit
	help  string
}

var parameters = []parameter{
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

// GridTopic is a help topic about the parameters and results of experiments.
func GridTopic() *cobra.Command {
	return &cobra.Command{Use: "grid", Short: "Parameters and results of experiments", Long: gridHelp()}
}

func gridHelp() string {
	var b strings.Builder
	b.WriteString(`Each --grid of experiment names a parameter and its values. Most are the values
of the flag of goalproof solve with that name. proof-table, transposition-table
and scheme are parameters of experiments only.

`)
	for _, p := range parameters {
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

  runs.csv                  a row for each run, as soon as it ends, and its
                            checksum
  summary.csv, summary.md   for each combination the number of positions solved,
                            and the mean time and nodes over the positions that
                            all combinations have solved
  solved.svg, time.svg, nodes.svg
                            plots against the first numeric parameter that
                            varies; the other parameters that vary make the
                            series

With --nodes the summary has no times and there is no time.svg, so that they are
the same on every machine; runs.csv has a row for each run in the order in which
they end, with its time. With --cluster the rows are in the order of the
positions, and all runs of a position are done by one worker.

After an interruption the same command continues. It refuses a directory that
belongs to another grid, other positions or another limit, or in which another
process is running.
`)
	return b.String()
}

// parameterTitle returns the title of a parameter on the axis of a plot.
func parameterTitle(name string) string {
	i := slices.IndexFunc(parameters, func(p parameter) bool { return p.name == name })
	return parameters[i].title
}
