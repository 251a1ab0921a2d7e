package dfpns

import (
	"cmp"
	"context"
	"errors"

	"goalproof/answer"
	"goalproof/arimaa"
)

// Loss is the answer to a question about the opponent of the side to move.
type Loss struct {
	// Verdict is Proved if the opponent wins within N of his turns whatever the side to move plays,
	// Disproved if not.
	Verdict answer.Verdict
	// Stop says why the verdict is unknown: Finished if a longer loss was found or, with Threats,
	// if they do not win.
	Stop answer.Stop
	// Within is the number of the opponent's turns within which he is proved to win, as far as the
	// search has seen; 0 if no loss was found. It is at most N if the verdict is Proved, and may be
	// more if it is Unknown.
	Within int
	Reply  arimaa.Turn // for Disproved: a turn that holds, after which the opponent does not win within N
	Nodes  uint64      // turns evaluated, of either side
}

// ErrUnsettled is the error of a question about a loss where a trap holds a piece without a friend
// beside it, as only a position set up by hand can: package goal lists the defences of settled
// boards.
var ErrUnsettled = errors.New("a trap holds an undefended piece: whether the position is lost cannot be asked")

// Loss decides whether the opponent of the side to move at the question's position wins within N of
// his turns, whatever is played: the root is an AND node, of which the opponent is the attacker.
// Otherwise it is as Solve. The game must not be over at the position. The error may also be
// [ErrUnsettled].
func (s *Solver) Loss(ctx context.Context, q Question) (r Loss, err error) {
	ctx = cmp.Or(ctx, context.Background())
	if err := q.check(); err != nil {
		return r, err
	}
	if q.Position.Undefended() != 0 {
		return r, ErrUnsettled
	}
	s.nodes.Store(1)
	if !q.Aim.Win() {
		return r, errAim
	}
	s.ask(q.Aim)
	p, w := &q.Position, s.workers[0]
	if t, wins := w.detector.CanWin(p, &p.Board); wins {
		return Loss{Verdict: answer.Disproved, Reply: t, Nodes: 1}, nil
	}
	if reply, holds := w.detector.Defence(p); !holds {
		return Loss{Verdict: answer.Proved, Within: 1, Nodes: 1}, nil
	} else if q.N == 1 {
		return Loss{Verdict: answer.Disproved, Reply: reply, Nodes: 1}, nil
	}
	if e := s.tables.full.Get(w.defendKey(p)); int(e.ProvedWithin) <= max(q.N, q.Longest) {
		if r.Within = int(e.ProvedWithin); r.Within <= q.N {
			r.Verdict = answer.Proved
		}
		r.Nodes = 1
		return r, nil
	}
	by := searches{
		threats: func(w *worker, n int) outcome {
			return w.search(node{at: p, tree: threatTree, and: true, turns: n}, 0, unlimited)
		},
		full: func(w *worker) outcome { return w.search(node{at: p, and: true, turns: q.N}, 0, unlimited) },
	}
	var got outcome
	if q.N == 2 { // all wins in two are decided at once, so threats add nothing
		s.used = true
		got, err = s.pass(ctx, 0, by.full)
	} else {
		got, err = s.alternate(ctx, q, by)
	}
	r.Nodes = s.nodes.Load()
	switch {
	case err != nil:
	case got.numbers == proved:
		if r.Within = int(got.bound); r.Within <= q.N {
			r.Verdict = answer.Proved
		}
		err = s.tables.full.Learn(w.defendKey(p), got.fact(), workOf(r.Nodes))
	case got.numbers == disproved:
		r.Verdict = answer.Disproved
		r.Reply, _, _ = p.Decode(got.turn)
	case !q.Threats || ctx.Err() != nil:
		r.Stop = answer.StopOf(ctx)
	}
	return r, err
}
