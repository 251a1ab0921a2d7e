package solve

import (
	"context"
	"fmt"
	"strconv"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/arimaa/render"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
	"goalproof/solve"
)

// answered is a position about which something is known.
type answered struct {
	inputs.Item
	certificate string           // what became of the proof: written, accepted, sampled, or nothing
	variations  *solve.Variation // nil where there are none, or nobody asked for them
	description *description     // nil where nobody asked for it
}

// solved is a position with the answer to the question about it.
type solved struct {
	answered
	answer solve.Answer
	code   cli.Code
	cut    bool // time has ended a search that is limited in nodes
}

// ends takes note of the end of a limit.
func (s *solved) ends(ctx context.Context) { s.cut = s.cut || answer.Cut(ctx) }

// report writes what is known about one position.
func (f *flags) report(t cli.Terminal, it answered, a solve.Answer, more bool) {
	switch {
	case f.json:
		f.reportJSON(t, it, a)
	case it.Err != nil:
		fmt.Fprintf(t.Err, "goalproof: %s\n", notation.Explain(it.Err))
	case f.quiet:
		says := f.summary(it, a)
		if f.try != "" {
			says = f.trySummary(it, a)
		}
		fmt.Fprintf(t.Out, "%s: %s\n", it.Name, says)
	default:
		if more {
			fmt.Fprintln(t.Out)
		}
		says := f.sentence(it, a)
		if f.try != "" {
			says = f.trySentence(it, a)
		}
		fmt.Fprintf(t.Out, "%s\n%s\n%s\n", it.Name, render.Board(it.Diagram, t.Styled), says)
		f.writeLine(t, it, a)
		writeRefutation(t, it, a)
		f.writeSolutions(t, it, a)
		writeVariations(t, it)
		it.description.write(t.Out)
		f.search.Took(t, it.Name, a.Nodes, a.Time, probes(a))
	}
}

// sentence says the answer in one or two sentences.
func (f *flags) sentence(it answered, a solve.Answer) string {
	side := it.Diagram.Position.Side()
	aside := setAside(it, a) + "."
	sought, none := "a win", fmt.Sprintf("%v has no win", side)
	if !f.aim.Win() {
		sought, none = "a way to "+f.aim.Infinitive(), fmt.Sprintf("%v cannot %s", side, f.aim.Infinitive())
	}
	switch a.Verdict {
	case answer.Proved:
		checked, by := "", ""
		if it.certificate == "accepted" {
			checked = ", checked"
		}
		if a.Tabled {
			by = " (endgame table)"
		}
		if a.Exact() {
			return fmt.Sprintf("Proved%s: %v %s in %s%s.", checked, side, f.aim.Present(), cli.Amount(a.Within, "turn"), by)
		}
		text := fmt.Sprintf("Proved%s: %v wins in at most %s.", checked, side, cli.Amount(a.Within, "turn"))
		if a.Refuted > 0 {
			text += fmt.Sprintf(" There is no win in %d%s", a.Refuted, aside)
		}
		return text + fmt.Sprintf(" Whether it wins in %s is not known (%v).", between(a.Refuted+1, a.Within-1), a.Stop)
	case answer.Disproved:
		text := fmt.Sprintf("%s: %s in %s%s", disproved(it), none, cli.Amount(a.Refuted, "turn"), aside)
		if a.Tabled {
			text = fmt.Sprintf("%s: %v has %s.", disproved(it), side, tabled(it, a))
		}
		if it.certificate != "" && it.Game != nil {
			text += " The certificate is of the position without its history, the third repetition set aside."
		}
		return text
	}
	s := fmt.Sprintf("Unknown: %v", a.Stop)
	if a.Stop == answer.Interrupted {
		s = "Unknown: interrupted"
	}
	s += fmt.Sprintf(" while looking for %s in %s.", sought, cli.Amount(a.Refuted+1, "turn"))
	if a.Refuted > 0 {
		s += fmt.Sprintf(" There is none in %s%s", cli.Amount(a.Refuted, "turn"), aside)
	}
	return s
}

// between writes the numbers of turns from one to another.
func between(from, to int) string {
	if from == to {
		return strconv.Itoa(from)
	}
	return fmt.Sprintf("%d to %d", from, to)
}

// disproved says how sure a "no" is.
func disproved(it answered) string {
	switch it.certificate {
	case "accepted":
		return "Disproved, checked"
	case "sampled":
		return "Disproved, a sample checked"
	}
	return "Disproved"
}

// setAside labels a "no" that leaves the rule of the third repetition out. For one turn
// the rule changes nothing.
func setAside(it answered, a solve.Answer) string {
	if (it.Game == nil || a.Aside) && a.Refuted > 1 {
		return " (the third repetition set aside)"
	}
	return ""
}

// tabled says what an endgame table knows of a position in which there is no win so soon.
func tabled(it answered, a solve.Answer) string {
	by := " (endgame table)"
	if setAside(it, a) != "" {
		by = " (endgame table; the third repetition set aside)"
	}
	if n, loses := a.Value.Loss(); loses {
		return fmt.Sprintf("no win, and loses in %s (endgame table)", cli.Amount(n, "turn"))
	}
	if n, wins := a.Value.Win(); wins {
		return fmt.Sprintf("no win in %s, but one in %d%s", cli.Amount(a.Refuted, "turn"), n, by)
	}
	return "no win: neither side can force one" + by
}

// probes says how many positions of a search endgame tables decided.
func probes(a solve.Answer) string {
	if a.Probes == 0 {
		return ""
	}
	return fmt.Sprintf(", %s by endgame tables", cli.Amount(int(a.Probes), "position"))
}

// summary says the answer in a few words.
func (f *flags) summary(it answered, a solve.Answer) string {
	switch a.Verdict {
	case answer.Proved:
		text := fmt.Sprintf("%v in %d: %s", f.aim, a.Within, written(a.Line[0]))
		if last := a.Line[len(a.Line)-1]; !f.aim.Win() && last.Outcome.Over() {
			text = fmt.Sprintf("%v in %d, by a win: %s", f.aim, a.Within, written(a.Line[0]))
		}
		if !a.Exact() {
			text = fmt.Sprintf("win in at most %d (%v), no win in %d%s: %s", a.Within, a.Stop, a.Refuted, setAside(it, a), written(a.Line[0]))
		}
		if a.Tabled {
			text = fmt.Sprintf("win in %d (endgame table): %s", a.Within, written(a.Line[0]))
		}
		if it.certificate == "accepted" {
			text = "checked " + text
		}
		if f.all {
			text += fmt.Sprintf(" (%s)%s", uniqueness(a), listAside(it))
		}
		return text
	case answer.Disproved:
		if a.Tabled {
			return tabled(it, a)
		}
		return fmt.Sprintf("no %v in %d%s", f.aim, a.Refuted, setAside(it, a))
	}
	return fmt.Sprintf("unknown (%v), no %v in %d%s", a.Stop, f.aim, a.Refuted, setAside(it, a))
}

func written(p solve.Ply) string { return p.Before.Notation(p.Turn) }

// writeLine writes the winning turn and the line that it begins.
func (f *flags) writeLine(t cli.Terminal, it answered, a solve.Answer) {
	if len(a.Line) == 0 {
		return
	}
	first := "Winning turn"
	if !f.aim.Win() {
		first = "First turn"
	}
	fmt.Fprintf(t.Out, "\n%s: %s\n", first, written(a.Line[0]))
	if len(a.Line) > 1 {
		known := ""
		if a.Within > solve.SureLine && !a.Tabled {
			known = " known"
		}
		fmt.Fprintf(t.Out, "With the longest defence%s:\n", known)
	}
	number := it.Diagram.Number
	for i, ply := range a.Line {
		if len(a.Line) > 1 {
			fmt.Fprintf(t.Out, "  %4s  %s\n", arimaa.TurnLabel(number, ply.Before.Side()), written(ply))
		}
		if ply.Outcome.Over() && i == len(a.Line)-1 {
			fmt.Fprintf(t.Out, "Ends by %v.\n", ply.Outcome.Reason)
		} else if ply.Reached {
			fmt.Fprintf(t.Out, "With this %v %s.\n", it.Diagram.Position.Side(), f.aim.Present())
		}
		if ply.Before.Side() == arimaa.Silver {
			number++
		}
	}
	if last := a.Line[len(a.Line)-1]; !last.Ends() {
		fmt.Fprintln(t.Out, "(The line breaks off: the limit was reached, or it was interrupted.)")
	}
	fmt.Fprintln(t.Out)
}

// uniqueness says in a few words how many solutions there are.
func uniqueness(a solve.Answer) string {
	n, essential := len(a.Solutions), a.Essential()
	switch {
	case a.Listing != answer.Finished:
		return fmt.Sprintf("at least %s: %v", cli.Amount(n, "solution"), a.Listing)
	case n == 0:
		return "not listed: that depends on the repetitions of this game"
	case n == 1:
		return "unique"
	case essential == 1:
		return fmt.Sprintf("essentially unique, %d solutions", n)
	}
	return fmt.Sprintf("%d solutions, %d essential", n, essential)
}

// listAside says that a list of solutions of a game sets the third repetition aside.
func listAside(it answered) string {
	if it.Game == nil {
		return ""
	}
	return " (the third repetition set aside)"
}

// writeSolutions lists the solutions, if that was asked for.
func (f *flags) writeSolutions(t cli.Terminal, it answered, a solve.Answer) {
	if !f.all || a.Verdict != answer.Proved {
		return
	}
	fmt.Fprintf(t.Out, "First turns that %s in %d%s: %s.\n", f.aim.Infinitive(), a.Within, listAside(it), uniqueness(a))
	for _, s := range a.Solutions {
		mark := " "
		if s.Essential {
			mark = "*"
		}
		fmt.Fprintf(t.Out, "  %s %s\n", mark, a.Line[0].Before.Notation(s.Turn))
	}
	fmt.Fprintln(t.Out)
}
