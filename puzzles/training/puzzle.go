package training

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/examples"
	"goalproof/puzzles"
)

// Puzzle is a puzzle to train on.
type Puzzle struct {
	Name       string
	Position   arimaa.Position
	Number     int      // of the turn to be played, as in "34g"; 0: not known
	WinIn      int      // turns of the shortest win, as the set claims; 0: it claims none
	Difficulty *float64 // nil: not known
	Themes     []string // of the solution; nil: not known
}

// shipped is the table of the puzzles that the program brings along, with the columns of
// [puzzles.MinedColumns].
var shipped = examples.Mined

// Shipped returns the puzzles of the program. A test proves what their table claims.
var Shipped = sync.OnceValues(func() (all []Puzzle, err error) {
	rows := strings.Split(strings.TrimSuffix(shipped, "\n"), "\n")
	names := strings.Split(rows[0], "\t")
	difficulty, themes := slices.Index(names, "difficulty"), slices.Index(names, "themes")
	if difficulty < 0 || themes < 0 {
		return nil, errors.New("the puzzles of the program lack a column")
	}
	for p := range puzzles.Parse(notation.NewLines("examples", strings.NewReader(shipped))) {
		if p.Err != nil {
			return nil, p.Err
		}
		cells := strings.Split(rows[p.Line-1], "\t")
		hard, err := strconv.ParseFloat(cells[difficulty], 64)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", p.Line, err)
		}
		// The last word of the name is the label of the turn in its game, such as 54s.
		number, err := strconv.Atoi(strings.TrimRight(p.Name[strings.LastIndexByte(p.Name, ' ')+1:], "gs"))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", p.Line, err)
		}
		all = append(all, Puzzle{p.Name, p.Position, number, p.Claim, &hard, strings.Split(cells[themes], ", ")})
	}
	return all, nil
})
