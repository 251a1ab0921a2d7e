package solve

import (
	"context"
	"errors"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
)

// Defence is a solver's answer to the question which turns of the side to move hold: after them the
// opponent does not win within a given number of turns.
type Defence struct {
	// Verdict is Proved if some turn holds, Disproved if none does: the side to move loses.
	Verdict answer.Verdict
	// Stop is Finished, or the reason why some turns are undecided.
	Stop answer.Stop
	// Turns is the number of distinct turns of the side to move: those that hold, lose or are
	// undecided. Turns that the third repetition forbids are not counted.
	Turns, Lost, Undecided int
	// Hold lists the turns that hold: first the Wins that win at once, then the others, each by the
	// number of steps. A turn is essential if no shorter turn that holds lies on the way to it; it
	// is marked only if all shorter turns are decided.
	Hold []dfpns.Solution
	Wins int
	// Bounds of the opponent's turns to his win. Within is set if no turn holds; if one does,
	// Refuted is Deepest.
	answer.Bounds
	// Threat is what the opponent would do if the side to move could pass.
	Threat Threat
	// Aside reports that turns hold with the third repetition set aside, which matters from two
	// turns on. Turns that lose do so by the full rule.
	Aside bool
	Nodes uint64
	Time  time.Duration
}

// Essential counts the essential turns that hold.
func (d *Defence) Essential() int { return essential(d.Hold) }

// Simplest returns the holding turn of the fewest steps and, of those, the one that touches the
// fewest squares; the zero turn if none holds.
func (d *Defence) Simplest() (t arimaa.Turn) {
	fewest := 0
	for i := range d.Hold {
		h := &d.Hold[i]
		var touched arimaa.Bitboard
		for k := range h.Turn.Len() {
			touched |= h.Turn.Step(k).From().Set() | h.Turn.Step(k).To().Set()
		}
		if cost := 100*h.Turn.Len() + touched.Len(); i == 0 || cost < fewest {
			t, fewest = h.Turn, cost
		}
	}
	return t
}

// Threat is what a side would do if it were its turn.
type Threat struct {
	answer.Bounds     // of the number of its turns to the win
	First         Ply // of the win, if Within is not 0
}

// ErrOver is the error of asking for turns where the game is over.
var ErrOver = errors.New("the game is over: there is no turn to play")

// Threatened returns how the opponent of the side to move would win within most turns if it were
// his turn. Within is 0 if he would not, or if the context is done first. History does not count,
// since a game has no passes. The error is as for [Solver.Solve].
func (s *Solver) Threatened(ctx context.Context, p arimaa.Position, most int) (threat Threat, err error) {
	if ctx, err = s.asked(ctx, Question{Position: p, Deepest: most}); err != nil {
		return threat, err
	}
	passed := p.EndTurn()
	if p.Undefended() != 0 {
		return threat, nil // the effect of a pass on the piece on the trap is undefined
	} else if passed.Ended(p.Side()).Over() {
		threat.Refuted = most
		return threat, nil
	}
	for n := 1; n <= most; n++ {
		s.trying.Store(int32(n))
		f, err := s.decide(ctx, Question{Position: passed}, n, n)
		switch {
		case err != nil || f.verdict == answer.Unknown:
			return threat, err
		case f.verdict == answer.Proved:
			t := s.plainest(&passed, f.turn)
			after := passed.AfterTurn(t)
			threat.Within, threat.First = n, Ply{Before: passed, Turn: t, Outcome: after.Ended(passed.Side())}
			return threat, nil
		}
		threat.Refuted = n
	}
	return threat, nil
}

// Defend asks which turns of the side to move hold against wins of its opponent within q.Deepest of
// his turns. It reads Position, Deepest and Game. Dfpns decides, with all threads.
//
// N grows from 1: for each N, the turns that still hold are decided. For N = 1,
// [goal.Detector.Defences] lists those that hold without looking at the others. The distance of the
// loss is the greatest N at which a turn falls. Progress, if not nil, is called with the number of
// turns decided for an N and the number of all turns for this N.
//
// In a game, turns that the third repetition forbids are left out. A win of the opponent stands by
// the full rule if no position of the game has occurred twice, or if it ends the game at once. Any
// other win is searched with the game, which takes longer. That a turn holds for two turns or more
// sets the third repetition aside.
//
// When the context is done, Defend returns what is decided. The error is as for [Solver.Solve], or
// [ErrOver].
func (s *Solver) Defend(ctx context.Context, q Question, progress func(n, decided, total int)) (Defence, error) {
	start := time.Now()
	ctx, err := s.asked(ctx, q)
	if err != nil {
		return Defence{}, err
	}
	s.earlier.Store(0)
	s.probes, s.number = 0, q.Number
	if q.Position.Ended(q.Position.Side().Other()).Over() || q.Game != nil && q.Game.Outcome().Over() {
		return Defence{}, ErrOver
	}
	if progress == nil {
		progress = func(n, decided, total int) {}
	}
	d := defending{s: s, q: q, progress: progress}
	d.a.Aside = q.Deepest > 1 // a turn that wins at once repeats no position: its board ends a game
	if d.historyCounts() && d.q.Deepest > 1 {
		if err := s.needBestFirst(); err != nil { // before dfpns makes tables that would be too large
			return Defence{}, err
		}
	}
	if err := d.decide(ctx); err != nil {
		return Defence{}, err
	}
	d.finish()
	d.a.Nodes += s.earlier.Load()
	d.a.Time = time.Since(start)
	return d.a, nil
}

// defending is a call of Defend under way.
type defending struct {
	s        *Solver
	q        Question
	progress func(n, decided, total int)
	turns    arimaa.Generator
	a        Defence
	open     []int // turns that hold so far and do not end the game
	fewest   int   // steps of an undecided turn, the least
}

// decide separates the turns that hold from those that lose.
func (d *defending) decide(ctx context.Context) (err error) {
	threat, done := answer.Share(ctx, 10) // it decides nothing
	d.a.Threat, err = d.s.Threatened(threat, d.q.Position, d.q.Deepest)
	done()
	if err != nil {
		return err
	}
	d.s.trying.Store(1)
	d.inOne()
	for n := 2; n <= d.q.Deepest && len(d.open) > 0 && d.a.Undecided == 0; n++ {
		d.a.Refuted = n - 1
		d.s.trying.Store(int32(n))
		if err = d.together(ctx, n); err == nil {
			err = d.each(ctx, n)
		}
		if err != nil {
			return err
		}
		if len(d.open)+d.a.Wins+d.a.Undecided == 0 && d.a.Within == 0 {
			d.a.Within = n
		}
	}
	return nil
}

// inOne lists the turns, and keeps those that leave the opponent no win in one.
func (d *defending) inOne() {
	p, side := &d.q.Position, d.q.Position.Side()
	// The list of defences supposes a settled board, and that no turn of the defender ends the game.
	// Turns that do are judged without it.
	var holding map[arimaa.Board]bool
	if p.Undefended() == 0 {
		holding = map[arimaa.Board]bool{}
		d.s.detector.Defences(p, func(b *arimaa.Board, _ arimaa.Turn) bool {
			holding[*b] = true
			return true
		})
	}
	for i := range d.turns.Generate(p) {
		b := d.turns.Board(i)
		if d.q.Game != nil && d.q.Game.Occurrences(b, side.Other()) >= 2 {
			continue
		}
		d.a.Turns++
		if o := b.Ended(side); o.Over() {
			if o.Winner == side {
				d.hold(i)
				d.a.Wins++
			}
			continue
		}
		holds := holding[*b]
		if holding == nil {
			next := d.turns.Position(i, side)
			_, wins := d.s.detector.CanWin(&next, b)
			holds = !wins
		}
		if holds {
			d.open = append(d.open, i)
		}
	}
	if d.a.Wins+len(d.open) == 0 {
		d.a.Within = 1
	}
	if d.q.Deepest == 1 {
		for _, i := range d.open {
			d.hold(i)
		}
	}
}

// hold adds a turn to those that hold.
func (d *defending) hold(i int) {
	d.a.Hold = append(d.a.Hold, dfpns.Solution{Turn: d.turns.Turn(i), After: d.turns.Position(i, d.q.Position.Side())})
}

// leave marks turns as undecided.
func (d *defending) leave(turns []int, why answer.Stop) {
	for _, i := range turns {
		if d.a.Undecided == 0 {
			d.fewest = d.turns.Steps(i)
		}
		d.fewest = min(d.fewest, d.turns.Steps(i))
		d.a.Undecided++
	}
	if len(turns) > 0 {
		d.a.Stop = why
	}
}

// together searches, from three turns on, for a loss within n turns or more by one search over all
// turns. It begins with threats, which find a loss sooner. If there is one, no turn stays open.
func (d *defending) together(ctx context.Context, n int) error {
	if n < 3 || d.a.Wins > 0 || d.historyCounts() || d.q.Position.Undefended() != 0 {
		return nil
	}
	d.s.needDepthFirst()
	return d.s.count(d.s.depthFirst, func() error {
		r, err := d.s.depthFirst.Loss(ctx, dfpns.Question{Position: d.q.Position, N: n, Longest: d.q.Deepest})
		if err == nil && r.Within > 0 {
			d.a.Within, d.open = r.Within, nil
		}
		return err
	})
}

// historyCounts reports whether the history of the game may invalidate a win of the opponent that
// dfpns finds.
func (d *defending) historyCounts() bool { return d.q.Game != nil && repeated(d.q.Game) }

// each decides the open turns for n. Turns that stay open hold if n is the last.
func (d *defending) each(ctx context.Context, n int) error {
	side := d.q.Position.Side()
	positions := make([]arimaa.Position, len(d.open))
	for k, i := range d.open {
		positions[k] = d.turns.Position(i, side)
	}
	verdicts := make([]answer.Verdict, len(d.open)) // on the opponent's win
	decided := 0
	d.s.needDepthFirst()
	var stop answer.Stop
	err := d.s.count(d.s.depthFirst, func() (err error) {
		stop, err = d.s.depthFirst.Wins(ctx, positions, n, func(k int, wins bool) {
			verdicts[k] = answer.Disproved
			if wins {
				verdicts[k] = answer.Proved
			}
			decided++
			d.progress(n, decided, len(positions))
		})
		return err
	})
	if err != nil {
		return err
	}
	open := d.open
	d.open = nil
	var unknown []int
	for k, i := range open {
		if verdicts[k] == answer.Proved && d.historyCounts() {
			var why answer.Stop
			if verdicts[k], why, err = d.ask(ctx, i, n); err != nil {
				return err
			}
			if verdicts[k] == answer.Unknown {
				stop = why
			}
		}
		switch {
		case verdicts[k] == answer.Proved:
		case verdicts[k] == answer.Disproved && n == d.q.Deepest:
			d.hold(i)
			d.open = append(d.open, i)
		case verdicts[k] == answer.Disproved:
			d.open = append(d.open, i)
		default:
			unknown = append(unknown, i)
		}
	}
	d.leave(unknown, stop)
	if d.a.Undecided > 0 && n < d.q.Deepest {
		d.leave(d.open, stop) // as far as n they hold
	}
	return nil
}

// ask asks, with the game, whether the opponent wins within n turns after a turn, as dfpns has
// proved with the third repetition set aside.
func (d *defending) ask(ctx context.Context, i, n int) (answer.Verdict, answer.Stop, error) {
	q := Question{Position: d.turns.Position(i, d.q.Position.Side()), Deepest: n, Game: d.q.Game.At(d.q.Game.Len()), Any: true, NoLine: true}
	if err := q.Game.Play(d.turns.Turn(i)); err != nil {
		return answer.Unknown, answer.Finished, err
	}
	if q.Game.Outcome().Over() { // the opponent has no turn that the third repetition allows
		return answer.Disproved, answer.Finished, nil
	}
	d.a.Nodes += d.s.earlier.Load()
	a, err := d.s.Solve(ctx, q)
	return a.Verdict, a.Stop, err
}

// finish completes the counts and the bounds, and marks the essential turns.
func (d *defending) finish() {
	a := &d.a
	a.Lost = a.Turns - len(a.Hold) - a.Undecided
	switch {
	case len(a.Hold) > 0:
		a.Verdict, a.Refuted = answer.Proved, d.q.Deepest
	case a.Undecided == 0:
		a.Verdict = answer.Disproved
	}
	dfpns.MarkEssential(&d.q.Position, &d.turns, a.Hold)
	for i := range a.Hold {
		if s := &a.Hold[i]; a.Undecided > 0 && s.Turn.Len() > d.fewest {
			s.Essential = false
		}
	}
}
