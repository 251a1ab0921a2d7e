package review

import (
	"context"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/solve"
)

// Mark is the effect of a turn on what is proved. Each states a fact and no more than was proved:
// that a side no longer wins within the limit is proved more often than that it threw the win away
// for good.
type Mark uint8

const (
	// None: no change.
	None Mark = iota
	// Wins: the turn ends the game and wins it.
	Wins
	// Keeps: there was a win, and the shortest is kept.
	Keeps
	// Reaches: the turn leaves the opponent lost, which had not been proved before it.
	Reaches
	// Delays: there was a win, and only a longer one is left.
	Delays
	// Misses: there was a win, which is not kept; it is not known whether a longer one is left.
	Misses
	// ThrowsAway: there was a win, and there is none for good: the opponent has one, or an endgame
	// table says that neither side has.
	ThrowsAway
	// Unclear: there was a win; it is not known whether it, or only a longer one, is kept.
	Unclear
	// Loses: the opponent wins now, and an endgame table says that he did not before.
	Loses
	// Allows: the opponent wins now; another turn would have left him no win in as many turns, or in
	// as many as were looked for. It is not known whether he then wins later.
	Allows
	// Open: the opponent wins now; it is not known whether another turn would have held.
	Open
)

var markNames = [...]string{"", "wins", "keeps", "reaches", "delays", "misses", "throws away", "unclear",
	"loses", "allows", "open"}

// String returns the mark in words, "" for None.
func (m Mark) String() string { return markNames[m] }

// Missed reports whether there was a win, of which the shortest was not kept.
func (m Mark) Missed() bool { return m == Delays || m == Misses || m == ThrowsAway }

// Judgement is the judgement of a turn.
type Judgement struct {
	Mark Mark
	// Gives is the number of turns in which the opponent wins after the turn, if the side was not lost
	// before it; otherwise 0.
	Gives int
	// Stops counts the turns that would have stopped the win that the turn gave: one in 1, or any
	// within Options.Defence.
	Stops Stops
	// Line is the win against the longest defence, if it was not kept, or not known to be. It may be
	// incomplete if the limit was reached.
	Line []arimaa.Turn
	// Fall is the loss in winning chances against the best turn, if there are evaluations.
	Fall  float64
	Grade Grade
}

// Stops says how many turns of a side stop a win of its opponent in as many turns as he now takes.
type Stops struct {
	Hold, Turns int  // turns that do, and all turns, told apart by their results; 0 where that was not asked
	Undecided   int  // turns of which it is not known, as the limit was reached
	Aside       bool // the third repetition is set aside for those that do
	// Simplest is the one with the fewest steps, and of these one that changes the fewest squares, if
	// there is one.
	Simplest arimaa.Turn
}

// stops counts the turns that would have stopped the win that turn i gave. For a win in 1 that
// takes milliseconds; longer ones may take as long as the options say.
func (v *review) stops(ctx context.Context, i int) error {
	j, g := &v.Judgements[i], v.Record.Game
	if j.Gives == 0 || j.Gives > 1 && v.Options.Defence.None() || ctx.Err() != nil {
		return nil
	}
	limit := answer.Limit{} // a win in one takes next to nothing
	if j.Gives > 1 {
		limit = v.Options.Defence
	}
	ctx, cancel := v.solver.Start(ctx, limit)
	defer cancel()
	defer func() { v.Standings[i].Cut = v.Standings[i].Cut || answer.Cut(ctx) }()
	a, err := v.solver.Defend(ctx, solve.Question{Position: g.Position(i), Deepest: j.Gives, Game: g.At(i)}, nil)
	if err == nil {
		j.Stops = Stops{Hold: len(a.Hold), Turns: a.Turns, Undecided: a.Undecided, Aside: a.Aside, Simplest: a.Simplest()}
	}
	return err
}

// judge compares what is proved before turn i and after it.
func (r *Review) judge(i int) (j Judgement) {
	before, after := &r.Standings[i], &r.Standings[i+1]
	if after.Win.Proved() && !before.Loss.Proved() {
		j.Gives = after.Win.Within
	}
	switch {
	case after.Loss.Proved() && after.Loss.Within == 0:
		j.Mark = Wins
	case before.Win.Deduced && i > 0 && r.Standings[i-1].Loss.Proved():
		j.Mark = Keeps
	case before.Win.Deduced:
		j.Mark = Reaches
	case before.Win.Proved():
		j.Mark = kept(before.Win.Within, after)
	case !after.Win.Proved() || before.Loss.Proved():
	case before.Loss.Tabled:
		j.Mark = Loses
	case len(before.Saving) > 0:
		j.Mark = Allows
	default:
		j.Mark = Open
	}
	return j
}

// kept returns the mark of a turn at which there was a win in n, by what is proved after it.
func kept(n int, after *Standing) Mark {
	loss := &after.Loss // of the opponent, who is to move
	switch {
	case loss.Proved() && loss.Within < n:
		return Keeps
	case loss.Proved() && loss.Refuted >= n-1:
		return Delays
	case loss.Proved():
		return Unclear
	case after.Win.Proved() || loss.Tabled:
		return ThrowsAway
	case loss.Refuted >= n-1:
		return Misses
	}
	return Unclear
}

// NotKept reports whether there was a win that is not known to be kept.
func (j *Judgement) NotKept() bool { return j.Mark.Missed() || j.Mark == Unclear }

// explain adds the line of the win that turn i did not keep.
func (v *review) explain(ctx context.Context, i int) error {
	j, s := &v.Judgements[i], &v.Standings[i]
	if !j.NotKept() {
		return nil
	}
	if line, ok, err := v.recallLine(i); ok || err != nil {
		j.Line = line
		return err
	}
	limited, cancel := v.solver.Start(ctx, v.Options.Limit)
	defer cancel()
	q := solve.Question{Position: v.Record.Game.Position(i), Deepest: s.Win.Within, Game: v.history(i)}
	a, err := v.solver.Solve(limited, q)
	if err != nil {
		return err
	}
	s.Cut = s.Cut || answer.Cut(limited)
	v.nodes.Add(a.Nodes)
	for _, ply := range a.Line {
		j.Line = append(j.Line, ply.Turn)
	}
	return v.note(ctx, "line", i, v.Options.Limit, j.Line)
}

// Decision is from when on a game is proved to be won.
type Decision struct {
	Winner arimaa.Side // proved to win at the end; the record may say otherwise
	// From is the first position from which on Winner is proved to win without a gap.
	From int
	// Last is the turn before it, the opponent's last one from a position that is not proved to be
	// lost; -1 if there is none.
	Last int
	// Losing reports whether Last is proved to have lost the game: the opponent had a win before it,
	// or an endgame table says that neither side had.
	Losing bool
	// Holds is the greatest number of turns in which the winner had no win after the best turn other
	// than Last, as far as is known. It is the limit if the opponent had a win himself.
	Holds int
	Turns int // of the winner, from From to the end
}

// decide goes back from the end as long as the winner's win is proved.
func (r *Review) decide() *Decision {
	g := r.Record.Game
	mover := side(g, g.Len())
	d := &Decision{Winner: mover, From: g.Len()}
	switch last := &r.Standings[g.Len()]; {
	case last.Loss.Proved():
		d.Winner = mover.Other()
	case !last.Win.Proved():
		return nil
	}
	for d.From > 0 && r.wins(d.From-1, d.Winner) {
		d.From--
		if side(g, d.From) == d.Winner {
			d.Turns++
		}
	}
	if d.Last = d.From - 1; d.Last >= 0 {
		s := &r.Standings[d.Last]
		d.Losing = s.Win.Proved() || s.Loss.Tabled
		switch {
		case s.Win.Proved():
			d.Holds = r.WinIn
		case len(s.Saving) > 0:
			d.Holds = s.Saving[0].Holds
		}
	}
	return d
}

// wins reports whether a side is proved to win at position i.
func (r *Review) wins(i int, winner arimaa.Side) bool {
	if side(r.Record.Game, i) == winner {
		return r.Standings[i].Win.Proved()
	}
	return r.Standings[i].Loss.Proved()
}

// side returns the side to move at position i.
func side(g *arimaa.Game, i int) arimaa.Side {
	p := g.Position(i)
	return p.Side()
}
