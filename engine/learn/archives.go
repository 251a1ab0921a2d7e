package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"

	"goalproof/arimaa"
	"goalproof/engine"
)

// Finished is a game of others, from its first position to its end, with its winner.
type Finished struct {
	Game   *arimaa.Game
	Winner arimaa.Side
}

// Study describes how the engine searches the positions of finished games, so that they can be
// learned from like its own.
type Study struct {
	Player  SelfPlay // whose search it is; Seed is a part of String alone
	Sources string   // where the games come from
}

// String describes the games, in a line.
func (s Study) String() string { return fmt.Sprintf("%s, searched by %s", s.Sources, s.Player) }

// Games yields the games, in order.
func (s Study) Games(ctx context.Context, all []Finished) iter.Seq2[*Game, error] {
	return s.Player.each(ctx, 0, len(all), func(ctx context.Context, e *engine.Engine, i int) (*Game, error) {
		return s.search(ctx, e, all[i])
	})
}

// Study searches the positions of a finished game as [Study.Games] does.
func (p *Player) Study(ctx context.Context, f Finished) (*Game, error) {
	return Study{Player: p.SelfPlay}.search(ctx, p.engine, f)
}

func (s Study) search(ctx context.Context, e *engine.Engine, f Finished) (*Game, error) {
	e.Forget()
	record := &Game{Start: f.Game.Position(0), Winner: f.Winner}
	for i := range min(f.Game.Len(), Longest) {
		g := f.Game.At(i)
		score := int16(NoScore)
		r, err := e.Search(ctx, g, engine.Limits{Nodes: s.Player.Nodes}, nil)
		if err = cmp.Or(err, ctx.Err()); err == nil {
			score = int16(r.Score)
		} else if !errors.Is(err, engine.ErrNoTurn) {
			return nil, err
		}
		record.Turns = append(record.Turns, Scored{f.Game.Turn(i).Code(), score})
	}
	return record, nil
}
