package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"goalproof/arimaa"
)

// inputFlags choose what is read.
type inputFlags struct {
	turn     string
	game     string
	unusual  bool
	finished bool // a game may be over; not a flag
}

func (f *inputFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.turn, "turn", "", "in a game: the position before this turn, for example 34g (default: after the last turn)")
	flags.StringVar(&f.game, "game", "", "in an archive of several games: the id of the game")
	flags.BoolVar(&f.unusual, "unusual", false, "accept more pieces than a full army has, undefended pieces on traps, and finished games")
}

const inputHelp = `An input is a file, a directory (all *.txt files below it), - for standard input,
or a position in short form in quotes. A file holds positions, in long form one after the
other or in short form one a line, or a game: a list of turns, which may have comments and variations,
or rows of the game room's archive.`

// item is one position to work on, or the reason why it could not be read.
type item struct {
	name    string // file, with the line where a file holds several positions
	diagram arimaa.Diagram
	game    *arimaa.Game // the game that led here, nil for a bare position
	err     error

	certificate string // what became of the proof of a win: written, accepted, or nothing
}

// inputs reads everything that the arguments name. One that cannot be read becomes an
// item with an error, so that it does not stop the others.
func (f *inputFlags) inputs(ctx context.Context, args []string, t terminal) ([]item, error) {
	if len(args) == 0 {
		if isTerminal(t.in) {
			return nil, errors.New("no input: name a file, a directory, - for standard input, or a position in quotes")
		}
		args = []string{"-"}
	}
	// Reading may wait, for a person or for a pipe; an interruption does not.
	done := make(chan []item, 1)
	go func() {
		var all []item
		for _, arg := range args {
			all = append(all, f.input(arg, t.in)...)
		}
		done <- all
	}()
	select {
	case all := <-done:
		return all, nil
	case <-ctx.Done():
		return nil, &exit{exitUnknown, errors.New("interrupted while reading the input")}
	}
}

func (f *inputFlags) input(arg string, stdin io.Reader) []item {
	fail := func(err error) []item { return []item{{name: arg, err: err}} }
	if looksInline(arg) {
		if f.turn != "" || f.game != "" {
			return fail(errors.New("--turn and --game choose from a game, not from a position"))
		}
		p, err := arimaa.ParsePosition(arg)
		var bad *arimaa.ParseError
		if errors.As(err, &bad) {
			bad.File = "position"
		}
		if err != nil {
			return fail(err)
		}
		return f.accept([]item{{name: "position", diagram: arimaa.Diagram{Position: p, Number: 2}}})
	}
	if arg == "-" {
		text, err := io.ReadAll(stdin)
		if err != nil {
			return fail(fmt.Errorf("standard input: %w", err))
		}
		return f.read("standard input", string(text))
	}
	info, err := os.Stat(arg)
	if err != nil {
		return fail(err)
	}
	if !info.IsDir() {
		return f.file(arg)
	}
	var all []item
	err = filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			all = append(all, item{name: path, err: err})
		case d.Type().IsRegular() && strings.HasSuffix(path, ".txt"):
			all = append(all, f.file(path)...)
		}
		return nil
	})
	if err != nil {
		return fail(err)
	}
	if len(all) == 0 {
		return fail(fmt.Errorf("%s: there is no .txt file in this directory", arg))
	}
	return all
}

// looksInline tells whether an argument is a position and not the name of a file.
func looksInline(arg string) bool {
	if _, err := os.Stat(arg); err == nil {
		return false
	}
	return strings.Contains(arg, "[")
}

func (f *inputFlags) file(path string) []item {
	text, err := os.ReadFile(path)
	if err != nil {
		return []item{{name: path, err: err}}
	}
	return f.read(path, string(text))
}

// read turns a text into items.
func (f *inputFlags) read(name, text string) []item {
	fail := func(err error) []item { return []item{{name: name, err: err}} }
	doc, err := arimaa.Read(name, text)
	if err != nil {
		return fail(err)
	}
	if doc.Positions != nil {
		if f.turn != "" || f.game != "" {
			return fail(fmt.Errorf("%s: --turn and --game choose from a game; this file holds positions", name))
		}
		var all []item
		for _, d := range doc.Positions {
			it := item{name: name, diagram: d}
			if len(doc.Positions) > 1 {
				it.name = fmt.Sprintf("%s:%d", name, d.Line)
			}
			all = append(all, it)
		}
		return f.accept(all)
	}
	game := doc.Game
	if doc.Archive != nil {
		record, err := f.record(name, doc.Archive)
		if err != nil {
			return fail(err)
		}
		if game, err = record.Game(); err != nil {
			return fail(err)
		}
	} else if f.game != "" {
		return fail(fmt.Errorf("%s: --game chooses from an archive; this file holds one game", name))
	}
	it, err := f.position(name, game)
	if err != nil {
		return fail(err)
	}
	return f.accept([]item{it})
}

// record chooses a game of an archive.
func (f *inputFlags) record(name string, records []*arimaa.Record) (*arimaa.Record, error) {
	if f.game == "" && len(records) == 1 {
		return records[0], nil
	}
	var ids []string
	for _, r := range records {
		if r.ID == f.game {
			return r, nil
		}
		ids = append(ids, r.ID)
	}
	if f.game != "" {
		return nil, fmt.Errorf("%s: there is no game %s in it", name, f.game)
	}
	few := ids[:min(5, len(ids))]
	return nil, fmt.Errorf("%s holds %d games: choose one with --game ID (the first: %s)", name, len(ids), strings.Join(few, ", "))
}

// position chooses a position of a game.
func (f *inputFlags) position(name string, game *arimaa.Game) (item, error) {
	i := game.Len()
	if f.turn != "" {
		number, side, err := arimaa.ParseLabel(f.turn)
		if err != nil {
			return item{}, fmt.Errorf("--turn: %w", err)
		}
		var ok bool
		if i, ok = game.Find(number, side); !ok {
			return item{}, fmt.Errorf("%s: the game has no turn %s; it goes from %s to %s", name, f.turn, game.Label(0), game.Label(game.Len()))
		}
	}
	it := item{name: name, diagram: game.Diagram(i)}
	if game.Len() > 0 { // without a turn it is a position set up by hand
		it.game = game
		if i < game.Len() {
			it.game = game.At(i)
		}
		it.name += " before " + game.Label(i)
	}
	return it, nil
}

// accept replaces unusual positions by an error, unless they are allowed.
func (f *inputFlags) accept(all []item) []item {
	if f.unusual {
		return all
	}
	for i := range all {
		if f.finished && all[i].game != nil {
			continue // a game that was played is as usual as its setup
		}
		if err := all[i].diagram.Position.Unusual(); err != nil {
			advice := "use --unusual to accept it"
			if all[i].game != nil {
				advice = "choose an earlier turn with --turn"
			}
			all[i].err = fmt.Errorf("%s: %s (%s)", all[i].name, strings.ReplaceAll(err.Error(), "\n", "; "), advice)
		}
	}
	return all
}
