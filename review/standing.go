package review

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/solve"
)

// Fact is the answer to the question whether a side wins.
type Fact struct {
	// Verdict is Proved if it wins, Disproved if it does not win within the limit.
	Verdict answer.Verdict
	// Turns is, for Proved, the number of turns within which the winner wins, the least if it is one more than Refuted. It
	// is 0 if the game is over.
	Turns   int
	Refuted int         // the greatest number of turns in which there is no win
	Stop    answer.Stop // why the verdict is unknown
	Deduced bool        // proved by the turn that was played
	// Tabled tells that an endgame table says so: it holds for any number of turns, with the third repetition set aside.
	Tabled bool
}

// In returns the number of turns of a proved win in words: a number, or "at most" with one if it may be less.
func (f *Fact) In() string {
	if f.Turns > f.Refuted+1 {
		return fmt.Sprintf("at most %d", f.Turns)
	}
	return strconv.Itoa(f.Turns)
}

// Proved reports whether the win is proved.
func (f *Fact) Proved() bool { return f.Verdict == answer.Proved }

// Standing holds the answers about a position of a game, before a turn or at the end.
type Standing struct {
	Win    Fact // of the side to move
	Threat Fact // of the opponent, if it were his turn
	Loss   Fact // of the side to move: the opponent wins whatever is played
	// Turn begins the win, if Win is proved.
	Turn arimaa.Turn
	// Saving holds up to three saving turns, those that hold longest first, if the turn that was played gave the opponent
	// a win: they hold against wins in as many turns. At the end of the game it holds turns that hold.
	Saving []Saving
	loses  []arimaa.Turn // other turns that are proved to lose
}

// Saving is a saving turn.
type Saving struct {
	Turn  arimaa.Turn
	Holds int // turns in which the opponent has no win after it; nor is a longer win proved
}

// isLost reports whether a turn from p to after is proved to lose.
func (s *Standing) isLost(p, after arimaa.Position) bool {
	return slices.ContainsFunc(s.loses, func(t arimaa.Turn) bool { return p.AfterTurn(t) == after })
}

// savingShown is the greatest number of saving turns.
const savingShown = 3

// save adds a saving turn, or extends the number of turns for which it holds.
func (s *Standing) save(t arimaa.Turn, holds int) {
	known := slices.IndexFunc(s.Saving, func(saving Saving) bool { return saving.Turn == t })
	if known < 0 {
		s.Saving = append(s.Saving, Saving{t, holds})
	} else {
		s.Saving[known].Holds = max(s.Saving[known].Holds, holds)
	}
	slices.SortStableFunc(s.Saving, func(a, b Saving) int { return b.Holds - a.Holds })
	s.Saving = s.Saving[:min(len(s.Saving), savingShown)]
}

// stand answers the questions about position i, after those about i+1.
func (v *review) stand(ctx context.Context, i int) (s Standing, err error) {
	g := v.Record.Game
	p := g.Position(i)
	if i == g.Len() {
		if o := g.Outcome(); o.Over() {
			return ended(o.Winner == p.Side(), v.WinIn), nil
		}
	}
	if ctx.Err() != nil {
		unknown := Fact{Stop: answer.StopOf(ctx)}
		return Standing{Win: unknown, Threat: unknown, Loss: unknown}, nil
	}
	s, complete := v.tabled(i)
	if !complete {
		if s, complete, err = v.recall(i); err != nil {
			return s, err
		}
	}
	history := v.history(i)
	if !complete {
		if err := v.find(ctx, i, history, &s); err != nil {
			return s, err
		}
	}
	if s.Win.Proved() {
		err = v.certify(ctx, i, s.Win.Turns, s.Turn)
	}
	return s, err
}

// find answers the open questions about position i, and notes the answers. Each question leaves its unused time to the
// next.
func (v *review) find(ctx context.Context, i int, history *arimaa.Game, s *Standing) error {
	p := v.Record.Game.Position(i)
	limited, cancel := context.WithTimeout(ctx, v.Options.Time)
	defer cancel()
	if s.Win.Verdict == answer.Unknown {
		part, stop := share(limited, 3)
		a, err := v.ask(part, p, history)
		stop()
		if err != nil {
			return err
		}
		if s.Win = s.Win.and(fact(a)); s.Win.Proved() {
			s.Turn = a.Line[0].Turn
		}
	}
	if s.Threat.Verdict == answer.Unknown {
		part, stop := share(limited, 2)
		threat, err := v.threat(part, p)
		stop()
		if err != nil {
			return err
		}
		s.Threat = s.Threat.and(threat)
	}
	if s.Loss.Verdict == answer.Unknown {
		before := s.Loss
		if err := v.loss(limited, i, history, s); err != nil {
			return err
		}
		s.Loss = before.and(s.Loss)
	}
	return v.remember(ctx, i, s)
}

// and combines an open answer with a newer one.
func (f Fact) and(now Fact) Fact {
	if now.Verdict == answer.Unknown {
		now.Refuted = max(now.Refuted, f.Refuted)
	}
	return now
}

// ended returns the standing at the end of a game; won says whether the side to move, which did not play the last turn,
// has won.
func ended(won bool, winIn int) Standing {
	over, none := Fact{Verdict: answer.Proved}, Fact{Verdict: answer.Disproved, Refuted: winIn}
	if won {
		return Standing{Win: over, Threat: none, Loss: none}
	}
	return Standing{Win: none, Threat: over, Loss: over}
}

// share returns a context with a part of the remaining time.
func share(ctx context.Context, parts int) (context.Context, context.CancelFunc) {
	deadline, _ := ctx.Deadline()
	return context.WithTimeout(ctx, time.Until(deadline)/time.Duration(parts))
}

// fact converts an answer of the solver.
func fact(a solve.Answer) Fact {
	return Fact{Verdict: a.Verdict, Turns: a.Within, Refuted: a.Refuted, Stop: a.Stop}
}

// ask asks whether the side to move wins, without a line beyond its first turn.
func (v *review) ask(ctx context.Context, p arimaa.Position, history *arimaa.Game) (solve.Answer, error) {
	a, err := v.solver.Solve(ctx, solve.Question{Position: p, Deepest: v.WinIn, Game: history, NoLine: true})
	v.Nodes += a.Nodes
	return a, err
}

// threat asks whether the opponent of the side to move would win if it were his turn.
func (v *review) threat(ctx context.Context, p arimaa.Position) (Fact, error) {
	a, err := v.ask(ctx, p.EndTurn(), nil)
	return fact(a), err
}

// history returns the game up to position i if its repetitions may matter to the questions there, or nil. The longest
// question is about a turn of the side to move and a win in WinIn turns of its opponent.
func (v *review) history(i int) *arimaa.Game {
	g := v.Record.Game.At(i)
	p := g.Last()
	steps := 2 * v.WinIn * arimaa.StepsPerTurn
	for _, side := range []arimaa.Side{arimaa.Gold, arimaa.Silver} {
		for _, b := range g.Twice(side) {
			if inReach(&p.Board, &b, steps) {
				return g
			}
		}
	}
	return nil
}

// inReach reports whether a number of steps, of either side, may lead from one board to another; a no is certain. Each
// piece of the second board has come from the square of a piece of its kind on the first, one square with each step.
func inReach(from, to *arimaa.Board, steps int) bool {
	for side := arimaa.Gold; side <= arimaa.Silver; side++ {
		for kind := arimaa.Rabbit; kind <= arimaa.Elephant; kind++ {
			near, rest := from.Pieces(side, kind), to.Pieces(side, kind)
			if near.Len() < rest.Len() {
				return false
			}
			for rest &^= near; rest != 0; rest &^= near {
				if steps -= rest.Len(); steps < 0 {
					return false
				}
				near |= near.Neighbors()
			}
		}
	}
	return true
}

// loss finds out whether the side to move at position i loses whatever it plays, given what else is in s.
func (v *review) loss(ctx context.Context, i int, history *arimaa.Game, s *Standing) error {
	g := v.Record.Game
	if s.Win.Proved() {
		s.Loss = Fact{Verdict: answer.Disproved, Refuted: v.WinIn}
		return nil
	}
	if s.Win.Refuted == 0 { // time is up: not even a win in 1 has been looked for
		s.Loss.Stop = s.Win.Stop
		return nil
	}
	next, played := arimaa.Position{}, Fact{}
	if i < g.Len() {
		next, played = g.Position(i+1), v.Standings[i+1].Win
		if !played.Proved() {
			s.Loss = Fact{Verdict: played.Verdict, Refuted: played.Refuted, Stop: played.Stop}
			return nil
		}
	}
	p := g.Position(i)
	// Assumed until a reply disproves it. Refuted grows with the replies that are tried.
	loss := Fact{Verdict: answer.Proved, Turns: max(1, played.Turns)}
	complete := true
	var failed error
	v.detector.Defences(&p, func(b *arimaa.Board, t arimaa.Turn) bool {
		after := arimaa.NewPosition(*b, p.Side().Other())
		if after == next {
			return true
		}
		if complete = ctx.Err() == nil; !complete {
			loss.Stop = answer.StopOf(ctx)
			return false
		}
		a, allowed, err := v.reply(ctx, after, t, history)
		switch {
		case err != nil:
			failed = err
			return false
		case !allowed:
			return true
		case a.Verdict == answer.Proved:
			loss.Turns = max(loss.Turns, a.Within)
			if !slices.Contains(s.loses, t) {
				s.loses = append(s.loses, t)
			}
		default:
			complete, loss.Stop = false, a.Stop
			if a.Refuted >= min(played.Turns, v.WinIn) {
				s.save(t, a.Refuted)
			}
		}
		loss.Refuted = max(loss.Refuted, fact(a).Refuted)
		return len(s.Saving) < savingShown || s.Saving[savingShown-1].Holds < v.WinIn
	})
	switch {
	case loss.Refuted >= v.WinIn:
		loss = Fact{Verdict: answer.Disproved, Refuted: v.WinIn}
	case !complete:
		loss = Fact{Refuted: max(loss.Refuted, played.Refuted), Stop: loss.Stop}
	default:
		loss.Refuted = max(loss.Refuted, played.Refuted)
	}
	s.Loss = loss
	return failed
}

// reply asks whether the opponent wins at the position after a turn, if the turn is allowed.
func (v *review) reply(
	ctx context.Context, after arimaa.Position, t arimaa.Turn, history *arimaa.Game,
) (a solve.Answer, allowed bool, err error) {
	if history != nil {
		history = history.At(history.Len())
		if history.Play(t) != nil {
			return a, false, nil
		}
	}
	a, err = v.ask(ctx, after, history)
	return a, true, err
}
