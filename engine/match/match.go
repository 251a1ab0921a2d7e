package match

import (
	"context"
	"fmt"
	"iter"

	"goalproof/arimaa"
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
	// Elsewhere plays the games from number first to number end-1 on other machines, and yields them in
	// order. Nil: they are played here.
	Elsewhere func(ctx context.Context, first, end int) iter.Seq[batch.Outcome[int, Result]]
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
	play := m.here
	if m.Elsewhere != nil {
		play = m.Elsewhere
	}
	return func(yield func(Played, error) bool) {
		for o := range play(ctx, s.Games(), m.Games) {
			if ctx.Err() != nil {
				break
			}
			p := newPlayed(len(m.New), o.Job, o.Value)
			if o.Err == nil {
				s.add(&p)
			}
			if !yield(p, o.Err) || o.Err != nil {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(Played{}, err)
		}
	}
}

// here plays games on this machine.
func (m *Match) here(ctx context.Context, first, end int) iter.Seq[batch.Outcome[int, Result]] {
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
	play := func(ctx context.Context, players []Player, number int) (Result, error) {
		at := seats(len(players), number)
		return m.Rules.Play(ctx, m.Opening(number), [2]Player{players[at[0]], players[at[1]]}, nil)
	}
	return batch.Run(ctx, batch.Numbers(first, end), m.AtOnce, runAhead*m.AtOnce, start, play)
}

// Opening returns the opening of a game, nil if the players set up.
func (m *Match) Opening(number int) *arimaa.Game { return m.Openings(number / round(len(m.New))) }

// Seats returns the players of Gold and Silver in a game, from 0. Two games in a row, from an even
// number on, have the same opening, and the colours exchanged.
func (m *Match) Seats(number int) [2]int { return seats(len(m.New), number) }
