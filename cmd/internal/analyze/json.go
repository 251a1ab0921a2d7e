package analyze

import (
	"time"

	"goalproof/cmd/internal/inputs"
	"goalproof/engine/player"
)

// fields are the JSON of a position.
type fields struct {
	inputs.About
	Side       string             `json:"side"`
	Made       *string            `json:"made"`
	Candidates []player.Candidate `json:"candidates"`
	Seconds    float64            `json:"seconds"`
}

// fields returns the JSON of the analysis.
func (a *analysis) fields(used time.Duration) fields {
	p := a.game.Last()
	f := fields{About: a.about, Side: p.Side().String(), Candidates: []player.Candidate{}, Seconds: used.Seconds()}
	if a.made.Len() > 0 {
		f.Made = &a.flags.made
	}
	for _, r := range a.best {
		c := player.CandidateOf(a.game, &r)
		if len(c.Labels) > 0 {
			c.Turn = withoutSteps(c.Line.Line[0], a.made.Len())
		}
		f.Candidates = append(f.Candidates, c)
	}
	return f
}
