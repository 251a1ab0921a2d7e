package library

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/puzzles/describe"
)

// Origin describes a mined puzzle: the game of the library that it comes from, and its measures.
type Origin struct {
	Game    int64 // its id
	At      int   // turns before the puzzle
	Idea    int64 // the id of the first puzzle that shows its idea; 0: this is the first
	Pieces  int
	Replies int // distinct results of the turn after the solution
	Tries   int // other first turns that threaten to win at once, and fail
	Quiet   bool
	Winning int // first turns that keep the win
	First   int // distinct first turns
	// Difficulty is from 0 to [describe.MaxDifficulty], see [describe.Counts.Difficulty].
	Difficulty float64
	Themes     describe.Themes // of the solution, as far as they were proved within the limit
}

// text returns all of it for a digest.
func (o *Origin) text() string {
	return fmt.Sprint(o.Game, o.At, o.Idea, o.Pieces, o.Replies, o.Tries, o.Quiet, o.Winning, o.First, o.Difficulty, " ", o.Themes)
}

// PuzzleFilter says which puzzles. The zero PuzzleFilter selects all but those mined puzzles that
// show an idea that an earlier one shows. Conditions about themes, difficulty, winning turns and
// games hold of mined puzzles alone.
type PuzzleFilter struct {
	ID       int64  // of the puzzle in the library; 0: any
	Source   string // * stands for any characters
	Name     string
	Claim    Range // in turns
	Position *arimaa.Position
	Pattern  *Pattern
	// Mirrored and Exchanged are as in [Filter].
	Mirrored, Exchanged bool

	Themes     describe.Themes // that the solution must have, all of them
	Difficulty Range           // decimal numbers, of the difficulty rounded to one decimal
	Unique     bool            // only puzzles with a single winning first turn
	Game       int64           // mined from the game with this id; 0: any
	All        bool            // also those that show an idea that an earlier one shows
}

// PuzzleOrders returns the values of [Sort.By] for puzzles.
func PuzzleOrders() []string { return []string{"id", "difficulty"} }

// Puzzles yields the puzzles that a filter selects; the zero Sort is the order in which they were
// added. Its errors are those of [Library.Games].
func (l *Library) Puzzles(ctx context.Context, f *PuzzleFilter, order Sort) iter.Seq2[*Puzzle, error] {
	return yielded(ctx, l, func(v *view, yield func(*Puzzle) bool) error { return v.puzzles(ctx, f, order, yield) })
}

// The columns of a [Puzzle], and where they come from.
const (
	puzzleColumns = `p.id, s.name, p.line, p.name, p.position, p.number, COALESCE(p.claim, 0), COALESCE(p.solution, ''), COALESCE(p.tags, ''),
	COALESCE(o.game, 0), COALESCE(o.at, 0), COALESCE(o.idea, 0), COALESCE(o.pieces, 0), COALESCE(o.replies, 0), COALESCE(o.tries, 0),
	COALESCE(o.quiet, 0), COALESCE(o.winning, 0), COALESCE(o.first, 0), COALESCE(o.difficulty, 0.0),
	COALESCE((SELECT group_concat(t.name) FROM theme t WHERE t.puzzle = p.id), '')`
	puzzleTables = `
	FROM puzzle p JOIN source s ON s.id = p.source LEFT JOIN origin o ON o.puzzle = p.id`
)

// puzzles calls yield for every puzzle until it returns false.
func (v *view) puzzles(ctx context.Context, f *PuzzleFilter, order Sort, yield func(*Puzzle) bool) error {
	q := &question{board: boardFilter{position: f.Position, pattern: f.Pattern, mirrored: f.Mirrored, exchanged: f.Exchanged}}
	if err := q.puzzle(f); err != nil {
		return err
	}
	by, err := order.puzzleClause()
	if err != nil {
		return err
	}
	return v.rows(ctx, "SELECT "+puzzleColumns+puzzleTables+q.where()+by, q.values, func(rows *sql.Rows) (bool, error) {
		p, err := v.scanPuzzle(rows)
		if err != nil || !q.board.matches(&p.Position) {
			return true, err
		}
		return yield(p), nil
	})
}

// puzzle adds the conditions of a filter, but for the pattern.
func (q *question) puzzle(f *PuzzleFilter) error {
	if f.Source != "" {
		condition, value := like("s.name", f.Source)
		q.add(condition, value)
	}
	if f.ID != 0 {
		q.add("p.id = ?", f.ID)
	}
	if f.Name != "" {
		q.add("p.name = ?", f.Name)
	}
	if f.Position != nil {
		var keys []any
		for image := range q.board.images(f.Position) {
			keys = append(keys, half(image.Key()))
		}
		q.add("p.key IN (?"+strings.Repeat(", ?", len(keys)-1)+")", keys...)
	}
	for _, name := range f.Themes.Names() {
		q.add("p.id IN (SELECT puzzle FROM theme WHERE name = ?)", name)
	}
	if f.Unique {
		q.add("o.winning = 1")
	}
	if f.Game != 0 {
		q.add("o.game = ?", f.Game)
	}
	if !f.All {
		q.add("o.idea IS NULL")
	}
	return cmp.Or(q.between("p.claim", f.Claim), between(&q.conditions, "round(o.difficulty, 1)", f.Difficulty, decimal))
}

// decimal reads a bound that is a decimal number.
func decimal(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, meaningless("%q is no number; write a range as 5..7.5, 5.. or ..7.5", text)
	}
	return x, nil
}

// puzzleClause returns the order of puzzles as a clause.
func (s Sort) puzzleClause() (string, error) {
	direction := ""
	if s.Falling {
		direction = " DESC"
	}
	switch s.By {
	case "", "id":
		return "\nORDER BY p.id" + direction, nil
	case "difficulty":
		return "\nORDER BY o.difficulty" + direction + " NULLS LAST, p.id" + direction, nil
	}
	return "", meaningless("order %q: it is one of %s", s.By, strings.Join(PuzzleOrders(), ", "))
}

// scanPuzzle reads a row with the columns of a puzzle.
func (l *Library) scanPuzzle(rows *sql.Rows) (*Puzzle, error) {
	p, o := &Puzzle{}, &Origin{}
	var position, tags, themes string
	if err := rows.Scan(&p.ID, &p.Source, &p.Line, &p.Name, &position, &p.Number, &p.Claim, &p.Solution, &tags,
		&o.Game, &o.At, &o.Idea, &o.Pieces, &o.Replies, &o.Tries, &o.Quiet, &o.Winning, &o.First, &o.Difficulty, &themes); err != nil {
		return nil, err
	}
	var err error
	if p.Position, err = notation.ParsePosition(position); err == nil && tags != "" {
		err = json.Unmarshal([]byte(tags), &p.Tags)
	}
	if err == nil && themes != "" {
		o.Themes, err = describe.ParseThemes(strings.Split(themes, ","))
	}
	if err != nil {
		return nil, l.damaged(fmt.Errorf("puzzle %d: %w", p.ID, err))
	}
	if o.Game != 0 {
		p.Origin = o
	}
	return p, nil
}
