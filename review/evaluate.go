package review

import (
	"context"
	"errors"
	"math"

	"goalproof/arimaa"
	"goalproof/engine"
)

// Evaluation is what package engine thinks of a position. It is no fact.
type Evaluation struct {
	Score int           // for the side to move, in centi-rabbits
	Line  []arimaa.Turn // the best play that it found; empty where the game is over
	// Chance is the probability that the side to move wins, 0 to 1: that of the score, or 1 or 0 where
	// a win or a loss is proved.
	Chance float64
}

// Scale is the number of centi-rabbits that multiply the odds of winning by e: the chance that goes
// with a score s is 1/(1+exp(-s/Scale)). It fits the outcomes of the published games best: 653 for 981
// positions, searched with 5,000 nodes (TestScale).
const Scale = 650

// chance is the probability of winning that goes with a score.
func chance(score int) float64 { return 1 / (1 + math.Exp(-float64(score)/Scale)) }

// Grade is how much a turn takes away from the chance of its side.
type Grade uint8

// The grades, by what the chance falls in comparison with the turn that the engine would have played:
// less than 0.05, less than 0.1, less than 0.2, and from there on.
const (
	Good Grade = iota
	Doubtful
	Mistake
	Blunder
)

// String returns the grade in a word.
func (g Grade) String() string { return [...]string{"good", "doubtful", "mistake", "blunder"}[g] }

// gradeOf returns the grade of a turn by which the chance falls so much.
func gradeOf(fall float64) Grade {
	switch {
	case fall < 0.05:
		return Good
	case fall < 0.1:
		return Doubtful
	case fall < 0.2:
		return Mistake
	}
	return Blunder
}

// evaluate evaluates all positions, and grades the turns. Where the context is done before the end
// there are no evaluations.
//
// A search of few steps flatters the side to move, by the turn that it may make. So a turn is not
// judged by the scores before and after it: it is compared with the turn that the engine would have
// played, each by the score after it.
func (v *review) evaluate(ctx context.Context) error {
	if v.Options.Engine == nil {
		return nil
	}
	v.Options.Engine.Forget() // so that the game before does not matter
	g := v.Record.Game
	all := make([]Evaluation, g.Len()+1)
	for i := g.Len(); i >= 0; i-- {
		game := g.At(i)
		var err error
		if all[i], err = v.search(ctx, game); err != nil {
			return err
		}
		s := &v.Standings[i]
		switch {
		case s.Win.Proved():
			all[i].Chance = 1
		case s.Loss.Proved():
			all[i].Chance = 0
		}
		if i < g.Len() && !s.Loss.Proved() {
			best, err := v.bestChance(ctx, game, all, i)
			if err != nil {
				return err
			}
			j := &v.Judgements[i]
			j.Fall = max(0, best-(1-all[i+1].Chance))
			j.Grade = gradeOf(j.Fall)
		}
		if ctx.Err() != nil {
			for i := range v.Judgements {
				v.Judgements[i].Fall, v.Judgements[i].Grade = 0, Good
			}
			return nil
		}
	}
	v.Evaluations = all
	return nil
}

// search evaluates the last position of a game by the engine alone.
func (v *review) search(ctx context.Context, g *arimaa.Game) (Evaluation, error) {
	r, err := v.Options.Engine.Search(ctx, g, engine.Limits{Nodes: v.Options.Effort}, nil)
	if errors.Is(err, engine.ErrNoTurn) {
		err = nil
	}
	return Evaluation{Score: r.Score, Line: r.Line, Chance: chance(r.Score)}, err
}

// bestChance is the chance of the side to move at position i, where game ends, with the turn that the
// engine would play.
func (v *review) bestChance(ctx context.Context, game *arimaa.Game, all []Evaluation, i int) (float64, error) {
	if v.Standings[i].Win.Proved() {
		return 1, nil
	}
	p, line := game.Last(), all[i].Line
	if len(line) == 0 || p.AfterTurn(line[0]) == v.Record.Game.Position(i+1) {
		return 1 - all[i+1].Chance, nil
	}
	if err := game.Play(line[0]); err != nil {
		return 0, err
	}
	if o := game.Outcome(); o.Over() {
		if o.Winner == p.Side() {
			return 1, nil
		}
		return 0, nil
	}
	e, err := v.search(ctx, game)
	return 1 - e.Chance, err
}

// GoldChance is gold's chance at position i, 0 to 1, if there are evaluations: where nothing is proved
// the mean of what the engine thinks before and after the turn, because a search flatters the side to
// move.
func (r *Review) GoldChance(i int) float64 {
	chance := r.goldChance(i)
	if s := &r.Standings[i]; i+1 == len(r.Standings) || s.Win.Proved() || s.Loss.Proved() {
		return chance
	}
	return (chance + r.goldChance(i+1)) / 2
}

func (r *Review) goldChance(i int) float64 {
	if side(r.Record.Game, i) == arimaa.Silver {
		return 1 - r.Evaluations[i].Chance
	}
	return r.Evaluations[i].Chance
}
