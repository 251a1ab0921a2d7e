package report

import (
	"fmt"
	"io"

	"github.com/dustin/go-humanize"

	"goalproof/answer"
	"goalproof/dfpns"
	"goalproof/solve"
)

// Defence is what is known of the turns that hold, with its question: they hold against a win of
// the opponent within Deepest turns.
type Defence struct {
	solve.Question
	solve.Defence
	Certificate string // what became of the proof of a loss: accepted, written, or "" if there is none
}

// Threatens says what the opponent would do if it were his turn.
func (d *Defence) Threatens() string {
	side := d.Position.Side()
	switch threat := &d.Threat; {
	case threat.Within > 0:
		return fmt.Sprintf("The threat: %v wins in %s%s by %s.", side.Other(), threat.AtMost(), turns(threat.Within), Notation(threat.First))
	case threat.Refuted == d.Deepest:
		return fmt.Sprintf("If %v could pass, %v would have no win in %s%s.", side, side.Other(), turns(d.Deepest), answer.Aside(d.Deepest > 1))
	}
	return fmt.Sprintf("Whether %v threatens to win in %s is not known.", side.Other(), turns(d.Deepest))
}

// Sentence says the answer.
func (d *Defence) Sentence() string {
	side := d.Position.Side()
	against := fmt.Sprintf("against a win of %v in %s", side.Other(), turns(d.Deepest))
	aside := answer.Aside(d.Aside)
	switch {
	case d.Verdict == answer.Disproved:
		checked := ""
		if d.Certificate == "accepted" {
			checked = ", checked"
		}
		return fmt.Sprintf("Lost%s: whatever %v plays, %v wins in %s%s. (%s.)", checked, side, side.Other(), d.AtMost(), turns(d.Within), turns(d.Turns))
	case d.Undecided > 0:
		return fmt.Sprintf("Unknown: %v. Of %s %s%s, %s.", d.Stop, turns(d.Turns), against, aside, d.counts())
	}
	return fmt.Sprintf("Proved: %s of %s %s %s%s. Essential: %s.", number(len(d.Hold)), turns(d.Turns), verb(len(d.Hold), "holds", "hold"),
		against, aside, number(d.Essential()))
}

// counts counts the turns, some of which are undecided.
func (d *Defence) counts() string {
	return fmt.Sprintf("%s, %s, %s", count(len(d.Hold), "holds", "hold"), count(d.Lost, "loses", "lose"), count(d.Undecided, "is undecided", "are undecided"))
}

// Summary says the answer in a few words.
func (d *Defence) Summary() string {
	aside := answer.Aside(d.Aside)
	switch {
	case d.Verdict == answer.Disproved && d.Certificate == "accepted":
		return "checked loss in " + d.In()
	case d.Verdict == answer.Disproved:
		return "loss in " + d.In()
	case d.Undecided > 0:
		return fmt.Sprintf("unknown (%v): %s against a win in %d%s", d.Stop, d.counts(), d.Deepest, aside)
	}
	text := fmt.Sprintf("%s of %s %s against a win in %d%s, %s essential", number(len(d.Hold)), turns(d.Turns), verb(len(d.Hold), "holds", "hold"),
		d.Deepest, aside, number(d.Essential()))
	for i := range d.Hold {
		if d.Hold[i].Essential {
			return text + ": " + d.Position.Notation(d.Hold[i].Turn) // the first
		}
	}
	return text
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

// mostShown is the number of essential turns that are listed unless all are.
const mostShown = 20

// Write writes the threat, the sentence and the turns that hold for people: of the essential ones
// the first, or with All every turn.
func (d *Defence) Write(w io.Writer) {
	fmt.Fprintf(w, "%s\n%s\n", d.Threatens(), d.Sentence())
	if d.Wins > 0 {
		fmt.Fprintf(w, "%s at once.\n", count(d.Wins, "of them wins", "of them win"))
	}
	listed := 0
	for _, essential := range []bool{true, false} {
		for i := range d.Hold {
			s := &d.Hold[i]
			if s.Essential != essential || !d.All && (!essential || listed == mostShown) {
				continue
			}
			mark, wins := " ", ""
			if essential {
				mark = "*"
			}
			if reason := d.endsBy(s); reason != nil {
				wins = fmt.Sprintf("  (wins by %s)", *reason)
			}
			fmt.Fprintf(w, "  %s %s%s\n", mark, d.Position.Notation(s.Turn), wins)
			listed++
		}
	}
	if left := len(d.Hold) - listed; left > 0 {
		fmt.Fprintf(w, "  %s not shown: --all lists every turn that holds.\n", count(left, "more is", "more are"))
	}
	fmt.Fprintln(w)
}

// endsBy says how a turn that holds wins at once, nil if it does not.
func (d *Defence) endsBy(s *dfpns.Solution) *string {
	if o := s.After.Ended(d.Position.Side()); o.Over() {
		return new(o.Reason.String())
	}
	return nil
}

// Defences are turns that hold, in JSON.
type Defences struct {
	WinIn   *int   `json:"win_in"`  // turns hold if the opponent does not win within this many of his
	Verdict string `json:"verdict"` // proved: some turn holds; disproved: none does, the side to move loses; or unknown
	Bounds         // of the opponent's win, if no turn holds
	Threat  *Win   `json:"threat"` // the win that the opponent would have if it were his turn
	Turns   int    `json:"turns"`  // that the side to move has, told apart by their results
	// Of these hold, lose, are not decided; of those that hold are essential, win at once:
	Holding   int       `json:"holding"`
	Losing    int       `json:"losing"`
	Undecided int       `json:"undecided"`
	Essential int       `json:"essential"`
	Winning   int       `json:"winning"`
	Defences  []Holding `json:"defences"` // the essential ones, with All every one

	Repetition *string `json:"repetition"` // for turns that hold: "set aside" or "counted"; null of an error
	Stopped    *string `json:"stopped"`    // why some turns are undecided, or null
	Nodes      uint64  `json:"nodes"`
	Seconds    float64 `json:"seconds"`
}

// Holding is a turn that holds, in JSON.
type Holding struct {
	Solution
	EndsBy *string `json:"ends_by"` // how it wins at once, or null
}

// JSON writes the answer down.
func (d *Defence) JSON() Defences {
	j := Defences{WinIn: &d.Deepest, Verdict: d.Verdict.String(), Bounds: BoundsOf(d.Bounds), Turns: d.Turns, Holding: len(d.Hold), Losing: d.Lost,
		Undecided: d.Undecided, Essential: d.Essential(), Winning: d.Wins, Defences: []Holding{}, Repetition: new(answer.Repetition(d.Aside)),
		Nodes: d.Nodes, Seconds: d.Time.Seconds()}
	verdict := answer.Unknown
	switch {
	case d.Threat.Within > 0:
		verdict = answer.Proved
	case d.Threat.Refuted == d.Deepest:
		verdict = answer.Disproved
	}
	j.Threat = new(WinOf(verdict, d.Threat.Bounds, &d.Threat.First.Before, d.Threat.First.Turn))
	for i := range d.Hold {
		if s := &d.Hold[i]; s.Essential || d.All {
			j.Defences = append(j.Defences, Holding{Solution{d.Position.Notation(s.Turn), s.Essential}, d.endsBy(s)})
		}
	}
	if d.Undecided > 0 {
		j.Stopped = new(d.Stop.String())
	}
	return j
}
