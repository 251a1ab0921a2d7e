package review

import (
	"context"
	"slices"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/solve"
)

// Fact is the answer to the question whether a side wins.
type Fact struct {
	// Verdict is Proved if it wins, Disproved if it does not win within the limit.
	Verdict       answer.Verdict
	answer.Bounds             // Within is 0 if the win is proved because the game is over
	Stop          answer.Stop // why the verdict is unknown
	Deduced       bool        // proved by the turn that was played
	// Tabled reports whether an endgame table gave the answer: it then holds for any number of turns,
	// with the third repetition set aside.
	Tabled bool
}

// Proved reports whether the win is proved.
func (f *Fact) Proved() bool { return f.Verdict == answer.Proved }

// Least reports whether fewer turns than Within do not suffice for a win that is proved, as far as
// is known. In none a game is won that is over.
func (f *Fact) Least() bool { return f.Proved() && (f.Within == 0 || f.Exact()) }

// Standing holds the answers about a position of a game, before a turn or at the end.
type Standing struct {
	Win    Fact // of the side to move
	Threat Fact // of the opponent, if it were his turn
	Loss   Fact // of the side to move: the opponent wins whatever is played
	// Turn begins the win, if Win is proved.
	Turn arimaa.Turn
	// Saving holds up to three saving turns, those that hold longest first, if the turn that was
	// played gave the opponent a win: they hold against wins in as many turns. At the end of the game
	// it holds turns that hold.
	Saving []Saving
	loses  []arimaa.Turn // other turns that are proved to lose
	// Cut reports whether a limit in time has cut a search of the position short of its limit in
	// nodes. The answers then depend on the machine.
	Cut bool
}

// Saving is a saving turn.
type Saving struct {
	Turn  arimaa.Turn
	Holds int // turns in which the opponent has no win after it; nor is a longer win proved
}

// open reports whether a question is undecided.
func (s *Standing) open() bool {
	return s.Win.Verdict == answer.Unknown || s.Threat.Verdict == answer.Unknown || s.Loss.Verdict == answer.Unknown
}

// isLost reports whether a turn from p to after is proved to lose.
func (s *Standing) isLost(p, after arimaa.Position) bool {
	return slices.ContainsFunc(s.loses, func(t arimaa.Turn) bool { return p.AfterTurn(t) == after })
}

// savingShown is the greatest number of saving turns.
const savingShown = 3

// addSaving adds a saving turn, or extends the number of turns for which it holds.
func (s *Standing) addSaving(t arimaa.Turn, holds int) {
	known := slices.IndexFunc(s.Saving, func(saving Saving) bool { return saving.Turn == t })
	if known < 0 {
		s.Saving = append(s.Saving, Saving{t, holds})
	} else {
		s.Saving[known].Holds = max(s.Saving[known].Holds, holds)
	}
	slices.SortStableFunc(s.Saving, func(a, b Saving) int { return b.Holds - a.Holds })
	s.Saving = s.Saving[:min(len(s.Saving), savingShown)]
}

// examination is what is found out about a position by itself.
type examination struct {
	standing Standing
	complete bool         // nothing is open
	recalled bool         // from a note, which holds if the answers about the next position are these:
	next     factNote     //
	left     answer.Limit // of the position's limit, for what follows from other positions
	err      error
}

// examine asks about all positions whether a side wins, from the last one back, with all free
// solvers. Each channel receives one examination.
func (v *review) examine(ctx context.Context) (examined []chan examination) {
	n := v.Record.Game.Len() + 1
	for range n {
		examined = append(examined, make(chan examination, 1))
	}
	v.busy.Go(func() {
		for i := n - 1; i >= 0; i-- {
			s, giveBack := v.borrow()
			v.busy.Go(func() {
				defer giveBack()
				var e examination
				e.err = safely(func() error { e = v.examinePosition(ctx, s, i); return e.err })
				examined[i] <- e
			})
		}
	})
	return examined
}

// examinePosition answers the questions about position i that need no other position.
func (v *review) examinePosition(ctx context.Context, solver *solve.Solver, i int) (e examination) {
	g := v.Record.Game
	p := g.Position(i)
	if i == g.Len() {
		switch o := g.Outcome(); {
		case i == 0 && !setUp(&p):
			return examination{complete: true}
		case o.Over():
			return examination{standing: v.ended(o.Winner == p.Side()), complete: true}
		}
	}
	if ctx.Err() != nil {
		unknown := Fact{Stop: answer.StopOf(ctx)}
		return examination{standing: Standing{Win: unknown, Threat: unknown, Loss: unknown}, complete: true}
	}
	if e.standing, e.complete = v.tabled(solver.Endgames(), i); e.complete {
		return e
	}
	if e = v.recall(i); e.complete || e.err != nil {
		e.left = v.Options.Limit
		return e
	}
	limited, cancel := solver.Start(ctx, v.Options.Limit)
	defer cancel()
	e.err = v.find(limited, solver, i, &e.standing)
	e.standing.Cut = answer.Cut(limited)
	if b := answer.BudgetOf(limited); b != nil {
		e.left.Nodes = max(b.Left(), 1)
	}
	if deadline, ok := limited.Deadline(); ok {
		e.left.Time = max(time.Until(deadline), 1)
	}
	return e
}

// setUp reports whether both sides have set up. A record may end before that: then nothing is
// asked.
func setUp(p *arimaa.Position) bool {
	return p.Of(arimaa.Gold) != 0 && p.Of(arimaa.Silver) != 0
}

// conclude derives what follows for position i from those after it, and notes all answers.
func (v *review) conclude(ctx context.Context, i int, e examination) error {
	s := &v.Standings[i]
	*s = e.standing
	switch next := i < v.Record.Game.Len(); {
	case e.recalled && e.next != v.next(i):
		s.Loss, s.Saving, e.complete = Fact{}, nil, false
	case s.tabled() && next && !v.Standings[i+1].Win.Proved():
		s.Saving = nil // the turn that was played is one of those that hold
	}
	if !e.complete && s.Loss.Verdict == answer.Unknown {
		if err := v.lose(ctx, i, e.left, s); err != nil {
			return err
		}
	}
	if !e.complete {
		if err := v.remember(ctx, i, s); err != nil {
			return err
		}
	}
	if s.Win.Proved() && s.Win.Within > 0 {
		if err := v.certify(ctx, i, s.Win.Within, s.Turn); err != nil {
			return err
		}
	}
	return v.deduce(ctx, i)
}

// find asks whether the side to move wins, and whether its opponent would if it were his turn. Each
// takes an eighth of the limit: nine in ten of these questions are decided soon or not at all. The
// rest is for whether the side to move loses, which is asked only if the turn that was played gave
// the opponent a win.
func (v *review) find(ctx context.Context, solver *solve.Solver, i int, s *Standing) error {
	p := v.Record.Game.Position(i)
	if s.Win.Verdict == answer.Unknown {
		part, stop := answer.Share(ctx, 8)
		a, err := v.ask(part, solver, p, v.history(i))
		stop()
		if err != nil {
			return err
		}
		if s.Win = s.Win.merge(fact(a)); s.Win.Proved() {
			s.Turn = a.Line[0].Turn
		}
	}
	if s.Threat.Verdict == answer.Unknown {
		part, stop := answer.Share(ctx, 7)
		threat, err := v.threat(part, solver, p)
		stop()
		if err != nil {
			return err
		}
		s.Threat = s.Threat.merge(threat)
	}
	return nil
}

// lose asks whether the side to move loses whatever it plays.
func (v *review) lose(ctx context.Context, i int, left answer.Limit, s *Standing) error {
	solver, giveBack := v.borrow()
	defer giveBack()
	limited, cancel := solver.Start(ctx, left)
	defer cancel()
	before := s.Loss
	if err := v.loss(limited, solver, i, v.history(i), s); err != nil {
		return err
	}
	s.Cut = s.Cut || answer.Cut(limited)
	if s.Loss = before.merge(s.Loss); s.Loss.Proved() {
		s.Saving = nil // what holds as far as was looked for loses later
	}
	return nil
}

// merge combines an open answer with a newer one.
func (f Fact) merge(now Fact) Fact {
	if now.Verdict == answer.Unknown {
		now.Refuted = max(now.Refuted, f.Refuted)
	}
	return now
}

// none returns the fact that a side does not win within the limit.
func (r *Review) none() Fact {
	return Fact{Verdict: answer.Disproved, Bounds: answer.Bounds{Refuted: r.WinIn}}
}

// ended returns the standing at the end of a game. The side to move, which did not play the last
// turn, has won or lost.
func (r *Review) ended(won bool) Standing {
	over := Fact{Verdict: answer.Proved}
	if won {
		return Standing{Win: over, Threat: r.none(), Loss: r.none()}
	}
	return Standing{Win: r.none(), Threat: over, Loss: over}
}

// fact converts an answer of the solver.
func fact(a solve.Answer) Fact {
	return Fact{Verdict: a.Verdict, Bounds: a.Bounds, Stop: a.Stop}
}

// ask asks whether the side to move wins, without a line beyond its first turn.
func (v *review) ask(ctx context.Context, solver *solve.Solver, p arimaa.Position, history *arimaa.Game) (solve.Answer, error) {
	a, err := solver.Solve(ctx, solve.Question{Position: p, Deepest: v.WinIn, Game: history, NoLine: true})
	v.nodes.Add(a.Nodes)
	return a, err
}

// threat asks whether the opponent of the side to move would win if it were his turn.
func (v *review) threat(ctx context.Context, solver *solve.Solver, p arimaa.Position) (Fact, error) {
	a, err := v.ask(ctx, solver, p.EndTurn(), nil)
	return fact(a), err
}

// history returns the game up to position i if its repetitions may matter to the questions there,
// or nil. The longest question is about a turn of the side to move and a win in WinIn turns of its
// opponent.
func (r *Review) history(i int) *arimaa.Game {
	g := r.Record.Game.At(i)
	p := g.Last()
	steps := 2 * r.WinIn * arimaa.StepsPerTurn
	for _, side := range []arimaa.Side{arimaa.Gold, arimaa.Silver} {
		for _, b := range g.Twice(side) {
			if inReach(&p.Board, &b, steps) {
				return g
			}
		}
	}
	return nil
}

// inReach reports whether a number of steps, of either side, may lead from one board to another; a
// no is certain. Each piece of the second board has come from the square of a piece of its kind on
// the first, one square with each step.
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

// loss finds out whether the side to move at position i loses whatever it plays, given what else is
// in s.
func (v *review) loss(ctx context.Context, solver *solve.Solver, i int, history *arimaa.Game, s *Standing) error {
	g := v.Record.Game
	if s.Win.Proved() {
		s.Loss = v.none()
		return nil
	}
	if s.Win.Refuted == 0 { // the limit is reached: not even a win in 1 has been looked for
		s.Loss.Stop = s.Win.Stop
		return nil
	}
	next, played := v.played(i), Fact{}
	if i < g.Len() {
		if played = v.Standings[i+1].Win; !played.Proved() {
			s.Loss = Fact{Verdict: played.Verdict, Bounds: answer.Bounds{Refuted: played.Refuted}, Stop: played.Stop}
			return nil
		}
	}
	p := g.Position(i)
	together, err := v.together(ctx, solver, p, history)
	if err != nil {
		return err
	}
	if together.Verdict == answer.Proved {
		s.Loss = Fact{Verdict: answer.Proved, Bounds: answer.Bounds{Within: together.Within, Refuted: max(together.Refuted, played.Refuted)}}
		return nil
	}
	if together.Refuted > 0 && p.AfterTurn(together.Reply) == next {
		together.Refuted = 0 // the turn that was played holds as long as was looked for, and yet it loses
	}
	if together.Refuted >= max(1, min(played.Within, v.WinIn)) {
		s.addSaving(together.Reply, together.Refuted)
	}
	// Assumed until a reply disproves it. Refuted grows with the replies that are tried.
	loss := Fact{Verdict: answer.Proved, Bounds: answer.Bounds{Within: max(1, played.Within), Refuted: together.Refuted}}
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
		a, allowed, err := v.reply(ctx, solver, after, t, history)
		switch {
		case err != nil:
			failed = err
			return false
		case !allowed:
			return true
		case a.Verdict == answer.Proved:
			loss.Within = max(loss.Within, a.Within)
			if !slices.Contains(s.loses, t) {
				s.loses = append(s.loses, t)
			}
		default:
			complete, loss.Stop = false, a.Stop
			if a.Refuted >= max(1, min(played.Within, v.WinIn)) {
				s.addSaving(t, a.Refuted)
			}
		}
		loss.Refuted = max(loss.Refuted, a.Refuted)
		return len(s.Saving) < savingShown || s.Saving[savingShown-1].Holds < v.WinIn
	})
	s.Saving = slices.DeleteFunc(s.Saving, func(saving Saving) bool { return s.isLost(p, p.AfterTurn(saving.Turn)) })
	switch {
	case loss.Refuted >= v.WinIn:
		loss = v.none()
	case !complete:
		loss = Fact{Bounds: answer.Bounds{Refuted: max(loss.Refuted, played.Refuted)}, Stop: loss.Stop}
	default:
		loss.Refuted = max(loss.Refuted, played.Refuted)
	}
	s.Loss = loss
	return failed
}

// together asks about all turns at once, within a part of the limit: by threats it finds a loss
// sooner than one turn after the other would. With a history that may matter nothing is asked.
func (v *review) together(ctx context.Context, solver *solve.Solver, p arimaa.Position, history *arimaa.Game) (solve.Loss, error) {
	if history != nil || p.Undefended() != 0 || solver.Algorithm() != solve.DFPNS {
		return solve.Loss{}, nil
	}
	part, stop := answer.Share(ctx, 2)
	defer stop()
	a, err := solver.Loss(part, solve.Question{Position: p, Deepest: v.WinIn})
	v.nodes.Add(a.Nodes)
	return a, err
}

// reply asks whether the opponent wins at the position after a turn, if the turn is allowed.
func (v *review) reply(
	ctx context.Context, solver *solve.Solver, after arimaa.Position, t arimaa.Turn, history *arimaa.Game,
) (a solve.Answer, allowed bool, err error) {
	if history != nil {
		history = history.At(history.Len())
		if history.Play(t) != nil {
			return a, false, nil
		}
	}
	a, err = v.ask(ctx, solver, after, history)
	return a, true, err
}
