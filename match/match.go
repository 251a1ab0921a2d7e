package match

import (
	"context"
	"fmt"
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
	First  int // Number, or that of the earlier game that this one repeats
	Result
}

// PlayerOf returns which of the players, 0 or 1, has a side in the game of a number.
func PlayerOf(number int, side arimaa.Side) int { return (number + int(side)) % 2 }

// Winner returns which of the players, 0 or 1, has won.
func (p *Played) Winner() int { return PlayerOf(p.Number, p.Result.Winner) }

// How returns how the game ended, and that it does not count if it repeats another.
func (p *Played) How() string {
	how := (&Failure{p.Ending, p.Detail}).Error()
	if p.First != p.Number {
		how += fmt.Sprintf("; repeats game %d, not counted", p.First+1)
	}
	return how
}

// runAhead times AtOnce is how many games may have begun from the first one on that is not over.
const runAhead = 4

// Run plays the games that follow those of a standing, and yields them in order, each added to the
// standing. It ends after an error, which is that of the context, of making a player, or says that
// a game could not be played. A game that is over only when the context is done is not yielded: what
// ends the match may have ended a player, too.
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
		w := newWindow(runAhead * max(m.AtOnce, 1))
		play := func(ctx context.Context, players [2]Player, job int) (Played, error) {
			if err := w.enter(ctx, job); err != nil {
				return Played{}, err
			}
			number := from + job
			seats := [2]Player{}
			for side := range arimaa.Side(2) {
				seats[side] = players[PlayerOf(number, side)]
			}
			r, err := m.Rules.play(ctx, m.Openings(number/2), seats)
			return Played{Number: number, Result: r}, err
		}
		for o := range batch.Run(ctx, max(m.Games-from, 0), m.AtOnce, start, play) {
			if ctx.Err() != nil {
				break
			}
			if o.Err == nil {
				s.add(&o.Value)
			}
			if !yield(o.Value, o.Err) || o.Err != nil {
				return
			}
			w.move()
		}
		if err := ctx.Err(); err != nil {
			yield(Played{}, err)
		}
	}
}
