package compose

import (
	"errors"
	"fmt"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/puzzles"
)

// Findings are a [Made] without what follows from the position and the task. They are written as
// JSON.
type Findings struct {
	Puzzle  bool // the position is one; otherwise Finding and Repairs say what it is
	Single  bool `json:",omitempty"` // see [Puzzle]
	Finding found
	Repairs []foundRepair `json:",omitempty"`

	From   uint32                  `json:",omitempty"` // solution of the puzzle, if something else was made of it
	Before *puzzles.MiningFindings `json:",omitempty"` // of the puzzle, too

	To       string      `json:",omitempty"`
	Solution uint32      `json:",omitempty"` // of it
	Parts    []foundPart `json:",omitempty"` // one for each piece of it
	Mined    puzzles.MiningFindings
	Judged   int
}

// found is a [Finding].
type found struct {
	Verdict                     answer.Verdict
	Stop                        answer.Stop `json:",omitempty"`
	Least, Solutions, Essential int         `json:",omitempty"`
	Solution                    uint32      `json:",omitempty"`
}

// foundRepair is a [Repaired]: the number of its change in the list of all, and its solution.
type foundRepair struct {
	Change   int
	Solution uint32
}

// foundPart is a [Part] without what follows from the puzzle.
type foundPart struct {
	Without found
	Weaker  arimaa.Kind `json:",omitempty"`
}

// Findings returns what was found out about a position, where nothing has ended it.
func (m *Made) Findings(p arimaa.Position) Findings {
	f := Findings{Puzzle: m.From.Turns > 0, Single: m.To.Single, Finding: m.Finding.found(), Judged: m.Judged}
	for i, change := range changes(&p) {
		if n := len(f.Repairs); n < len(m.Repairs) && m.Repairs[n].Change == change {
			f.Repairs = append(f.Repairs, foundRepair{i, m.Repairs[n].Puzzle.Solution.Code()})
		}
	}
	if !f.Puzzle {
		return f
	}
	f.To, f.Solution = m.To.Position.String(), m.To.Solution.Code()
	for i := range m.Parts {
		f.Parts = append(f.Parts, foundPart{m.Parts[i].Without.found(), m.Parts[i].Weaker})
	}
	f.Mined = (&puzzles.Look{Found: m.Mined, Judgement: m.looks.to}).Findings()
	if m.Changed() {
		f.From = m.From.Solution.Code()
		f.Before = new((&puzzles.Look{Found: m.Before, Judgement: m.looks.from}).Findings())
	}
	return f
}

func (f *Finding) found() found {
	w := found{f.Verdict, f.Stop, f.Least, f.Solutions, f.Essential, 0}
	if f.Essential > 0 {
		w.Solution = f.Solution.Code()
	}
	return w
}

// errNone is the error of findings that no composer has.
var errNone = errors.New("no composer finds that")

// Made returns what was made of a position by a task, with a limit in nodes. The findings may come
// from anybody: the error says what cannot be true of them. What is said of wins is right if there
// is a certificate of each of [Made.Wins]; the rest is possible.
func (f *Findings) Made(t Task, p arimaa.Position, turns int) (m Made, err error) {
	m.Judged = f.Judged
	if f.Judged < 1 {
		return m, errNone
	}
	if !f.Puzzle {
		if m.Finding, err = f.Finding.finding(p, turns); err != nil {
			return m, err
		}
		if f.To != "" || f.Solution != 0 || len(f.Parts) > 0 || f.Single || f.From != 0 || f.Before != nil || m.Finding.Essential == 1 {
			return m, errNone
		}
		return m, f.repairs(&m, p, turns)
	}
	if f.Finding != (found{}) || len(f.Repairs) > 0 {
		return m, errNone
	}
	m.From = Puzzle{Position: p, Turns: turns, Single: f.Single}
	m.Rounds = t.Rounds
	if err := f.to(&m, turns); err != nil {
		return m, err
	}
	look, err := f.Mined.Look(m.To.Position, turns, false)
	if err != nil {
		return m, err
	}
	m.Mined = look.Found
	return m, f.before(&m)
}

// before adds the description of the puzzle from which something was made, and its solution.
func (f *Findings) before(m *Made) error {
	if m.Changed() != (f.Before != nil) || !m.Changed() && f.From != 0 {
		return errNone
	}
	if !m.Changed() {
		m.From.Solution, m.Before = m.To.Solution, m.Mined
		return nil
	}
	legal := false
	if m.From.Solution, _, legal = m.From.Position.Decode(f.From); !legal {
		return errNone
	}
	look, err := f.Before.Look(m.From.Position, m.From.Turns, false)
	m.Before = look.Found
	return err
}

// to adds the puzzle that was made, and its parts.
func (f *Findings) to(m *Made, turns int) (err error) {
	m.To = Puzzle{Turns: turns, Single: f.Single}
	p := &m.To.Position
	if *p, err = notation.ParsePosition(f.To); err != nil {
		return err
	}
	legal := false
	if m.To.Solution, _, legal = p.Decode(f.Solution); !legal || p.Side() != m.From.Position.Side() {
		return errNone
	}
	squares := p.Occupied()
	if squares.Len() != len(f.Parts) {
		return errNone
	}
	for _, part := range f.Parts {
		x := Part{Square: squares.First(), Piece: p.At(squares.First()), Weaker: part.Weaker}
		squares = squares.Rest()
		var without arimaa.Position
		if without, x.Odd = remove(p, x.Square).Apply(*p); x.Odd != nil {
			if part.Without != (found{}) {
				return errNone
			}
		} else if x.Without, err = part.Without.finding(without, turns); err != nil {
			return err
		}
		x.Superfluous = x.Odd == nil && m.To.keeps(&x.Without, false)
		if x.Weaker != arimaa.None {
			if _, odd := replace(p, x.Square, x.Weaker).Apply(*p); odd != nil || x.Superfluous || x.Weaker >= x.Piece.Kind() {
				return errNone
			}
		}
		m.Parts = append(m.Parts, x)
	}
	return nil
}

// repairs adds the changes that leave one essential solution to a position.
func (f *Findings) repairs(m *Made, p arimaa.Position, turns int) error {
	all, next := changes(&p), 0
	if len(f.Repairs) > mostRepairs || len(f.Repairs) > 0 && m.Finding.Essential < 2 {
		return errNone
	}
	for _, r := range f.Repairs {
		if r.Change < next || r.Change >= len(all) {
			return errNone
		}
		next = r.Change + 1
		q, odd := all[r.Change].Apply(p)
		if odd != nil {
			return fmt.Errorf("no game leads to what a repair makes: %w", odd)
		}
		solution, _, legal := q.Decode(r.Solution)
		if !legal {
			return errNone
		}
		m.Repairs = append(m.Repairs, Repaired{all[r.Change], Puzzle{Position: q, Turns: turns, Solution: solution}})
	}
	return nil
}

// finding returns the finding about a position and a number of turns.
func (w *found) finding(p arimaa.Position, turns int) (f Finding, err error) {
	f = Finding{Verdict: w.Verdict, Stop: w.Stop, Turns: turns, Least: w.Least, Solutions: w.Solutions, Essential: w.Essential}
	possible := false
	switch {
	case w.Verdict == answer.Proved && w.Least < turns:
		possible = w.Least > 0 && w.Solutions == 0 && w.Essential == 0
	case w.Verdict == answer.Proved:
		possible = w.Least == turns && w.Essential > 0 && w.Solutions >= w.Essential
	case w.Verdict == answer.Disproved:
		possible = w.Least == 0 && w.Solutions == 0 && w.Essential == 0
	case w.Verdict == answer.Unknown:
		possible = (w.Least == 0 || w.Least == turns) && w.Solutions == 0 && w.Essential == 0
	}
	if w.Stop > answer.Nodes || w.Verdict != answer.Unknown && w.Stop != answer.Finished {
		possible = false
	}
	if w.Essential > 0 && possible {
		f.Solution, _, possible = p.Decode(w.Solution)
	}
	if !possible || w.Essential == 0 && w.Solution != 0 {
		return f, errNone
	}
	return f, nil
}

// Win is a claim that the side to move at a position wins within so many turns.
type Win struct {
	Position arimaa.Position
	Turns    int
	Solution arimaa.Turn // with which the win begins; no steps: any turn
}

// Wins returns all claims of wins that are made about a position, and about what was made of it.
func (m *Made) Wins(p arimaa.Position) (all []Win) {
	if m.From.Turns == 0 {
		if m.Finding.Verdict == answer.Proved {
			all = append(all, Win{p, m.Finding.Least, arimaa.Turn{}})
		}
		for _, r := range m.Repairs {
			all = append(all, Win{r.Puzzle.Position, r.Puzzle.Turns, r.Puzzle.Solution})
		}
		return all
	}
	if m.Changed() {
		all = append(all, Win{m.From.Position, m.From.Turns, m.From.Solution})
	}
	all = append(all, Win{m.To.Position, m.To.Turns, m.To.Solution})
	for i := range m.Parts {
		part := &m.Parts[i]
		if without, odd := remove(&m.To.Position, part.Square).Apply(m.To.Position); odd == nil && part.Without.Verdict == answer.Proved {
			all = append(all, Win{without, part.Without.Least, arimaa.Turn{}})
		}
		if part.Weaker != arimaa.None {
			weaker, _ := replace(&m.To.Position, part.Square, part.Weaker).Apply(m.To.Position)
			all = append(all, Win{weaker, m.To.Turns, arimaa.Turn{}})
		}
	}
	return all
}
