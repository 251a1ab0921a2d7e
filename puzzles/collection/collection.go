// Package collection is the collection of puzzles that ships with the program. `go run
// ./tools/collection` makes it from games of the engine against itself, composes some, and draws
// others with few pieces, most of them from endgame tables.
//
// Each puzzle is a win in at most five turns with one essential solution, proved. The third
// repetition is set aside. A test verifies a sample of them and, with the tag deep, all: that the
// win takes as many turns as the puzzle claims and not fewer, that the solution is the only
// essential one, that the certificate of the win holds, and that themes and counts are right.
//
// The file is compressed with gzip. It is a table with a header and tabs between the columns:
//
//	number    of the puzzle, from 1, growing
//	position  in short form
//	claim     number of turns of the win
//	solution  the essential solution in notation
//	first     distinct first turns
//	winning   those of them that keep the win
//	tries     others that threaten to win at once
//	replies   distinct replies to the solution
//	themes    of the solution, separated by commas
//	origin    the game with the turn, and what was played instead, such as "self-1-4 35s instead:
//	          Ee5s"; the job that composed it, "composed-1-22"; or the job that drew it as an
//	          ending, with its pieces by relative strength, "ending-1-51 RRR-er": the e is any piece
//	          stronger than those of the other side, which may be Gold's or Silver's
//	idea      a sentence about it; empty unless it was picked by hand
package collection

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"sync"

	"goalproof/arimaa/notation"
	"goalproof/puzzles"
	"goalproof/puzzles/describe"
	"goalproof/solve"
)

//go:embed collection.tsv.gz
var packed []byte

// Puzzle is a puzzle of the collection. It has what a mined puzzle has, without the line of the win
// and the other winning turns.
type Puzzle struct {
	puzzles.Mined
	Number int
	Origin string // see the documentation of the package
	Idea   string // a sentence; empty unless the puzzle was picked by hand
}

// Difficulty estimates how hard the solution is to see, from 0 to [describe.MaxDifficulty]; ok is
// false for a win in one.
func (p *Puzzle) Difficulty() (d float64, ok bool) { return p.Mined.Difficulty(), p.Turns > 1 }

// Name returns the name by which commands read the puzzle, such as puzzle:12.
func (p *Puzzle) Name() string { return Prefix + strconv.Itoa(p.Number) }

// Text returns the puzzle as a table of one row, which [notation.Read] reads.
func (p *Puzzle) Text() string {
	return fmt.Sprintf("name\tposition\tclaim\tsolution\n%s\t%v\t%d\t%s\n", p.Name(), p.Position, p.Turns, p.Position.Notation(p.Solution))
}

// All returns the puzzles in the order of their numbers. The list is read at the first call, and is
// that of all callers: they must not change it.
var All = sync.OnceValue(func() []Puzzle {
	all, err := Read(bytes.NewReader(packed))
	if err != nil {
		panic(err) // a test reads the file
	}
	return all
})

// ByNumber returns the puzzle of a number; nil if there is none.
func ByNumber(number int) *Puzzle {
	all := All()
	for i := range all {
		if all[i].Number == number {
			return &all[i]
		}
	}
	return nil
}

// Filter selects puzzles. Its zero value selects all.
type Filter struct {
	Themes     describe.Themes // that a solution must have
	Turns      int             // of the win; 0: any
	Difficulty *Range          // nil: any. Wins in one have none
	Picked     bool            // by hand: those with an idea
}

// Range is a range of difficulties, both ends included.
type Range struct{ Least, Most float64 }

// Select yields the puzzles that a filter selects, in their order.
func Select(f Filter) iter.Seq[*Puzzle] {
	return func(yield func(*Puzzle) bool) {
		all := All()
		for i := range all {
			if f.selects(&all[i]) && !yield(&all[i]) {
				return
			}
		}
	}
}

// selects reports whether a filter selects a puzzle.
func (f *Filter) selects(p *Puzzle) bool {
	var difficulty *float64
	if d, ok := p.Difficulty(); ok {
		difficulty = &d
	}
	return (!f.Picked || p.Idea != "") && f.Fits(p.Turns, p.Themes, difficulty)
}

// Fits reports whether a filter selects a win in so many turns with these themes and this
// difficulty, nil if it has none; whether it was picked by hand does not matter. Difficulties are
// compared as they are shown, with one decimal.
func (f *Filter) Fits(turns int, themes describe.Themes, difficulty *float64) bool {
	if themes&f.Themes != f.Themes || f.Turns > 0 && turns != f.Turns {
		return false
	}
	if f.Difficulty == nil || difficulty == nil {
		return f.Difficulty == nil
	}
	d := describe.Shown(*difficulty)
	return f.Difficulty.Least <= d && d <= f.Difficulty.Most
}

// columns is the header of the file.
const columns = "number\tposition\tclaim\tsolution\tfirst\twinning\ttries\treplies\tthemes\torigin\tidea"

// Write writes puzzles as [Read] reads them.
func Write(w io.Writer, all []Puzzle) error {
	var text bytes.Buffer
	fmt.Fprintln(&text, columns)
	for i := range all {
		p := &all[i]
		fmt.Fprintf(&text, "%d\t%v\t%d\t%s\t%d\t%d\t%d\t%d\t%v\t%s\t%s\n", p.Number, p.Position, p.Turns, p.Position.Notation(p.Solution),
			p.First, p.Mined.Solutions, p.Tries, p.Replies, p.Themes, p.Origin, p.Idea)
	}
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression) // its header has neither name nor time
	if err == nil {
		_, err = z.Write(text.Bytes())
	}
	if err == nil {
		err = z.Close()
	}
	return err
}

// Read reads a file of puzzles. The error names the line and says what is wrong.
func Read(r io.Reader) (all []Puzzle, err error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	header, rows, _ := strings.Cut(string(text), "\n")
	if header != columns {
		return nil, errors.New("line 1: it is not the header of a collection")
	}
	line := 1
	for row := range strings.Lines(rows) {
		line++
		p, err := readRow(strings.TrimSuffix(row, "\n"))
		if err == nil && len(all) > 0 && p.Number <= all[len(all)-1].Number {
			err = errors.New("the numbers do not grow")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		all = append(all, p)
	}
	return all, nil
}

// readRow reads a row of the file.
func readRow(row string) (p Puzzle, err error) {
	cells := strings.Split(row, "\t")
	if n := 1 + strings.Count(columns, "\t"); len(cells) != n {
		return p, fmt.Errorf("%d columns instead of %d", len(cells), n)
	}
	numbers := [...]*int{0: &p.Number, 2: &p.Turns, 4: &p.First, 5: &p.Mined.Solutions, 6: &p.Tries, 7: &p.Replies}
	for i, to := range numbers {
		if to == nil {
			continue
		}
		if *to, err = strconv.Atoi(cells[i]); err != nil {
			return p, err
		}
	}
	if p.Number < 1 || p.Turns < 1 || p.Turns > solve.MaxTurns {
		return p, errors.New("a number is out of range")
	}
	if p.Position, err = notation.ParsePosition(cells[1]); err != nil {
		return p, err
	}
	if p.Solution, err = puzzles.ReadTurn(p.Position, cells[3]); err != nil {
		return p, err
	}
	if p.Themes, err = describe.ParseThemes(strings.Split(cells[8], ", ")); err != nil {
		return p, err
	}
	p.Pieces, p.Quiet = p.Position.Occupied().Len(), p.Themes&describe.Quiet != 0
	p.Origin, p.Idea = cells[9], cells[10]
	return p, nil
}
