package review

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"goalproof/arimaa"
	"goalproof/engine"
)

// Evaluation is what package engine thinks of a position, with what is proved in the place of what is
// estimated. It is no fact.
type Evaluation struct {
	Score int // for the side to move, in centi-rabbits
	// Chance is the probability that the side to move wins, 0 to 1: that of the score, or 1 or 0 where
	// a win or a loss is proved.
	Chance float64
	// Best are the best turns that are known, the best first and at most three; none where the game is
	// over. Where a win is proved there is only the turn that begins it, where a loss is proved only
	// the one that the engine would play.
	Best []Candidate
}

// Candidate is a turn that could be played.
type Candidate struct {
	Line   []arimaa.Turn // begins with the turn; the best play after it as the engine sees it
	Chance float64       // of its side, 0 to 1, by what is known of the position after it
}

// Turn is the turn itself.
func (c *Candidate) Turn() arimaa.Turn { return c.Line[0] }

// candidates is how many turns are looked for.
const candidates = 3

// Scale is the number of centi-rabbits that multiply the odds of winning by e: the chance that goes
// with a score s is 1/(1+exp(-s/Scale)). It fits the outcomes of the published games best: 615 for 981
// positions, searched with 5,000 nodes (TestScale).
const Scale = 620

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
// A search of few steps flatters the side to move, by the turn that it may make. So turns are not
// judged by the score before them: those that the engine would play and the one that was played are
// compared by the score after each, which takes a search for every one of them. What was played is
// held against the engine's first choice: the best of several estimates is too high more often than not.
func (v *review) evaluate(ctx context.Context) error {
	if v.Options.Engine == nil {
		return nil
	}
	v.Options.Engine.Forget() // so that the game before does not matter
	n := v.Record.Game.Len()
	all, choices := make([]Evaluation, n+1), make([]float64, n+1)
	for i := n; i >= 0; i-- {
		var err error
		if choices[i], err = v.evaluatePosition(ctx, all, i); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return nil
		}
	}
	for i := range v.Judgements {
		j := &v.Judgements[i]
		j.Fall = max(0, choices[i]-(1-all[i+1].Chance))
		j.Grade = gradeOf(j.Fall)
	}
	v.Evaluations = all
	return nil
}

// evaluatePosition evaluates position i; those after it have been evaluated. It returns the chance with the
// engine's first choice, 0 to 1.
func (v *review) evaluatePosition(ctx context.Context, all []Evaluation, i int) (choice float64, err error) {
	game, s, e := v.Record.Game.At(i), &v.Standings[i], &all[i]
	if o := game.Outcome(); o.Over() {
		if s.Win.Proved() {
			e.Chance = 1
		}
		return e.Chance, nil
	}
	var limits engine.Limits
	for len(e.Best) < candidates {
		r, err := v.search(ctx, game, &limits)
		if errors.Is(err, engine.ErrNoTurn) {
			break
		}
		if err != nil {
			return 0, err
		}
		if len(e.Best) == 0 {
			e.Score, e.Chance = r.Score, chance(r.Score)
		}
		switch {
		case s.Win.Proved():
			e.Chance, e.Best = 1, []Candidate{{v.winningLine(i), 1}}
			return 1, nil
		case s.Loss.Proved():
			e.Chance, e.Best = 0, []Candidate{{playable(game, r.Line), 0}}
			return 0, nil
		}
		c, err := v.candidate(ctx, game, r.Turn, all, i)
		if err != nil {
			return 0, err
		}
		e.Best = append(e.Best, c)
	}
	choice = e.Best[0].Chance
	slices.SortStableFunc(e.Best, func(a, b Candidate) int { return cmp.Compare(b.Chance, a.Chance) })
	return choice, nil
}

// search searches the last position of a game. The turn that it finds is left out the next time.
func (v *review) search(ctx context.Context, g *arimaa.Game, l *engine.Limits) (engine.Report, error) {
	l.Nodes = v.Options.Effort
	r, err := v.Options.Engine.Search(ctx, g, *l, nil)
	l.Except = append(l.Except, r.Turn)
	return r, err
}

// winningLine is the proved win at position i as far as it is known.
func (r *Review) winningLine(i int) []arimaa.Turn {
	if i < len(r.Judgements) && len(r.Judgements[i].Line) > 0 {
		return r.Judgements[i].Line
	}
	return []arimaa.Turn{r.Standings[i].Turn}
}

// candidate looks at a turn at position i, where game ends, by the position after it.
func (v *review) candidate(
	ctx context.Context, game *arimaa.Game, t arimaa.Turn, all []Evaluation, i int,
) (c Candidate, err error) {
	c.Line = []arimaa.Turn{t}
	mover := side(game, i)
	game = game.At(i)
	if err := game.Play(t); err != nil {
		return c, err
	}
	after := game.Last()
	switch o := game.Outcome(); {
	case o.Over() && o.Winner == mover:
		c.Chance = 1
	case o.Over():
	case i+1 < len(all) && after == v.Record.Game.Position(i+1):
		c.Chance = 1 - all[i+1].Chance
		if best := all[i+1].Best; len(best) > 0 {
			c.Line = append(c.Line, best[0].Line...)
		}
	default:
		r, err := v.search(ctx, game, &engine.Limits{})
		if err != nil {
			return c, err
		}
		c.Line = append(c.Line, playable(game, r.Line)...)
		if !v.Standings[i].isLost(v.Record.Game.Position(i), after) {
			c.Chance = 1 - chance(r.Score)
		}
	}
	return c, nil
}

// playable is the part of a line that may be played where a game ends: what the engine's tables
// remember may not fit together.
func playable(g *arimaa.Game, line []arimaa.Turn) []arimaa.Turn {
	g = g.At(g.Len())
	for n, t := range line {
		if g.Play(t) != nil {
			return line[:n]
		}
	}
	return line
}

// GoldChance is gold's chance at position i, 0 to 1, if there are evaluations: where nothing is proved
// the mean of what the engine thinks before the best turn, which flatters the side to move, and after
// it, which flatters the other.
func (r *Review) GoldChance(i int) float64 {
	e := &r.Evaluations[i]
	chance := e.Chance
	if len(e.Best) > 0 {
		chance = (chance + e.Best[0].Chance) / 2
	}
	return r.gold(i, chance)
}

// gold is gold's chance at position i, given that of the side to move.
func (r *Review) gold(i int, chance float64) float64 {
	if side(r.Record.Game, i) == arimaa.Silver {
		return 1 - chance
	}
	return chance
}
