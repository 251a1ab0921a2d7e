package library

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/library"
	"goalproof/solve/report"
)

// finding is the command library findings.
type finding struct {
	filters
	sorting
	json, csv bool
	as        string
	form      *formOutput // nil: --as is not given
	t         cli.Terminal
}

func findingsCommand(t cli.Terminal) *cobra.Command {
	f := finding{t: t, filters: filters{findings: true}}
	cmd := &cobra.Command{
		Use:   "findings LIBRARY",
		Short: "List what reviews found out: who missed a win, and where",
		Long: `Lists the findings of the reviews in a library, of the games for which the
flags hold: forced wins that were missed, turns that gave the opponent a win
when another one would have held, from when on a win is proved. Each is as
strong as what library review --text says about the turn, no more.

With --as it writes the positions before these turns for other commands to read,
with the win that the side has there, if the finding is about one and it is
known that it takes no fewer turns.

See also: goalproof help library-filters, reviews, json.`,
		Example: `  goalproof library import games.db examples/games.tsv
  goalproof library review games.db --nodes 2000 --effort 0
  goalproof library findings games.db --finding missed --win-in 1
  goalproof library findings games.db --finding decided --sort date --csv
  goalproof library findings games.db --finding missed --as puzzle | goalproof verify -`,
		Args: needsLibrary,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.json && f.csv, f.as != "" && (f.json || f.csv):
				return errors.New("--as, --json and --csv exclude each other")
			case f.limit < 0:
				return fmt.Errorf("--limit %d: it is 0 for all, or more", f.limit)
			}
			if f.as != "" {
				form, err := inputs.FormNamed(f.as)
				if err != nil {
					return err
				}
				f.form = &formOutput{t: t, w: inputs.Writer{Out: t.Out, Form: form}}
			}
			if !f.json && !f.csv && f.as == "" && !cmd.Flags().Changed("limit") {
				f.limit = usualRows
			}
			if err := f.filters.read(cmd, t); err != nil {
				return err
			}
			return with(cmd.Context(), args[0], func(l *library.Library) error { return f.run(cmd.Context(), l) })
		},
	}
	flags := cmd.Flags()
	f.filters.register(flags, true)
	f.filters.registerFindings(flags, "findings of this kind")
	f.sorting.register(flags)
	flags.StringVar(&f.as, "as", "", "write the positions in a notation: "+inputs.FormNames("or"))
	cli.JSONFlag(flags, &f.json, "each finding")
	flags.BoolVar(&f.csv, "csv", false, "write a comma-separated table")
	help.Group(flags, help.Output, "as", "json", "csv", "sort", "falling", "limit")
	return cmd
}

// run writes the findings.
func (f *finding) run(ctx context.Context, l *library.Library) error {
	table := list{right: []bool{true, false, false, false, false, true, false, false}}
	rows := &csvOutput{csv.NewWriter(f.t.Out)}
	switch {
	case f.csv:
		if err := rows.row("number", "game", "date", "turn", "at", "finding", "side", "player", "rating", "turns", "exact", "played", "better"); err != nil {
			return err
		}
	case f.form == nil && !f.json:
		table.add("number", "date", "turn", "player", "finding", "turns", "played", "better")
	}
	found, more := 0, false
	for one, err := range l.Findings(ctx, &f.Filter, f.Sort) {
		if err != nil {
			return err
		}
		if more = f.limit > 0 && found == f.limit; more {
			break
		}
		found++
		g := one.Game
		player := one.Player()
		switch {
		case f.form != nil:
			err = f.position(one)
		case f.json:
			err = f.object(one)
		case f.csv:
			err = rows.row(strconv.FormatInt(g.ID, 10), g.Name, g.Date, one.Label, strconv.Itoa(one.At), one.Kind, one.Side, player, number(one.Rating),
				strconv.Itoa(one.Turns), strconv.FormatBool(one.Exact), one.Played, one.Better)
		default:
			table.add(strconv.FormatInt(g.ID, 10), dash(g.Date), one.Label, rated(cmp.Or(player, one.Side), one.Rating), one.Kind, turnsOf(one.Turns, one.Exact),
				dash(one.Played), dash(one.Better))
			table.spill(f.t.Out)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case f.form != nil:
		f.form.finish(found, more)
	case !f.json && !f.csv:
		table.write(f.t.Out)
	}
	switch {
	case f.form != nil || f.json || f.csv:
	case more:
		fmt.Fprintln(f.t.Out, "There are more: --limit 0 shows all.")
	case found == 0:
		fmt.Fprintln(f.t.Out, "None is found.")
	}
	return f.unreviewed(ctx, l, f.t, found)
}

// turnsOf writes a number of turns, which may be the most that it takes.
func turnsOf(turns int, exact bool) string {
	if exact {
		return strconv.Itoa(turns)
	}
	return fmt.Sprintf("at most %d", turns)
}

// position writes the position of a finding in a notation.
func (f *finding) position(one *library.Finding) error {
	w, err := one.Written()
	if err != nil {
		return err
	}
	return f.form.write(w, fmt.Sprintf("game %d before %s: %s", one.Game.ID, one.Label, one.Kind))
}

// object writes a finding as JSON.
func (f *finding) object(one *library.Finding) error {
	row, err := one.Row()
	if err != nil {
		return err
	}
	return report.WriteJSON(f.t.Out, row)
}
