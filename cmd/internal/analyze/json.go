package analyze

import (
	"math"
	"time"

	"goalproof/arimaa"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/search"
	"goalproof/engine"
	"goalproof/solve/report"
)

// fields are the JSON of a position.
type fields struct {
	inputs.About
	Side       string      `json:"side"`
	Made       *string     `json:"made"`
	Candidates []candidate `json:"candidates"`
	Seconds    float64     `json:"seconds"`
}

// candidate is the JSON of a turn.
type candidate struct {
	Turn  string   `json:"turn"`
	Wins  *int     `json:"wins_within"`
	Loses *int     `json:"loses_within"`
	Score *int     `json:"score"`
	Gold  *float64 `json:"gold_chance"`
	Depth *int     `json:"depth"`
	Found *string  `json:"found"`
	Table *string  `json:"table"`
	report.Line
}

// fields returns the JSON of the analysis.
func (a *analysis) fields(used time.Duration) fields {
	p := a.game.Last()
	f := fields{About: a.about, Side: p.Side().String(), Candidates: []candidate{}, Seconds: used.Seconds()}
	if a.made.Len() > 0 {
		f.Made = &a.flags.made
	}
	for _, r := range a.best {
		c := newCandidate(r, p.Side())
		if c.Line = a.line(r); len(c.Labels) > 0 {
			c.Turn = withoutSteps(c.Line.Line[0], a.made.Len())
		}
		f.Candidates = append(f.Candidates, c)
	}
	return f
}

// line returns the main line of a candidate, as far as it can be played.
func (a *analysis) line(r engine.Report) (l report.Line) {
	game := a.game.At(a.game.Len())
	for _, turn := range r.Line {
		label, p := game.Label(game.Len()), game.Last()
		if game.Play(turn) != nil {
			break // entries of the engine's tables may not fit together
		}
		l.Line, l.Labels = append(l.Line, p.Notation(turn)), append(l.Labels, label)
	}
	return l
}

// newCandidate returns the JSON of a report: a fact, or the score of a search.
func newCandidate(r engine.Report, mover arimaa.Side) (c candidate) {
	if search.Searched(r) || r.Loss > 0 || r.Tabled {
		c.Gold = new(math.Round(1e4*r.GoldChance(mover)) / 1e4)
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
	if r.Win > 0 || r.Tabled || !search.Searched(r) {
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
