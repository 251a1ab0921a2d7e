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
	Notes []string // what was mended in its text
	Err   error
}

// Places yields every position of the games among the parts of a text, and its single positions, but
// none that cannot come up in a game. Games counts the games that were begun. Parts that cannot be
// read do not stop the others.
func Places(parts iter.Seq[notation.Part], games *int) iter.Seq[Place] {
	return func(yield func(Place) bool) {
		for p := range parts {
			if !placesIn(&p, games, yield) {
				return
			}
		}
	}
}

// placesIn yields the positions of a part of a text, and reports whether to go on.
func placesIn(p *notation.Part, games *int, yield func(Place) bool) bool {
	name := p.Place()
	if p.Record != nil {
		name = p.Name
	}
	shared := int64(0) // bytes of the places so far
	usual := func(place Place, end int64) bool {
		place.Bytes, place.Notes = end-shared, p.Sentences()
		shared = end
		return yield(place)
	}
	game, err := p.Played()
	switch {
	case err != nil:
		return yield(Place{Name: name, Err: err, Bytes: p.Bytes})
	case game == nil:
		at := p.Position.Position
		return at.Unusual() != nil || usual(Place{Name: fmt.Sprintf("%s:%d", p.File, p.Line), Position: at, Number: numberOf(&p.Entry)}, p.Bytes)
	}
	*games++
	for i, place := range PlacesOf(name, game) {
		if !usual(place, p.Bytes*int64(i+1)/int64(game.Len()+1)) {
			return false
		}
	}
	return true
}

// PlacesOf yields every position of a game with a name, but none that cannot come up in a game,
// with the number of turns before it.
func PlacesOf(name string, game *arimaa.Game) iter.Seq2[int, Place] {
	return func(yield func(int, Place) bool) {
		for i := range game.Len() + 1 {
			p := game.Position(i)
			if p.Unusual() == nil && !yield(i, Place{Name: name + " " + game.Label(i), Position: p, Number: game.Number(i)}) {
				return
			}
		}
	}
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
