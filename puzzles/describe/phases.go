package describe

import (
	"context"
	"slices"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/solve"
)

// MaxTries is the greatest number of near tries of which [Describer.Phases] says what their defences
// do.
const MaxTries = 200

// Phases are what editors print beside the solution of a puzzle: tries, set play, and what the
// actual play after the first essential solution, the key, is like. The package documentation has
// the definitions.
type Phases struct {
	N     int              // turns of the shortest win; where there is none, those within which there is none
	Short []dfpns.Solution // the solutions, if the win is shorter than claimed
	Key   *dfpns.Solution  // nil: there is no win
	Tries []Try            // as [Describer.NearTries] lists them
	Set   SetPlay          // of a win in two or more
	Play  Play             // of the same, if there is a key
	Stop  answer.Stop      // why the tries are not listed, or Finished
}

// SetPlay is what would follow if the defender were to move in the diagram.
type SetPlay struct {
	// Over reports that nothing is said of that: the game would be over, or a trap holds an undefended
	// piece.
	Over bool
	solve.Replies
}

// Complete reports whether the attacker is proved to win in time after every reply.
func (s *SetPlay) Complete() bool { return !s.Over && s.Count > 0 && s.Won() == s.Count }

// Play is what follows the key of a win in N turns, 2 or more.
type Play struct {
	Replies int // by distinct results
	// Short are the replies after which the attacker needs fewer than N-1 turns, Longest those after
	// which he needs as many; of the others that is not known.
	Short, Longest int
	// Of the longest: those that have a single essential answer, and those that have several. Of the
	// others that is not known.
	Single, Dual int
	Duals        []Dual      // at most MaxDuals: after replies that stop the threat first
	Stop         answer.Stop // why something is not known, or Finished
}

// MaxDuals is the greatest number of duals that are listed.
const MaxDuals = 20

// Dual is a reply that has several essential answers.
type Dual struct {
	Reply   arimaa.Turn
	After   arimaa.Position // before the answer
	Answers [2]arimaa.Turn  // the first two
}

// Phases finds the phases of a position, the side to move at the start of its turn. A is the answer
// to the question about it with the third repetition set aside; claim is the number of turns that a
// puzzle claims, 0 if it claims none. It is nil if the answer is open, or the shortest win or its
// solutions are not all known; stop says why. When the context is done, the phases say what is not
// known. The error is one of the solver.
func (d *Describer) Phases(ctx context.Context, p arimaa.Position, a *solve.Answer, claim int) (f *Phases, stop answer.Stop, err error) {
	f = &Phases{N: a.Refuted}
	switch a.Verdict {
	case answer.Unknown: // a turn that fails within Refuted turns may be a solution of a longer win
		return nil, a.Stop, nil
	case answer.Proved:
		switch {
		case !a.Exact():
			return nil, a.Stop, nil
		case a.Listing != answer.Finished:
			return nil, a.Listing, nil
		}
		if f.N = a.Within; f.N < claim {
			f.Short = a.Solutions
		}
		for i := range a.Solutions {
			if f.Key == nil && a.Solutions[i].Essential {
				f.Key = &a.Solutions[i]
			}
		}
	}
	if f.N < 2 {
		return f, stop, nil
	}
	for _, phase := range []struct {
		parts int // the rest of the limit has so many parts, of which this phase takes one
		find  func(context.Context) error
	}{
		{3, func(ctx context.Context) error { return d.refuted(ctx, &p, a.Solutions, f) }},
		{2, func(ctx context.Context) error { return d.setPlay(ctx, &p, f) }},
		{1, func(ctx context.Context) error { return d.play(ctx, f) }},
	} {
		limited, cancel := answer.Share(ctx, phase.parts)
		err := phase.find(limited)
		cancel()
		if err != nil {
			return nil, stop, err
		}
	}
	return f, stop, nil
}

// refuted lists the near tries, with what their defences do.
func (d *Describer) refuted(ctx context.Context, p *arimaa.Position, solutions []dfpns.Solution, f *Phases) error {
	all, ok := d.NearTries(ctx, *p, solutions)
	if !ok {
		f.Stop = answer.StopOf(ctx)
		return nil
	}
	f.Tries = all
	for i := range all[:min(len(all), MaxTries)] {
		if err := d.Refute(ctx, &all[i], f.N); err != nil {
			return err
		}
	}
	return nil
}

// Refute finds out which of the defences refute a near try of a position in which the side to move
// does not win within n turns by it. The error is one of the solver.
func (d *Describer) Refute(ctx context.Context, t *Try, n int) error {
	t.Left = make([]Win, len(t.Defences))
	last, others := -1, 0 // a defence that may refute, and how many others may
	for i, reply := range t.Defences {
		w := &t.Left[i]
		switch {
		case n == 2:
			*w = Win{Verdict: answer.Disproved, Bounds: answer.Bounds{Refuted: 1}}
			continue
		case i == len(t.Defences)-1 && last < 0: // lemma 4
		default:
			a, err := d.Solver.Solve(ctx, solve.Question{Position: t.After.AfterTurn(reply), Deepest: n - 1, NoLine: true})
			if err != nil {
				return err
			}
			if *w = known(&a); w.Verdict == answer.Unknown {
				t.Stop = a.Stop
			}
		}
		if w.Verdict != answer.Proved {
			last, others = i, others+1
		}
	}
	if others == 1 {
		t.Left[last] = Win{Verdict: answer.Disproved, Bounds: answer.Bounds{Refuted: n - 1}}
		t.Stop = answer.Finished
	}
	return nil
}

// setPlay finds the set play.
func (d *Describer) setPlay(ctx context.Context, p *arimaa.Position, f *Phases) (err error) {
	defender := p.Side().Other()
	if f.Set.Over = p.Undefended() != 0 || p.Board.Ended(p.Side()).Over() || p.Board.Ended(defender).Over(); f.Set.Over {
		return nil
	}
	f.Set.Replies, err = d.Solver.Replies(ctx, solve.Question{Position: arimaa.NewPosition(p.Board, defender), Deepest: f.N - 1})
	return err
}

// play finds what the play after the key is like.
func (d *Describer) play(ctx context.Context, f *Phases) error {
	if f.Key == nil {
		return nil
	}
	y, after := &f.Play, &f.Key.After
	y.Replies = d.replies.Generate(after)
	threat, threatens := d.detector.Threat(after)
	var idle []Dual // after replies that do not stop the threat
	shorter, stop, err := d.longest(ctx, after, f.N, func(reply arimaa.Turn, next arimaa.Position) error {
		y.Longest++
		answers, stop, err := d.answers(ctx, &next, f.N-1)
		switch {
		case err != nil:
			return err
		case stop != answer.Finished:
			y.Stop = stop
			return nil
		case len(answers) < 2:
			y.Single++
			return nil
		}
		y.Dual++
		list := &y.Duals
		if end, ok := next.Try(threat); threatens && ok && end.Ended(next.Side()).Over() {
			list = &idle
		}
		if len(*list) < MaxDuals {
			*list = append(*list, Dual{reply, next, [2]arimaa.Turn(answers)})
		}
		return nil
	})
	y.Short = shorter
	if y.Stop == answer.Finished {
		y.Stop = stop
	}
	y.Duals = append(y.Duals, idle[:min(len(idle), MaxDuals-len(y.Duals))]...)
	return err
}

// longest calls visit with each reply at after, the position after a solution of a win in n turns,
// 2 or more, that holds out longest, and with the position that it leads to. It returns the number
// of replies after which the attacker needs fewer than n-1 turns, and why that is not known of all
// others. D.replies has generated the replies.
func (d *Describer) longest(ctx context.Context, after *arimaa.Position, n int, visit func(reply arimaa.Turn, next arimaa.Position) error) (
	shorter int, stop answer.Stop, err error) {
	type reply struct {
		turn arimaa.Turn
		next arimaa.Position
	}
	defender := after.Side()
	var open []reply
	if n == 2 { // all that do not end the game
		for i := range d.replies.Len() {
			if next := d.replies.Position(i, defender); !next.Ended(defender).Over() {
				open = append(open, reply{d.replies.Turn(i), next})
			}
		}
	} else {
		d.detector.Defences(after, func(b *arimaa.Board, t arimaa.Turn) bool {
			open = append(open, reply{t, arimaa.NewPosition(*b, defender.Other())})
			return ctx.Err() == nil
		})
		if ctx.Err() != nil {
			return 0, answer.StopOf(ctx), nil
		}
	}
	shorter = d.replies.Len() - len(open)
	for i := range open {
		if n > 3 { // after a defence there is no win in one; is there one in less than the longest?
			a, err := d.Solver.Solve(ctx, solve.Question{Position: open[i].next, Deepest: n - 2, NoLine: true})
			switch {
			case err != nil:
				return shorter, stop, err
			case a.Verdict == answer.Unknown:
				stop = a.Stop
				continue
			case a.Verdict == answer.Proved:
				shorter++
				continue
			}
		}
		if err := visit(open[i].turn, open[i].next); err != nil {
			return shorter, stop, err
		}
	}
	return shorter, stop, nil
}

// answers returns the essential solutions of a shortest win in n turns of the side to move at p, at
// most two of them. Stop says why they are not known, or Finished.
func (d *Describer) answers(ctx context.Context, p *arimaa.Position, n int) (turns []arimaa.Turn, stop answer.Stop, err error) {
	if ctx.Err() != nil {
		return nil, answer.StopOf(ctx), nil
	}
	if n == 1 {
		turns, nodes := d.winsAtOnce(p)
		answer.BudgetOf(ctx).Spend(nodes)
		return turns, stop, nil
	}
	a, err := d.Solver.Solve(ctx, solve.Question{Position: *p, Deepest: n, All: true, Enough: 2, NoLine: true})
	if err != nil {
		return nil, stop, err
	}
	for i := range a.Solutions {
		if a.Solutions[i].Essential && len(turns) < 2 {
			turns = append(turns, a.Solutions[i].Turn)
		}
	}
	if len(turns) < 2 {
		stop = a.Listing
		if !a.Exact() {
			stop = a.Stop
		}
	}
	return turns, stop, nil
}

// winsAtOnce returns the essential turns with which the side to move at p wins at once, where it
// can, at most two of them. Nodes is the number of turns that were evaluated.
// See lemma 6.
func (d *Describer) winsAtOnce(p *arimaa.Position) (turns []arimaa.Turn, nodes uint64) {
	distance, _ := d.detector.Win(p, &p.Board)
	k, _ := distance.Steps()
	w := ways{d: d, start: &p.Board, boards: []arimaa.Board{p.Board}}
	w.follow(p.WithStepsLeft(k), arimaa.Turn{})
	if len(w.turns) > 1 || k == arimaa.StepsPerTurn {
		return w.turns, w.nodes
	}
	var wins []dfpns.Solution
	w.nodes += uint64(d.turns.Generate(p))
	for i := range d.turns.Len() {
		if o := d.turns.Board(i).Ended(p.Side()); o.Over() && o.Winner == p.Side() {
			wins = append(wins, dfpns.Solution{Turn: d.turns.Turn(i), After: d.turns.Position(i, p.Side())})
		}
	}
	dfpns.MarkEssential(p, &d.turns, wins)
	for i := range wins {
		if wins[i].Essential && len(turns) < 2 {
			turns = append(turns, wins[i].Turn)
		}
	}
	return turns, w.nodes
}

// ways finds turns that win at once with the last of the steps that are left.
type ways struct {
	d      *Describer
	start  *arimaa.Board  // at the start of the turn
	turns  []arimaa.Turn  // at most two
	boards []arimaa.Board // at which the turn may not end: the start, and the results of the turns
	nodes  uint64
}

// follow plays on at p, to which a part of a turn has led, until two turns are found.
func (w *ways) follow(p arimaa.Position, so arimaa.Turn) {
	for _, o := range p.Options(nil) {
		next, turn := p.After(o), so.WithOption(o)
		w.nodes++
		if next.StepsLeft() > 0 {
			if _, wins := w.d.detector.CanWin(&next, w.start); wins {
				w.follow(next, turn)
			}
		} else if end := next.Board.Ended(p.Side()); end.Over() && end.Winner == p.Side() && !slices.Contains(w.boards, next.Board) {
			w.boards = append(w.boards, next.Board)
			w.turns = append(w.turns, turn)
		}
		if len(w.turns) == 2 {
			return
		}
	}
}
