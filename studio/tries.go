package studio

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/printable"
	"goalproof/puzzles"
	"goalproof/puzzles/describe"
	"goalproof/solve"
	"goalproof/solve/report"
)

// withoutHistory is said of what leaves the history of a game out.
const withoutHistory = " This is about the position without its history, " + answer.Rule + "."

// triesRequest asks for the phases of a position: near tries, which are first turns that are no
// solutions and leave the defender few replies after which there is no win at once, set play, duals
// and short solutions.
type triesRequest struct {
	asking
	// Claim is the number of turns in which a puzzle says that it wins, for short solutions; 0: nobody
	// says so.
	Claim int `json:"claim,omitempty"`
}

// Tries are the near tries of a position, and its other phases.
type Tries struct {
	// WinIn is the number of turns in which the win is looked for: that of the shortest win or, if
	// there is none, the greatest number for which that is known.
	WinIn     int       `json:"win_in"`
	Total     int       `json:"total"`     // near tries; more than are listed if there are many
	Essential int       `json:"essential"` // of them
	Tries     []NearTry `json:"tries"`     // essential ones first, then those with fewer defences
	// Phases has all phases in the words of solve --tries.
	Phases []puzzles.Part `json:"phases"`
}

// NearTry is a near try.
type NearTry struct {
	Turn      string        `json:"turn"`
	Essential bool          `json:"essential"` // no other near try lies on the way to it
	Threatens bool          `json:"threatens"` // it threatens to win at once
	Says      string        `json:"says"`
	Defences  []NearDefence `json:"defences"` // at most three: all replies that leave no win at once
}

// NearDefence is a reply to a near try.
type NearDefence struct {
	Turn    string `json:"turn"`
	Refutes *bool  `json:"refutes"`     // no win is left in the turns that are; null if that is not known
	Within  *int   `json:"wins_within"` // if it does not refute: in so many turns there is a win; else null
	Says    string `json:"says"`
}

func (r *triesRequest) submit(s *Server) (Job, error) {
	return r.ask(s, r, true, func(a *asked) error {
		if err := within("claim", r.Claim, 0); err != nil {
			return err
		}
		// The list of solutions sets the third repetition aside, and so do the tries.
		a.question.All, a.question.NoLine, a.question.Game = true, true, nil
		a.find = func(ctx context.Context, solver *solve.Solver) (solve.Answer, error) {
			limited, cancel := answer.Share(ctx, 2)
			defer cancel()
			return solver.Solve(limited, a.question)
		}
		a.then = func(ctx context.Context, _ *job, solver *solve.Solver, found *report.Report, result *Result) error {
			return a.listTries(ctx, solver, found, r.Claim, result)
		}
		return nil
	})
}

// listTries adds the phases of a win that is claimed in a number of turns to an answer; 0: none is.
func (a *asked) listTries(ctx context.Context, solver *solve.Solver, found *report.Report, claim int, r *Result) error {
	if a.point.game.Len() > 0 {
		r.Says += withoutHistory
	}
	switch {
	case found.Verdict == answer.Unknown:
		return unlisted(r.Says, "there may be a longer win", found.Stop)
	case found.Verdict == answer.Proved && !found.Answer.Exact():
		return unlisted(r.Says, "the shortest win is not known", found.Stop)
	case found.Verdict == answer.Proved && found.Listing != answer.Finished:
		return unlisted(r.Says, "not all solutions are known", found.Listing)
	}
	d := describe.Describer{Solver: solver}
	f, _, err := d.Phases(ctx, a.question.Position, &found.Answer, claim)
	switch {
	case err != nil:
		return err
	case f.Stop != answer.Finished:
		return unlisted(r.Says, "not all turns were looked at", f.Stop)
	}
	phases := puzzles.Phases{Phases: f, Position: a.question.Position, Claim: claim}
	r.Tries = &Tries{WinIn: f.N, Total: len(f.Tries), Tries: []NearTry{}, Phases: phases.Parts()}
	for i := range f.Tries {
		if f.Tries[i].Essential {
			r.Tries.Essential++
		}
		if i < describe.MaxTries {
			r.Tries.Tries = append(r.Tries.Tries, nearTry(&a.question.Position, &f.Tries[i], f.N))
		}
	}
	if f.N < 2 {
		r.Says += " Near tries are those at wins in 2 or more."
	} else {
		r.Says += fmt.Sprintf(" Near tries: %d, essential ones: %d.", r.Tries.Total, r.Tries.Essential)
	}
	return nil
}

// unlisted is the error where the tries cannot be listed. It begins with the verdict on the win.
func unlisted(known, why string, stop answer.Stop) error {
	return errors.New(known + fmt.Sprintf(" The tries are not listed: %s (%v).", why, stop))
}

// nearTry returns a near try of a win in n, with what its defences do.
func nearTry(p *arimaa.Position, t *describe.Try, n int) NearTry {
	v := NearTry{Turn: p.Notation(t.Turn), Essential: t.Essential, Threatens: t.Threatens, Defences: []NearDefence{}}
	var turns []string
	for i, reply := range t.Defences {
		one := nearDefence(&t.Left[i], n-1)
		one.Turn = t.After.Notation(reply)
		v.Defences, turns = append(v.Defences, one), append(turns, one.Turn)
	}
	v.Says = fmt.Sprintf("leaves %s: %s", printable.Amount(len(turns), "defence"), strings.Join(turns, " / "))
	return v
}

// nearDefence says whether the attacker wins after a defence in the n turns that are left.
func nearDefence(left *describe.Win, n int) (d NearDefence) {
	switch left.Verdict {
	case answer.Proved:
		d.Refutes, d.Within = new(false), &left.Within
		d.Says = "a win in " + left.In() + " is left"
	case answer.Disproved:
		d.Refutes = new(true)
		d.Says = fmt.Sprintf("no win in %d is left%s", n, answer.Aside(n > 1))
	default:
		d.Says = fmt.Sprintf("whether a win in %d is left is not known", n)
	}
	return d
}
