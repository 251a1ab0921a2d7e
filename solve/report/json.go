package report

import (
	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/solve"
)

// Bounds are [answer.Bounds] in JSON.
type Bounds struct {
	Least   *int `json:"least"`   // the least number of turns; null if it is not known
	Within  *int `json:"within"`  // the least number of turns proved; null if no win is
	Refuted int  `json:"refuted"` // the greatest number of turns disproved; 0 if none is
}

// BoundsOf writes bounds down.
func BoundsOf(b answer.Bounds) Bounds {
	j := Bounds{Refuted: b.Refuted}
	if b.Within > 0 {
		j.Within = &b.Within
	}
	if b.Exact() {
		j.Least = &b.Within
	}
	return j
}

// Line is a line in JSON.
type Line struct {
	Line   []string `json:"line"`   // turns in notation
	Labels []string `json:"labels"` // of these turns, such as "34g"; without a line those of a refutation
}

// LineOf writes plies down; the first has a number.
func LineOf(number int, plies []solve.Ply) Line {
	l := Line{[]string{}, []string{}}
	for i, ply := range plies {
		l.Line = append(l.Line, Notation(ply))
		l.Labels = append(l.Labels, arimaa.LabelAfter(number, plies[0].Before.Side(), i))
	}
	return l
}

// Solution is a first turn that keeps the shortest win, in JSON.
type Solution struct {
	Turn      string `json:"turn"`
	Essential bool   `json:"essential"` // no other solution lies on the way to it
}

// Answer is an answer in JSON. For another aim than the win, what is said of a win is said of
// reaching it.
type Answer struct {
	Goal    string `json:"goal"`    // what was asked for, as the flag --goal names it
	Verdict string `json:"verdict"` // proved, disproved or unknown
	Bounds
	Line
	EndsBy     *string    `json:"ends_by"`    // how the line ends, such as "goal"; capture or rabbit if it ends with that alone
	Tried      *string    `json:"try"`        // the first turn that all else is about, or null
	Refutation []string   `json:"refutation"` // of a turn that does not win: the turn, and the reply that refutes it if it takes one; else null
	Solutions  []Solution `json:"solutions"`  // null if nobody asked, or there is no win
	Unique     *bool      `json:"unique"`     // there is one solution; null unless all are known
	// EssentiallyUnique: there is one essential solution; null unless all are known.
	EssentiallyUnique *bool   `json:"essentially_unique"`
	Repetition        *string `json:"repetition"`      // of a "no", and of the least number: "set aside" or "counted"; null of an error
	Stopped           *string `json:"stopped"`         // why the verdict is unknown, or the least number
	Table             *string `json:"table"`           // what the position is worth by an endgame table, or null
	TablePositions    uint64  `json:"table_positions"` // positions of the search that endgame tables decided
	Nodes             uint64  `json:"nodes"`
	Seconds           float64 `json:"seconds"`
}

// JSON writes the answer down.
func (r *Report) JSON() Answer {
	a := Answer{Goal: r.Aim.String(), Verdict: r.Verdict.String(), Bounds: BoundsOf(r.Bounds), Line: LineOf(r.Number, r.Line),
		Repetition: new(answer.Repetition(r.Game == nil || r.Answer.Aside)), TablePositions: r.Probes, Nodes: r.Nodes, Seconds: r.Time.Seconds()}
	if n := len(r.Line); n > 0 {
		a.EndsBy = r.endsBy(&r.Line[n-1])
	}
	if r.Tried != "" {
		a.Tried = &r.Tried
	}
	if len(r.Refutation) > 0 {
		refuting := LineOf(r.Number, r.Refutation)
		a.Refutation, a.Labels = refuting.Line, refuting.Labels
	}
	if r.Verdict != answer.Disproved && r.Stop != answer.Finished {
		a.Stopped = new(r.Stop.String())
	}
	if r.Tabled {
		a.Table = new(r.Value.String())
	}
	if r.All && r.Verdict == answer.Proved {
		a.Solutions = []Solution{}
		for _, s := range r.Solutions {
			a.Solutions = append(a.Solutions, Solution{r.Position.Notation(s.Turn), s.Essential})
		}
		if n := len(r.Solutions); n > 0 && r.Listing == answer.Finished {
			a.Unique, a.EssentiallyUnique = new(n == 1), new(r.Essential() == 1)
		}
	}
	return a
}

// endsBy says how a line ends, nil if it breaks off.
func (r *Report) endsBy(last *solve.Ply) *string {
	switch {
	case last.Outcome.Over():
		return new(last.Outcome.Reason.String())
	case last.Reached && r.Aim.IsCapture():
		return new("capture")
	case last.Reached:
		return new("rabbit")
	}
	return nil
}

// Win is what is known of a win, in JSON.
type Win struct {
	Verdict string `json:"verdict"` // proved, disproved or unknown
	Bounds
	Turn *string `json:"turn"` // that begins it, if its side is to move; else null
}

// WinOf writes a win down. The turn is the zero turn, or one at p.
func WinOf(v answer.Verdict, b answer.Bounds, p *arimaa.Position, turn arimaa.Turn) Win {
	j := Win{Verdict: v.String(), Bounds: BoundsOf(b)}
	if turn.Len() > 0 {
		j.Turn = new(p.Notation(turn))
	}
	return j
}
