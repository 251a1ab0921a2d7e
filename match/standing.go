package match

import (
	"fmt"
	"strings"

	"goalproof/arimaa"
)

// Standing is the result of a match so far. The zero value is the standing before the first game.
//
// A game does not count if it repeats an earlier one: the same opening, the same player as Gold, and the same turns.
// Deterministic programs repeat a game whenever its opening is played again, which is no new evidence.
type Standing struct {
	Tally   Tally // of the games that count
	Repeats int   // games that do not count
	first   map[moves]int
}

// moves identifies games that repeat each other.
type moves struct {
	gold  int // the player
	first arimaa.Position
	turns string // one a line, including those of the opening
}

func (p *Played) moves() moves {
	var turns strings.Builder
	for i := range p.Game.Len() {
		position := p.Game.Position(i)
		turns.WriteString(position.Notation(p.Game.Turn(i)) + "\n")
	}
	return moves{playerOf(p.Number, arimaa.Gold), p.Game.Position(0), turns.String()}
}

// Games returns the number of all games, which is also the number of the next one.
func (s *Standing) Games() int { return s.Tally.Games() + s.Repeats }

// add adds the next game, and checks whether it repeats another.
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

// Remark says how many games do not count; it is empty if all count.
func (s *Standing) Remark() string {
	if s.Repeats == 0 {
		return ""
	}
	return fmt.Sprintf("%d games, %d of them repeat others and do not count", s.Games(), s.Repeats)
}
