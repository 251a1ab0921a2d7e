package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/spf13/cobra"

	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
	"goalproof/internal/files"
	"goalproof/internal/printable"
	"goalproof/library"
	"goalproof/solve/report"
)

// endings are those of the files of a directory that are imported.
var endings = []string{".txt", ".tsv", ".turns", ".pgn", ".json", ".TXT", ".TSV", ".PGN"}

// importing is the command library import.
type importing struct {
	reading inputs.Reading
	json    bool
	t       cli.Terminal
	screen  *cli.Screen
	bar     inputs.Progress
	noted   map[string]bool // the kinds of notes of a file that were printed
}

func importCommand(t cli.Terminal) *cobra.Command {
	f := importing{t: t, screen: cli.NewScreen(t)}
	cmd := &cobra.Command{
		Use:   "import LIBRARY FILE...",
		Short: "Add games and puzzles to a library",
		Long: `Adds what files hold in any form that goalproof reads: archives, records, sets
of puzzles; of a directory the files that end in .txt, .tsv, .turns, .pgn or
.json. The library is made if there is none.

A game that is there already is not added again, whichever file it comes from;
of equal records in one file each is kept. After an interruption, or when the
program was killed, run the same command again: it adds what is missing. A game
is there wholly or not at all. What cannot be read is named with its line, and
stops nothing. What is kept of a game is said in docs/library.md.

See also: goalproof help formats, json.`,
		Example: `  goalproof library import games.db examples/games.tsv
  goalproof library import games.db examples
  goalproof library import --json games.db examples/game.turns`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return errors.New("name the library, then the files to import")
			case args[0] == "" || args[0] == "-":
				return fmt.Errorf("%q is no name of a library: name a file, then the files to import", args[0])
			case len(args) == 1:
				return fmt.Errorf("name the files to import into %s, or - for standard input", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return exitOf(f.run(cmd.Context(), args[0], args[1:]))
		},
	}
	f.reading.Side.Register(cmd.Flags())
	f.reading.Register(cmd.Flags())
	cmd.Flags().BoolVar(&f.json, "json", false, "write the counts as JSON (see goalproof help json)")
	return cmd
}

// run imports all files.
func (f *importing) run(ctx context.Context, path string, args []string) error {
	for _, arg := range args {
		if cli.SameFile(path, arg) {
			return fmt.Errorf("%s is the library itself: name other files to import", arg)
		}
	}
	if _, err := os.Stat(path); err != nil {
		if err := anyThere(args); err != nil {
			return err
		}
	}
	l, err := library.Create(ctx, path)
	if err != nil {
		return err
	}
	im, err := l.Import()
	if err != nil {
		return err
	}
	f.bar = inputs.NewProgress(f.t, f.screen, "importing", 0, args, endings...)
	source := f.t.Source(ctx)
	code, err := f.texts(ctx, source, im, args)
	f.bar.Finish()
	if closing := im.Close(); err == nil || ctx.Err() != nil {
		err = closing // an interruption is no error of the file
	}
	if closing := l.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	if im.Broken > 0 {
		code = code.Worse(cli.BadInput)
	}
	if err := f.report(path, im); err != nil {
		return err
	}
	if ctx.Err() != nil {
		fmt.Fprintln(f.t.Err, interrupted)
		code = code.Worse(cli.Unknown)
	}
	return cli.Ended(source, code)
}

// anyThere returns the error of the first file if none of them is there: then no library is made.
func anyThere(args []string) (first error) {
	for _, arg := range args {
		if arg == "-" {
			return nil
		}
		_, err := os.Stat(arg)
		if err == nil {
			return nil
		}
		first = cmp.Or(first, err)
	}
	return first
}

// texts imports what the arguments name.
func (f *importing) texts(ctx context.Context, source *files.Source, im *library.Import, args []string) (code cli.Code, err error) {
	for _, arg := range args {
		for name, text := range f.open(source, arg, &code) {
			err := f.text(ctx, im, name, text)
			text.Close()
			if err != nil {
				return code, err
			}
		}
		if err := ctx.Err(); err != nil {
			return code, err
		}
	}
	return code, nil
}

// open yields what an argument names, and reports what cannot be opened.
func (f *importing) open(source *files.Source, arg string, code *cli.Code) iter.Seq2[string, io.ReadCloser] {
	return func(yield func(string, io.ReadCloser) bool) {
		names := source.Files(arg, endings...)
		if arg == "-" {
			names = func(yield func(string, error) bool) { yield(arg, nil) }
		}
		for name, err := range names {
			var text io.ReadCloser
			if err == nil {
				name, text, err = inputs.Open(f.t, source, name)
			}
			if source.Interrupted() != nil {
				return
			}
			if err != nil {
				f.screen.Print(func() { fmt.Fprintf(f.t.Err, "goalproof: %s\n", cli.Explain(err)) })
				*code = code.Worse(cli.BadInput)
				continue
			}
			if !yield(name, text) {
				return
			}
		}
	}
}

// text imports a text.
func (f *importing) text(ctx context.Context, im *library.Import, name string, text io.Reader) error {
	lines := f.reading.Lines(f.t, name, text)
	f.noted = map[string]bool{}
	return im.Text(ctx, name, notation.Parts(lines), func(r library.Read) {
		f.bar.Advance(r.Bytes)
		f.screen.Print(func() {
			for _, n := range r.Notes {
				if !f.noted[n.Kind] {
					f.noted[n.Kind] = true
					fmt.Fprintf(f.t.Err, "goalproof: %s:%d: note: %s\n", name, n.Line, n.Text)
				}
			}
			if r.Err != nil && ctx.Err() == nil {
				fmt.Fprintf(f.t.Err, "goalproof: %s\n", cli.Explain(located(r)))
			}
		})
	})
}

// located adds the place to an error that does not say it.
func located(r library.Read) error {
	if errors.As(r.Err, new(*notation.ParseError)) {
		return inputs.Advice(r.Err)
	}
	return fmt.Errorf("%s: %w", r.Label(), r.Err)
}

// report says what was imported.
func (f *importing) report(path string, im *library.Import) error {
	if f.json {
		return report.WriteJSON(f.t.Out, struct {
			Library      string `json:"library"`
			Added        int    `json:"added"`
			Known        int    `json:"known"`
			Twins        int    `json:"twins"`
			AddedPuzzles int    `json:"added_puzzles"`
			KnownPuzzles int    `json:"known_puzzles"`
			Broken       int    `json:"broken"`
			Garbled      int    `json:"garbled"`
		}{path, im.Added, im.Known, im.Twins, im.AddedPuzzles, im.KnownPuzzles, im.Broken, im.Garbled})
	}
	fmt.Fprintf(f.t.Out, "%s: %s added, %d there before", path, printable.Amount(im.Added, "game"), im.Known)
	if im.Twins > 0 {
		fmt.Fprintf(f.t.Out, "; %d of them with the turns of another game", im.Twins)
	}
	fmt.Fprintln(f.t.Out)
	if im.AddedPuzzles+im.KnownPuzzles > 0 {
		fmt.Fprintf(f.t.Out, "%s: %s added, %d there before\n", path, printable.Amount(im.AddedPuzzles, "puzzle"), im.KnownPuzzles)
	}
	if im.Broken > 0 {
		fmt.Fprintf(f.t.Out, "%s: %d could not be read\n", path, im.Broken)
	}
	if im.Garbled > 0 {
		fmt.Fprintf(f.t.Out, "%s: %s with letters in the names that are no UTF-8: convert the file (iconv -f latin1 -t utf-8) and import it into a new library\n",
			path, printable.Amount(im.Garbled, "game"))
	}
	return nil
}
