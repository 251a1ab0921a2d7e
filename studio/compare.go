package studio

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/printable"
	"goalproof/puzzles"
	"goalproof/solve/report"
)

// writeRecords writes an object for each puzzle, for compare to read.
func writeRecords(w io.Writer, all []puzzles.Result) error {
	for i := range all {
		if err := report.WriteJSON(w, all[i].Record()); err != nil {
			return err
		}
	}
	return nil
}

// outcome is the part of a record that is compared.
type outcome struct {
	puzzles.Record
	reached map[arimaa.Position]bool // by the solutions; nil: they are not known
}

// key identifies the puzzle of an outcome by the position and the claim. It is "" for a puzzle that
// could not be read.
func (k *outcome) key() string {
	if k.Position == nil {
		return ""
	}
	claim := 0
	if k.Claim != nil {
		claim = *k.Claim
	}
	return fmt.Sprintf("%s %d", *k.Position, claim)
}

// outcomeOf checks a record, and plays its solutions: a turn may be written in several ways.
func outcomeOf(k puzzles.Record) (outcome, error) {
	o := outcome{Record: k}
	switch k.Verdict {
	case "proved", "disproved", "unknown", "error":
	default:
		return o, fmt.Errorf("verdict %q: it is no puzzle of goalproof verify --json", notation.Legible(k.Verdict))
	}
	if k.Position == nil {
		return o, nil
	}
	p, err := notation.ParsePosition(*k.Position)
	if err != nil {
		return o, fmt.Errorf("position: %w", err)
	}
	o.Position = new(p.String())
	if k.EssentiallyUnique == nil { // not all solutions are known
		return o, nil
	}
	o.reached = map[arimaa.Position]bool{}
	for _, w := range k.Solutions {
		state := arimaa.NewState(p)
		turn, err := notation.PlaySteps(&state, w.Turn)
		if err != nil {
			return o, fmt.Errorf("solutions: %w", err)
		}
		o.reached[p.AfterTurn(turn)] = true
	}
	return o, nil
}

// says is the outcome in words.
func (o *outcome) says() string {
	text := map[string]string{"proved": "win", "disproved": "no win"}[o.Verdict]
	switch {
	case o.Least != nil:
		text += fmt.Sprintf(" in %d", *o.Least)
	case o.Within != nil:
		text += fmt.Sprintf(" in at most %d", *o.Within)
	}
	if o.reached == nil {
		return cmp.Or(text, o.Verdict)
	}
	text += ", " + printable.Amount(len(o.Solutions), "solution")
	if n := o.essential(); n != len(o.Solutions) {
		text += fmt.Sprintf(", %d essential", n)
	}
	return text
}

// essential counts the essential solutions.
func (o *outcome) essential() (n int) {
	for _, s := range o.Solutions {
		if s.Essential != nil && *s.Essential {
			n++
		}
	}
	return n
}

// differs lists what differs between two outcomes of a puzzle: verdict, turns, solutions.
func (o *outcome) differs(from *outcome) (what []string) {
	same := func(a, b *int) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
	if o.Verdict != from.Verdict {
		what = append(what, "verdict")
	}
	if !same(o.Least, from.Least) || !same(o.Within, from.Within) {
		what = append(what, "turns")
	}
	alike := (o.reached == nil) == (from.reached == nil) && o.essential() == from.essential() && len(o.reached) == len(from.reached)
	for p := range o.reached {
		alike = alike && from.reached[p]
	}
	if !alike {
		what = append(what, "solutions")
	}
	return what
}

// Comparison compares a set with an earlier run of it.
type Comparison struct {
	Compared int      `json:"compared"` // puzzles that are in both
	New      int      `json:"new"`      // puzzles that are not in the earlier run
	Gone     int      `json:"gone"`     // puzzles that are in the earlier run alone
	Changed  []Change `json:"changed"`
	Says     string   `json:"says"` // all in a sentence
}

// Change is a puzzle with another outcome in the earlier run.
type Change struct {
	Puzzle int      `json:"puzzle"` // its number in the set, from 0
	What   []string `json:"what"`   // verdict, turns (of the shortest win), solutions
	Was    string   `json:"was"`    // what the earlier run says
}

// readRun reads the objects of an earlier run.
func readRun(text io.Reader) (map[string][]outcome, error) {
	all := map[string][]outcome{}
	d := json.NewDecoder(text)
	n := 0
	for {
		var k struct {
			Schema int `json:"schema"`
			puzzles.Record
		}
		if err := d.Decode(&k); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("object %d: it is no object of goalproof verify --json: %w", n+1, err)
		}
		n++
		if k.Schema != report.Schema {
			return nil, fmt.Errorf("object %d: its schema is %d; this program reads %d", n, k.Schema, report.Schema)
		}
		o, err := outcomeOf(k.Record)
		if err != nil {
			return nil, fmt.Errorf("object %d: %w", n, err)
		}
		if key := o.key(); key != "" {
			all[key] = append(all[key], o)
		}
	}
	if n == 0 {
		return nil, errors.New("the earlier run is empty: it is the output of goalproof verify --json, or what the studio saves in this form")
	}
	return all, nil
}

// compare compares a set with an earlier run, whose puzzles it removes as it meets them. Puzzles of
// the same position and claim are compared in order. Unreadable ones are left out.
func compare(all []puzzles.Result, earlier map[string][]outcome) (c Comparison, err error) {
	c.Changed = []Change{}
	for i := range all {
		now, err := outcomeOf(all[i].Record())
		if err != nil {
			return c, fmt.Errorf("puzzle %d: %w", i+1, err)
		}
		key := now.key()
		if key == "" {
			continue
		}
		rest := earlier[key]
		if len(rest) == 0 {
			c.New++
			continue
		}
		c.Compared++
		earlier[key] = rest[1:]
		if what := now.differs(&rest[0]); len(what) > 0 {
			c.Changed = append(c.Changed, Change{i, what, rest[0].says()})
		}
	}
	for _, rest := range earlier {
		c.Gone += len(rest)
	}
	c.Says = fmt.Sprintf("%s compared, %d changed.", printable.Amount(c.Compared, "puzzle"), len(c.Changed))
	if c.New > 0 {
		c.Says += fmt.Sprintf(" %d not in the earlier run.", c.New)
	}
	if c.Gone > 0 {
		c.Says += fmt.Sprintf(" %d in the earlier run alone.", c.Gone)
	}
	return c, nil
}

// compareTask asks for a comparison.
type compareTask struct {
	Text string `json:"text"` // the earlier run
	Run  string `json:"run"`  // of the workspace, in place of a text
}

// compare compares the puzzles of a job that has ended with an earlier run.
func (s *Server) compare(id string, task compareTask) (Comparison, error) {
	all, err := ofJob(s.queue, id, func(j *job) ([]puzzles.Result, error) {
		if !j.over() {
			return nil, errors.New("the set is being verified: compare it at the end")
		}
		return j.set()
	})
	if err != nil {
		return Comparison{}, err
	}
	earlier, err := s.earlier(task)
	if err != nil {
		return Comparison{}, err
	}
	return compare(all, earlier)
}
