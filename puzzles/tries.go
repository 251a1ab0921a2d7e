package puzzles

import (
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/internal/printable"
	"goalproof/puzzles/describe"
	"goalproof/solve"
	"goalproof/solve/report"
)

// Phases are the phases of a position, for words and JSON: near tries, set play, the play after the
// key, and short solutions.
type Phases struct {
	*describe.Phases
	Position arimaa.Position
	Claim    int // turns; 0: none
}

// TriesRecord is what the commands write of phases with --json.
type TriesRecord struct {
	WinIn     *int              `json:"win_in"` // turns of the shortest win; without one, those within which there is none
	NearTries *int              `json:"near_tries"`
	Essential *int              `json:"essential_tries"`
	Single    *int              `json:"single_defence"` // near tries with one defence
	Tries     []TryRecord       `json:"near"`           // at most [describe.MaxTries]; null where the counts are
	SetPlay   *SetPlayRecord    `json:"set_play"`
	Key       *string           `json:"key"`
	Play      *PlayRecord       `json:"play"`            // after the key of a win in two or more
	Short     []report.Solution `json:"short_solutions"` // null unless the win is shorter than claimed
	Stopped   *string           `json:"stopped"`
}

// TryRecord is a near try.
type TryRecord struct {
	Turn      string          `json:"turn"`
	Essential bool            `json:"essential"`
	Threatens bool            `json:"threatens"`
	Defences  []DefenceRecord `json:"defences"`
}

// DefenceRecord is a defence to a near try.
type DefenceRecord struct {
	Turn    string `json:"turn"`
	Refutes *bool  `json:"refutes"`     // null: it is not known
	Within  *int   `json:"wins_within"` // if it does not refute
}

// SetPlayRecord is the set play.
type SetPlayRecord struct {
	Turns    int           `json:"turns"` // within which the attacker is to win after each reply
	Replies  int           `json:"replies"`
	Won      int           `json:"won"`
	Held     int           `json:"held"`
	Open     int           `json:"undecided"`
	Complete bool          `json:"complete"`
	Groups   []GroupRecord `json:"groups"` // at most [groupsRecorded]
}

// GroupRecord are replies that meet the same answer.
type GroupRecord struct {
	Reply  string  `json:"reply"` // the first
	Count  int     `json:"count"`
	Answer *string `json:"answer"` // null: the replies lose by themselves
	Needs  int     `json:"needs"`
}

// PlayRecord is the play after the key.
type PlayRecord struct {
	Replies int          `json:"replies"`
	Short   int          `json:"short"`
	Longest int          `json:"longest"`
	Single  int          `json:"single"`
	Dual    int          `json:"dual"`
	Duals   []DualRecord `json:"duals"`
}

// DualRecord is a reply with two of its answers.
type DualRecord struct {
	Reply   string   `json:"reply"`
	Answers []string `json:"answers"`
}

// groupsRecorded is the greatest number of groups of the set play in JSON.
const groupsRecorded = 50

// RecordTries returns phases as the commands write them. Without phases unlisted says why; it is
// Finished, and the record nil, if nobody asked.
func RecordTries(f *Phases, unlisted answer.Stop) *TriesRecord {
	switch {
	case f != nil:
		return f.record()
	case unlisted != answer.Finished:
		return &TriesRecord{Stopped: new(unlisted.String())}
	}
	return nil
}

func (f *Phases) record() *TriesRecord {
	p := &f.Position
	r := &TriesRecord{WinIn: new(f.N)}
	if f.N > 1 && f.Phases.Stop == answer.Finished {
		essential, single := f.countTries()
		r.NearTries, r.Essential, r.Single, r.Tries = new(len(f.Tries)), &essential, &single, []TryRecord{}
	}
	for i := range f.Tries[:min(len(f.Tries), describe.MaxTries)] {
		r.Tries = append(r.Tries, f.tryRecord(&f.Tries[i]))
	}
	if f.N > 1 && !f.Set.Over {
		r.SetPlay = f.setRecord()
	}
	if f.Key != nil {
		r.Key = new(p.Notation(f.Key.Turn))
	}
	if f.Key != nil && f.N > 1 {
		y := &f.Play
		r.Play = &PlayRecord{y.Replies, y.Short, y.Longest, y.Single, y.Dual, []DualRecord{}}
		for _, d := range y.Duals {
			r.Play.Duals = append(r.Play.Duals, DualRecord{f.Key.After.Notation(d.Reply), answersTo(&d)})
		}
	}
	for i := range f.Short {
		r.Short = append(r.Short, report.Solution{Turn: p.Notation(f.Short[i].Turn), Essential: f.Short[i].Essential})
	}
	if stop := f.Stop(); stop != answer.Finished {
		r.Stopped = new(stop.String())
	}
	return r
}

// tryRecord returns a near try as the commands write it.
func (f *Phases) tryRecord(t *describe.Try) TryRecord {
	one := TryRecord{Turn: f.Position.Notation(t.Turn), Essential: t.Essential, Threatens: t.Threatens}
	for k, reply := range t.Defences {
		d := DefenceRecord{Turn: t.After.Notation(reply)}
		switch w := &t.Left[k]; w.Verdict {
		case answer.Proved:
			d.Refutes, d.Within = new(false), &w.Within
		case answer.Disproved:
			d.Refutes = new(true)
		}
		one.Defences = append(one.Defences, d)
	}
	return one
}

// setRecord returns the set play as the commands write it.
func (f *Phases) setRecord() *SetPlayRecord {
	s := &f.Set
	passed := arimaa.NewPosition(f.Position.Board, f.Position.Side().Other())
	r := &SetPlayRecord{Turns: f.N - 1, Replies: s.Count, Won: s.Won(), Held: len(s.Held), Open: s.Open, Complete: s.Complete(), Groups: []GroupRecord{}}
	for _, g := range s.Groups[:min(len(s.Groups), groupsRecorded)] {
		one := GroupRecord{Reply: passed.Notation(g.Replies[0]), Count: len(g.Replies), Needs: g.Turns}
		if g.Answer != nil {
			one.Answer = new(passed.AfterTurn(g.Replies[0]).Notation(g.Answer.Turn))
		}
		r.Groups = append(r.Groups, one)
	}
	return r
}

// Stop returns why something is not known, or Finished.
func (f *Phases) Stop() answer.Stop {
	stops := []answer.Stop{f.Phases.Stop, f.Set.Stop, f.Play.Stop, f.triesStop()}
	for _, stop := range stops {
		if stop != answer.Finished {
			return stop
		}
	}
	return answer.Finished
}

// triesStop returns why it is not known of a defence whether it refutes, or Finished.
func (f *Phases) triesStop() answer.Stop {
	for i := range f.Tries {
		for k := range f.Tries[i].Left {
			if f.Tries[i].Left[k].Verdict == answer.Unknown {
				return f.Tries[i].Stop
			}
		}
	}
	return answer.Finished
}

// countTries counts the near tries that are essential, and those that leave one defence.
func (f *Phases) countTries() (essential, single int) {
	for i := range f.Tries {
		if f.Tries[i].Essential {
			essential++
		}
		if len(f.Tries[i].Defences) == 1 {
			single++
		}
	}
	return essential, single
}

func answersTo(d *describe.Dual) (texts []string) {
	for _, t := range d.Answers {
		texts = append(texts, d.After.Notation(t))
	}
	return texts
}

// The greatest numbers of lines in words.
const (
	triesShown  = 10
	groupsShown = 6
	dualsShown  = 6
	shortShown  = 4
)

// Write writes the phases for people, each line behind an indent.
func (f *Phases) Write(w io.Writer, indent string) {
	for _, part := range f.Parts() {
		fmt.Fprintf(w, "%s%s\n", indent, part.Title)
		for _, line := range part.Lines {
			fmt.Fprintf(w, "%s  %s\n", indent, line)
		}
		if part.More > 0 {
			fmt.Fprintf(w, "%s  and %s more\n", indent, number(part.More))
		}
	}
}

// Missing says why there are no phases.
func Missing(stop answer.Stop) string {
	return fmt.Sprintf("Tries and set play: not listed, as the shortest win or its solutions are not all known (%v).", stop)
}

// Parts returns the phases as lists with titles, those about which there is something to say.
func (f *Phases) Parts() (all []Part) {
	for _, p := range []struct {
		phase string
		Part
	}{{"short", f.short()}, {"near", f.near()}, {"set", f.set()}, {"duals", f.duals()}, {"variations", f.shortVariations()}} {
		if p.Title != "" {
			p.Phase, p.Lines = p.phase, append([]string{}, p.Lines...)
			all = append(all, p.Part)
		}
	}
	return all
}

// short lists the short solutions.
func (f *Phases) short() (l Part) {
	if len(f.Short) == 0 {
		return l
	}
	var essential []dfpns.Solution
	for _, s := range f.Short {
		if s.Essential {
			essential = append(essential, s)
		}
	}
	l.Title = fmt.Sprintf("Short solutions, which win in %d, not in %d: %s, essential ones: %s.", f.N, f.Claim, number(len(f.Short)), number(len(essential)))
	for _, s := range essential[:min(len(essential), shortShown)] {
		l.Lines = append(l.Lines, f.Position.Notation(s.Turn))
	}
	l.More = len(essential) - len(l.Lines)
	return l
}

// near lists the essential near tries.
func (f *Phases) near() (l Part) {
	switch {
	case f.N < 2:
		l.Title = "Tries and set play: a win in 1 has none."
		return l
	case f.Phases.Stop != answer.Finished:
		l.Title = fmt.Sprintf("Near tries for a win in %d: not listed, as not all first turns were looked at (%v).", f.N, f.Phases.Stop)
		return l
	case len(f.Tries) == 0:
		l.Title = fmt.Sprintf("Near tries for a win in %d: none.", f.N)
		return l
	}
	essential, single := f.countTries()
	l.Title = fmt.Sprintf("Near tries for a win in %d: %s, with a single defence: %s; essential ones: %s.%s",
		f.N, number(len(f.Tries)), number(single), number(essential), asideOf(f.N > 2))
	for i := range f.Tries[:min(essential, triesShown)] {
		t := &f.Tries[i]
		l.Lines = append(l.Lines, fmt.Sprintf("%s, %s", f.Position.Notation(t.Turn), f.answered(t)))
	}
	l.More = essential - len(l.Lines)
	return l
}

// answered says what the defences to a near try do.
func (f *Phases) answered(t *describe.Try) string {
	var refute, open, fail []string
	for i, reply := range t.Defences {
		text := t.After.Notation(reply)
		switch w := &t.Left[i]; w.Verdict {
		case answer.Disproved:
			refute = append(refute, text)
		case answer.Proved:
			fail = append(fail, fmt.Sprintf("%s (then a win in %s)", text, w.In()))
		default:
			open = append(open, text)
		}
	}
	var says []string
	switch len(refute) {
	case 0:
	case 1:
		says = append(says, "refuted by "+refute[0])
	default:
		says = append(says, fmt.Sprintf("%d refutations: %s", len(refute), strings.Join(refute, " / ")))
	}
	if len(fail) > 0 {
		says = append(says, "not refuted by "+strings.Join(fail, " / "))
	}
	switch {
	case len(open) > 0 && len(refute) == 0: // lemma 4 of package describe
		says = append(says, fmt.Sprintf("refuted by one of these, it is not known which: %s (%v)", strings.Join(open, " / "), t.Stop))
	case len(open) > 0:
		says = append(says, fmt.Sprintf("not known whether refuted by %s (%v)", strings.Join(open, " / "), t.Stop))
	}
	return strings.Join(says, "; ")
}

// asideOf says in a sentence that what follows sets the third repetition aside.
func asideOf(yes bool) string {
	if yes {
		return " The third repetition is set aside."
	}
	return ""
}

// set describes the set play.
func (f *Phases) set() (l Part) {
	if f.N < 2 || f.Set.Over {
		return l
	}
	s, side := &f.Set, f.Position.Side()
	enemy := side.Other()
	passed := arimaa.NewPosition(f.Position.Board, enemy)
	in := turnsOf(f.N - 1)
	switch {
	case s.Complete():
		l.Title = fmt.Sprintf("Set play, complete: if %v were to move, %v would win in %s after every reply (%s).%s", enemy, side, in, number(s.Count), f.waiting())
	case s.Won() == 0 && s.Open == 0:
		l.Title = fmt.Sprintf("Set play: none. If %v were to move, %v would have no win in %s after any reply (%s).", enemy, side, in, number(s.Count))
	default:
		l.Title = fmt.Sprintf("Set play: if %v were to move, %v would win in %s after %s of %s replies, not after %s", enemy, side, in, number(s.Won()), number(s.Count), number(len(s.Held)))
		if s.Open > 0 {
			l.Title += fmt.Sprintf(", not decided: %s (%v)", number(s.Open), s.Stop)
		}
		l.Title += "."
	}
	l.Title += asideOf(f.N > 2)
	for _, g := range s.Groups[:min(len(s.Groups), groupsShown)] {
		l.Lines = append(l.Lines, setGroup(&passed, &g))
	}
	l.More = len(s.Groups) - len(l.Lines)
	return l
}

// waiting says of a complete set play that it is a zugzwang, if there is a win.
func (f *Phases) waiting() string {
	if f.Key == nil {
		return ""
	}
	return fmt.Sprintf(" Zugzwang: %v would rather wait, as its win takes %s.", f.Position.Side(), turnsOf(f.N))
}

// setGroup writes a group of replies of the set play.
func setGroup(passed *arimaa.Position, g *solve.Group) string {
	text := passed.Notation(g.Replies[0])
	if n := len(g.Replies); n > 1 {
		text += fmt.Sprintf(" and %s more", number(n-1))
	}
	if g.Answer == nil {
		return text + ": loses at once"
	}
	return text + ": " + passed.AfterTurn(g.Replies[0]).Notation(g.Answer.Turn)
}

// duals lists the duals after the key.
func (f *Phases) duals() (l Part) {
	y := &f.Play
	if f.Key == nil || f.N < 2 || y.Longest == 0 {
		return l
	}
	after := ""
	if f.N > 2 {
		after = " that hold out longest"
	}
	l.Title = fmt.Sprintf("Duals after %s: replies%s: %s; with a single essential answer: %s; with two or more: %s", f.Position.Notation(f.Key.Turn),
		after, number(y.Longest), number(y.Single), number(y.Dual))
	if open := y.Longest - y.Single - y.Dual; open > 0 {
		l.Title += fmt.Sprintf("; not decided: %s (%v)", number(open), y.Stop)
	}
	l.Title += "."
	for i := range y.Duals[:min(len(y.Duals), dualsShown)] {
		d := &y.Duals[i]
		l.Lines = append(l.Lines, fmt.Sprintf("%s: %s", f.Key.After.Notation(d.Reply), strings.Join(answersTo(d), " or ")))
	}
	l.More = y.Dual - len(l.Lines)
	return l
}

// shortVariations counts the short variations.
func (f *Phases) shortVariations() (l Part) {
	y := &f.Play
	if f.Key == nil || f.N < 2 || y.Replies == 0 {
		return l
	}
	l.Title = fmt.Sprintf("Short variations: after %s of %s replies %v wins sooner than it has to", number(y.Short), number(y.Replies), f.Position.Side())
	if open := y.Replies - y.Short - y.Longest; open > 0 {
		l.Title += fmt.Sprintf(", not decided: %s (%v)", number(open), y.Stop)
	}
	l.Title += "."
	return l
}

func turnsOf(n int) string { return printable.Amount(n, "turn") }

func number(n int) string { return humanize.Comma(int64(n)) }
