// Package report puts answers of package solve into words and into JSON. What commands and the
// studio say about an answer, they say in these words, and write in this form.
//
// Every sentence states what was proved and no more: what sets the third repetition aside says so
// where that could matter, and a bound that may not be the least number of turns is called one ("at
// most").
package report

import (
	"fmt"
	"io"
	"strconv"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/printable"
	"goalproof/solve"
)

// Report is an answer with its question, and what was made of it.
type Report struct {
	solve.Question
	solve.Answer
	// Tried is the first turn, as it was written, if the answer is about this turn alone
	// ([solve.Solver.Try]); else "".
	Tried       string
	Certificate string // what became of the proof: accepted, sampled, written, or "" if there is none
}

// aside returns in brackets that a "no" sets the third repetition aside, or "". For one turn the
// rule changes nothing.
func (r *Report) aside() string {
	return answer.Aside((r.Game == nil || r.Answer.Aside) && r.Refuted > 1)
}

// Sentence says the answer in one or two sentences.
func (r *Report) Sentence() string {
	side := r.Position.Side()
	switch {
	case r.Tried != "":
		return r.tried(side)
	case r.Verdict == answer.Proved:
		return r.proved(side)
	case r.Verdict == answer.Disproved:
		return r.disproved(side)
	}
	sought := "a win"
	if !r.Aim.Win() {
		sought = "a way to " + r.Aim.Infinitive()
	}
	text := fmt.Sprintf("Unknown: %v while looking for %s in %s.", r.Stop, sought, turns(r.Refuted+1))
	if r.Refuted > 0 {
		text += fmt.Sprintf(" There is none in %s%s.", turns(r.Refuted), r.aside())
	}
	return text
}

// proved is the sentence about a win, or another aim.
func (r *Report) proved(side arimaa.Side) string {
	checked, by := "", ""
	if r.Certificate == "accepted" {
		checked = ", checked"
	}
	if r.Tabled {
		by = " (endgame table)"
	}
	if r.Exact() {
		return fmt.Sprintf("Proved%s: %v %s in %s%s.", checked, side, r.Aim.Present(), turns(r.Within), by)
	}
	text := fmt.Sprintf("Proved%s: %v %s in at most %s.", checked, side, r.Aim.Present(), turns(r.Within))
	if r.Refuted > 0 {
		text += fmt.Sprintf(" There is no %v in %d%s.", r.Aim, r.Refuted, r.aside())
	}
	open := strconv.Itoa(r.Within - 1)
	if r.Refuted+1 < r.Within-1 {
		open = fmt.Sprintf("%d to %d", r.Refuted+1, r.Within-1)
	}
	text += fmt.Sprintf(" Whether it %s in %s is not known", r.Aim.Present(), open)
	if r.Stop != answer.Finished { // any win would do
		text += fmt.Sprintf(" (%v)", r.Stop)
	}
	return text + "."
}

// disproved is the sentence about a "no".
func (r *Report) disproved(side arimaa.Side) string {
	text := "Disproved"
	switch r.Certificate {
	case "accepted":
		text = "Disproved, checked"
	case "sampled":
		text = "Disproved, a sample checked"
	}
	says := fmt.Sprintf("%v cannot %s in %s%s", side, r.Aim.Infinitive(), turns(r.Refuted), r.aside())
	switch {
	case r.Tabled:
		says = fmt.Sprintf("%v has %s", side, r.tabled())
	case r.Aim.Win():
		says = fmt.Sprintf("%v has no win in %s%s", side, turns(r.Refuted), r.aside())
	}
	text += ": " + says + "."
	if r.Certificate != "" && r.Game != nil {
		text += " The certificate is of the position without its history, " + answer.Rule + "."
	}
	return text
}

// tabled says what an endgame table knows of a position in which there is no win so soon.
func (r *Report) tabled() string {
	if n, loses := r.Value.Loss(); loses {
		return fmt.Sprintf("no win, and loses in %s (endgame table)", turns(n))
	}
	by := " (endgame table)"
	if r.aside() != "" {
		by = " (endgame table; " + answer.Rule + ")"
	}
	if n, wins := r.Value.Win(); wins {
		return fmt.Sprintf("no win in %s, but one in %d%s", turns(r.Refuted), n, by)
	}
	return "no win: neither side can force one" + by
}

// tried is the sentence about a first turn, with the reply that refutes it.
func (r *Report) tried(side arimaa.Side) string {
	switch r.Verdict {
	case answer.Proved:
		return fmt.Sprintf("Proved: with %s %v wins in %s%s.", r.Tried, side, r.AtMost(), turns(r.Within))
	case answer.Unknown:
		return fmt.Sprintf("Unknown: %v before it was decided whether %v wins with %s.", r.Stop, side, r.Tried)
	}
	text := fmt.Sprintf("Disproved: with %s %v has no win in %s%s.", r.Tried, side, turns(r.Refuted), r.aside())
	switch n := len(r.Refutation); {
	case n > 1:
		reply := r.Refutation[1]
		text += fmt.Sprintf(" The reply %s refutes it", Notation(reply))
		if reply.Outcome.Over() {
			text += fmt.Sprintf(": %v wins by %v", reply.Outcome.Winner, reply.Outcome.Reason)
		}
		text += "."
	case n == 1 && r.Refutation[0].Outcome.Over():
		text += fmt.Sprintf(" It loses at once by %v.", r.Refutation[0].Outcome.Reason)
	case n == 1 && r.Refuted > 1:
		text += " (The limit was reached before the reply was found again.)"
	}
	return text
}

// Summary says the answer in a few words.
func (r *Report) Summary() string {
	with := ""
	if r.Tried != "" {
		with = " with " + r.Tried
	}
	switch {
	case r.Verdict == answer.Unknown:
		return fmt.Sprintf("unknown (%v), no %v in %d%s%s", r.Stop, r.Aim, r.Refuted, with, r.aside())
	case r.Verdict == answer.Disproved && r.Tabled:
		return r.tabled()
	case r.Verdict == answer.Disproved:
		text := fmt.Sprintf("no %v in %d%s%s", r.Aim, r.Refuted, with, r.aside())
		if len(r.Refutation) > 1 {
			text += ": " + Notation(r.Refutation[1])
		}
		return text
	case r.Tried != "":
		return fmt.Sprintf("win in %s with %s", r.In(), r.Tried)
	}
	text := fmt.Sprintf("%v in %d", r.Aim, r.Within)
	switch last := r.Line[len(r.Line)-1]; {
	case !r.Exact():
		text = fmt.Sprintf("%v in at most %d (%v), no %v in %d%s", r.Aim, r.Within, r.Stop, r.Aim, r.Refuted, r.aside())
	case r.Tabled:
		text += " (endgame table)"
	case !r.Aim.Win() && last.Outcome.Over():
		text += ", by a win"
	}
	if r.Certificate == "accepted" {
		text = "checked " + text
	}
	text += ": " + Notation(r.Line[0])
	if r.All {
		text += fmt.Sprintf(" (%s)%s", r.solutions(), r.listAside())
	}
	return text
}

// Listed says what the list of solutions means: "" if there is none.
func (r *Report) Listed() string {
	if !r.All || r.Verdict != answer.Proved {
		return ""
	}
	return fmt.Sprintf("First turns that %s in %d%s: %s.", r.Aim.Infinitive(), r.Within, r.listAside(), r.solutions())
}

// listAside labels a list of solutions of a game, which sets the third repetition aside.
func (r *Report) listAside() string { return answer.Aside(r.Game != nil) }

// solutions says in a few words how many solutions there are.
func (r *Report) solutions() string {
	n, essential := len(r.Solutions), r.Essential()
	switch {
	case !r.Exact():
		return "not listed: the shortest win is not known"
	case r.Listing != answer.Finished:
		return fmt.Sprintf("at least %s: %v", printable.Amount(n, "solution"), r.Listing)
	case n == 0:
		return "not listed: that depends on the repetitions of this game"
	case n == 1:
		return "unique"
	case essential == 1:
		return fmt.Sprintf("essentially unique, %d solutions", n)
	}
	return fmt.Sprintf("%d solutions, %d essential", n, essential)
}

// Write writes the sentence, the line and the list of solutions for people.
func (r *Report) Write(w io.Writer) {
	fmt.Fprintln(w, r.Sentence())
	r.writeLine(w)
	if listed := r.Listed(); listed != "" {
		fmt.Fprintln(w, listed)
		for _, s := range r.Solutions {
			mark := " "
			if s.Essential {
				mark = "*"
			}
			fmt.Fprintf(w, "  %s %s\n", mark, r.Position.Notation(s.Turn))
		}
		fmt.Fprintln(w)
	}
}

// writeLine writes the winning turn and the line that it begins.
func (r *Report) writeLine(w io.Writer) {
	if len(r.Line) == 0 {
		return
	}
	first := "Winning turn"
	if !r.Aim.Win() {
		first = "First turn"
	}
	fmt.Fprintf(w, "\n%s: %s\n", first, Notation(r.Line[0]))
	if len(r.Line) > 1 {
		known := ""
		if r.Within > solve.SureLine && !r.Tabled {
			known = " known"
		}
		fmt.Fprintf(w, "With the longest defence%s:\n", known)
		for i, ply := range r.Line {
			fmt.Fprintf(w, "  %4s  %s\n", r.Label(i), Notation(ply))
		}
	}
	switch last := r.Line[len(r.Line)-1]; {
	case last.Outcome.Over():
		fmt.Fprintf(w, "Ends by %v.\n", last.Outcome.Reason)
	case last.Reached:
		fmt.Fprintf(w, "With this %v %s.\n", r.Position.Side(), r.Aim.Present())
	default:
		fmt.Fprintln(w, "(The line breaks off: the limit was reached, or it was interrupted.)")
	}
	fmt.Fprintln(w)
}

// Label returns the label of the turn that comes so many turns after the position, such as "34g".
func (r *Report) Label(turns int) string {
	return arimaa.LabelAfter(r.Number, r.Position.Side(), turns)
}

// Notation writes the turn of a ply with its captures.
func Notation(p solve.Ply) string { return p.Before.Notation(p.Turn) }

func turns(n int) string { return printable.Amount(n, "turn") }
