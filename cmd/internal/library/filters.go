package library

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/arimaa"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/internal/printable"
	"goalproof/library"
)

// filters are the flags that select games.
type filters struct {
	library.Filter
	rating, date, turns string
	position, turn      string
	pattern             string
	winIn               string // of the finding, or claimed by a puzzle
	number              int
	board               bool // the flags are to say what a board has
	findings            bool // they are asked for, whatever the flags say
}

// register adds the flags. Those about a board are left out where the command has a board of its
// own.
func (f *filters) register(flags *pflag.FlagSet, board bool) {
	f.board = board
	flags.StringVar(&f.Player, "player", "", "games of this player, * for any characters")
	flags.StringVar(&f.Opponent, "opponent", "", "games of the player against this one")
	flags.StringVar(&f.Gold, "gold", "", "who played Gold")
	flags.StringVar(&f.Silver, "silver", "", "who played Silver")
	flags.StringVar(&f.rating, "rating", "", "`range` of the player's rating, or of both, such as 1800..2200 or 2000..")
	flags.StringVar(&f.date, "date", "", "`range` of dates, such as 2020, 2020-06..2021 or ..2019")
	flags.StringVar(&f.Event, "event", "", "a part of the event's name")
	flags.StringVar(&f.Result, "result", "", strings.Join(library.Results(), ", ")+"; the last two of the player")
	flags.StringVar(&f.Ending, "ending", "", "goal, immobilisation, elimination, time, resignation, ...")
	flags.StringVar(&f.turns, "turns", "", "`range` of the number of turns of both sides")
	flags.StringVar(&f.Setup, "setup", "", "setup of the named player, or of either side, such as ?H????H?/????????")
	flags.StringVar(&f.Name, "game", "", "the game with this id of its archive")
	flags.IntVar(&f.number, "number", 0, "the game with this number in the library")
	flags.StringVar(&f.Source, "source", "", "games of this imported file, * for any characters")
	flags.BoolVar(&f.Twins, "twins", false, "games whose turns are those of another game, too")
	flags.BoolVar(&f.Mirrored, "mirrored", false, "mirror images count, too")
	flags.BoolVar(&f.Exchanged, "exchanged", false, "positions with the colours exchanged count, too")
	flags.StringVar(&f.position, "position", "", "games with this position: its text, or a file")
	flags.StringVar(&f.turn, "turn", "", "with --position and a game: the position before this turn")
	help.Group(flags, help.Game, "player", "opponent", "gold", "silver", "rating", "date", "event", "result", "ending", "turns", "setup",
		"game", "number", "source", "twins")
	names := []string{"position", "turn", "mirrored", "exchanged"}
	if board {
		flags.StringVar(&f.Material, "material", "", "games in which both sides had just these pieces: EHR3-emr")
		flags.StringVar(&f.Class, "endgame", "", "games that came to this `class` of endgame tables: DCR-dr")
		flags.StringVar(&f.pattern, "pattern", "", "games with this pattern on a board, such as 'Eb6 !rc7'")
		names = append(names, "material", "endgame", "pattern")
	}
	help.Group(flags, help.Question, names...)
}

// registerFindings adds the flags that ask for findings.
func (f *filters) registerFindings(flags *pflag.FlagSet, what string) {
	flags.StringVar(&f.Finding, "finding", "", what+": "+strings.Join(library.FindingNames(), ", "))
	flags.StringVar(&f.winIn, "win-in", "", "`range` of the number of turns of the win that the finding is about")
	help.Group(flags, help.Game, "finding", "win-in")
}

// unreviewed says how many games have no review, if findings are asked for, and nothing is found.
func (f *filters) unreviewed(ctx context.Context, l *library.Library, t cli.Terminal, found int) error {
	if found > 0 || f.Finding == "" && !f.findings {
		return nil
	}
	g := f.Filter
	g.Finding, g.WinIn, g.Unreviewed = "", library.Range{}, true
	if g.Player == "" { // the rating was that of one side
		g.Rating = library.Range{}
	}
	n, err := l.Count(ctx, &g)
	if n > 0 && err == nil {
		fmt.Fprintf(t.Err, "goalproof: not reviewed: %s of those asked for; goalproof library review does that\n", printable.Amount(n, "game"))
	}
	return err
}

// read reads the flags.
func (f *filters) read(cmd *cobra.Command, t cli.Terminal) (err error) {
	ctx := cmd.Context()
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if err == nil && flag.Value.Type() == "string" && flag.Value.String() == "" {
			err = fmt.Errorf("--%s: its value is empty; leave the flag out to ask nothing about it", flag.Name)
		}
	})
	switch {
	case err != nil:
		return err
	case f.winIn != "" && f.Finding == "" && cmd.Flags().Lookup("puzzles") == nil:
		return errors.New("--win-in needs --finding")
	case cmd.Flags().Changed("number") && f.number < 1:
		return fmt.Errorf("--number %d: the first game is number 1", f.number)
	case f.board && f.Mirrored && f.position == "" && f.pattern == "" && f.Setup == "":
		return errors.New("--mirrored needs --position, --pattern or --setup")
	case f.board && f.Exchanged && f.position == "" && f.pattern == "" && f.Material == "":
		return errors.New("--exchanged needs --position, --pattern or --material")
	}
	f.ID = int64(f.number)
	for _, r := range []struct {
		name, text string
		to         *library.Range
	}{{"rating", f.rating, &f.Rating}, {"date", f.date, &f.Date}, {"turns", f.turns, &f.Turns}, {"win-in", f.winIn, &f.WinIn}} {
		if *r.to, err = readRange(r.name, r.text); err != nil {
			return err
		}
	}
	if f.pattern != "" {
		if f.Pattern, err = library.ParsePattern(f.pattern); err != nil {
			return err
		}
	}
	if f.position == "" {
		if f.turn != "" {
			return errors.New("--turn needs --position")
		}
		return nil
	}
	f.Position, err = readPosition(ctx, t, f.position, f.turn)
	return err
}

// readRange reads the range of a flag, which may be left out.
func readRange(name, text string) (library.Range, error) {
	r := library.ParseRange(text)
	if text != "" && r == (library.Range{}) {
		return r, fmt.Errorf("--%s %s: it bounds nothing; write A..B, A.. or ..B", name, text)
	}
	return r, nil
}

// readPosition reads the position that a flag names.
func readPosition(ctx context.Context, t cli.Terminal, text, turn string) (p *arimaa.Position, err error) {
	in := inputs.Flags{Turn: turn, Unusual: true, Finished: true}
	items, err := in.Read(ctx, []string{text}, t)
	if err != nil {
		return nil, err
	}
	for it := range items.All {
		switch {
		case p != nil, errors.As(it.Err, new(*inputs.Several)):
			return nil, fmt.Errorf("--position %s: it holds several positions or games; write one position in quotes", text)
		case it.Err != nil:
			return nil, it.Err
		}
		p = &it.Diagram.Position
	}
	if p == nil {
		return nil, fmt.Errorf("--position %s: it holds no position", text)
	}
	return p, p.CheckStart()
}

// sorting is the flags --sort, --falling and --limit.
type sorting struct {
	library.Sort
	limit int
}

func (s *sorting) register(flags *pflag.FlagSet) {
	flags.StringVar(&s.By, "sort", "id", "order of the games: "+strings.Join(library.Orders(), ", "))
	flags.BoolVar(&s.Falling, "falling", false, "the highest or latest first")
	flags.IntVar(&s.limit, "limit", 0, "at most so many; 0 is all (default: 50 in a table, all in other forms)")
}

// needsLibrary checks that a command has a library and nothing else.
func needsLibrary(_ *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("name a library; goalproof library import makes one")
	case args[0] == "":
		return errors.New("the name of the library is empty")
	case len(args) > 1:
		return fmt.Errorf("one library at a time, and %s is one argument too many", args[1])
	}
	return nil
}

// list prints a table. Its first rows decide how wide the columns are.
type list struct {
	right  []bool // columns that end where their names end
	rows   [][]string
	bytes  int // of the rows
	widths []int
}

// How many rows are the first ones, at most, and of how many bytes. No column is wider than widest:
// longer cells stand out.
const (
	firstRows  = 2_000
	firstBytes = 1 << 20
	widest     = 120
)

// add adds a row.
func (l *list) add(cells ...string) {
	l.rows = append(l.rows, cells)
	for _, cell := range cells {
		l.bytes += len(cell)
	}
}

// spill writes the rows if there are so many that they should not wait in memory.
func (l *list) spill(w io.Writer) {
	if len(l.rows) >= firstRows || l.bytes >= firstBytes {
		l.write(w)
	}
}

// write writes the rows that were added since it was called last; the first of all has the names.
func (l *list) write(w io.Writer) {
	if l.widths == nil {
		l.measure()
	}
	for _, row := range l.rows {
		var b strings.Builder
		for i, cell := range row {
			gap := strings.Repeat(" ", max(l.widths[i]-width(cell), 0))
			if l.right[i] {
				b.WriteString(gap + cell)
			} else {
				b.WriteString(cell + gap)
			}
			b.WriteString("  ")
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
	l.rows, l.bytes = l.rows[:0], 0
}

// measure makes columns as wide as their widest cells.
func (l *list) measure() {
	for _, row := range l.rows {
		for i, cell := range row {
			if i == len(l.widths) {
				l.widths = append(l.widths, 0)
			}
			l.widths[i] = max(l.widths[i], min(width(cell), widest))
		}
	}
}

// width is the number of columns that a text takes.
func width(text string) int { return utf8.RuneCountInString(text) }
