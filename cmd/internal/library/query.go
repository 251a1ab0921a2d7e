package library

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/internal/printable"
	"goalproof/library"
	"goalproof/puzzles/describe"
	"goalproof/solve/report"
)

// querying is the command library query.
type querying struct {
	filters
	sorting
	puzzles          bool
	puzzleFilter     library.PuzzleFilter
	themes           []string
	difficulty       string
	count, json, csv bool
	as               string
	form             notation.Form
	t                cli.Terminal
}

// usualRows is how many rows a table for a person has.
const usualRows = 50

func queryCommand(t cli.Terminal) *cobra.Command {
	f := querying{t: t}
	cmd := &cobra.Command{
		Use:   "query LIBRARY",
		Short: "Find games, positions and puzzles",
		Long: `Finds the games for which all flags hold. What is asked of a board, such as
--position or --pattern, must hold on one board of the game, all at once; the
column "at" then says before which turn it first does.

With --as it writes what is found in a notation that other commands read from
standard input: whole games as archive, annotated, turns, puzzle or aei, the
positions found, or else the last ones, as board, short, ranks, 4steps, link or
post.

See also: goalproof help library-filters, formats, json.`,
		Example: `  goalproof library import games.db examples/games.tsv
  goalproof library query games.db --ending goal --sort turns --limit 5
  goalproof library query games.db --pattern 'Ra-h7 !ra-h2'
  goalproof library query games.db --game random-1-7 --as archive | goalproof review --nodes 2000 -
  goalproof library query games.db --pattern 'Rd7 gold' --as board | goalproof show --as short -`,
		Args: needsLibrary,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd); err != nil {
				return err
			}
			return with(cmd.Context(), args[0], func(l *library.Library) error { return f.run(cmd.Context(), l) })
		},
	}
	flags := cmd.Flags()
	f.filters.register(flags, true)
	f.sorting.register(flags)
	flags.Lookup("sort").Usage += "; of puzzles: " + strings.Join(library.PuzzleOrders(), ", ")
	flags.BoolVar(&f.puzzles, "puzzles", false, "find puzzles in place of games")
	f.filters.registerFindings(flags, "games with this finding of a review")
	flags.Lookup("win-in").Usage += ", or that the puzzle claims"
	flags.StringSliceVar(&f.themes, "theme", nil, "with --puzzles: mined ones whose solution has this `theme`; with several, all of them")
	flags.StringVar(&f.difficulty, "difficulty", "", "with --puzzles: `range` of the difficulty of mined ones, such as 5..7.5 or 6..")
	flags.BoolVar(&f.puzzleFilter.Unique, "unique", false, "with --puzzles: mined ones with a single winning first turn")
	flags.BoolVar(&f.puzzleFilter.All, "all", false, "with --puzzles: also mined ones that show an idea met before")
	flags.BoolVar(&f.count, "count", false, "write the number of games or puzzles alone")
	flags.StringVar(&f.as, "as", "", "write them in a notation: "+inputs.FormNames("or"))
	cli.JSONFlag(flags, &f.json, "each game or puzzle")
	flags.BoolVar(&f.csv, "csv", false, "write a comma-separated table")
	help.Group(flags, help.Game, "puzzles", "theme", "difficulty", "unique", "all")
	help.Group(flags, help.Output, "count", "as", "json", "csv", "sort", "falling", "limit")
	return cmd
}

// check reads the flags.
func (f *querying) check(cmd *cobra.Command) error {
	forms := 0
	for _, asked := range []bool{f.count, f.as != "", f.json, f.csv} {
		if asked {
			forms++
		}
	}
	switch {
	case forms > 1:
		return errors.New("--count, --as, --json and --csv exclude each other")
	case f.count && (f.By != "id" || f.Falling || cmd.Flags().Changed("limit")):
		return errors.New("--count needs no --sort, --falling or --limit: it counts all")
	case f.limit < 0:
		return fmt.Errorf("--limit %d: it is 0 for all, or more", f.limit)
	case f.winIn != "" && !f.puzzles && f.Finding == "":
		return errors.New("--win-in needs --finding or --puzzles")
	}
	if forms == 0 && !cmd.Flags().Changed("limit") {
		f.limit = usualRows
	}
	if f.as != "" {
		var err error
		if f.form, err = inputs.FormNamed(f.as); err != nil {
			return err
		}
	}
	for _, flag := range changed(cmd) {
		switch of, ok := flagsOf[flag]; {
		case f.puzzles && !ok:
			return fmt.Errorf("--%s is about games: leave it out, or --puzzles", flag)
		case !f.puzzles && of:
			return fmt.Errorf("--%s needs --puzzles", flag)
		}
	}
	if err := f.filters.read(cmd, f.t); err != nil || !f.puzzles {
		return err
	}
	return f.readPuzzles()
}

// flagsOf are the flags that go with --puzzles: true for those that need it.
var flagsOf = map[string]bool{
	"puzzles": true, "win-in": false, "theme": true, "difficulty": true, "unique": true, "all": true,
	"position": false, "turn": false, "pattern": false, "mirrored": false, "exchanged": false, "game": false, "number": false, "source": false,
	"sort": false, "falling": false, "limit": false, "count": false, "as": false, "json": false, "csv": false,
}

// readPuzzles makes the filter for puzzles.
func (f *querying) readPuzzles() (err error) {
	p := &f.puzzleFilter
	p.ID, p.Source, p.Name, p.Claim, p.Position, p.Pattern, p.Mirrored, p.Exchanged = f.ID, f.Source, f.Name, f.WinIn, f.Position, f.Pattern, f.Mirrored, f.Exchanged
	if p.Themes, err = describe.ParseThemes(f.themes); err != nil {
		return fmt.Errorf("--theme: %w", err)
	}
	p.Difficulty, err = readRange("difficulty", f.difficulty)
	return err
}

// output is a form in which games and puzzles are written.
type output interface {
	game(g *library.Game) error
	puzzle(p *library.Puzzle) error
	finish(found int, more bool)
}

// run writes what is found.
func (f *querying) run(ctx context.Context, l *library.Library) error {
	if f.puzzles {
		return f.findPuzzles(ctx, l)
	}
	if f.count {
		n, err := l.Count(ctx, &f.Filter)
		if err != nil {
			return err
		}
		fmt.Fprintln(f.t.Out, n)
		return f.unreviewed(ctx, l, f.t, n)
	}
	out, found, more := f.output(), 0, false
	for g, err := range l.Games(ctx, &f.Filter, f.Sort) {
		if err != nil {
			return err
		}
		if more = f.limit > 0 && found == f.limit; more {
			break
		}
		if err := out.game(g); err != nil {
			return err
		}
		found++
	}
	out.finish(found, more)
	return f.unreviewed(ctx, l, f.t, found)
}

// findPuzzles writes the puzzles that are found.
func (f *querying) findPuzzles(ctx context.Context, l *library.Library) error {
	out, found, more := f.output(), 0, false
	for p, err := range l.Puzzles(ctx, &f.puzzleFilter, f.Sort) {
		if err != nil {
			return err
		}
		if more = f.limit > 0 && found == f.limit; more {
			break
		}
		found++
		if f.count {
			continue
		}
		if err := out.puzzle(p); err != nil {
			return err
		}
	}
	if f.count {
		fmt.Fprintln(f.t.Out, found)
		return nil
	}
	out.finish(found, more)
	return nil
}

// output returns the form that the flags ask for.
func (f *querying) output() output {
	board := f.Position != nil || f.Material != "" || f.Class != "" || f.Pattern != nil
	switch {
	case f.json:
		return jsonOutput{f.t.Out}
	case f.csv:
		return newCSV(f.t.Out, f.puzzles)
	case f.as != "":
		return &formOutput{t: f.t, w: inputs.Writer{Out: f.t.Out, Form: f.form}}
	}
	return &tableOutput{w: f.t.Out, board: board}
}

// tableOutput writes a table for a person.
type tableOutput struct {
	w     io.Writer
	board bool
	list  list
}

func (o *tableOutput) game(g *library.Game) error {
	if o.list.rows == nil {
		o.list.right = []bool{true, false, false, false, false, true, false, false}
		o.add("number", "date", "gold", "silver", "result", "turns", "game", "at")
	}
	at := ""
	if o.board {
		at = g.Label(g.At)
	}
	name := dash(g.Name)
	if g.Twin != 0 {
		name += fmt.Sprintf(" (the turns of %d)", g.Twin)
	}
	o.add(strconv.FormatInt(g.ID, 10), dash(g.Date), rated(g.Gold, g.GoldRating), rated(g.Silver, g.SilverRating), result(&g.Header),
		strconv.Itoa(g.Turns), printable.Text(name), at)
	return nil
}

// add adds a row. Its last cell is about a board.
func (o *tableOutput) add(cells ...string) {
	if !o.board {
		cells = cells[:len(cells)-1]
	}
	o.list.add(cells...)
	o.list.spill(o.w)
}

func (o *tableOutput) puzzle(p *library.Puzzle) error {
	if o.list.rows == nil {
		o.list.right = []bool{true, false, true, true, false, false, false}
		o.list.add("number", "puzzle", "win in", "difficulty", "themes", "position", "source")
	}
	difficulty, themes := described(p)
	o.list.add(strconv.FormatInt(p.ID, 10), dash(printable.Text(p.Name)), number(p.Claim), difficulty, themes, p.Position.String(),
		printable.Text(fmt.Sprintf("%s:%d", p.Source, p.Line)))
	o.list.spill(o.w)
	return nil
}

// described returns the difficulty and the themes of a mined puzzle.
func described(p *library.Puzzle) (difficulty, themes string) {
	if p.Origin == nil {
		return "", ""
	}
	return strconv.FormatFloat(p.Origin.Difficulty, 'f', 1, 64), p.Origin.Themes.String()
}

func (o *tableOutput) finish(found int, more bool) {
	o.list.write(o.w)
	switch {
	case more:
		fmt.Fprintln(o.w, "There are more: --limit 0 shows all.")
	case found == 0:
		fmt.Fprintln(o.w, "None is found.")
	}
}

// dash stands for what is not known.
func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// rated returns the name of a player with the rating.
func rated(name string, rating int) string {
	if name = dash(printable.Text(name)); rating > 0 {
		name += " " + strconv.Itoa(rating)
	}
	return name
}

// result says who won, and how.
func result(h *library.Header) string {
	ending := printable.Text(h.Ending)
	switch h.Result {
	case "gold", "silver":
		return h.Result + " by " + ending
	case "draw":
		return "draw"
	}
	return dash(ending)
}

// csvOutput writes rows for a spreadsheet.
type csvOutput struct{ w *csv.Writer }

// newCSV returns an output that has written the names of the columns.
func newCSV(w io.Writer, puzzles bool) *csvOutput {
	o := &csvOutput{csv.NewWriter(w)}
	if puzzles {
		_ = o.row("number", "source", "line", "puzzle", "position", "win_in", "solution", "difficulty", "themes")
		return o
	}
	_ = o.row("number", "source", "line", "game", "gold", "silver", "gold_rating", "silver_rating", "date", "event", "time_control",
		"result", "ending", "turns", "gold_setup", "silver_setup", "same_turns_as", "at")
	return o
}

// row writes a row.
func (o *csvOutput) row(cells ...string) error {
	for i := range cells {
		cells[i] = printable.Cell(cells[i])
	}
	err := o.w.Write(cells)
	o.w.Flush()
	return err
}

func (o *csvOutput) game(g *library.Game) error {
	at := ""
	if g.At >= 0 {
		at = g.Label(g.At)
	}
	return o.row(strconv.FormatInt(g.ID, 10), g.Source, strconv.Itoa(g.Line), g.Name, g.Gold, g.Silver, number(g.GoldRating), number(g.SilverRating),
		g.Date, g.Event, g.TimeControl, g.Result, g.Ending, strconv.Itoa(g.Turns), g.GoldSetup, g.SilverSetup, number(int(g.Twin)), at)
}

func (o *csvOutput) puzzle(p *library.Puzzle) error {
	difficulty, themes := described(p)
	return o.row(strconv.FormatInt(p.ID, 10), p.Source, strconv.Itoa(p.Line), p.Name, p.Position.String(), number(p.Claim), p.Solution, difficulty, themes)
}

func (o *csvOutput) finish(int, bool) {}

// number writes a number, "" for one that is not known.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// jsonOutput writes a line of JSON for each game or puzzle.
type jsonOutput struct{ w io.Writer }

func (o jsonOutput) game(g *library.Game) error {
	row, to, err := g.Row()
	if err != nil {
		return err
	}
	return report.WriteJSON(o.w, struct {
		library.GameRow
		History string `json:"history"`
	}{row, notation.Turns(to)})
}

func (o jsonOutput) puzzle(p *library.Puzzle) error { return report.WriteJSON(o.w, p.Row()) }

func (o jsonOutput) finish(int, bool) {}

// formOutput writes games and positions in a notation.
type formOutput struct {
	t       cli.Terminal
	w       inputs.Writer
	pending func() // writes the only entry, in a form that holds one
}

// write writes an entry. What stands above a board is a comment.
func (o *formOutput) write(w notation.Written, above string) error {
	do := func() {
		o.w.Write(w, func(text string) { fmt.Fprintf(o.t.Out, "# %s\n%s", printable.Text(above), text) })
	}
	switch {
	case o.w.Form.Several:
		do()
	case o.pending != nil:
		return fmt.Errorf("--as %s holds one game, and there are more: choose one with --number, or use --as archive", o.w.Form.Name)
	default:
		o.pending = do
	}
	return nil
}

func (o *formOutput) game(g *library.Game) error {
	w, err := g.Written()
	if err != nil {
		return err
	}
	above := fmt.Sprintf("game %d", g.ID)
	if g.At >= 0 && !o.w.Form.Game() {
		w = notation.Written{Game: w.Game.At(g.At), Name: w.Name}
		above += " before " + g.Label(g.At)
	}
	w.Name = g.Called()
	if g.Gold != "" || g.Silver != "" {
		above += ": " + dash(g.Gold) + " - " + dash(g.Silver)
	}
	return o.write(w, above)
}

func (o *formOutput) puzzle(p *library.Puzzle) error {
	return o.write(p.Written(), dash(p.Name))
}

func (o *formOutput) finish(int, bool) {
	switch {
	case o.pending != nil:
		o.pending()
	case o.w.Written == 0:
		fmt.Fprint(o.w.Out, o.w.Form.Head)
	}
	o.w.Report(o.t.Err, "entries")
}

// changed returns the names of the flags that were given.
func changed(cmd *cobra.Command) (names []string) {
	cmd.Flags().Visit(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}
