package player

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/goal"
	"goalproof/internal/printable"
	"goalproof/solve/report"
)

// Candidate is a turn of an analysis in JSON, with what it is worth: a fact, or the score of a
// search.
type Candidate struct {
	Turn  string   `json:"turn"`
	Wins  *int     `json:"wins_within"`  // turns within which it is proved to win, or null
	Loses *int     `json:"loses_within"` // turns of the opponent within which he is proved to win, or null
	Score *int     `json:"score"`        // for the side to move, in centi-rabbits; null if nothing was searched, or a fact says more
	Gold  *float64 `json:"gold_chance"`  // 0 to 1: 1 or 0 of a fact, else by the score; null if nothing was searched
	Depth *int     `json:"depth"`        // in steps; null like the score
	Found *string  `json:"found"`        // wins or loses, if the search sees that and nothing proves it
	Table *string  `json:"table"`        // what the turn is worth by an endgame table, or null
	report.Line
}

// CandidateOf returns the JSON of a report about the last position of a game.
func CandidateOf(g *arimaa.Game, r *engine.Report) (c Candidate) {
	p := g.Last()
	c.Line = LineOf(g, r.Line)
	c.Turn = p.Notation(r.Turn)
	if Searched(*r) || r.Loss > 0 || r.Tabled {
		c.Gold = new(math.Round(1e4*r.GoldChance(p.Side())) / 1e4)
	}
	if r.Win > 0 {
		c.Wins = &r.Win
	}
	if r.Loss > 0 {
		c.Loses = &r.Loss
	}
	if r.Tabled {
		c.Table = new(r.Value.String())
	}
	if r.Win > 0 || r.Tabled || !Searched(*r) {
		return c
	}
	switch c.Score, c.Depth = &r.Score, &r.Depth; {
	case r.Score >= engine.Won:
		c.Found = new("wins")
	case r.Score <= -engine.Won:
		c.Found = new("loses")
	}
	return c
}

// LineOf returns the main line after a game, as far as it can be played: entries of the engine's
// tables may not fit together.
func LineOf(g *arimaa.Game, line []arimaa.Turn) report.Line {
	g = g.At(g.Len())
	l := report.Line{Line: []string{}, Labels: []string{}}
	for _, turn := range line {
		label, p := g.Label(g.Len()), g.Last()
		if g.Play(turn) != nil {
			break
		}
		l.Line, l.Labels = append(l.Line, p.Notation(turn)), append(l.Labels, label)
	}
	return l
}

// Worth describes the value of a candidate of the side to move. Chances and scores are Gold's.
func Worth(r engine.Report, mover arimaa.Side) string {
	switch {
	case r.Tabled:
		return tabledWorth(r)
	case r.Win == 1:
		return "proved: wins"
	case r.Win > 1:
		return fmt.Sprintf("proved: wins within %d turns", r.Win)
	case r.Loss > 0:
		return fmt.Sprintf("proved: loses within %s", printable.Amount(r.Loss, "turn"))
	case r.Score >= engine.Won:
		return fmt.Sprintf("the engine sees a win, depth %d", r.Depth)
	case r.Score <= -engine.Won:
		return fmt.Sprintf("the engine sees a loss, depth %d", r.Depth)
	case !Searched(r):
		return "not searched"
	}
	return fmt.Sprintf("gold %s, %+d, depth %d", engine.Percent(r.GoldChance(mover)), engine.GoldScore(r.Score, mover), r.Depth)
}

// tabledWorth describes the value of a turn by an endgame table.
func tabledWorth(r engine.Report) string {
	n, loses := r.Value.Loss()
	switch {
	case r.Win == 1:
		return "proved: wins"
	case r.Win > 1:
		return fmt.Sprintf("proved: wins in %d turns, endgame table", r.Win)
	case loses:
		return fmt.Sprintf("loses in %s, endgame table, %s", printable.Amount(n, "turn"), answer.Rule)
	}
	n, _ = r.Value.Win()
	return fmt.Sprintf("wins in %s, endgame table, %s", printable.Amount(n, "turn"), answer.Rule)
}

// Searched reports whether anything is known of a candidate.
func Searched(r engine.Report) bool { return r.Depth > 0 || r.Win > 0 || r.Score != 0 }

// Settle adds to reports about turns of the last position of a game what the rules and package goal
// prove of each without a search: that the turn wins at once, and that it loses, because the game
// is over or the opponent wins at once. Wins then come first and losses last; otherwise the order
// stays.
//
// The history of the game changes neither: a position in which a game is over has not occurred
// before.
func Settle(d *goal.Detector, g *arimaa.Game, all []engine.Report) {
	side := g.Last()
	for i := range all {
		r := &all[i]
		after := g.At(g.Len())
		if after.Play(r.Turn) != nil {
			continue
		}
		switch o, p := after.Outcome(), after.Last(); {
		case o.Over() && o.Winner == side.Side():
			r.Win = 1
		case o.Over():
			r.Loss = 1
		case r.Win > 0:
		default:
			if _, wins := d.CanWin(&p, &p.Board); wins {
				r.Loss = 1
			}
		}
	}
	rank := func(r *engine.Report) int {
		switch {
		case r.Win > 0:
			return 0
		case r.Loss == 0:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(all, func(a, b engine.Report) int { return cmp.Compare(rank(&a), rank(&b)) })
}
