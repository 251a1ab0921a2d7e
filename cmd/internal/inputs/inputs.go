// Package inputs reads the positions and games that the arguments of commands name, one after the
// other, with a look ahead for commands that need to know how much there is to do.
package inputs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/arimaa/render"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/internal/files"
	"goalproof/internal/printable"
	"goalproof/puzzles"
	"goalproof/puzzles/collection"
	"goalproof/solve/report"
)

// Flags choose what is read: --turn, --game, --side, --strict and --unusual.
type Flags struct {
	Reading
	Turn     string
	Game     string
	Unusual  bool
	Finished bool // a game may be over; not a flag
	Ongoing  bool // a game that is over is useless; not a flag
	Seated   bool // --side means which side a person plays; not a flag
	Any      bool // every position is accepted, so that there is no --unusual; not a flag
}

// Register adds the flags.
func (f *Flags) Register(flags *pflag.FlagSet) {
	flags.StringVar(&f.Turn, "turn", "", "in a game, take the position before this turn, for example 34g (default: after the last turn)")
	if !f.Seated {
		f.Side.Register(flags)
	}
	flags.StringVar(&f.Game, "game", "", "of several games or positions, take the one with this id, or number in the file; games count first")
	f.Reading.Register(flags)
	usage := "accept more pieces than a full army has, undefended pieces on traps, and finished games"
	if f.Ongoing {
		usage = "accept more pieces than a full army has, and undefended pieces on traps"
	}
	help.Group(flags, help.Question, "turn", "game")
	if !f.Any {
		flags.BoolVar(&f.Unusual, "unusual", false, usage)
		help.Group(flags, help.Question, "unusual")
	}
}

// side is the value of --side.
type Side struct {
	arimaa.Side
	known bool
}

func (s *Side) Set(text string) error {
	switch text {
	case "gold", "g", "w":
		s.Side = arimaa.Gold
	case "silver", "s", "b":
		s.Side = arimaa.Silver
	default:
		return errors.New("it is gold or silver")
	}
	s.known = true
	return nil
}

func (s *Side) String() string {
	if !s.known {
		return ""
	}
	return s.Side.String()
}

func (s *Side) Type() string { return "side" }

// Register adds the flag.
func (s *Side) Register(flags *pflag.FlagSet) {
	flags.Var(s, "side", "who is to move in a position that does not say so: gold or silver")
	help.Group(flags, help.Question, "side")
}

// Check returns an error if the text of a position contradicts the flag.
func (s *Side) Check(name string, p *arimaa.Position) error {
	if s.known && p.Side() != s.Side {
		return fmt.Errorf("%s: %v is to move by the text, and --side says %v: leave one of them out", name, p.Side(), s.Side)
	}
	return nil
}

// Reading is how texts are read: --side and --strict.
type Reading struct {
	Side   Side
	Strict bool
}

// Register adds --strict; [Side.Register] adds the other flag.
func (r *Reading) Register(flags *pflag.FlagSet) {
	flags.BoolVar(&r.Strict, "strict", false, "refuse texts that break the rules of their form, which are otherwise\nread with a note")
	help.Group(flags, help.Question, "strict")
}

// Prepare makes lines be read as the flags say. The first note of each kind goes to standard error.
func (r *Reading) Prepare(t cli.Terminal, lines *notation.Lines) {
	if r.Side.known {
		lines.Assume(r.Side.Side)
	}
	if r.Strict {
		lines.Strict()
	}
	lines.OnNote(func(n notation.Note) {
		cli.NewScreen(t).Print(func() { fmt.Fprintf(t.Err, "goalproof: %s:%d: note: %s\n", lines.File(), n.Line, n.Text) })
	})
}

// Lines returns the lines of a text, to be read as the flags say.
func (r *Reading) Lines(t cli.Terminal, name string, text io.Reader) *notation.Lines {
	lines := notation.NewLines(name, text)
	r.Prepare(t, lines)
	return lines
}

// Games yields the parts of a text. With the name or number of a game it yields that game alone; if
// there is none, the first part that cannot be read, which may be that game, or nothing.
func (r *Reading) Games(t cli.Terminal, name string, text io.Reader, game string) iter.Seq[notation.Part] {
	return r.parts(t, name, text, game, false)
}

// parts is Games; instead of a game it may be a position that has the name or number.
func (r *Reading) parts(t cli.Terminal, name string, text io.Reader, game string, positions bool) iter.Seq[notation.Part] {
	all := notation.Parts(r.Lines(t, name, text))
	if game == "" {
		return all
	}
	return func(yield func(notation.Part) bool) {
		var position, broken *notation.Part
		for p := range all {
			switch called := p.Called(game); {
			case called && p.Turns:
				yield(p)
				return
			case called && positions && position == nil:
				position = &p
			case p.Err != nil && broken == nil:
				broken = &p
			}
		}
		if p := cmp.Or(position, broken); p != nil {
			yield(*p)
		}
	}
}

// Puzzles yields the puzzles of all sets that the arguments name. A puzzle that contradicts --side
// has an error.
func (r *Reading) Puzzles(t cli.Terminal, source *files.Source, args []string) iter.Seq[puzzles.Puzzle] {
	return func(yield func(puzzles.Puzzle) bool) {
		for _, arg := range args {
			for p := range r.set(t, source, arg) {
				if p.Err = Advice(p.Err); p.Err == nil {
					p.Err = r.Side.Check(p.Label(), &p.Position)
				}
				if !yield(p) {
					return
				}
			}
		}
	}
}

// set yields the puzzles of a set that an argument names.
func (r *Reading) set(t cli.Terminal, source *files.Source, arg string) iter.Seq[puzzles.Puzzle] {
	named, err := collection.Named(arg)
	switch {
	case err != nil:
		return only(puzzles.Puzzle{File: arg, Name: arg, Err: err})
	case named != nil:
		return func(yield func(puzzles.Puzzle) bool) {
			for _, p := range named {
				for z := range puzzles.Parse(r.Lines(t, p.Name(), strings.NewReader(p.Text()))) {
					if !yield(z) {
						return
					}
				}
			}
		}
	case arg != "-":
		return puzzles.Read(source, arg, func(l *notation.Lines) { r.Prepare(t, l) })
	}
	text, err := source.Reader(standardInput, t.In)
	if err != nil {
		return only(puzzles.Puzzle{File: standardInput, Err: err})
	}
	return puzzles.Parse(r.Lines(t, standardInput, text))
}

// only yields one puzzle.
func only(p puzzles.Puzzle) iter.Seq[puzzles.Puzzle] {
	return func(yield func(puzzles.Puzzle) bool) { yield(p) }
}

// standardInput is the name of what is read from there.
const standardInput = "standard input"

// Open opens the file that an argument names, - for standard input, and returns the name for
// people.
func Open(t cli.Terminal, source *files.Source, arg string) (name string, text io.ReadCloser, err error) {
	if arg == "-" {
		text, err = source.Reader(standardInput, t.In)
		return standardInput, text, err
	}
	text, err = source.Open(arg)
	return arg, text, err
}

// Advice adds the flag --side to the error of a position that does not say who is to move.
func Advice(err error) error {
	if errors.Is(err, notation.ErrNoSide) {
		return fmt.Errorf("%w, or use --side", err)
	}
	return err
}

// Item is one position to work on, or the reason why it could not be read.
type Item struct {
	Name    string // file, with the line where a file holds several positions
	Diagram notation.Diagram
	Game    *arimaa.Game    // the game that led here, nil for a bare position
	Entry   *notation.Entry // with all that its text says; nil if no text could be read
	Err     error
}

// Items are the inputs, which can be read once.
type Items struct {
	Source *files.Source
	All    iter.Seq[Item]
}

// Read returns all items that the arguments name, each read when it is asked for. An unreadable one
// becomes an item with an error and does not stop the others. An interruption ends the items; the
// source remembers it.
func (f *Flags) Read(ctx context.Context, args []string, t cli.Terminal) (*Items, error) {
	if len(args) == 0 {
		if cli.IsTerminal(t.In) {
			return nil, errors.New("no input: name a file, a directory, - for standard input, or a position in quotes")
		}
		args = []string{"-"}
	}
	source := t.Source(ctx)
	return &Items{source, func(yield func(Item) bool) {
		for _, arg := range args {
			for it := range f.input(t, source, arg) {
				if source.Interrupted() != nil || !yield(f.accept(it)) {
					return
				}
			}
		}
	}}, nil
}

// About is the part of a JSON object that names the item.
type About struct {
	File     string  `json:"file"`
	Position *string `json:"position"`
	History  *string `json:"history"` // the game that led to the position, as a list of turns
	// Notes say what was mended in the text.
	Notes []string `json:"notes,omitempty"`
}

// About returns the JSON fields of an item. Without a position there is only the file.
func (it *Item) About() About {
	a := About{File: it.Name, Notes: it.Entry.Sentences()}
	if it.Err != nil {
		return a
	}
	if a.Position = new(it.Diagram.Position.String()); it.Game != nil {
		a.History = new(notation.Turns(it.Game))
	}
	return a
}

// Head writes the name and the board of an item, behind an empty line if something stands above.
func (it *Item) Head(t cli.Terminal, more bool) {
	if more {
		fmt.Fprintln(t.Out)
	}
	fmt.Fprintf(t.Out, "%s\n%s\n", it.Name, render.Board(it.Diagram, t.Styled))
}

// Refused is the error of an item that a command cannot answer about.
type Refused struct{ error }

// Unwrap returns the error itself.
func (r *Refused) Unwrap() error { return r.error }

// Refuse returns a [*Refused].
func Refuse(why error) error { return &Refused{why} }

// unanswered reports why there is no answer about an item, as a message or as JSON.
func (it *Item) unanswered(t cli.Terminal, why error, asJSON bool) error {
	if !asJSON {
		fmt.Fprintf(t.Err, "goalproof: %s\n", cli.Explain(why))
		return nil
	}
	return report.WriteJSON(t.Out, struct {
		About
		Error string `json:"error"`
	}{it.About(), cli.Plain(why)})
}

// Each calls do for every readable item. It reports the others, and those for which do returns a
// [*Refused].
func (in *Items) Each(ctx context.Context, t cli.Terminal, asJSON bool, do func(i int, it Item) error) error {
	var code cli.Code
	i := 0
	for it := range in.All {
		if ctx.Err() != nil {
			code = code.Worse(cli.Unknown)
			break
		}
		err := it.Err
		if err == nil {
			if err = do(i, it); err != nil && !errors.As(err, new(*Refused)) {
				return err
			}
		}
		if err != nil {
			if err := it.unanswered(t, err, asJSON); err != nil {
				return err
			}
			code = code.Worse(cli.BadInput)
		}
		i++
	}
	return cli.Ended(in.Source, code)
}

// input yields what an argument names.
func (f *Flags) input(t cli.Terminal, source *files.Source, arg string) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		named, err := collection.Named(arg)
		switch {
		case err != nil:
			yield(Item{Name: arg, Err: err})
		case named != nil:
			for _, p := range named {
				if !f.text(t, p.Name(), strings.NewReader(p.Text()), func(it Item) bool { it.Name = p.Name(); return yield(it) }) {
					return
				}
			}
		case looksInline(arg):
			f.text(t, "position", strings.NewReader(arg), yield)
		case arg == "-":
			text, err := source.Reader(standardInput, t.In)
			if err != nil {
				yield(Item{Name: standardInput, Err: err})
				return
			}
			f.text(t, standardInput, text, yield)
		default:
			for name, err := range source.Files(arg, ".txt") {
				if !f.file(t, source, name, err, yield) {
					return
				}
			}
		}
	}
}

// looksInline reports whether an argument is a position, not the name of a file.
func looksInline(arg string) bool {
	if _, err := os.Stat(arg); err == nil {
		return false
	}
	return strings.ContainsAny(arg, "[\n") || notation.InOneLine(arg)
}

// file reads a file, unless there is an error, and reports whether to go on.
func (f *Flags) file(t cli.Terminal, source *files.Source, path string, err error, yield func(Item) bool) bool {
	var text io.ReadCloser
	if err == nil {
		text, err = source.Open(path)
	}
	if err != nil {
		return yield(Item{Name: path, Err: err})
	}
	defer text.Close()
	return f.text(t, path, text, yield)
}

// text yields the items of a text and reports whether to go on.
func (f *Flags) text(t cli.Terminal, name string, text io.Reader, yield func(Item) bool) bool {
	fail := func(err error) bool { return yield(Item{Name: name, Err: err}) }
	found := false
	var rows rowCount
	for p := range f.parts(t, name, text, f.Game, true) {
		found = true
		switch {
		case p.Err == nil && p.Position != nil && f.Turn != "":
			return fail(fmt.Errorf("%s: --turn chooses from a game, not from a position", name))
		case p.Err == nil && p.Record != nil && f.Game == "" && !p.Alone:
			if rows.add(p.Name) {
				continue
			}
			return fail(rows.choose(name))
		}
		if !yield(f.item(&p)) {
			return false
		}
	}
	switch {
	case rows.games > 0:
		return fail(rows.choose(name))
	case !found:
		return fail(fmt.Errorf("%s: there is no game or position %s in it", name, f.Game))
	}
	return true
}

// NoGame is the error of a text in which there is no game of a name or number.
func NoGame(name, game string) error {
	return fmt.Errorf("%s: there is no game %s in it", name, game)
}

// item returns the item that a part of a text holds.
func (f *Flags) item(p *notation.Part) Item {
	game, err := p.Played()
	label := p.Label()
	if p.Record != nil {
		label = p.File
	}
	it := Item{Name: label, Entry: &p.Entry}
	switch {
	case err != nil && !f.Seated:
		it.Err = Advice(err)
	case err != nil:
		it.Err = err
	case game == nil:
		it.Diagram = *p.Position
	default:
		it.Err = f.choose(&it, game)
	}
	return it
}

// mostCounted bounds the games that are counted for the error that asks for a choice.
const mostCounted = 1000

// rowCount counts the games of an archive, from which one must be chosen.
type rowCount struct {
	games int
	first []string // their names
}

// add counts a game, and reports whether to go on.
func (r *rowCount) add(id string) bool {
	if r.games++; len(r.first) < 5 {
		r.first = append(r.first, id)
	}
	return r.games <= mostCounted
}

// Several is the error of an archive of which one game must be chosen.
type Several struct{ error }

// choose is the error that asks for a choice.
func (r *rowCount) choose(name string) error {
	few := notation.Legible(strings.Join(r.first, ", "))
	if r.games > mostCounted {
		return &Several{fmt.Errorf("%s holds more than %d games: choose one with --game ID (the first: %s)", name, mostCounted, few)}
	}
	return &Several{fmt.Errorf("%s holds %s: choose one with --game ID (the first: %s)", name, printable.Amount(r.games, "game"), few)}
}

// choose sets the position of an item to that of a game, as --turn says.
func (f *Flags) choose(it *Item, game *arimaa.Game) error {
	i := game.Len()
	if f.Turn != "" {
		number, side, err := notation.ParseLabel(f.Turn)
		if err != nil {
			return fmt.Errorf("--turn: %w", err)
		}
		var ok bool
		if i, ok = game.Find(number, side); !ok {
			return fmt.Errorf("%s: the game has no turn %s; it goes from %s to %s", it.Name, f.Turn, game.Label(0), game.Label(game.Len()))
		}
	}
	it.Diagram = notation.Diagram{Position: game.Position(i), Number: game.Number(i)}
	if game.Len() > 0 { // without turns it is a position set up by hand
		it.Game = game
		if i < game.Len() {
			it.Game = game.At(i)
		}
		it.Name += " before " + game.Label(i)
	}
	return nil
}

// accept replaces an unusual position by an error, unless it is allowed.
func (f *Flags) accept(it Item) Item {
	if it.Err == nil {
		it.Err = f.Side.Check(it.Name, &it.Diagram.Position)
	}
	if it.Err != nil || f.Unusual || f.Any || f.Finished && it.Game != nil { // a played game is as usual as its setup
		return it
	}
	if f.Ongoing && it.Diagram.Position.Ended(it.Diagram.Position.Side().Other()).Over() {
		return it // no flag helps: the command itself will refuse it
	}
	if err := it.Diagram.Position.Unusual(); err != nil {
		advice := "use --unusual to accept it"
		if it.Game != nil {
			advice = "choose an earlier turn with --turn"
		}
		it.Err = fmt.Errorf("%s: %s (%s)", it.Name, strings.ReplaceAll(err.Error(), "\n", "; "), advice)
	}
	return it
}
