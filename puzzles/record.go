package puzzles

import (
	"goalproof/solve/report"
)

// Record is a result as goalproof verify --json and the studio write it.
type Record struct {
	File         string  `json:"file"`
	Name         string  `json:"name"`
	Position     *string `json:"position"`      // null: it could not be read
	Solution     *string `json:"solution"`      // as given, or null
	SolutionFrom *string `json:"solution_from"` // the words among prose from which it was taken, or null
	Claim        *int    `json:"claim"`         // turns, or null
	ClaimFrom    *string `json:"claim_from"`    // the words among prose from which it was taken, or null
	ClaimTrue    *bool   `json:"claim_true"`    // null if there is no claim, or it is not known
	Verdict      string  `json:"verdict"`       // proved, disproved, unknown, or error
	report.Bounds
	Solutions []FirstTurn `json:"solutions"` // those found, fewest steps first; null without a win
	Unique    *bool       `json:"unique"`    // there is one solution; null if that is not known
	// EssentiallyUnique: there is one essential solution; null unless all are known.
	EssentiallyUnique *bool        `json:"essentially_unique"`
	SolutionOK        *bool        `json:"solution_ok"` // the given solution is one; null if none is given, or it is not known
	Line              []string     `json:"line"`        // the win against the longest defence; null without one
	Refutation        []string     `json:"refutation"`  // why the given solution or the claim is wrong: see [Result]; or null
	Shows             *string      `json:"shows"`       // what the refutation shows, in words
	Certificate       *string      `json:"certificate"` // accepted, sampled, written, rejected, or null
	Table             *string      `json:"table"`       // what the position is worth by an endgame table, or null
	Impossible        *string      `json:"impossible"`  // why no game leads to the position, or null if that is not known
	Themes            []string     `json:"themes"`      // of the solutions; null if nobody asked
	Difficulty        *float64     `json:"difficulty"`  // 0 to 10, or null
	Tries             *TriesRecord `json:"tries"`       // near tries, set play and duals; null if nobody asked
	Open              []Gap        `json:"open"`        // what is not known of what was asked for, or null
	Seconds           float64      `json:"seconds"`
	// Notes say what was mended in the text.
	Notes []string `json:"notes,omitempty"`
	Error *string  `json:"error"`
}

// FirstTurn is a solution in a [Record].
type FirstTurn struct {
	Turn      string `json:"turn"`
	Essential *bool  `json:"essential"` // null unless all solutions are known
	Given     bool   `json:"given"`
}

// Record returns the result as a record.
func (r *Result) Record() Record {
	k := Record{File: r.Puzzle.File, Name: r.Puzzle.Name, Verdict: r.Word(), Bounds: report.BoundsOf(r.Bounds), SolutionOK: r.SolutionOK,
		Solution: text(r.Puzzle.Solution), SolutionFrom: text(r.Puzzle.SolutionFrom), ClaimFrom: text(r.Puzzle.ClaimFrom),
		Line: r.Line, Refutation: r.Refutation, Shows: text(r.Shows), Certificate: text(string(r.Certificate)), Table: text(r.Table), Impossible: text(r.Impossible),
		Open: r.Open, Notes: r.Puzzle.Notes, Seconds: r.Time.Seconds()}
	if r.Puzzle.Err == nil {
		k.Position = new(r.Puzzle.Position.String())
	}
	if r.Puzzle.Claim > 0 {
		k.Claim = &r.Puzzle.Claim
	}
	for i := range r.Solutions {
		s := &r.Solutions[i]
		turn := FirstTurn{Turn: s.Turn, Given: s.Given}
		if r.Listed {
			turn.Essential = &s.Essential
		}
		k.Solutions = append(k.Solutions, turn)
	}
	k.ClaimTrue, k.Unique, k.EssentiallyUnique = known(r.ClaimTrue()), known(r.Unique()), known(r.EssentiallyUnique())
	if z := r.Description; z != nil {
		k.Themes = z.Themes.Names()
		if d, ok := z.Difficulty(); ok {
			k.Difficulty = &d
		}
	}
	k.Tries = RecordTries(r.Phases, r.Unlisted)
	if r.Err != nil {
		k.Error = new(r.Err.Error())
	}
	return k
}

// text returns a text, or nil for the empty one.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// known returns an answer, or nil if it is not known.
func known(yes, known bool) *bool {
	if !known {
		return nil
	}
	return &yes
}
