package solve

import (
	"context"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
)

// Loss is a solver's answer to the question whether the side to move loses.
type Loss struct {
	// Verdict is Proved if the opponent wins within the given number of his turns, Disproved if
	// not.
	Verdict answer.Verdict
	// Stop is the reason why the verdict is unknown or, for Proved, why the least number of turns
	// is unknown.
	Stop answer.Stop
	// Bounds of the number of the opponent's turns. Within is set for Proved alone.
	answer.Bounds
	Reply arimaa.Turn // if Refuted is not 0: a turn of the side to move after which the opponent has no win in Refuted
	Nodes uint64
	Time  time.Duration
}

// Loss asks, by dfpns, whether the side to move loses within q.Deepest turns of its opponent. It
// grows N as Solve does and sets the third repetition aside; a "yes" stands by the full rule if no
// position has occurred twice. It reads Position, Deepest, Any and Threats. Where an endgame table
// knows the position, ask the table. The error is that of [Question.Check], a contradiction, an
// error of the store, or [dfpns.ErrUnsettled].
func (s *Solver) Loss(ctx context.Context, q Question) (a Loss, err error) {
	start := time.Now()
	if ctx, err = s.asked(ctx, q); err != nil {
		return Loss{}, err
	}
	s.needDepthFirst()
	s.earlier.Store(0)
	s.probes = 0
	for n := 1; n <= q.Deepest && (a.Within == 0 || n < a.Within && !q.Any); {
		s.trying.Store(int32(n))
		longest := q.Deepest
		if a.Within > 0 {
			longest = a.Within - 1
		}
		var r dfpns.Loss
		err = s.count(s.depthFirst, func() (err error) {
			r, err = s.depthFirst.Loss(ctx, dfpns.Question{Position: q.Position, N: n, Longest: longest, Threats: q.Threats})
			return err
		})
		if err != nil {
			return Loss{}, err
		}
		if r.Within > 0 {
			a.Within = r.Within
		}
		if r.Verdict == answer.Disproved {
			a.Refuted, a.Reply = n, r.Reply
			n++
		} else if a.Stop = r.Stop; r.Within == 0 {
			break
		}
	}
	switch {
	case a.Within > 0:
		if a.Verdict = answer.Proved; a.Exact() {
			a.Stop = answer.Finished
		}
	case a.Refuted == q.Deepest:
		a.Verdict, a.Stop = answer.Disproved, answer.Finished
	}
	a.Nodes, a.Time = s.earlier.Load(), time.Since(start)
	return a, nil
}
