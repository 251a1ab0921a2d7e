package solve

import (
	"context"
	"errors"
	"fmt"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/goal"
)

// Try decides whether the attacker wins within q.Deepest turns, beginning with a given turn. The
// answer concerns this turn alone: Within, Refuted and Line are those of wins that begin with it. A
// disproved turn has a Refutation: the turn, and a reply that wins, or after which the attacker has
// no win in the turns that are left. The reply is missing if the turn itself loses, or does not win
// and is the last.
//
// A turn is disproved only by a reply that was proved to refute it, and proved only if every reply
// has been met. Replies after which the attacker wins at once need no search, whatever the history:
// a position in which the game ends has not occurred before. The others are the defences that
// [goal.Detector.Defences] lists. Without a history dfpns decides all of them together; in a game,
// and with pns, each is a question with its game.
//
// The error says that the turn is not legal; for a turn that the game forbids it is that of
// [arimaa.Game.Play]. Other errors are as for [Solver.Solve].
func (s *Solver) Try(ctx context.Context, q Question, t arimaa.Turn) (a Answer, err error) {
	if ctx, err = s.asked(ctx, q); err != nil {
		return a, err
	}
	if !q.Aim.Win() {
		return a, errors.New("a turn is tried for a win alone")
	}
	start := time.Now()
	s.known.Store(nil)
	tr := trial{s: s, q: q, turn: t}
	if err := tr.begin(); err != nil {
		return a, err
	}
	s.earlier.Store(0)
	s.probes, s.number = 0, q.Number
	err = tr.decide(ctx)
	a = tr.a
	a.Nodes, a.Time = a.Nodes+s.earlier.Load(), time.Since(start)
	a.Probes += s.probes
	if err != nil {
		return Answer{}, err
	}
	switch a.Verdict {
	case answer.Proved:
		a.Line, err = s.Line(ctx, q, a.Within, t)
	case answer.Disproved:
		a.Stop, a.Refutation = answer.Finished, tr.line
	}
	return a, err
}

// trial is a turn that is tried.
type trial struct {
	s    *Solver
	q    Question
	turn arimaa.Turn
	line []Ply           // the turn, and the reply that refutes it
	p    arimaa.Position // after the turn
	game *arimaa.Game    // with the turn; nil: none
	a    Answer
}

// begin plays the turn.
func (t *trial) begin() error {
	if t.q.Game != nil {
		if err := t.q.Game.At(t.q.Game.Len()).Play(t.turn); err != nil {
			return err
		}
	} else if _, legal := t.q.Position.Try(t.turn); !legal {
		return fmt.Errorf("%q is no legal turn at %v", t.turn, t.q.Position)
	}
	t.p, t.game = t.s.play(&t.line, t.q.Position, t.q.Game, t.turn)
	return nil
}

// decide finds the verdict.
func (t *trial) decide(ctx context.Context) error {
	attacker := t.q.Position.Side()
	if o := t.line[0].Outcome; o.Over() {
		if o.Winner == attacker {
			t.proved(1)
		} else {
			t.refuted(t.q.Deepest)
		}
		return nil
	}
	if t.q.Deepest == 1 {
		t.refuted(1)
		return nil
	}
	if distance, reply := t.s.detector.Win(&t.p, &t.p.Board); distance != goal.None {
		t.refuted(t.q.Deepest)
		t.reply(reply)
		return nil
	}
	t.a.Refuted = 1
	if t.s.usesDepthFirst() && (t.game == nil || !repeated(t.game)) {
		if done, err := t.together(ctx); done || err != nil {
			return err
		}
	}
	return t.each(ctx)
}

func (t *trial) proved(within int) {
	t.a.Verdict, t.a.Within = answer.Proved, within
	t.a.Refuted = max(t.a.Refuted, within-1)
}

func (t *trial) refuted(n int) { t.a.Verdict, t.a.Refuted = answer.Disproved, n }

// reply adds the reply that refutes the turn.
func (t *trial) reply(r arimaa.Turn) { t.s.play(&t.line, t.p, t.game, r) }

// together decides all replies by one search for each number of turns. It is done unless it finds
// no win in a game, where that is not certain.
func (t *trial) together(ctx context.Context) (done bool, err error) {
	s := t.s
	s.needDepthFirst()
	for n := 2; n <= t.q.Deepest; n++ {
		var r dfpns.Loss
		if err := s.count(s.depthFirst, func() (err error) {
			r, err = s.depthFirst.Loss(ctx, dfpns.Question{Position: t.p, N: n - 1})
			return err
		}); err != nil {
			return false, err
		}
		switch {
		case r.Verdict == answer.Proved:
			t.proved(n)
			t.a.Aside = t.game != nil && n > 2 // a history may make a win shorter
			return true, nil
		case r.Verdict == answer.Unknown:
			t.a.Stop = r.Stop
			return true, nil
		case t.game == nil:
			if t.a.Refuted = n; n == t.q.Deepest {
				t.refuted(n)
				t.reply(r.Reply)
			}
		}
	}
	return t.game == nil, nil
}

// defence is a reply after which the attacker does not win at once.
type defence struct {
	turn  arimaa.Turn
	after arimaa.Position
}

// Each reply gets a short slice of search at first and longer ones later: a refutation may need far
// less than an earlier reply that fails. Slices are counted in nodes if the question has a limit in
// nodes.
const (
	firstSlice      = 20 * time.Millisecond
	firstSliceNodes = 1 << 13
	moreSlice       = 4
)

// each decides the replies one after the other.
func (t *trial) each(ctx context.Context) error {
	attacker := t.q.Position.Side()
	var open []defence
	t.s.detector.Defences(&t.p, func(b *arimaa.Board, r arimaa.Turn) bool {
		if t.game == nil || t.game.Occurrences(b, attacker) < 2 {
			open = append(open, defence{turn: r, after: arimaa.NewPosition(*b, attacker)})
		}
		return ctx.Err() == nil
	})
	if ctx.Err() != nil {
		t.a.Stop = answer.StopOf(ctx)
		return nil
	}
	within, refuted := 2, 1 // turns that the attacker needs, and that do not suffice
	stop := answer.Finished // why a reply stays undecided
	slice := answer.Limit{Time: firstSlice}
	if answer.BudgetOf(ctx) != nil {
		slice = answer.Limit{Nodes: firstSliceNodes}
	}
	for ; len(open) > 0; slice.Time, slice.Nodes = slice.Time*moreSlice, slice.Nodes*moreSlice {
		rest := open[:0]
		for i := range open {
			d := &open[i]
			if ctx.Err() != nil {
				t.a.Stop = answer.StopOf(ctx)
				return nil
			}
			a, err := t.ask(ctx, d, slice)
			if err != nil {
				return err
			}
			switch a.Verdict {
			case answer.Disproved:
				t.refuted(t.q.Deepest)
				t.a.Aside = a.Aside
				t.reply(d.turn)
				return nil
			case answer.Proved:
				within, refuted = max(within, a.Within+1), max(refuted, a.Refuted+1)
				t.a.Aside = t.a.Aside || a.Aside
			case answer.Unknown:
				refuted = max(refuted, a.Refuted+1)
				if a.Stop == answer.Time || a.Stop == answer.Nodes {
					rest = append(rest, *d)
				} else {
					stop = a.Stop
				}
			}
		}
		open = rest
	}
	t.a.Refuted = max(t.a.Refuted, refuted)
	switch {
	case stop != answer.Finished:
		t.a.Stop = stop
	default:
		t.a.Verdict, t.a.Within = answer.Proved, within
	}
	return nil
}

// ask searches for one slice whether the attacker wins after a reply in the turns that are left.
func (t *trial) ask(ctx context.Context, d *defence, slice answer.Limit) (Answer, error) {
	q := Question{Position: d.after, Deepest: t.q.Deepest - 1, NoLine: true}
	if t.game != nil {
		q.Game = t.game.At(t.game.Len())
		if err := q.Game.Play(d.turn); err != nil {
			return Answer{}, err
		}
		if o := q.Game.Outcome(); o.Over() { // by the third repetition
			if o.Winner == t.q.Position.Side() {
				return Answer{Verdict: answer.Proved, Bounds: answer.Bounds{Within: 1}}, nil
			}
			return Answer{Verdict: answer.Disproved}, nil
		}
	} else if o := d.after.Ended(t.p.Side()); o.Over() {
		return Answer{Verdict: answer.Disproved}, nil // a defence ends the game only if the attacker loses
	}
	limited, cancel := slice.Start(ctx)
	defer cancel()
	t.a.Nodes += t.s.earlier.Load()
	t.a.Probes += t.s.probes
	return t.s.Solve(limited, q)
}

// TryShortest is Try for the shortest win: it first finds the least number of turns in which the
// attacker wins. If there is no win within q.Deepest turns it tries the turn within these; if the
// search does not decide, the answer is Unknown and gives the bounds for all turns.
func (s *Solver) TryShortest(ctx context.Context, q Question, t arimaa.Turn) (Answer, error) {
	q.NoLine = true
	shortest, err := s.Solve(ctx, q)
	if err != nil || shortest.Verdict == answer.Unknown {
		return shortest, err
	}
	if shortest.Verdict == answer.Proved {
		q.Deepest = shortest.Within
	}
	a, err := s.Try(ctx, q, t)
	a.Nodes, a.Time, a.Probes = a.Nodes+shortest.Nodes, a.Time+shortest.Time, a.Probes+shortest.Probes
	return a, err
}
