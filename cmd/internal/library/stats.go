package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/internal/figure"
	"goalproof/internal/printable"
	"goalproof/library"
	"goalproof/solve/report"
)

// counting is the command library stats.
type counting struct {
	filters
	by    string
	sort  string
	limit int
	svg   string
	json  bool
	t     cli.Terminal
}

func statsCommand(t cli.Terminal) *cobra.Command {
	f := counting{t: t}
	cmd := &cobra.Command{
		Use:   "stats LIBRARY",
		Short: "Count games by player, setup, year, ending, ...",
		Long: `Counts the games for which all flags hold, in groups: how many were won and
lost, how they ended, how long they were. With --player, --setup or --finding,
and by player, setup, side or rating, won and lost are those of the player whose
name, setup, side or rating it is, by opponent those against him, and a game
counts for both players if the flags mean both; otherwise they are Gold's.

See also: goalproof help library-filters, json.`,
		Example: `  goalproof library import games.db examples/games.tsv
  goalproof library stats games.db --by ending
  goalproof library stats games.db --by setup --limit 5 --svg setups.svg
  goalproof library stats games.db --setup '?H????H?/????????' --by turns`,
		Args: needsLibrary,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.limit < 0:
				return fmt.Errorf("--limit %d: it is 0 for all, or more", f.limit)
			case f.sort != "games" && f.sort != "name":
				return fmt.Errorf("--sort %s: it is games or name", f.sort)
			}
			if f.json && !cmd.Flags().Changed("limit") {
				f.limit = 0
			}
			if err := cmp.Or(f.filters.read(cmd, t), cli.Writable("svg", f.svg, args...)); err != nil {
				return err
			}
			return with(cmd.Context(), args[0], func(l *library.Library) error { return f.run(cmd.Context(), l) })
		},
	}
	flags := cmd.Flags()
	f.filters.register(flags, true)
	f.filters.registerFindings(flags, "games with this finding of a review, for its player")
	flags.StringVar(&f.by, "by", "all", "groups: "+strings.Join(library.Groupings(), ", "))
	flags.StringVar(&f.sort, "sort", "games", "order of the groups: games, the largest first, or name")
	flags.IntVar(&f.limit, "limit", usualRows, "at most so many groups; 0 is all, as with --json")
	flags.StringVar(&f.svg, "svg", "", "draw the groups to this `file`")
	cli.JSONFlag(flags, &f.json, "each group")
	help.Group(flags, help.Output, "by", "sort", "limit", "svg", "json")
	return cmd
}

// run writes the groups.
func (f *counting) run(ctx context.Context, l *library.Library) error {
	groups, err := l.Stats(ctx, &f.Filter, f.by)
	if err != nil {
		return err
	}
	if err := f.unreviewed(ctx, l, f.t, len(groups)); err != nil {
		return err
	}
	rest := 0
	if f.limit > 0 && len(groups) > f.limit {
		rest = len(groups) - f.limit
		groups = groups[:f.limit]
	}
	if f.sort == "name" {
		slices.SortStableFunc(groups, byName)
	}
	won, lost := "gold", "silver"
	if f.Seated(f.by) {
		won, lost = "won", "lost"
	}
	if f.svg != "" {
		picture, err := f.draw(groups, won, lost)
		if err != nil {
			return err
		}
		if err := cli.WriteText(f.svg, picture); err != nil {
			return err
		}
	}
	if f.json {
		for i := range groups {
			if err := f.writeJSON(&groups[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if len(groups) == 0 {
		fmt.Fprintln(f.t.Out, "None is found.")
		return nil
	}
	f.table(groups, won, lost)
	if rest > 0 {
		fmt.Fprintf(f.t.Out, "There are %d more groups: --limit 0 shows all.\n", rest)
	}
	return nil
}

// byName orders groups by name, or by the number with which both names begin.
func byName(a, b library.Group) int {
	number := func(name string) int {
		begin, _, ok := strings.Cut(name, "..")
		n, err := strconv.Atoi(begin)
		if !ok || err != nil {
			return 0
		}
		return n
	}
	return cmp.Or(number(a.Name)-number(b.Name), cmp.Compare(a.Name, b.Name))
}

// endingsOf returns the endings that occur, the most frequent first.
func endingsOf(groups []library.Group) []string {
	all := map[string]int{}
	for _, g := range groups {
		for ending, n := range g.Endings {
			all[ending] += n
		}
	}
	return slices.SortedFunc(maps.Keys(all), func(a, b string) int { return cmp.Or(all[b]-all[a], cmp.Compare(a, b)) })
}

// mostEndings is how many endings have a column of their own.
const mostEndings = 6

// table writes a table for a person.
func (f *counting) table(groups []library.Group, won, lost string) {
	endings := endingsOf(groups)
	if len(endings) > mostEndings {
		endings = endings[:mostEndings]
	}
	var out list
	head := []string{"games", won, lost, "turns", "rating"}
	for _, e := range endings {
		head = append(head, printable.Text(e))
	}
	out.right = make([]bool, len(head)+1)
	for i := range head {
		out.right[i] = true
	}
	out.add(append(head, f.by)...)
	for i := range groups {
		g := &groups[i]
		percent := func(n int) string { return fmt.Sprintf("%.0f%%", 100*float64(n)/float64(g.Games)) }
		cells := []string{strconv.Itoa(g.Games), percent(g.Won), percent(g.Lost), fmt.Sprintf("%.0f", g.Turns()), dash(number(g.Rating()))}
		for _, e := range endings {
			cells = append(cells, percent(g.Endings[e]))
		}
		out.add(append(cells, dash(printable.Text(g.Name)))...)
	}
	out.write(f.t.Out)
}

// writeJSON writes a line for a group.
func (f *counting) writeJSON(g *library.Group) error {
	return report.WriteJSON(f.t.Out, g.Row(f.by))
}

// longestName is the number of letters of a group that a drawing has room for.
const longestName = 40

// draw draws the groups as bars of games that were won, lost, and neither.
func (f *counting) draw(groups []library.Group, won, lost string) ([]byte, error) {
	if len(groups) == 0 {
		return nil, errors.New("--svg: no game is found, and nothing to draw")
	}
	p := figure.New("games", "")
	p.Legend.Top = false
	var names []string
	parts := [3]plotter.Values{}
	for i := range groups {
		g := &groups[len(groups)-1-i] // the first one on top
		name := []rune(dash(printable.Text(g.Name)))
		if len(name) > longestName {
			name = append(name[:longestName-1], '…')
		}
		names = append(names, string(name))
		for part, n := range []int{g.Won, g.Lost, g.Other} {
			parts[part] = append(parts[part], float64(n))
		}
	}
	var below *plotter.BarChart
	for i, label := range []string{won, lost, "neither"} {
		bars, err := plotter.NewBarChart(parts[i], vg.Points(10))
		if err != nil {
			return nil, err
		}
		bars.Horizontal, bars.LineStyle.Width, bars.Color = true, 0, figure.Colours[[]int{0, 1, 5}[i]]
		if below != nil {
			bars.StackOn(below)
		}
		below = bars
		p.Add(bars)
		p.Legend.Add(label, bars)
	}
	p.NominalY(names...)
	p.X.Min, p.X.Max = 0, 1.2*p.X.Max // room for the legend
	p.Legend.Padding = vg.Points(2)
	return figure.Plot(p, 16*vg.Centimeter, vg.Points(70+18*float64(len(groups))))
}
