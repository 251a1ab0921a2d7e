package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"iter"

	"goalproof/arimaa"
	"goalproof/cluster"
	"goalproof/engine/learn"
)

// finished is the question about a game of others: which scores do its positions get?
type finished struct {
	line
	Winner arimaa.Side
}

// game reads the question.
func (q *finished) game() (f learn.Finished, err error) {
	if q.Winner > arimaa.Silver {
		return f, errors.New("there is no such side")
	}
	f.Winner = q.Winner
	f.Game, err = q.played()
	return f, err
}

// archivesKind is the kind of questions of learn about the games of archives.
var archivesKind = playerKind("archives", func(p *learn.Player) cluster.Answerer { return student{p} })

// student answers with the payloads of games.
type student struct{ *learn.Player }

// Answer implements [cluster.Answerer].
func (s student) Answer(ctx context.Context, question []byte) ([]byte, error) {
	var q finished
	if err := read(question, &q); err != nil {
		return nil, err
	}
	f, err := q.game()
	if err != nil {
		return nil, err
	}
	g, err := s.Study(ctx, f)
	if err != nil {
		return nil, err
	}
	return g.Append(nil), nil
}

// Archives puts the questions of learn about the games of archives.
type Archives struct {
	Games // the player and its files
	All   []learn.Finished
}

// Study has the games from a number on searched as [learn.Study.Games] does.
func (a *Archives) Study(ctx context.Context, f *Flags, first int) iter.Seq2[*learn.Game, error] {
	return a.each(ctx, f, archivesKind, a, first, len(a.All))
}

// Question implements [Questions].
func (a *Archives) Question(number int) ([]byte, error) {
	f := &a.All[number]
	return json.Marshal(finished{lineOf(f.Game), f.Winner})
}

// Check implements [Questions]: the scores of this game, whatever they are.
func (a *Archives) Check(_ context.Context, question, answer []byte) error {
	var q finished
	if err := read(question, &q); err != nil {
		return err
	}
	g, err := learn.ParseGame(answer)
	if err != nil {
		return err
	}
	if g.Winner != q.Winner || g.Start.String() != q.Start || len(g.Turns) != min(len(q.Turns), learn.Longest) {
		return errors.New("the game is another one")
	}
	for i := range g.Turns {
		if g.Turns[i].Code != q.Turns[i] {
			return errors.New("the game is another one")
		}
	}
	return nil
}
