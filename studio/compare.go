package studio

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/puzzles"
)

// record is what is kept of a puzzle of a set: some of the fields of goalproof verify --json, with the same meaning.
type record struct {
	File         string          `json:"file"`
	Name         string          `json:"name"`
	Position     *string         `json:"position"` // null: it could not be read
	Claim        *int            `json:"claim"`
	Verdict      puzzles.Verdict `json:"verdict"`
	Least        *int            `json:"least"`
	Within       *int            `json:"within"`
	Solutions    *int            `json:"solutions"` // null: they are not known
	Essential    *int            `json:"essential"`
	WinningTurns []winningTurn   `json:"winning_turns"`
}

// winningTurn is a winning first turn of a record.
type winningTurn struct {
	Turn string `json:"turn"`
}

// recordOf writes a result down.
func recordOf(r *puzzles.Result) record {
	k := record{File: r.Puzzle.File, Name: r.Puzzle.Name, Verdict: r.Verdict}
	if r.Puzzle.Err == nil {
		k.Position = new(r.Puzzle.Position.String())
	}
	if r.Puzzle.Claim > 0 {
		k.Claim = new(r.Puzzle.Claim)
	}
	if r.Verdict == puzzles.Win {
		k.Within = new(r.Within)
		if r.Listed {
			k.Solutions, k.Essential = new(len(r.Solutions)), new(r.Essential())
		}
	}
	if r.Exact() {
		k.Least = new(r.Within)
	}
	for i := range r.Solutions {
		k.WinningTurns = append(k.WinningTurns, winningTurn{r.Solutions[i].Turn})
	}
	return k
}

// writeRecords writes an object for each puzzle, which compare reads.
func writeRecords(w io.Writer, all []puzzles.Result) error {
	out := json.NewEncoder(w)
	for i := range all {
		if err := out.Encode(recordOf(&all[i])); err != nil {
			return err
		}
	}
	return nil
}

// outcome is what is compared of a record.
type outcome struct {
	record
	reached map[arimaa.Position]bool // by the solutions; nil: they are not known
}

// key tells which puzzle a record is about: the position and the claim. It is "" for one that could not be read.
func (k *record) key() string {
	if k.Position == nil {
		return ""
	}
	claim := 0
	if k.Claim != nil {
		claim = *k.Claim
	}
	return fmt.Sprintf("%s %d", *k.Position, claim)
}

// outcome checks a record, and plays its solutions: a turn may be written in several ways.
func (k record) outcome() (outcome, error) {
	o := outcome{record: k}
	switch k.Verdict {
	case puzzles.Win, puzzles.NoWin, puzzles.Unknown, puzzles.Error:
	default:
		return o, fmt.Errorf("verdict %q: it is no puzzle of goalproof verify --json", notation.Legible(string(k.Verdict)))
	}
	if k.Position == nil {
		return o, nil
	}
	p, err := notation.ParsePosition(*k.Position)
	if err != nil {
		return o, fmt.Errorf("position: %w", err)
	}
	o.Position = new(p.String())
	if k.Solutions == nil {
		return o, nil
	}
	o.reached = map[arimaa.Position]bool{}
	for _, w := range k.WinningTurns {
		state := arimaa.NewState(p)
		turn, err := notation.PlaySteps(&state, w.Turn)
		if err != nil {
			return o, fmt.Errorf("winning_turns: %w", err)
		}
		o.reached[p.AfterTurn(turn)] = true
	}
	return o, nil
}

// says is the outcome in words.
func (o *outcome) says() string {
	text := strings.ReplaceAll(string(o.Verdict), "-", " ")
	switch {
	case o.Least != nil:
		text += fmt.Sprintf(" in %d", *o.Least)
	case o.Within != nil:
		text += fmt.Sprintf(" in at most %d", *o.Within)
	}
	if o.Solutions != nil {
		text += ", " + amount(*o.Solutions, "solution")
	}
	if o.Essential != nil && o.Solutions != nil && *o.Essential != *o.Solutions {
		text += fmt.Sprintf(", %d essential", *o.Essential)
	}
	return text
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
	alike := same(o.Solutions, from.Solutions) && same(o.Essential, from.Essential) && len(o.reached) == len(from.reached)
	for p := range o.reached {
		alike = alike && from.reached[p]
	}
	if !alike {
		what = append(what, "solutions")
	}
	return what
}

// Comparison is a set beside an earlier run of it.
type Comparison struct {
	Compared int      `json:"compared"` // puzzles that are in both
	New      int      `json:"new"`      // puzzles that are not in the earlier run
	Gone     int      `json:"gone"`     // puzzles that are in the earlier run alone
	Changed  []Change `json:"changed"`
	Says     string   `json:"says"` // all in a sentence
}

// Change is a puzzle of which the earlier run says something else.
type Change struct {
	Puzzle int      `json:"puzzle"` // its number in the set, from 0
	What   []string `json:"what"`   // verdict, turns (of the shortest win), solutions
	Was    string   `json:"was"`    // what the earlier run says
}

// readRun reads the objects of an earlier run.
func readRun(text string) (map[string][]outcome, error) {
	all := map[string][]outcome{}
	d := json.NewDecoder(strings.NewReader(text))
	n := 0
	for {
		var k record
		if err := d.Decode(&k); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("object %d: it is no object of goalproof verify --json: %w", n+1, err)
		}
		n++
		o, err := k.outcome()
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

// compare compares a set with an earlier run. Puzzles of the same position and claim are compared in their order. Those that could
// not be read are left out.
func compare(all []puzzles.Result, text string) (c Comparison, err error) {
	earlier, err := readRun(text)
	if err != nil {
		return c, err
	}
	c.Changed = []Change{}
	for i := range all {
		now, err := recordOf(&all[i]).outcome()
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
	c.Says = fmt.Sprintf("%s compared, %d changed.", amount(c.Compared, "puzzle"), len(c.Changed))
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
}

// compareSet compares the puzzles of a job that has ended with an earlier run.
func (s *Server) compareSet(id string, task compareTask) (Comparison, error) {
	s.queue.mu.Lock()
	j := s.queue.jobs[id]
	var all []puzzles.Result
	over := j != nil && j.over()
	if j != nil {
		all = j.found
	}
	s.queue.mu.Unlock()
	switch {
	case j == nil:
		return Comparison{}, errNoJob
	case !over:
		return Comparison{}, errors.New("the set is being verified: compare it at the end")
	case len(all) == 0:
		return Comparison{}, errNoSet
	}
	return compare(all, task.Text)
}
