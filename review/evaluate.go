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

// Evaluation is the engine's evaluation of a position, replaced by what is proved. Otherwise it is an estimate.
type Evaluation struct {
	Score int // for the side to move, in centi-rabbits
	// Chance is the winning chance of the side to move, 0 to 1: that of the score, or 1 or 0 if a win or a loss is
	// proved.
	Chance float64
	// Best holds up to three candidates, the best first; none if the game is over. If a win is proved it holds only the
	// turn that begins it, if a loss is proved only the engine's choice.
	Best []Candidate
}

// Candidate is a candidate turn.
type Candidate struct {
	Line   []arimaa.Turn // the turn, then the engine's principal variation
	Chance float64       // winning chance of its side, 0 to 1, from the position after it
}

// Turn returns the turn itself.
func (c *Candidate) Turn() arimaa.Turn { return c.Line[0] }

// candidates is the greatest number of candidates.
const candidates = 3

// Scale is the number of centi-rabbits that multiply the odds of winning by e: the winning chance of a score s is
// 1/(1+exp(-s/Scale)). It is fitted to the results of published games (TestScale).
const Scale = 620

// chance returns the winning chance of a score.
func chance(score int) float64 { return 1 / (1 + math.Exp(-float64(score)/Scale)) }

// Grade grades a turn by its loss in winning chances.
type Grade uint8

// The grades, by the loss against the engine's first choice: less than 0.05, less than 0.1, less than 0.2, and more.
const (
	Good Grade = iota
	Doubtful
	Mistake
	Blunder
)

// String returns the grade in a word.
func (g Grade) String() string { return [...]string{"good", "doubtful", "mistake", "blunder"}[g] }

// gradeOf returns the grade for a loss in winning chances.
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

// evaluate evaluates all positions and grades the turns. If the context is done before the end there are no
// evaluations.
//
// A shallow search flatters the side to move. So a turn is not graded by the score before it: the candidates and the
// turn that was played are compared by the scores after them, each from a search of its own. The turn is compared with
// the engine's first choice, as the maximum of several estimates tends to be too high.
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

// evaluatePosition evaluates position i after all later ones. It returns the winning chance after the engine's first
// choice, 0 to 1.
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

// search searches the last position of a game, and excludes the turn that it finds from the next search.
func (v *review) search(ctx context.Context, g *arimaa.Game, l *engine.Limits) (engine.Report, error) {
	l.Nodes = v.Options.Effort
	r, err := v.Options.Engine.Search(ctx, g, *l, nil)
	l.Exclude = append(l.Exclude, r.Turn)
	return r, err
}

// winningLine returns the line of the proved win at position i, as far as it is known.
func (r *Review) winningLine(i int) []arimaa.Turn {
	if i < len(r.Judgements) && len(r.Judgements[i].Line) > 0 {
		return r.Judgements[i].Line
	}
	return []arimaa.Turn{r.Standings[i].Turn}
}

// candidate evaluates a turn at position i, the last one of game, by the position after it.
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

// playable returns the legal part of a line after a game; entries of the engine's tables may not fit together.
func playable(g *arimaa.Game, line []arimaa.Turn) []arimaa.Turn {
	g = g.At(g.Len())
	for n, t := range line {
		if g.Play(t) != nil {
			return line[:n]
		}
	}
	return line
}

// GoldChance returns Gold's winning chance at position i, 0 to 1, if there are evaluations. If nothing is proved it is
// the mean of the evaluations before the best turn, which flatters the side to move, and after it, which flatters the
// other.
func (r *Review) GoldChance(i int) float64 {
	e := &r.Evaluations[i]
	chance := e.Chance
	if len(e.Best) > 0 {
		chance = (chance + e.Best[0].Chance) / 2
	}
	return r.gold(i, chance)
}

// gold converts the winning chance of the side to move at position i to Gold's.
func (r *Review) gold(i int, chance float64) float64 {
	if side(r.Record.Game, i) == arimaa.Silver {
		return 1 - chance
	}
	return chance
}
