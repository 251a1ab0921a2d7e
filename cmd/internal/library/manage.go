package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/internal/printable"
	"goalproof/library"
	"goalproof/solve/report"
)

func infoCommand(t cli.Terminal) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info LIBRARY",
		Short: "Count what a library holds",
		Long: `Counts the games, positions, players and puzzles of a library, and gives its
size.

See also: goalproof help json.`,
		Example: `  goalproof library import games.db examples/games.tsv
  goalproof library info games.db`,
		Args: needsLibrary,
		RunE: func(cmd *cobra.Command, args []string) error {
			return with(cmd.Context(), args[0], func(l *library.Library) error {
				n, err := l.Totals(cmd.Context())
				if err != nil {
					return err
				}
				info, err := os.Stat(args[0])
				if err != nil {
					return err
				}
				if asJSON {
					return report.WriteJSON(t.Out, struct {
						Library string `json:"library"`
						library.TotalsRow
						Bytes  int64 `json:"bytes"`
						Layout int   `json:"layout"`
					}{args[0], n.Row(), info.Size(), library.Version})
				}
				fmt.Fprintf(t.Out, "%s: %s and %s of %s, %s\n", args[0], printable.Amount(n.Games, "game"), printable.Amount(n.Puzzles, "puzzle"),
					printable.Amount(n.Sources, "file"), humanize.IBytes(uint64(info.Size())))
				fmt.Fprintf(t.Out, "%s, %s, %s; %s with the turns of an earlier one\n", printable.Amount(n.Positions, "position"),
					printable.Amount(n.Players, "player"), printable.Amount(n.Setups, "setup"), printable.Amount(n.Twins, "game"))
				if n.Reviewed > 0 {
					fmt.Fprintf(t.Out, "%s reviewed, with %s\n", printable.Amount(n.Reviewed, "game"), printable.Amount(n.Findings, "finding"))
				}
				if n.Mined > 0 {
					fmt.Fprintf(t.Out, "%s mined from the games, of %s\n", printable.Amount(n.Mined, "puzzle"), printable.Amount(n.Ideas, "idea"))
				}
				if n.From != "" {
					fmt.Fprintf(t.Out, "From %s to %s.\n", n.From, n.To)
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON (see goalproof help json)")
	return cmd
}

func verifyCommand(t cli.Terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "verify LIBRARY",
		Short: "Check a whole library",
		Long: `Checks the pages and indices of the file, plays every game again by the rules,
and compares its header, positions and material with what the tables hold,
findings with their reviews if this version has made them, and mined puzzles
with their games. It does not prove again what reviews and puzzles claim.`,
		Example: `  goalproof library import games.db examples/games.tsv
  goalproof library verify games.db`,
		Args: needsLibrary,
		RunE: func(cmd *cobra.Command, args []string) error {
			return with(cmd.Context(), args[0], func(l *library.Library) error {
				n, err := l.Totals(cmd.Context())
				if err != nil {
					return err
				}
				bar := cli.Counter(t, "verifying", n.Games)
				err = l.Verify(cmd.Context(), func(games int) { bar.SetCurrent(int64(games)) })
				bar.Finish()
				if err == nil {
					fmt.Fprintf(t.Out, "%s: %s with %s and %s are sound\n", args[0], printable.Amount(n.Games, "game"),
						printable.Amount(n.Positions, "position"), printable.Amount(n.Puzzles, "puzzle"))
				}
				return err
			})
		},
	}
}

// exporting is the command library export.
type exporting struct {
	filters
	sorting
	as string
}

func exportCommand(t cli.Terminal) *cobra.Command {
	var f exporting
	var form notation.Form
	cmd := &cobra.Command{
		Use:   "export LIBRARY FILE",
		Short: "Write games of a library to a file",
		Long: `Writes the games for which the flags hold, or all, to a file, which it replaces
when all of them are written. Comments and variations need --as annotated.

See also: goalproof help library-filters, formats.`,
		Example: `  goalproof library import games.db examples/games.tsv
  goalproof library export games.db won.tsv --result gold
  goalproof library export games.db all.txt --as annotated`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) != 2:
				return errors.New("name a library and the file to write")
			case args[1] == "-":
				return errors.New("goalproof library query --as archive writes to standard output; name a file here")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if form, err = inputs.FormNamed(f.as); err != nil {
				return err
			}
			if f.as != "archive" && f.as != "annotated" {
				return fmt.Errorf("--as %s: an export is archive or annotated", f.as)
			}
			if f.limit < 0 {
				return fmt.Errorf("--limit %d: it is 0 for all, or more", f.limit)
			}
			if err := f.filters.read(cmd, t); err != nil {
				return err
			}
			if cli.SameFile(args[0], args[1]) {
				return fmt.Errorf("%s is the library itself: name another file to write", args[1])
			}
			return with(cmd.Context(), args[0], func(l *library.Library) error { return f.write(cmd.Context(), t, l, form, args[1]) })
		},
	}
	f.filters.register(cmd.Flags(), true)
	f.filters.registerFindings(cmd.Flags(), "games with this finding of a review")
	f.sorting.register(cmd.Flags())
	cmd.Flags().StringVar(&f.as, "as", "archive", "notation: archive or annotated")
	help.Group(cmd.Flags(), help.Output, "as", "sort", "falling", "limit")
	return cmd
}

// write writes the games to a file.
func (f *exporting) write(ctx context.Context, t cli.Terminal, l *library.Library, form notation.Form, file string) error {
	var out formOutput
	var asking error // which is none of writing
	err := cli.WriteFile(file, func(w io.Writer) error {
		out = formOutput{t: t, w: inputs.Writer{Out: w, Form: form}}
		for g, err := range l.Games(ctx, &f.Filter, f.Sort) {
			if err != nil {
				asking = err
				return err
			}
			if f.limit > 0 && out.w.Written == f.limit {
				break
			}
			if err := out.game(g); err != nil {
				return err
			}
		}
		out.finish(0, false)
		return nil
	})
	if err := cmp.Or(asking, err); err != nil {
		return err
	}
	fmt.Fprintf(t.Out, "%s: %s\n", file, printable.Amount(out.w.Written, "game"))
	return nil
}
