package analyze

import (
	"math"
	"time"

	"goalproof/arimaa"
	"goalproof/cmd/internal/search"
	"goalproof/engine"
)

// fields are what is written of a position with --json.
type fields struct {
	File       string      `json:"file"`
	Position   string      `json:"position"`
	History    *string     `json:"history"`
	Side       string      `json:"side"`
	Made       *string     `json:"made"`
	Candidates []candidate `json:"candidates"`
	Seconds    float64     `json:"seconds"`
}

// candidate is a turn.
type candidate struct {
	Turn   string   `json:"turn"`
	Win    *int     `json:"win"`
	Loss   *int     `json:"loss"`
	Score  *int     `json:"score"`
	Gold   *float64 `json:"gold_chance"`
	Depth  *int     `json:"depth"`
	Found  *string  `json:"found"`
	Table  *string  `json:"table"`
	Line   []string `json:"line"`
	Labels []string `json:"labels"`
}

// fields returns what is written of an analysis.
func (a *analysis) fields(used time.Duration) fields {
	p := a.game.Last()
	f := fields{File: a.name, Position: p.String(), History: a.history, Side: p.Side().String(), Candidates: []candidate{}, Seconds: used.Seconds()}
	if a.made.Len() > 0 {
		f.Made = &a.flags.made
	}
	for _, r := range a.best {
		c := newCandidate(r, p.Side())
		line := a.game.At(a.game.Len())
		for i, turn := range r.Line {
			label, p := line.Label(line.Len()), line.Last()
			if line.Play(turn) != nil {
				break // what the engine's tables remember may not fit together
			}
			if i == 0 {
				c.Turn = rest(p.Notation(turn), a.made.Len())
			}
			c.Line, c.Labels = append(c.Line, p.Notation(turn)), append(c.Labels, label)
		}
		f.Candidates = append(f.Candidates, c)
	}
	return f
}

// newCandidate returns what a report says of a turn: a fact, or the score of a search.
func newCandidate(r engine.Report, mover arimaa.Side) (c candidate) {
	if search.Searched(r) || r.Loss > 0 || r.Tabled {
		c.Gold = new(math.Round(1e4*r.GoldChance(mover)) / 1e4)
	}
	if r.Win > 0 {
		c.Win = &r.Win
	}
	if r.Loss > 0 {
		c.Loss = &r.Loss
	}
	if r.Tabled {
		value := r.Value.String()
		c.Table = &value
	}
	if r.Win > 0 || r.Tabled || !search.Searched(r) {
		return c
	}
	c.Score, c.Depth = &r.Score, &r.Depth
	found := ""
	switch {
	case r.Score >= engine.Won:
		found = "wins"
	case r.Score <= -engine.Won:
		found = "loses"
	default:
		return c
	}
	c.Found = &found
	return c
}
