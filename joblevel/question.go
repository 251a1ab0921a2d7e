package joblevel

import (
	"errors"
	"fmt"
	"slices"

	"goalproof/arimaa"
	"goalproof/dfpns"
)

// Question is about a position with the attacker to move, who has N turns left: whether he wins,
// or, if To is not 0, which of his first turns with the numbers From to To-1 keep a win within N.
// They are numbered as [arimaa.Generator] lists them.
type Question struct {
	Position []byte // packed
	N        int
	From, To int `json:",omitempty"`
	Effort   int // by what factor the usual limit is exceeded
	// Killers are those of the answers that were taken last, to be tried first: then workers follow up
	// the same boards. They are no part of what is asked.
	Killers Killers `json:",omitempty"`
}

// Whole reports whether the question is about the position as a whole.
func (q *Question) Whole() bool { return q.To == 0 }

// Unanswered returns the answer of one who has found nothing.
func (q *Question) Unanswered() (a Answer) {
	if !q.Whole() {
		a.To, a.Open = q.From+1, []Open{{q.From, true}}
	}
	return a
}

// name is what two questions share that are the same.
type name struct {
	position            string
	n, from, to, effort int
}

func (q *Question) name() name { return name{string(q.Position), q.N, q.From, q.To, q.Effort} }

// Answer is what a search has found within its limit.
type Answer struct {
	// Win is a turn with which the attacker wins within Question.N of his turns, 0 if none was found:
	// its code (arimaa.Position.Decode). Of a question about first turns, Number is that of one of
	// them that keeps the win, which need not be the same.
	Win    uint32 `json:",omitempty"`
	Number int    `json:",omitempty"`
	// Refuted says that there is no win, of a question about the whole.
	Refuted bool `json:",omitempty"`
	// To is the first turn that was not looked at, of a question about first turns. Those before it
	// do not keep the win, but for Number, if there is a win, and those in Open.
	To    int    `json:",omitempty"`
	Open  []Open `json:",omitempty"` // in order
	Nodes uint64 // turns evaluated
	// Killers are what refuted turns, in the search that answers.
	Killers Killers `json:",omitempty"`
}

// Open is a first turn that is not decided.
type Open struct {
	Turn int
	Hard bool `json:",omitempty"` // most of the limit went to it
}

// Check returns an error if an answer is none to the question. It says nothing about its truth.
func (a *Answer) Check(q *Question) error {
	p, err := q.position()
	if err != nil {
		return err
	}
	if err := a.Killers.check(); err != nil {
		return err
	}
	if _, _, legal := p.Decode(a.Win); a.Win != 0 && !legal {
		return fmt.Errorf("the turn %d is not legal", a.Win)
	}
	if q.Whole() {
		return a.checkWhole(q)
	}
	return a.checkTurns(q)
}

func (a *Answer) checkWhole(q *Question) error {
	if a.Win != 0 && a.Refuted || a.To != 0 || a.Open != nil || a.Number != 0 {
		return errors.New("no answer about a position")
	}
	if q.N == 2 && a.Win == 0 && !a.Refuted {
		return errors.New("a win in two is decided without a limit, and this one is open")
	}
	return nil
}

func (a *Answer) checkTurns(q *Question) error {
	if a.Refuted || a.To < q.From || a.To > q.To || a.Win == 0 && a.Number != 0 || a.Win != 0 && (a.Number < q.From || a.Number >= a.To) {
		return fmt.Errorf("an answer about turns up to %d, of those from %d to %d", a.To, q.From, q.To)
	}
	last := q.From - 1
	for _, o := range a.Open {
		if o.Turn <= last || o.Turn >= a.To || a.wins(o.Turn) {
			return fmt.Errorf("the open turn %d, of those from %d to %d", o.Turn, last+1, a.To)
		}
		last = o.Turn
	}
	if !a.settles(q) {
		return errors.New("the answer settles none of the turns")
	}
	return nil
}

// settles reports whether an answer about first turns says something of one of them, so that the
// same question is not asked again.
func (a *Answer) settles(q *Question) bool {
	hard := func(o Open) bool { return o.Hard || q.To-q.From == 1 }
	return a.To-q.From > len(a.Open) || slices.ContainsFunc(a.Open, hard)
}

// MostEffort is the greatest effort of a question.
const MostEffort = 1 << (2 * mostTries)

// Check returns an error if it is no question.
func (q *Question) Check() error {
	_, err := q.position()
	return err
}

// position returns the position of a question. The error says what is wrong with the question.
func (q *Question) position() (p arimaa.Position, err error) {
	if p, err = arimaa.UnpackPosition(q.Position); err != nil {
		return p, err
	}
	if err := p.CheckStart(); err != nil {
		return p, err
	}
	if q.N < 2 || q.N > dfpns.MaxTurns || q.From < 0 || q.From > q.To || q.Effort < 1 || q.Effort > MostEffort {
		return p, fmt.Errorf("no question: %+v", *q)
	}
	return p, q.Killers.check()
}

// wins reports whether an answer about first turns says that one of them wins.
func (a *Answer) wins(turn int) bool { return a.Win != 0 && a.Number == turn }

// open returns the entry of a first turn that is not decided, nil if there is none.
func (a *Answer) open(turn int) *Open {
	if i, found := slices.BinarySearchFunc(a.Open, turn, func(o Open, t int) int { return o.Turn - t }); found {
		return &a.Open[i]
	}
	return nil
}

// Common returns what two answers to the same question both say, and reports whether they do not
// contradict each other. A win that only one of them has found is not in it, nor one by another
// turn. Where they have nothing in common, the first turn counts as hard.
func Common(q *Question, a, b *Answer) (both Answer, agree bool) {
	if q.Whole() {
		if a.Win != 0 && b.Refuted || a.Refuted && b.Win != 0 {
			return both, false
		}
		if a.Refuted && b.Refuted || a.Win != 0 && a.Win == b.Win {
			return *a, true
		}
		return Answer{Nodes: a.Nodes, Killers: a.Killers}, true
	}
	both.To, both.Killers = min(a.To, b.To), a.Killers
	for turn := q.From; turn < both.To; turn++ {
		x, y := a.open(turn), b.open(turn)
		switch {
		case x != nil || y != nil:
			both.Open = append(both.Open, Open{turn, x != nil && x.Hard || y != nil && y.Hard})
		case a.wins(turn) != b.wins(turn):
			return both, false
		case a.wins(turn) && a.Win != b.Win:
			both.Open = append(both.Open, Open{Turn: turn})
		case a.wins(turn):
			both.Win, both.Number = a.Win, turn
		}
	}
	if !both.settles(q) {
		both.Open[0].Hard = true
	}
	both.Nodes = a.Nodes
	return both, true
}
