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
	"goalproof/internal/printable"
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
	f := finding{t: t}
	cmd := &cobra.Command{
		Use:   "findings LIBRARY",
		Short: "List what reviews found out: who missed a win, and where",
		Long: `Lists the findings of the reviews in a library, of the games for which the
flags hold: forced wins that were missed, turns that gave the opponent a win
when another one would have held, from when on a win is proved. Each is as
strong as what library review --text says about the turn, no more.

With --as it writes the positions before these turns for other commands to read,
with the win that the side has there, if the finding is about one.

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
			case f.winIn != "" && f.Finding == "":
				return errors.New("--win-in needs --finding")
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
		if err := rows.row("number", "game", "date", "turn", "at", "finding", "side", "player", "rating", "turns", "played", "better"); err != nil {
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
				strconv.Itoa(one.Turns), one.Played, one.Better)
		default:
			table.add(strconv.FormatInt(g.ID, 10), dash(g.Date), one.Label, rated(cmp.Or(player, one.Side), one.Rating), one.Kind, strconv.Itoa(one.Turns),
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
		return nil
	case f.json, f.csv:
		return nil
	}
	table.write(f.t.Out)
	switch {
	case more:
		fmt.Fprintln(f.t.Out, "There are more: --limit 0 shows all.")
	case found == 0:
		return f.none(ctx, l)
	}
	return nil
}

// none says that nothing is found, and whether that is because there is no review.
func (f *finding) none(ctx context.Context, l *library.Library) error {
	n, err := l.Totals(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(f.t.Out, "None is found in the reviews of %s.\n", printable.Amount(n.Reviewed, "game"))
	if n.Reviewed < n.Games {
		fmt.Fprintf(f.t.Out, "%s without a review: goalproof library review makes it.\n", printable.Amount(n.Games-n.Reviewed, "game"))
	}
	return nil
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
