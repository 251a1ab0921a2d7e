package review

import (
	"errors"
	"fmt"
	"reflect"

	"goalproof/answer"
	"goalproof/goal"
	"goalproof/tables/endgame"
)

// Possible says what a review that anybody may have made cannot say, given the options, with a
// limit in nodes alone, and the endgame tables of the solvers. It is called for a review that
// [Decode] has read. What follows from the rest, such as the decision, is derived again. So a
// review in which each proved win has a certificate says nothing false about them.
func (r *Review) Possible(o Options, evaluated bool, ts *endgame.Tables) error {
	n := r.Record.Game.Len()
	first := r.Record.Game.Position(0)
	switch evaluated = evaluated && setUp(&first); {
	case r.WinIn != o.WinIn:
		return fmt.Errorf("wins in %d were looked for", r.WinIn)
	case evaluated && len(r.Evaluations) != n+1 || !evaluated && len(r.Evaluations) > 0:
		return fmt.Errorf("there are %d evaluations", len(r.Evaluations))
	}
	var d goal.Detector
	for i := range r.Standings {
		if err := r.possible(i, ts, &d); err != nil {
			return fmt.Errorf("turn %s: %w", r.Record.Game.Label(i), err)
		}
	}
	for i := range r.Judgements {
		j, now := &r.Judgements[i], r.judge(i)
		if j.Mark != now.Mark || j.Gives != now.Gives {
			return fmt.Errorf("turn %s: %v, and not %v, follows", r.Record.Game.Label(i), now.Mark, j.Mark)
		}
		if err := r.explains(j, i); err != nil {
			return fmt.Errorf("turn %s: %w", r.Record.Game.Label(i), err)
		}
		if j.Fall, j.Grade = 0, Good; evaluated {
			j.Fall, j.Grade = r.fall(i)
		}
	}
	if decided := r.decide(); !reflect.DeepEqual(decided, r.Decision) {
		return errors.New("the decision does not follow")
	}
	return nil
}

// possible checks what is said about position i.
func (r *Review) possible(i int, ts *endgame.Tables, d *goal.Detector) error {
	s, g := &r.Standings[i], r.Record.Game
	if o := g.Outcome(); i == g.Len() && o.Over() && (i > 0 || r.begun()) {
		p := g.Last()
		if !reflect.DeepEqual(*s, r.ended(o.Winner == p.Side())) {
			return errors.New("the game is over")
		}
		return r.evaluates(i)
	}
	if s.tabled() || s.Threat.Tabled {
		table, ok := r.tabled(ts, i)
		if !ok || s.Win != table.Win || s.Threat != table.Threat || s.Loss != table.Loss || s.Turn != table.Turn {
			return errors.New("the endgame tables say something else")
		}
	} else if err := r.proves(i, d); err != nil {
		return err
	}
	for _, saving := range s.Saving {
		if saving.Turn.Len() == 0 || saving.Holds < 1 || saving.Holds > r.WinIn {
			return errors.New("a saving turn does not hold")
		}
	}
	if len(s.Saving) > savingShown {
		return errors.New("there are too many saving turns")
	}
	return r.evaluates(i)
}

// begun reports whether both sides have set up in the first position.
func (r *Review) begun() bool {
	first := r.Record.Game.Position(0)
	return setUp(&first)
}

// proves checks the facts about position i, which no endgame table knows.
func (r *Review) proves(i int, d *goal.Detector) error {
	s, g := &r.Standings[i], r.Record.Game
	for _, f := range []*Fact{&s.Win, &s.Threat, &s.Loss} {
		if !f.possible(r.WinIn) {
			return fmt.Errorf("the fact %+v cannot be", *f)
		}
	}
	p := g.Position(i)
	switch w := &s.Win; {
	case s.Threat.Deduced || s.Loss.Deduced, w.Proved() && s.Loss.Verdict != answer.Disproved:
		return errors.New("a fact is deduced from another one that is not there")
	case w.Proved() != (s.Turn.Len() > 0):
		return errors.New("a win has a turn, and nothing else has")
	case w.Deduced && (i == g.Len() || !r.Standings[i+1].Loss.Proved() || r.Standings[i+1].Loss.Within+1 != w.Within || s.Turn.Code() != g.Turn(i).Code()):
		return errors.New("the win does not follow from the turn that was played")
	case !w.Deduced && max(w.Within, s.Threat.Within) > r.WinIn:
		return errors.New("a win takes longer than was looked for")
	case w.Refuted > 0 && r.history(i) == nil:
		if _, wins := d.CanWin(&p, &p.Board); wins {
			return errors.New("there is a win in 1")
		}
	}
	return nil
}

// possible reports whether a fact can come from a search for wins in so many turns, with a limit in
// nodes.
func (f *Fact) possible(winIn int) bool {
	if min(f.Within, f.Refuted) < 0 || f.Refuted > winIn || f.Stop != answer.Finished && f.Stop != answer.Nodes && f.Stop != answer.Memory {
		return false
	}
	switch f.Verdict {
	case answer.Proved:
		return f.Within > f.Refuted
	case answer.Disproved:
		return f.Within == 0 && f.Refuted == winIn && f.Stop == answer.Finished
	}
	return f.Verdict == answer.Unknown && f.Within == 0 && f.Refuted < winIn
}

// evaluates checks the evaluation of position i, if there is one.
func (r *Review) evaluates(i int) error {
	if r.Evaluations == nil {
		return nil
	}
	e := &r.Evaluations[i]
	possible := e.Chance >= 0 && e.Chance <= 1 && len(e.Best) <= candidates
	for _, c := range e.Best {
		possible = possible && c.Chance >= 0 && c.Chance <= 1 && len(c.Line) > 0
	}
	switch s := &r.Standings[i]; {
	case s.Win.Proved():
		possible = possible && e.Chance == 1
	case s.Loss.Proved():
		possible = possible && e.Chance == 0
	}
	if !possible {
		return errors.New("the evaluation cannot be")
	}
	return nil
}

// explains checks the line of the win that turn i did not keep, and the count of turns that stop a
// win.
func (r *Review) explains(j *Judgement, i int) error {
	within := r.Standings[i].Win.Within
	if len(j.Line) > 0 && (!j.NotKept() || len(j.Line) > 2*within-1) {
		return errors.New("there is no win that was not kept, and its line")
	}
	p := r.Record.Game.Position(i)
	attacker := p.Side()
	for k, t := range j.Line {
		mover := p.Side()
		p = p.AfterTurn(t)
		o := p.Board.Ended(mover)
		if o.Over() && (o.Winner != attacker || k < len(j.Line)-1) || !o.Over() && k == 2*within-2 {
			return errors.New("a line does not end with the win")
		}
	}
	s := &j.Stops
	if min(s.Hold, s.Turns, s.Undecided) < 0 || s.Hold+s.Undecided > s.Turns || s.Turns > 0 && j.Gives == 0 || s.Simplest.Len() > 0 && s.Hold == 0 {
		return errors.New("the turns that would have stopped the win cannot be counted so")
	}
	return nil
}
