package match

import (
	"fmt"
	"strings"

	"goalproof/arimaa"
)

// Standing is what the games of a match have come to so far. The zero value is that of a match that
// has not begun.
//
// A game that repeats an earlier one does not count: the same opening, the same player as Gold, and
// the same turns. Programs that follow from their input alone play it again whenever the opening
// comes again, and it says nothing that the first did not.
type Standing struct {
	Tally   Tally // of the games that count
	Repeats int   // games that do not
	first   map[moves]int
}

// moves is what makes a game the same as another.
type moves struct {
	gold  int // the player
	first arimaa.Position
	turns string // a line each, the opening's among them
}

func (p *Played) moves() moves {
	var turns strings.Builder
	for i := range p.Game.Len() {
		position := p.Game.Position(i)
		turns.WriteString(position.Notation(p.Game.Turn(i)) + "\n")
	}
	return moves{PlayerOf(p.Number, arimaa.Gold), p.Game.Position(0), turns.String()}
}

// Games returns the number of all games, which is that of the next one.
func (s *Standing) Games() int { return s.Tally.Games() + s.Repeats }

// add adds the next game, and sees whether it is a repetition.
func (s *Standing) add(p *Played) {
	if s.first == nil {
		s.first = map[moves]int{}
	}
	m := p.moves()
	first, repeats := s.first[m]
	if repeats {
		p.First = first
		s.Repeats++
		return
	}
	s.first[m], p.First = p.Number, p.Number
	s.Tally[p.Winner()]++
}

// Remark says how many games do not count, or nothing if all do.
func (s *Standing) Remark() string {
	if s.Repeats == 0 {
		return ""
	}
	return fmt.Sprintf("%d games, %d of them repeat others and do not count", s.Games(), s.Repeats)
}
