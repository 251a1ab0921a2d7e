package match

import (
	"context"
	"iter"

	"goalproof/arimaa"
	"goalproof/batch"
)

// Match is a number of games between two players. Each opening is played twice, with the colours
// exchanged.
type Match struct {
	New      [2]func() (Player, error) // makes a player, for games one after the other
	Openings Openings
	Rules    Rules
	Games    int // their number
	AtOnce   int // how many are played side by side
}

// Played is a game of a match.
type Played struct {
	Number int // from 0
	Result
}

// PlayerOf returns which of the players, 0 or 1, has a side in the game of a number.
func PlayerOf(number int, side arimaa.Side) int { return (number + int(side)) % 2 }

// Winner returns which of the players, 0 or 1, has won.
func (p *Played) Winner() int { return PlayerOf(p.Number, p.Result.Winner) }

// Run plays the games from a number on, and yields them in order. It ends after an error, which is
// that of the context, of making a player, or says that a game could not be played.
func (m *Match) Run(ctx context.Context, from int) iter.Seq2[Played, error] {
	start := func() (players [2]Player, err error) {
		for i, make := range m.New {
			if players[i], err = make(); err != nil {
				return players, err
			}
		}
		return players, nil
	}
	play := func(ctx context.Context, players [2]Player, job int) (Played, error) {
		number := from + job
		seats := [2]Player{}
		for side := range arimaa.Side(2) {
			seats[side] = players[PlayerOf(number, side)]
		}
		r, err := m.Rules.play(ctx, m.Openings(number/2), seats)
		return Played{number, r}, err
	}
	return func(yield func(Played, error) bool) {
		for o := range batch.Run(ctx, max(m.Games-from, 0), m.AtOnce, start, play) {
			if !yield(o.Value, o.Err) || o.Err != nil {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(Played{}, err)
		}
	}
}
