package match

import (
	"fmt"
	"strings"

	"goalproof/arimaa"
)

// Standing is the result of a match so far. The zero value is the standing before the first game.
//
// A game does not count if it repeats an earlier one: the same opening, the same players with the
// same colours, and the same turns. Deterministic programs repeat a game whenever its opening is
// played again, which is no new evidence.
type Standing struct {
	Tally   Tally          // of the games between the first two players that count
	Repeats int            // games that do not count
	counted int            // games that count
	wins    map[[2]int]int // of a player against another
	first   map[moves]int
}

// Wins returns the results of a number of players.
func (s *Standing) Wins(players int) Wins {
	w := make(Wins, players)
	for i := range w {
		w[i] = make([]int, players)
		for j := range w[i] {
			w[i][j] = s.wins[[2]int{i, j}]
		}
	}
	return w
}

// moves identifies games that repeat each other.
type moves struct {
	seats [2]int // the players of Gold and Silver
	first arimaa.Position
	turns string // one a line, including those of the opening
}

func (p *Played) moves() moves {
	var turns strings.Builder
	for i := range p.Game.Len() {
		position := p.Game.Position(i)
		turns.WriteString(position.Notation(p.Game.Turn(i)) + "\n")
	}
	return moves{p.Seats, p.Game.Position(0), turns.String()}
}

// Games returns the number of all games, which is also the number of the next one.
func (s *Standing) Games() int { return s.counted + s.Repeats }

// add adds the next game, and checks whether it repeats another.
func (s *Standing) add(p *Played) {
	if s.first == nil {
		s.first, s.wins = map[moves]int{}, map[[2]int]int{}
	}
	m := p.moves()
	first, repeats := s.first[m]
	if repeats {
		p.First = first
		s.Repeats++
		return
	}
	s.first[m], p.First = p.Number, p.Number
	s.counted++
	s.wins[[2]int{p.Winner(), p.Loser()}]++
	s.Tally = Tally{s.wins[[2]int{0, 1}], s.wins[[2]int{1, 0}]}
}

// Remark says how many games do not count; it is empty if all count.
func (s *Standing) Remark() string {
	if s.Repeats == 0 {
		return ""
	}
	return fmt.Sprintf("%d games, %d of them repeat others and do not count", s.Games(), s.Repeats)
}
