package match

import (
	"context"
	"fmt"
	"iter"

	"goalproof/arimaa"
	"goalproof/batch"
)

// Match is a series of games between two players. Each opening is played twice, with the colours exchanged.
type Match struct {
	New      [2]func() (Player, error) // makes a player
	Openings Openings
	Rules    Rules
	Games    int // total number
	AtOnce   int // number of games in progress at a time
}

// Played is a finished game of a match.
type Played struct {
	Number int // from 0
	First  int // number of the earlier game that this one repeats, or Number
	Result
}

// playerOf returns which player, 0 or 1, has a side in a game.
func playerOf(number int, side arimaa.Side) int { return (number + int(side)) % 2 }

// Winner returns which player, 0 or 1, has won.
func (p *Played) Winner() int { return playerOf(p.Number, p.Result.Winner) }

// How describes how the game ended, and says if it does not count because it repeats another.
func (p *Played) How() string {
	how := (&Failure{p.Ending, p.Detail}).Error()
	if p.First != p.Number {
		how += fmt.Sprintf("; repeats game %d, not counted", p.First+1)
	}
	return how
}

// runAhead times AtOnce is the size of the window of games that may have begun, from the first unfinished one on.
const runAhead = 4

// Run plays the games that follow those of a standing, adds them to it and yields them in order. It ends after an error:
// that of the context, of making a player, or of a game that could not be played. A game that ends after the context
// is done is not yielded, as the interruption may have ended a player, too.
func (m *Match) Run(ctx context.Context, s *Standing) iter.Seq2[Played, error] {
	start := func() (players [2]Player, err error) {
		for i, make := range m.New {
			if players[i], err = make(); err != nil {
				return players, err
			}
		}
		return players, nil
	}
	return func(yield func(Played, error) bool) {
		from := s.Games()
		numbers := func(yield func(int) bool) {
			for number := from; number < m.Games && yield(number); number++ {
			}
		}
		play := func(ctx context.Context, players [2]Player, number int) (Played, error) {
			seats := [2]Player{}
			for side := range arimaa.Side(2) {
				seats[side] = players[playerOf(number, side)]
			}
			r, err := m.Rules.play(ctx, m.Openings(number/2), seats)
			return Played{Number: number, Result: r}, err
		}
		for o := range batch.Run(ctx, numbers, m.AtOnce, runAhead*m.AtOnce, start, play) {
			if ctx.Err() != nil {
				break
			}
			if o.Err == nil {
				s.add(&o.Value)
			}
			if !yield(o.Value, o.Err) || o.Err != nil {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(Played{}, err)
		}
	}
}
