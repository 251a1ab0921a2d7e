package describe

import (
	"cmp"
	"context"
	"slices"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/goal"
	"goalproof/solve"
)

// Few is the greatest number of defences that a near try leaves.
const Few = 3

// mostEndings is the greatest number of essential solutions for which [Win] looks at the endings of
// a win in two. Puzzles with more have the themes goal, elimination and immobilisation only if they
// are wins in one.
const mostEndings = 8

// Solution is what is known of an essential solution.
type Solution struct {
	Turn   arimaa.Turn     // one with the fewest steps
	After  arimaa.Position // before the defender's turn
	Themes Themes
	// Threatens is the number of turns in which the attacker would win if the defender passed; 0 if he
	// would not win in time, or it is not known.
	Threatens int
}

// Puzzle is a description of a position in which the side to move wins.
type Puzzle struct {
	N         int        // turns of the shortest win
	Solutions []Solution // the essential ones
	Themes    Themes     // those that all essential solutions share
	Counts
	// NearTries are the first turns that are no solutions, give the defender no win at once, and leave
	// him one to [Few] defences. SingleDefence is how many of these leave exactly one.
	NearTries, SingleDefence int
	// Replies is the number of distinct results of the defender's turn after the first essential
	// solution, and Longest how many of them hold out longest. Longest is -1 if that is not known.
	Replies, Longest int
	Stop             answer.Stop // why something is not known, or Finished
}

// Describer describes wins. It keeps its memory from one to the next, and serves one goroutine.
type Describer struct {
	Solver         *solve.Solver
	detector       goal.Detector
	turns, replies arimaa.Generator
}

// Win describes the win of the side to move at p. A is the answer to the question about it with the
// third repetition set aside, exact and with a complete list of solutions; ok is false if it is
// not, or if the context was done before the turns were counted. If it is done later, Win leaves
// out what it has not yet proved, and says why in Stop. The error is one of the solver.
func (d *Describer) Win(ctx context.Context, p arimaa.Position, a *solve.Answer) (z *Puzzle, ok bool, err error) {
	if !a.Exact() || a.Listing != answer.Finished || a.Essential() == 0 {
		return nil, false, nil
	}
	z = &Puzzle{N: a.Within, Counts: Counts{Winning: len(a.Solutions)}, Longest: -1}
	if !d.tries(ctx, &p, a, z) {
		return nil, false, nil
	}
	z.Themes = ^Themes(0)
	for i := range a.Solutions {
		if !a.Solutions[i].Essential {
			continue
		}
		s, stop, err := d.solution(ctx, &p, z.N, &a.Solutions[i], a.Essential() <= mostEndings)
		if err != nil {
			return nil, false, err
		}
		if stop != answer.Finished {
			z.Stop = stop
		}
		z.Solutions = append(z.Solutions, s)
		z.Themes &= s.Themes
	}
	z.Weigh(&p)
	return z, true, d.count(ctx, z)
}

// Solution returns the themes of a solution of p, where the shortest win takes n turns, and what it
// threatens. Stop is the reason why it is not known whether the defender is in zugzwang, or
// Finished. The error is one of the solver.
func (d *Describer) Solution(ctx context.Context, p arimaa.Position, n int, solution *dfpns.Solution) (
	s Solution, stop answer.Stop, err error) {
	return d.solution(ctx, &p, n, solution, true)
}

// solution looks at the endings of a win in two only if that is asked for.
func (d *Describer) solution(ctx context.Context, p *arimaa.Position, n int, solution *dfpns.Solution, endings bool) (
	s Solution, stop answer.Stop, err error) {
	s = Solution{Turn: solution.Turn, After: solution.After, Themes: themesOfSteps(p, &solution.After, solution.Turn)}
	if n == 1 {
		s.Themes |= ending(s.After.Ended(p.Side()).Reason)
		return s, stop, nil
	}
	if n == 2 && endings {
		s.Themes |= d.endings(&s.After)
	}
	stop, err = d.threat(ctx, n, &s)
	return s, stop, err
}

// threat finds out what the attacker threatens after a solution, or that the defender is in
// zugzwang.
func (d *Describer) threat(ctx context.Context, n int, s *Solution) (stop answer.Stop, err error) {
	attacker := s.After.Side().Other()
	passed := arimaa.NewPosition(s.After.Board, attacker)
	if passed.Ended(attacker.Other()).Over() { // the attacker has no legal step left
		s.Themes |= Quiet | InZugzwang
		return stop, nil
	}
	if _, wins := d.detector.Threat(&s.After); wins {
		s.Themes |= Threat
		s.Threatens = 1
		return stop, nil
	}
	s.Themes |= Quiet
	if n == 2 {
		s.Themes |= InZugzwang
		return stop, nil
	}
	a, err := d.Solver.Solve(ctx, solve.Question{Position: passed, Deepest: n - 1, NoLine: true})
	switch {
	case err != nil:
		return stop, err
	case a.Verdict == answer.Disproved:
		s.Themes |= InZugzwang
	case a.Exact():
		s.Threatens = a.Within
	default:
		stop = a.Stop
	}
	return stop, nil
}

// ending returns the theme of a win.
func ending(r arimaa.Reason) Themes {
	switch r {
	case arimaa.Goal, arimaa.OpponentGoal:
		return Goal
	case arimaa.Elimination, arimaa.OwnElimination:
		return Elimination
	case arimaa.Immobilisation:
		return Immobilisation
	}
	return 0
}

// endings returns how the attacker of a win in two has to win: goal if every reply leaves him a
// goal, and otherwise how he wins after those that leave none. After is the position before the
// reply.
func (d *Describer) endings(after *arimaa.Position) (all Themes) {
	defender, attacker := after.Side(), after.Side().Other()
	for i := range d.replies.Generate(after) {
		p := d.replies.Position(i, defender)
		if o := p.Ended(defender); o.Over() {
			if o.Reason != arimaa.OpponentGoal {
				all |= ending(o.Reason)
			}
			continue
		}
		if distance, _ := d.detector.Goal(&p, &p.Board); distance != goal.None {
			continue
		}
		if t, wins := d.detector.CanWin(&p, &p.Board); wins {
			end, _ := p.Try(t)
			reason := end.Ended(attacker).Reason
			if reason == arimaa.Immobilisation && d.eliminates(&p) {
				reason = arimaa.Elimination
			}
			all |= ending(reason)
		}
	}
	if all == 0 {
		all = Goal
	}
	return all
}

// eliminates reports whether the side to move can win by elimination in this turn.
func (d *Describer) eliminates(p *arimaa.Position) bool {
	for i := range d.turns.Generate(p) {
		if o := d.turns.Board(i).Ended(p.Side()); o.Reason == arimaa.Elimination {
			return true
		}
	}
	return false
}

// tries counts the first turns, and those that nearly win, unless the context is done before.
func (d *Describer) tries(ctx context.Context, p *arimaa.Position, a *solve.Answer, z *Puzzle) bool {
	z.Turns = d.turns.Generate(p)
	if z.N == 1 {
		return true
	}
	return d.eachTry(ctx, p, a.Solutions, func(_ int, _ *arimaa.Position, threatens bool, defences []arimaa.Turn) {
		if threatens {
			z.Threats++
		}
		if defences != nil {
			z.NearTries++
		}
		if len(defences) == 1 {
			z.SingleDefence++
		}
	})
}

// eachTry calls visit with each first turn of those that d.turns has generated at p that is no
// solution and does not end the game: its number, the position after it, whether the attacker then
// threatens to win at once, and the defences that it leaves if it is a near try, else nil. It
// reports false if the context was done before.
func (d *Describer) eachTry(ctx context.Context, p *arimaa.Position, solutions []dfpns.Solution,
	visit func(i int, after *arimaa.Position, threatens bool, defences []arimaa.Turn)) bool {
	solves := make(map[arimaa.Board]bool, len(solutions))
	for i := range solutions {
		solves[solutions[i].After.Board] = true
	}
	var defences [Few]arimaa.Turn
	for i := range d.turns.Len() {
		if ctx.Err() != nil {
			return false
		}
		after := d.turns.Position(i, p.Side())
		if solves[after.Board] || after.Ended(p.Side()).Over() {
			continue
		}
		_, threatens := d.detector.Threat(&after)
		if _, wins := d.detector.CanWin(&after, &after.Board); wins {
			visit(i, &after, threatens, nil)
			continue
		}
		n := 0
		d.detector.Defences(&after, func(_ *arimaa.Board, t arimaa.Turn) bool {
			if n < Few {
				defences[n] = t
			}
			n++
			return n <= Few
		})
		if n <= Few { // there is at least one, or the turn would win
			visit(i, &after, threatens, defences[:n])
		} else {
			visit(i, &after, threatens, nil)
		}
	}
	return true
}

// Try is a near try.
type Try struct {
	// Solution is the turn as a list of turns has it; it is essential if no other near try lies on
	// the way to it.
	dfpns.Solution
	Threatens bool          // the attacker would win at once if the defender passed
	Defences  []arimaa.Turn // one to [Few]: all replies that leave the attacker no win at once
	// Left is, for each defence, the win that is left in the turns that are: a defence refutes the try
	// if there is none. [Describer.Refute] finds it; Stop says why it is not known, or Finished.
	Left []Win
	Stop answer.Stop
}

// NearTries lists the near tries of p, essential ones first, then those with fewer defences, then
// those with fewer steps. The side to move must not win at once, and solutions must list all first
// turns that win in as few turns as possible; it is empty if there is no win in two. Ok is false if
// the context was done before.
func (d *Describer) NearTries(ctx context.Context, p arimaa.Position, solutions []dfpns.Solution) (all []Try, ok bool) {
	d.turns.Generate(&p)
	var turns []dfpns.Solution
	ok = d.eachTry(ctx, &p, solutions, func(i int, after *arimaa.Position, threatens bool, defences []arimaa.Turn) {
		if defences != nil {
			turns = append(turns, dfpns.Solution{Turn: d.turns.Turn(i), After: *after})
			all = append(all, Try{Threatens: threatens, Defences: slices.Clone(defences)})
		}
	})
	dfpns.MarkEssential(&p, &d.turns, turns)
	for i := range all {
		all[i].Solution = turns[i]
	}
	first := map[bool]int{true: -1}
	slices.SortStableFunc(all, func(a, b Try) int {
		return cmp.Or(first[a.Essential]-first[b.Essential], len(a.Defences)-len(b.Defences), a.Turn.Len()-b.Turn.Len())
	})
	return all, ok
}

// count counts the replies to the first essential solution.
func (d *Describer) count(ctx context.Context, z *Puzzle) error {
	if z.N == 1 {
		z.Longest = 0
		return nil
	}
	after := &z.Solutions[0].After
	z.Replies = d.replies.Generate(after)
	longest := 0
	_, stop, err := d.longest(ctx, after, z.N, func(arimaa.Turn, arimaa.Position) error {
		longest++
		return nil
	})
	if stop != answer.Finished {
		z.Stop = stop
		return err
	}
	z.Longest = longest
	return err
}
