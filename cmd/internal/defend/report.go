package defend

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"goalproof/answer"
	"goalproof/arimaa/notation"
	"goalproof/arimaa/render"
	"goalproof/cmd/internal/cli"
	"goalproof/dfpns"
)

// report writes what is known about one position.
func (f *flags) report(t cli.Terminal, r *result, more bool) {
	switch {
	case f.json:
		f.reportJSON(t, r)
	case r.Err != nil:
		fmt.Fprintf(t.Err, "goalproof: %s\n", notation.Explain(r.Err))
	case f.quiet:
		fmt.Fprintf(t.Out, "%s: %s\n", r.Name, r.summary())
	default:
		if more {
			fmt.Fprintln(t.Out)
		}
		fmt.Fprintf(t.Out, "%s\n%s\n", r.Name, render.Board(r.Diagram, t.Styled))
		fmt.Fprintf(t.Out, "%s\n%s\n", r.threat(), r.sentence())
		f.writeTurns(t, r)
		f.search.Took(t, r.Name, r.answer.Nodes, r.answer.Time, "")
	}
}

// threat says what the opponent would do if it were his turn.
func (r *result) threat() string {
	side := r.Diagram.Position.Side()
	a := &r.answer
	switch {
	case a.ThreatIn > 0:
		return fmt.Sprintf("The threat: %v wins in %s%s by %s.", side.Other(), atMost(a.ThreatIn != a.ThreatRefuted+1), cli.Amount(a.ThreatIn, "turn"),
			a.Threat.Before.Notation(a.Threat.Turn))
	case a.ThreatRefuted == r.winIn:
		return fmt.Sprintf("If %v could pass, %v would have no win in %s%s.", side, side.Other(), cli.Amount(r.winIn, "turn"), aside(r.winIn > 1))
	}
	return fmt.Sprintf("Whether %v threatens to win in %s is not known.", side.Other(), cli.Amount(r.winIn, "turn"))
}

// sentence says the answer.
func (r *result) sentence() string {
	a := &r.answer
	side := r.Diagram.Position.Side()
	against := fmt.Sprintf("against a win of %v in %s", side.Other(), cli.Amount(r.winIn, "turn"))
	switch {
	case a.Verdict == answer.Disproved:
		checked := ""
		if r.certificate == "accepted" {
			checked = ", checked"
		}
		return fmt.Sprintf("Lost%s: whatever %v plays, %v wins in %s%s. (%s.)",
			checked, side, side.Other(), atMost(a.Within != a.Refuted+1), cli.Amount(a.Within, "turn"), cli.Amount(a.Turns, "turn"))
	case a.Undecided > 0:
		return fmt.Sprintf("Unknown: %v. Of %s %s%s, %s, %s, %s.", a.Stop, cli.Amount(a.Turns, "turn"), against, aside(a.Aside),
			count(len(a.Hold), "holds", "hold"), count(a.Lost, "loses", "lose"), count(a.Undecided, "is undecided", "are undecided"))
	}
	return fmt.Sprintf("Proved: %s of %s %s %s%s. Essential: %s.", number(len(a.Hold)), cli.Amount(a.Turns, "turn"),
		verb(len(a.Hold), "holds", "hold"), against, aside(a.Aside), number(a.Essential()))
}

// summary says the answer in a few words.
func (r *result) summary() string {
	a := &r.answer
	switch {
	case a.Verdict == answer.Disproved && r.certificate == "accepted":
		return fmt.Sprintf("checked loss in %s%d", atMost(a.Within != a.Refuted+1), a.Within)
	case a.Verdict == answer.Disproved:
		return fmt.Sprintf("loss in %s%d", atMost(a.Within != a.Refuted+1), a.Within)
	case a.Undecided > 0:
		return fmt.Sprintf("unknown (%v): %s, %s, %s against a win in %d%s", a.Stop,
			count(len(a.Hold), "holds", "hold"), count(a.Lost, "loses", "lose"), count(a.Undecided, "is undecided", "are undecided"), r.winIn, aside(a.Aside))
	}
	text := fmt.Sprintf("%s of %s %s against a win in %d%s, %s essential", number(len(a.Hold)), cli.Amount(a.Turns, "turn"),
		verb(len(a.Hold), "holds", "hold"), r.winIn, aside(a.Aside), number(a.Essential()))
	for i := range a.Hold {
		if a.Hold[i].Essential {
			return text + ": " + r.written(&a.Hold[i]) // the first
		}
	}
	return text
}

// atMost labels a number that may be less.
func atMost(less bool) string {
	if less {
		return "at most "
	}
	return ""
}

// aside labels what leaves the rule of the third repetition out.
func aside(rule bool) string {
	if rule {
		return " (the third repetition set aside)"
	}
	return ""
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// count writes a number and what so many do.
func count(n int, one, many string) string { return number(n) + " " + verb(n, one, many) }

func number(n int) string { return humanize.Comma(int64(n)) }

func (r *result) written(s *dfpns.Solution) string { return r.Diagram.Position.Notation(s.Turn) }

// shown is the number of essential turns that are listed without --all.
const shown = 20

// writeTurns lists turns that hold.
func (f *flags) writeTurns(t cli.Terminal, r *result) {
	a := &r.answer
	if len(a.Hold) == 0 {
		fmt.Fprintln(t.Out)
		return
	}
	if n := a.Wins; n > 0 {
		fmt.Fprintf(t.Out, "%s at once.\n", count(n, "of them wins", "of them win"))
	}
	listed := 0
	for pass := range 2 { // the essential ones first
		for i := range a.Hold {
			s := &a.Hold[i]
			if s.Essential != (pass == 0) || !f.all && (pass == 1 || listed == shown) {
				continue
			}
			mark, wins := " ", ""
			if pass == 0 {
				mark = "*"
			}
			if o := s.After.Ended(r.Diagram.Position.Side()); o.Over() {
				wins = fmt.Sprintf("  (wins by %v)", o.Reason)
			}
			fmt.Fprintf(t.Out, "  %s %s%s\n", mark, r.written(s), wins)
			listed++
		}
	}
	if left := len(a.Hold) - listed; left > 0 {
		fmt.Fprintf(t.Out, "  %s not shown: --all lists every turn that holds.\n", count(left, "more is", "more are"))
	}
	fmt.Fprintln(t.Out)
}

// defence is a turn that holds, in JSON.
type defence struct {
	Turn      string  `json:"turn"`
	Essential bool    `json:"essential"`
	Wins      *string `json:"wins_by"`
}

// reportJSON writes one object on one line.
func (f *flags) reportJSON(t cli.Terminal, r *result) {
	record := struct {
		File          string    `json:"file"`
		Position      *string   `json:"position"`
		History       *string   `json:"history"`
		Side          *string   `json:"side"`
		WinIn         *int      `json:"win_in"`
		Verdict       string    `json:"verdict"`
		LosesIn       *int      `json:"loses_in"`
		LosesInLeast  *int      `json:"loses_in_least"`
		Threat        *string   `json:"threat"`
		ThreatIn      *int      `json:"threat_in"`
		Turns         int       `json:"turns"`
		Holding       int       `json:"holding"`
		EssentialOnes int       `json:"essential"`
		Winning       int       `json:"winning"`
		Losing        int       `json:"losing"`
		Undecided     int       `json:"undecided"`
		Defences      []defence `json:"defences"`
		Repetition    string    `json:"repetition"`
		Stopped       *string   `json:"stopped"`
		Certificate   *string   `json:"certificate"`
		Nodes         uint64    `json:"nodes"`
		Seconds       float64   `json:"seconds"`
		Error         *string   `json:"error"`
	}{File: r.Name, Verdict: "unknown", Defences: []defence{}, Repetition: "counted"}
	if r.Err != nil {
		record.Verdict, record.Error = "error", new(r.Err.Error())
		_ = cli.WriteJSON(t.Out, record) // the output remembers that it could not be written
		return
	}
	a := &r.answer
	p := r.Diagram.Position
	record.Position, record.History, record.Side = new(p.String()), r.History(), new(p.Side().String())
	record.WinIn = &r.winIn
	switch {
	case a.Verdict == answer.Proved:
		record.Verdict = "holds"
	case a.Verdict == answer.Disproved:
		record.Verdict, record.LosesIn = "lost", &a.Within
		if a.Within == a.Refuted+1 {
			record.LosesInLeast = &a.Within
		}
	}
	if a.ThreatIn > 0 {
		record.Threat, record.ThreatIn = new(a.Threat.Before.Notation(a.Threat.Turn)), &a.ThreatIn
	}
	record.Turns, record.Holding, record.EssentialOnes = a.Turns, len(a.Hold), a.Essential()
	record.Winning, record.Losing, record.Undecided = a.Wins, a.Lost, a.Undecided
	for i := range a.Hold {
		s := &a.Hold[i]
		if !s.Essential && !f.all {
			continue
		}
		d := defence{Turn: r.written(s), Essential: s.Essential}
		if o := s.After.Ended(p.Side()); o.Over() {
			d.Wins = new(o.Reason.String())
		}
		record.Defences = append(record.Defences, d)
	}
	if a.Aside {
		record.Repetition = "set aside"
	}
	if a.Undecided > 0 {
		record.Stopped = new(a.Stop.String())
	}
	if r.certificate != "" {
		record.Certificate = &r.certificate
	}
	record.Nodes, record.Seconds = a.Nodes, a.Time.Seconds()
	_ = cli.WriteJSON(t.Out, record) // the output remembers that it could not be written
}
