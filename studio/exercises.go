package studio

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"goalproof/internal/printable"
	"goalproof/library"
	"goalproof/review"
)

// exercisesQuestion asks for findings or for puzzles to train on. The side to move of such a
// finding had a win by the review.
type exercisesQuestion struct {
	Findings *gameFilter   `json:"findings"`
	Puzzles  *puzzleFilter `json:"puzzles"` // in place of findings
	ordered
	page
}

// exercisesAnswer is a set that claims the wins. A job of the kind verify proves them; see
// "Training".
type exercisesAnswer struct {
	Text  string `json:"text"`
	Count int    `json:"count"` // puzzles in it
	More  bool   `json:"more"`
}

// winning are the values of [library.Filter.Finding] that are about a win of the side to move.
var winning = []string{string(review.FirstWin), string(review.IsDelayed), string(review.IsMissed), string(review.IsThrown), "missed"}

func findExercises(ctx context.Context, l *library.Library, q exercisesQuestion) (a exercisesAnswer, err error) {
	set := exerciseSet{seen: map[string]bool{}}
	set.WriteString("position\tclaim\tsolution\tname\n")
	switch {
	case (q.Findings == nil) == (q.Puzzles == nil):
		return a, meaningless("findings", errors.New("ask for findings or for puzzles, and not for both"))
	case q.Puzzles != nil:
		f, err := q.Puzzles.read()
		if err != nil {
			return a, err
		}
		a.More, err = rows(q.page, l.Puzzles(ctx, f, q.order()), set.puzzle)
		if err != nil {
			return a, err
		}
	default:
		f, err := q.Findings.read()
		if err != nil {
			return a, err
		}
		if !slices.Contains(winning, f.Finding) {
			return a, meaningless("finding", fmt.Errorf("%q: an exercise is a win of the side to move, which is one of %s", f.Finding, strings.Join(winning, ", ")))
		}
		a.More, err = rows(q.page, l.Findings(ctx, f, q.order()), set.finding)
		if err != nil {
			return a, err
		}
	}
	a.Text, a.Count = set.String(), len(set.seen)
	return a, nil
}

// exerciseSet is a table that is read as a set of puzzles. A position is in it once.
type exerciseSet struct {
	strings.Builder
	seen map[string]bool // positions
}

func (s *exerciseSet) finding(f *library.Finding) (bool, error) {
	row, err := f.Row()
	if err == nil {
		s.add(row.Position, f.Turns, f.Better, fmt.Sprintf("game %d %s %s", f.Game.ID, f.Label, f.Kind))
	}
	return true, err
}

func (s *exerciseSet) puzzle(p *library.Puzzle) (bool, error) {
	s.add(p.Position.String(), p.Claim, p.Solution, p.Name)
	return true, nil
}

// add adds a puzzle, with a claim of 0 for none.
func (s *exerciseSet) add(position string, claim int, solution, name string) {
	if s.seen[position] {
		return
	}
	s.seen[position] = true
	turns := ""
	if claim > 0 {
		turns = fmt.Sprint(claim)
	}
	fmt.Fprintf(s, "%s\t%s\t%s\t%s\n", position, turns, cell(solution), cell(name))
}

// cell returns a text for a cell of a table, nothing for a long one.
func cell(text string) string {
	if len(text) > maxAsked {
		return ""
	}
	return printable.Cell(strings.Join(strings.Fields(text), " "))
}
