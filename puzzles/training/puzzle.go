package training

import (
	"goalproof/arimaa"
	"goalproof/puzzles/collection"
	"goalproof/puzzles/describe"
)

// Puzzle is a puzzle to train on.
type Puzzle struct {
	Name       string
	Position   arimaa.Position
	Number     int             // of the turn to be played, as in "34g"; 0: not known
	WinIn      int             // turns of the shortest win, as the set claims; 0: it claims none
	Difficulty *float64        // nil: not known, or it has none, as a win in one
	Themes     describe.Themes // of the solution; 0: not known
	Idea       string          // a sentence about the solution, or ""
}

// Of returns a puzzle of the collection.
func Of(p *collection.Puzzle) Puzzle {
	q := Puzzle{Name: p.Name(), Position: p.Position, WinIn: p.Turns, Themes: p.Themes, Idea: p.Idea}
	if d, ok := p.Difficulty(); ok {
		q.Difficulty = &d
	}
	return q
}

// Collection returns the puzzles of the collection that a filter selects, in their order.
func Collection(f collection.Filter) (all []Puzzle) {
	for p := range collection.Select(f) {
		all = append(all, Of(p))
	}
	return all
}
