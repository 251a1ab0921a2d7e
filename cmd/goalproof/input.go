package main

import (
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
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/internal/input"
)

// inputFlags choose what is read.
type inputFlags struct {
	turn     string
	game     string
	unusual  bool
	finished bool // a game may be over; not a flag
	ongoing  bool // a game that is over is of no use; not a flag
}

func (f *inputFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.turn, "turn", "", "in a game, take the position before this turn, for example 34g (default: after the last turn)")
	flags.StringVar(&f.game, "game", "", "in an archive, take the game with this id")
	usage := "accept more pieces than a full army has, undefended pieces on traps, and finished games"
	if f.ongoing {
		usage = "accept more pieces than a full army has, and undefended pieces on traps"
	}
	flags.BoolVar(&f.unusual, "unusual", false, usage)
	help.Group(flags, help.Question, "turn", "game", "unusual")
}

// item is one position to work on, or the reason why it could not be read.
type item struct {
	name    string // file, with the line where a file holds several positions
	diagram notation.Diagram
	game    *arimaa.Game // the game that led here, nil for a bare position
	err     error

	certificate string // what became of the proof: written, accepted, sampled, or nothing
}

// items are what is read, once.
type items struct {
	source *input.Source
	all    iter.Seq[item]
}

// inputs returns everything that the arguments name, read when it is asked for. One that cannot be read becomes an
// item with an error, so that it does not stop the others. An interruption ends the items; the source remembers it.
func (f *inputFlags) inputs(ctx context.Context, args []string, t cli.Terminal) (*items, error) {
	if len(args) == 0 {
		if cli.IsTerminal(t.In) {
			return nil, errors.New("no input: name a file, a directory, - for standard input, or a position in quotes")
		}
		args = []string{"-"}
	}
	source := t.Source(ctx)
	return &items{source, func(yield func(item) bool) {
		for _, arg := range args {
			for it := range f.input(source, arg, t.In) {
				if source.Interrupted() != nil || !yield(f.accept(it)) {
					return
				}
			}
		}
	}}, nil
}

// each does something for every item that can be read, and reports the others.
func (in *items) each(ctx context.Context, t cli.Terminal, do func(i int, it item) error) error {
	var code cli.Code
	i := 0
	for it := range in.all {
		if ctx.Err() != nil {
			code = code.Worse(cli.Unknown)
			break
		}
		if it.err != nil {
			fmt.Fprintf(t.Err, "goalproof: %v\n", it.err)
			code = code.Worse(cli.BadInput)
		} else if err := do(i, it); err != nil {
			return err
		}
		i++
	}
	return cli.Ended(in.source, code)
}

// input yields what an argument names.
func (f *inputFlags) input(source *input.Source, arg string, stdin *os.File) iter.Seq[item] {
	return func(yield func(item) bool) {
		switch {
		case looksInline(arg):
			yield(f.inline(arg))
		case arg == "-":
			const name = "standard input"
			text, err := source.Reader(name, stdin)
			if err != nil {
				yield(item{name: name, err: err})
				return
			}
			f.read(name, text, yield)
		default:
			for name, err := range source.Files(arg, ".txt") {
				if !f.file(source, name, err, yield) {
					return
				}
			}
		}
	}
}

// inline reads a position that is an argument.
func (f *inputFlags) inline(arg string) item {
	if f.turn != "" || f.game != "" {
		return item{name: arg, err: errors.New("--turn and --game choose from a game, not from a position")}
	}
	p, err := notation.ParsePosition(arg)
	var bad *notation.ParseError
	if errors.As(err, &bad) {
		bad.File = "position"
	}
	if err != nil {
		return item{name: arg, err: err}
	}
	return item{name: "position", diagram: notation.Diagram{Position: p, Number: 2}}
}

// looksInline tells whether an argument is a position and not the name of a file.
func looksInline(arg string) bool {
	if _, err := os.Stat(arg); err == nil {
		return false
	}
	return strings.Contains(arg, "[")
}

// file reads a file, unless there is an error, and tells whether to go on.
func (f *inputFlags) file(source *input.Source, path string, err error, yield func(item) bool) bool {
	var text io.ReadCloser
	if err == nil {
		text, err = source.Open(path)
	}
	if err != nil {
		return yield(item{name: path, err: err})
	}
	defer text.Close()
	return f.read(path, text, yield)
}

// read yields the items of a text, and tells whether to go on.
func (f *inputFlags) read(name string, text io.Reader, yield func(item) bool) bool {
	fail := func(err error) bool { return yield(item{name: name, err: err}) }
	next, stop := iter.Pull2(notation.Read(notation.NewLines(name, text)))
	defer stop()
	e, err, ok := next()
	for first := true; ok; first = false {
		if err == nil && e.Position == nil {
			it, err := f.gameItem(name, e, next)
			if err != nil {
				return fail(err)
			}
			return yield(it)
		}
		if err == nil && (f.turn != "" || f.game != "") {
			return fail(fmt.Errorf("%s: --turn and --game choose from a game; this file holds positions", name))
		}
		following, failed, more := next()
		it := item{name: name, err: err}
		if err == nil {
			it.diagram = *e.Position
			if !first || more {
				it.name = fmt.Sprintf("%s:%d", name, e.Position.Line)
			}
		}
		if !yield(it) {
			return false
		}
		e, err, ok = following, failed, more
	}
	return true
}

// gameItem chooses from a file that begins with a game, or with a row of an archive. Next reads what follows it.
func (f *inputFlags) gameItem(name string, e notation.Entry, next func() (notation.Entry, error, bool)) (item, error) {
	game := e.Game
	switch {
	case game == nil:
		record, err := f.record(name, e.Record, next)
		if err == nil {
			game, err = record.Game()
		}
		if err != nil {
			return item{}, err
		}
	case f.game != "":
		return item{}, fmt.Errorf("%s: --game chooses from an archive; this file holds one game", name)
	}
	return f.position(name, game)
}

// mostCounted is how many games of an archive are counted, to say why one must be chosen.
const mostCounted = 1000

// record chooses a game of an archive.
func (f *inputFlags) record(name string, r *notation.Record, next func() (notation.Entry, error, bool)) (*notation.Record, error) {
	first, games := r, 0
	var ids []string
	for ok := true; ok; {
		if f.game != "" && r.ID == f.game {
			return r, nil
		}
		if games++; len(ids) < 5 {
			ids = append(ids, r.ID)
		}
		if f.game == "" && games > mostCounted {
			break
		}
		var e notation.Entry
		var err error
		if e, err, ok = next(); err != nil {
			return nil, err
		}
		r = e.Record
	}
	few := notation.Legible(strings.Join(ids, ", "))
	switch {
	case f.game != "":
		return nil, fmt.Errorf("%s: there is no game %s in it", name, f.game)
	case games == 1:
		return first, nil
	case games > mostCounted:
		return nil, fmt.Errorf("%s holds more than %d games: choose one with --game ID (the first: %s)", name, mostCounted, few)
	}
	return nil, fmt.Errorf("%s holds %d games: choose one with --game ID (the first: %s)", name, games, few)
}

// position chooses a position of a game.
func (f *inputFlags) position(name string, game *arimaa.Game) (item, error) {
	i := game.Len()
	if f.turn != "" {
		number, side, err := notation.ParseLabel(f.turn)
		if err != nil {
			return item{}, fmt.Errorf("--turn: %w", err)
		}
		var ok bool
		if i, ok = game.Find(number, side); !ok {
			return item{}, fmt.Errorf("%s: the game has no turn %s; it goes from %s to %s", name, f.turn, game.Label(0), game.Label(game.Len()))
		}
	}
	it := item{name: name, diagram: notation.Diagram{Position: game.Position(i), Number: game.Number(i)}}
	if game.Len() > 0 { // without a turn it is a position set up by hand
		it.game = game
		if i < game.Len() {
			it.game = game.At(i)
		}
		it.name += " before " + game.Label(i)
	}
	return it, nil
}

// accept replaces an unusual position by an error, unless it is allowed.
func (f *inputFlags) accept(it item) item {
	if it.err != nil || f.unusual || f.finished && it.game != nil { // a game that was played is as usual as its setup
		return it
	}
	if f.ongoing && it.diagram.Position.Ended(it.diagram.Position.Side().Other()).Over() {
		return it // no flag helps: whoever needs a turn will say so
	}
	if err := it.diagram.Position.Unusual(); err != nil {
		advice := "use --unusual to accept it"
		if it.game != nil {
			advice = "choose an earlier turn with --turn"
		}
		it.err = fmt.Errorf("%s: %s (%s)", it.name, strings.ReplaceAll(err.Error(), "\n", "; "), advice)
	}
	return it
}
