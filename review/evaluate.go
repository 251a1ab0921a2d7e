package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/engine"
)

// Evaluation is the engine's evaluation of a position, replaced by what is proved. Otherwise it is
// an estimate.
type Evaluation struct {
	Score int // for the side to move, in centi-rabbits
	// Chance is the winning chance of the side to move, 0 to 1: that of the score, or 1 or 0 if a win
	// or a loss is proved.
	Chance float64
	// Best holds up to three candidates, the best first; none if the game is over. If a win is proved
	// it holds only the turn that begins it, if a loss is proved only the engine's choice. If turns
	// are known that hold where the played one lost, it holds such turns only.
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

// Grade grades a turn by its loss in winning chances.
type Grade uint8

// The grades, by the loss against the best turn: less than 0.05, less than 0.1, less than 0.2, and
// more.
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

// analysis is the engine's analysis of a position, regardless of what is proved.
type analysis struct {
	score      int // for the side to move, in centi-rabbits
	candidates []analysed
	err        error
}

// analysed is a candidate and the engine's analysis of the position after it.
type analysed struct {
	turn  arimaa.Turn
	line  []arimaa.Turn // the engine's principal variation, from the candidate on
	after engine.Report // with the opponent to move; zero if the game is over, or the turn was played
}

// analyse has the engine analyse all positions, from the last one back, beside the solvers: its
// analyses must not depend on what they find out, nor when. The channel receives all analyses at
// the end, or is closed if there is no engine.
func (v *review) analyse(ctx context.Context) <-chan []analysis {
	found := make(chan []analysis, 1)
	if v.Options.Engine == nil {
		close(found)
		return found
	}
	v.busy.Go(func() {
		v.Options.Engine.Forget() // the result must not depend on other games
		all := make([]analysis, v.Record.Game.Len()+1)
		for i := len(all) - 1; i >= 0 && ctx.Err() == nil; i-- {
			_, giveBack := v.borrow()
			if err := safely(func() error { all[i] = v.analysePosition(ctx, i); return all[i].err }); err != nil {
				all[i].err = err
			}
			giveBack()
			if v.Options.Evaluated != nil && all[i].err == nil && ctx.Err() == nil {
				v.Options.Evaluated(i, v.estimate(all, i))
			}
		}
		found <- all
	})
	return found
}

// estimate returns Gold's chance at position i by the analyses of it and of the next position, as
// [Review.GoldChance] does where nothing is proved.
func (v *review) estimate(all []analysis, i int) float64 {
	game, l := v.Record.Game.At(i), &all[i]
	switch o := game.Outcome(); {
	case o.Over() && o.Winner == arimaa.Gold:
		return 1
	case o.Over():
		return 0
	}
	chance := engine.Chance(l.score)
	if len(l.candidates) > 0 {
		best, after := &l.candidates[0], v.Record.Game.At(i)
		left := engine.Chance(best.after.Score) // to the opponent
		switch err := after.Play(best.turn); {
		case err != nil || after.Outcome().Over():
			return v.gold(i, chance)
		case after.Last() == v.played(i):
			left = engine.Chance(all[i+1].score)
		}
		chance = (chance + 1 - left) / 2
	}
	return v.gold(i, chance)
}

// analysePosition has the engine analyse position i.
func (v *review) analysePosition(ctx context.Context, i int) (l analysis) {
	game := v.Record.Game.At(i)
	if game.Outcome().Over() {
		return l
	}
	var limits engine.Limits
	for len(l.candidates) < candidates {
		r, err := v.search(ctx, game, &limits)
		if errors.Is(err, engine.ErrNoTurn) {
			break
		}
		if err != nil {
			return analysis{err: err}
		}
		if len(l.candidates) == 0 {
			l.score = r.Score
		}
		c := analysed{turn: r.Turn, line: r.Line}
		if after := v.after(game, r.Turn, i); after != nil {
			if c.after, err = v.search(ctx, after, &engine.Limits{}); err != nil {
				return analysis{err: err}
			}
		}
		l.candidates = append(l.candidates, c)
	}
	return l
}

// after returns the game with a turn at position i, nil if it is over or the turn is the one that
// was played.
func (v *review) after(game *arimaa.Game, t arimaa.Turn, i int) *arimaa.Game {
	game = game.At(i)
	if game.Play(t) != nil || game.Outcome().Over() || game.Last() == v.played(i) {
		return nil
	}
	return game
}

// played returns the position after the turn that was played at position i, the zero one at the
// end.
func (r *Review) played(i int) (after arimaa.Position) {
	if i < r.Record.Game.Len() {
		after = r.Record.Game.Position(i + 1)
	}
	return after
}

// evaluate combines the engine's analyses with what is proved, and grades the turns. If the context
// is done before the end there are no evaluations.
//
// A shallow search overestimates the side to move. So a turn is not graded by the score before it:
// the candidates and the turn that was played are compared by the scores after them, each from a
// search of its own.
func (v *review) evaluate(ctx context.Context, analyses <-chan []analysis) error {
	found, ok := <-analyses
	if !ok {
		return nil
	}
	n := v.Record.Game.Len()
	all := make([]Evaluation, n+1)
	for i := n; i >= 0; i-- {
		if ctx.Err() != nil {
			return nil
		}
		v.rest()
		if err := v.evaluatePosition(ctx, found[i], all, i); err != nil {
			return fmt.Errorf("turn %s: %w", v.Record.Game.Label(i), err)
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	v.Evaluations = all
	for i := range v.Judgements {
		j := &v.Judgements[i]
		j.Fall, j.Grade = v.fall(i)
	}
	return nil
}

// fall returns what turn i lost in winning chances against the best turn, and its grade, given the
// evaluations.
func (r *Review) fall(i int) (fall float64, grade Grade) {
	if best := r.Evaluations[i].Best; len(best) > 0 {
		fall = r.goldAfter(i, best[0].Chance) - r.GoldChance(i+1)
		if side(r.Record.Game, i) == arimaa.Silver {
			fall = -fall
		}
		fall = max(0, fall)
	}
	return fall, gradeOf(fall)
}

// evaluatePosition evaluates position i. All later ones have been evaluated.
func (v *review) evaluatePosition(ctx context.Context, l analysis, all []Evaluation, i int) error {
	game, s, e := v.Record.Game.At(i), &v.Standings[i], &all[i]
	if l.err != nil {
		return l.err
	}
	if o := game.Outcome(); o.Over() {
		if s.Win.Proved() {
			e.Chance = 1
		}
		return nil
	}
	e.Score, e.Chance = l.score, engine.Chance(l.score)
	switch {
	case s.Win.Proved():
		e.Chance, e.Best = 1, []Candidate{{v.winningLine(i), 1}}
		return nil
	case s.Loss.Proved():
		e.Chance = 0
		if len(l.candidates) > 0 {
			e.Best = []Candidate{{playable(game, l.candidates[0].line), 0}}
		}
		return nil
	}
	for _, c := range l.candidates {
		best, err := v.candidate(game, c.turn, &c.after, all, i)
		if err != nil {
			return err
		}
		e.Best = append(e.Best, best)
	}
	if err := v.holding(ctx, game, all, i); err != nil {
		return err
	}
	e.Best = bestFirst(e.Best, candidates)
	return nil
}

// holding asks which candidates at position i hold, if the turn that was played lost or if other
// turns are known to hold. If any do, the candidates become the turns that hold longest, and the
// saving turns the best of these.
func (v *review) holding(ctx context.Context, game *arimaa.Game, all []Evaluation, i int) error {
	s, e, lost := &v.Standings[i], &all[i], Fact{}
	if i < v.Record.Game.Len() {
		lost = v.Standings[i+1].Win
	}
	if !lost.Proved() && len(s.Saving) == 0 {
		return nil
	}
	turns, err := v.longest(ctx, e.Best, lost.Within, i)
	s.Saving = nil
	if err != nil || len(turns) == 0 || turns[0].Holds == 0 {
		return err
	}
	if s.Loss.Verdict == answer.Unknown && turns[0].Holds >= v.WinIn {
		s.Loss = v.none()
	}
	p := game.Last()
	var hold []Candidate
	for _, saving := range turns {
		after := p.AfterTurn(saving.Turn)
		if k := slices.IndexFunc(e.Best, func(c Candidate) bool { return p.AfterTurn(c.Turn()) == after }); k >= 0 {
			hold = append(hold, e.Best[k])
			continue
		}
		var report engine.Report
		if g := v.after(game, saving.Turn, i); g != nil {
			if report, err = v.search(ctx, g, &engine.Limits{}); err != nil {
				return err
			}
		}
		c, err := v.candidate(game, saving.Turn, &report, all, i)
		if err != nil {
			return err
		}
		hold = append(hold, c)
	}
	e.Best = bestFirst(hold, savingShown)
	for _, c := range e.Best {
		s.Saving = append(s.Saving, Saving{c.Turn(), turns[0].Holds})
	}
	return nil
}

// longest returns those of the candidates and of the saving turns at position i that hold longest.
// Candidates that are proved to lose get no chance, and are noted. The turn that was played lost in
// a number of turns, 0 if it did not.
func (v *review) longest(ctx context.Context, candidates []Candidate, lost, i int) (turns []Saving, err error) {
	s, p := &v.Standings[i], v.Record.Game.Position(i)
	limited, cancel := v.solver.Start(ctx, v.Options.Limit)
	defer cancel()
	add := func(t arimaa.Turn, holds int) {
		after := p.AfterTurn(t)
		same := func(known Saving) bool { return p.AfterTurn(known.Turn) == after }
		if k := slices.IndexFunc(turns, same); k >= 0 {
			turns[k].Holds = max(turns[k].Holds, holds)
		} else {
			turns = append(turns, Saving{t, holds})
		}
	}
	for k := range candidates {
		c := &candidates[k]
		after := p.AfterTurn(c.Turn())
		if after == v.played(i) || c.Chance == 0 {
			continue
		}
		a, allowed, err := v.reply(limited, v.solver, after, c.Turn(), v.history(i))
		switch {
		case err != nil:
			return nil, err
		case !allowed:
		case a.Verdict == answer.Proved:
			c.Chance = 0
			s.loses = append(s.loses, c.Turn())
		case a.Refuted >= max(1, min(lost, v.WinIn)):
			add(c.Turn(), a.Refuted)
		}
	}
	s.Cut = s.Cut || answer.Cut(limited)
	for _, saving := range s.Saving {
		if !s.isLost(p, p.AfterTurn(saving.Turn)) {
			add(saving.Turn, saving.Holds)
		}
	}
	most := 0
	for _, t := range turns {
		most = max(most, t.Holds)
	}
	return slices.DeleteFunc(turns, func(t Saving) bool { return t.Holds < most }), nil
}

// bestFirst sorts candidates by their chances, and leaves out those after a number of them.
func bestFirst(all []Candidate, most int) []Candidate {
	slices.SortStableFunc(all, func(a, b Candidate) int { return cmp.Compare(b.Chance, a.Chance) })
	return all[:min(len(all), most)]
}

// search searches the last position of a game, and excludes the turn that it finds from the next
// search.
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

// candidate evaluates a turn at position i, the last one of game, by the engine's report on the
// position after it.
func (v *review) candidate(game *arimaa.Game, t arimaa.Turn, report *engine.Report, all []Evaluation, i int) (c Candidate, err error) {
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
	case after == v.played(i):
		c.Chance = 1 - all[i+1].Chance
		if best := all[i+1].Best; len(best) > 0 {
			c.Line = append(c.Line, best[0].Line...)
		}
	default:
		c.Line = append(c.Line, playable(game, report.Line)...)
		if !v.Standings[i].isLost(v.Record.Game.Position(i), after) {
			c.Chance = 1 - engine.Chance(report.Score)
		}
	}
	return c, nil
}

// playable returns the legal part of a line after a game; entries of the engine's tables may not
// fit together.
func playable(g *arimaa.Game, line []arimaa.Turn) []arimaa.Turn {
	g = g.At(g.Len())
	for n, t := range line {
		if g.Play(t) != nil {
			return line[:n]
		}
	}
	return line
}

// GoldChance returns Gold's winning chance at position i, 0 to 1, if there are evaluations. If
// nothing is proved it is the mean of the evaluations before the best turn, which overestimates the
// side to move, and after it, which overestimates the other.
func (r *Review) GoldChance(i int) float64 {
	e := &r.Evaluations[i]
	chance := e.Chance
	if len(e.Best) > 0 {
		chance = (chance + e.Best[0].Chance) / 2
	}
	return r.gold(i, chance)
}

// goldAfter converts the winning chance that a candidate at position i leaves its side to Gold's
// chance after that turn, on the scale of GoldChance. The chance comes from a single search; its
// odds get the correction that further searches made to the turn that was played. So the order of
// the candidates is kept.
func (r *Review) goldAfter(i int, chance float64) float64 {
	gold := r.gold(i, chance)
	if i == r.Record.Game.Len() {
		return gold
	}
	searched, corrected := r.gold(i, 1-r.Evaluations[i+1].Chance), r.GoldChance(i+1)
	for _, c := range []float64{gold, searched, corrected} {
		if c <= 0 || c >= 1 {
			return gold
		}
	}
	odds := gold / (1 - gold) * corrected / (1 - corrected) * (1 - searched) / searched
	return odds / (1 + odds)
}

// gold converts the winning chance of the side to move at position i to Gold's.
func (r *Review) gold(i int, chance float64) float64 {
	if side(r.Record.Game, i) == arimaa.Silver {
		return 1 - chance
	}
	return chance
}
