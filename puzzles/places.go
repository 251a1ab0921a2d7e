package puzzles

import (
	"fmt"
	"iter"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/puzzles/describe"
)

// Place is a position in which a puzzle is looked for, or why an entry of a text could not be read.
type Place struct {
	Name     string // of its game, with the turn, or the file with the line
	Position arimaa.Position
	Number   int // of the turn to be played, as in "34g"; 0: not known
	// Bytes is the place's share of the text in bytes; those of a game are divided among its
	// positions.
	Bytes int64
	Err   error
}

// Places yields every position of the games in a text, and its single positions, but none that
// cannot come up in a game. It reads what [Rows] reads, or else what [notation.Read] reads. If game
// is not "", only the game of that name counts. Games counts the games that were begun. Entries
// that cannot be read do not stop the others.
func Places(lines *notation.Lines, game string, games *int) iter.Seq[Place] {
	return func(yield func(Place) bool) {
		if rows, ok := Rows(lines); ok {
			for p := range rows {
				if game != "" && p.Err == nil && p.ID != game {
					continue
				}
				if !placesOf(p, games, yield) {
					return
				}
			}
			return
		}
		for e, err := range notation.Read(lines) {
			if game != "" && err == nil && (e.Record == nil || e.Record.ID != game) {
				continue
			}
			if !placesIn(lines.File(), e, err, lines.Taken(), games, yield) {
				return
			}
		}
	}
}

// placesOf yields the positions of a row of a table, or of an object in JSON, and reports whether
// to go on.
func placesOf(p Puzzle, games *int, yield func(Place) bool) bool {
	e := notation.Entry{Position: &notation.Diagram{Position: p.Position, Number: p.Number, Line: p.Line}}
	if p.Game != nil {
		e = notation.Entry{Game: p.Game}
	}
	return placesIn(p.File, e, p.Err, p.Bytes, games, yield)
}

// placesIn yields the positions of an entry of a file that took a number of bytes, and reports
// whether to go on.
func placesIn(file string, e notation.Entry, err error, bytes int64, games *int, yield func(Place) bool) bool {
	name, game := file, e.Game
	if err == nil && e.Record != nil {
		name = e.Record.ID
		game, err = e.Record.Game()
	}
	shared := int64(0) // bytes of the places so far
	usual := func(name string, p arimaa.Position, number int, end int64) bool {
		if p.Unusual() != nil {
			return true
		}
		place := Place{Name: name, Position: p, Number: number, Bytes: end - shared}
		shared = end
		return yield(place)
	}
	switch {
	case err != nil:
		return yield(Place{Name: name, Err: err, Bytes: bytes})
	case game == nil:
		return usual(fmt.Sprintf("%s:%d", file, e.Position.Line), e.Position.Position, numberOf(&e), bytes)
	}
	*games++
	for i := range game.Len() + 1 {
		if !usual(name+" "+game.Label(i), game.Position(i), game.Number(i), bytes*int64(i+1)/int64(game.Len()+1)) {
			return false
		}
	}
	return true
}

// Sieve keeps the mined puzzles that are wanted and, of those that show one idea, the first.
type Sieve struct {
	Themes describe.Themes // that a solution must have
	Unique bool            // only puzzles with a single solution
	All    bool            // also those that show an idea met before

	Found, Single, Again int // puzzles that are wanted, those of them with a single solution, and with an idea met before
	met                  Ideas
}

// Keep reports whether a puzzle is kept. A nil one is not.
func (s *Sieve) Keep(m *Mined) bool {
	if m == nil || m.Themes&s.Themes != s.Themes || s.Unique && m.Solutions > 1 {
		return false
	}
	s.Found++
	if m.Solutions == 1 {
		s.Single++
	}
	if _, first := s.met.Add(m.Position, m.Turns, m.Solution); !first {
		s.Again++
		return s.All
	}
	return true
}

// Result returns the puzzle under a name as if a set that holds it had been verified: it claims
// what was proved.
func (m *Mined) Result(name string) Result {
	right := true
	r := Result{
		Puzzle:  Puzzle{Name: name, Position: m.Position, Claim: m.Turns, Solution: m.Position.Notation(m.Solution)},
		Verdict: answer.Proved, Bounds: answer.Bounds{Within: m.Turns, Refuted: m.Turns - 1}, Listed: true, SolutionOK: &right, Line: m.Line,
		Description: &describe.Puzzle{N: m.Turns, Themes: m.Themes, Counts: m.counts(), Replies: m.Replies, Longest: -1},
	}
	for i := range m.winning {
		s := &m.winning[i]
		r.Solutions = append(r.Solutions, Solution{Turn: m.Position.Notation(s.Turn), Essential: s.Essential, Given: s.Essential})
	}
	return r
}
