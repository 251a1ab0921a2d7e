package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"

	"goalproof/cluster"
	"goalproof/engine/evaluation"
	"goalproof/engine/learn"
	"goalproof/engine/ordering"
	"goalproof/internal/batch"
)

// playing are the options of a run that plays games to learn from.
type playing struct {
	Seed     uint64
	Nodes    uint64
	Varied   bool
	Network  string `json:",omitempty"` // digests of the files; empty: none
	Ordering string `json:",omitempty"`
}

// gamesKind is the kind of questions of learn: which game has a number?
var gamesKind = playerKind("games", func(p *learn.Player) cluster.Answerer { return gamePlayer{p} })

// playerKind returns a kind of questions that a player answers.
func playerKind(name string, answerer func(*learn.Player) cluster.Answerer) cluster.Kind {
	return cluster.Kind{
		Name: name,
		Open: func(ctx context.Context, options []byte, _ cluster.Room, inputs cluster.Inputs) (cluster.Answerer, error) {
			var o playing
			if err := read(options, &o); err != nil {
				return nil, fmt.Errorf("the options of the run: %w", err)
			}
			p, err := o.player(ctx, inputs)
			return answerer(p), err
		},
		Memory: func([]byte) (uint64, error) { return learn.PlayerMemory, nil },
	}
}

// player returns the player that the options describe.
func (o *playing) player(ctx context.Context, inputs cluster.Inputs) (*learn.Player, error) {
	s := learn.SelfPlay{Seed: o.Seed, Nodes: o.Nodes, Varied: o.Varied, Threads: 1}
	err := input(ctx, inputs, o.Network, func(data []byte) (err error) {
		s.Network, err = evaluation.ParseNetwork(data)
		return err
	})
	if err == nil {
		err = input(ctx, inputs, o.Ordering, func(data []byte) (err error) {
			s.Ordering, err = ordering.Parse(data)
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	return s.Player()
}

// input reads the file with a digest, if there is one.
func input(ctx context.Context, inputs cluster.Inputs, digest string, parse func([]byte) error) error {
	if digest == "" {
		return nil
	}
	path, err := inputs.File(ctx, digest)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return parse(data)
}

// gamePlayer answers with the payloads of games.
type gamePlayer struct{ *learn.Player }

// Answer implements [cluster.Answerer].
func (p gamePlayer) Answer(ctx context.Context, question []byte) ([]byte, error) {
	var number int
	if err := read(question, &number); err != nil {
		return nil, err
	}
	g, err := p.Play(ctx, number)
	if err != nil {
		return nil, err
	}
	return g.Append(nil), nil
}

// Games puts the questions of learn.
type Games struct {
	Play              learn.SelfPlay
	Network, Ordering string // the files of those of Play; empty: Play has none, or that of the program
}

// Games has games played as [learn.SelfPlay.Games] does.
func (g *Games) Games(ctx context.Context, f *Flags, first, last int) iter.Seq2[*learn.Game, error] {
	return g.each(ctx, f, gamesKind, g, first, last)
}

// each has the questions about the numbers from first to last-1 answered, and yields the games.
func (g *Games) each(ctx context.Context, f *Flags, kind cluster.Kind, q Questions[int, *learn.Game], first, last int) iter.Seq2[*learn.Game, error] {
	return func(yield func(*learn.Game, error) bool) {
		f.Total = last - first
		asker, closer, err := f.Open(ctx, kind, func(offer cluster.Offerer) (any, error) { return g.options(ctx, offer) })
		if err != nil {
			yield(nil, err)
			return
		}
		complete := true
		for o := range Outcomes(ctx, asker, batch.Numbers(first, last), q, func(int) {}) {
			if complete = yield(o.Value, o.Err) && o.Err == nil; !complete {
				break
			}
		}
		if err := closer.Close(); err != nil && complete {
			yield(nil, err)
		}
	}
}

// options are those of the run.
func (g *Games) options(ctx context.Context, offer cluster.Offerer) (o playing, err error) {
	o = playing{Seed: g.Play.Seed, Nodes: g.Play.Nodes, Varied: g.Play.Varied}
	if g.Network != "" {
		if o.Network, err = offer.Offer(ctx, g.Network); err != nil {
			return o, err
		}
	}
	if g.Ordering != "" {
		o.Ordering, err = offer.Offer(ctx, g.Ordering)
	}
	return o, err
}

// Question implements [Questions].
func (g *Games) Question(number int) ([]byte, error) { return json.Marshal(number) }

// Here implements [Questions].
func (g *Games) Here(int) (*learn.Game, error) { return nil, nil }

// Check implements [Questions]: nothing proves a game, but its turns are legal.
func (g *Games) Check(_ context.Context, _, answer []byte) error {
	_, err := learn.ParseGame(answer)
	return err
}

// Result implements [Questions].
func (g *Games) Result(_ int, answer cluster.Answer) (*learn.Game, error) {
	return learn.ParseGame(answer.Bytes)
}
