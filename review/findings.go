package review

import (
	"goalproof/arimaa"
)

// Kind is the kind of a finding.
type Kind string

// The kinds of findings. Those about a turn that was played are its mark; a turn has at most one of
// them, and perhaps OnlyDefence.
const (
	FirstWin    Kind = "first-win"    // before the turn, for the first time in the game, the side to move is proved to win
	IsDelayed   Kind = "delays"       // [Delays]
	IsMissed    Kind = "misses"       // [Misses]
	IsThrown    Kind = "throws-away"  // [ThrowsAway]
	IsLost      Kind = "loses"        // [Loses]
	IsAllowed   Kind = "allows"       // [Allows]
	OnlyDefence Kind = "only-defence" // the turn gave a win that a single other turn, and no further one, would have stopped
	IsDecided   Kind = "decided"      // from this position on the side is proved to win without a gap ([Decision])
)

// kinds are the kinds of findings that are marks.
var kinds = map[Mark]Kind{Delays: IsDelayed, Misses: IsMissed, ThrowsAway: IsThrown, Loses: IsLost, Allows: IsAllowed}

// Kinds returns the kinds of findings.
func Kinds() []Kind {
	return []Kind{FirstWin, IsDelayed, IsMissed, IsThrown, IsLost, IsAllowed, OnlyDefence, IsDecided}
}

// Finding is something that a review found out for good: a fact, as strong as the remark about the
// turn states it, never an estimate.
type Finding struct {
	Kind Kind
	At   int         // turns of the game before it
	Side arimaa.Side // that plays the turn; of IsDecided the side that wins
	// Turns are those of the win in question, which the side has or gave its opponent; 0: the game is
	// over.
	Turns int
	// Exact is [Fact.Least] of that win; otherwise these are the most turns that it takes.
	Exact bool
	// Better begins the win, or is the best turn that holds; none (Len 0) if none is known.
	Better arimaa.Turn
}

// Findings returns the findings of a review, in the order of the game.
func (r *Review) Findings() (all []Finding) {
	won := false // by somebody, before
	for i := range r.Standings {
		s := &r.Standings[i]
		mover := side(r.Record.Game, i)
		if s.Win.Proved() && s.Win.Within > 0 && !won {
			won = true
			all = append(all, Finding{FirstWin, i, mover, s.Win.Within, s.Win.Least(), s.Turn})
		}
		if i < len(r.Judgements) {
			all = append(all, r.judged(i, mover)...)
		}
		if d := r.Decision; d != nil && d.From == i {
			win := &s.Loss
			if d.Winner == mover {
				win = &s.Win
			}
			all = append(all, Finding{Kind: IsDecided, At: i, Side: d.Winner, Turns: win.Within, Exact: win.Least()})
		}
	}
	return all
}

// judged returns the findings about the turn played at position i.
func (r *Review) judged(i int, mover arimaa.Side) (all []Finding) {
	j, s, given := &r.Judgements[i], &r.Standings[i], r.Standings[i+1].Win.Least()
	if kind, ok := kinds[j.Mark]; ok {
		f := Finding{Kind: kind, At: i, Side: mover, Turns: j.Gives, Exact: given}
		switch {
		case j.Mark.Missed():
			f.Turns, f.Exact, f.Better = s.Win.Within, s.Win.Least(), s.Turn
		case len(s.Saving) > 0:
			f.Better = s.Saving[0].Turn
		}
		all = append(all, f)
	}
	if j.Stops.Hold == 1 && j.Stops.Undecided == 0 {
		all = append(all, Finding{OnlyDefence, i, mover, j.Gives, given, j.Stops.Simplest})
	}
	return all
}
