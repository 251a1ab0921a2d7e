package match

import (
	"context"
	"fmt"
	"iter"

	"goalproof/internal/batch"
)

// Match is a series of games between two or more players, each against each. In a round every pair
// of players plays two games from the opening of the round, with the colours exchanged.
type Match struct {
	New      []func() (Player, error) // makes a player
	Openings Openings
	Rules    Rules
	Games    int // total number
	AtOnce   int // number of games in progress at a time
}

// Played is a finished game of a match.
type Played struct {
	Number int    // from 0
	First  int    // number of the earlier game that this one repeats, or Number
	Seats  [2]int // the players of Gold and Silver, from 0
	Result
}

// round returns the number of games of a round.
func round(players int) int { return players * (players - 1) }

// seats returns the players of Gold and Silver in a game, from 0. The pairs are those of 0 with 1,
// 2 and so on, then those of 1.
func seats(players, number int) [2]int {
	pair := number % round(players) / 2
	first := 0
	for rest := players - 1; pair >= rest; rest-- {
		pair -= rest
		first++
	}
	second := first + 1 + pair
	if number%2 == 1 {
		return [2]int{second, first}
	}
	return [2]int{first, second}
}

// newPlayed returns a finished game of a match.
func newPlayed(players, number int, r Result) Played {
	return Played{Number: number, Seats: seats(players, number), Result: r}
}

// Winner returns which player has won, from 0.
func (p *Played) Winner() int { return p.Seats[p.Result.Winner] }

// Loser returns which player has lost, from 0.
func (p *Played) Loser() int { return p.Seats[p.Result.Winner.Other()] }

// How describes how the game ended, and says if it does not count because it repeats another.
func (p *Played) How() string {
	how := (&Failure{p.Ending, p.Detail}).Error()
	if p.First != p.Number {
		how += fmt.Sprintf("; repeats game %d, not counted", p.First+1)
	}
	return how
}

// runAhead times AtOnce is the size of the window of games that may have begun, from the first
// unfinished one on.
const runAhead = 4

// Run plays the games that follow those of a standing, adds them to it and yields them in order. It
// ends after an error: that of the context, of making a player, or of a game that could not be
// played. A game that ends after the context is done is not yielded, as the interruption may have
// ended a player, too.
func (m *Match) Run(ctx context.Context, s *Standing) iter.Seq2[Played, error] {
	start := func() (players []Player, err error) {
		for _, make := range m.New {
			p, err := make()
			if err != nil {
				return nil, err
			}
			players = append(players, p)
		}
		return players, nil
	}
	return func(yield func(Played, error) bool) {
		play := func(ctx context.Context, players []Player, number int) (Played, error) {
			at := seats(len(players), number)
			r, err := m.Rules.Play(ctx, m.Openings(number/round(len(players))), [2]Player{players[at[0]], players[at[1]]}, nil)
			return newPlayed(len(players), number, r), err
		}
		for o := range batch.Run(ctx, batch.Numbers(s.Games(), m.Games), m.AtOnce, runAhead*m.AtOnce, start, play) {
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
