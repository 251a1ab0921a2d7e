package dfpns

import (
	"context"
	"fmt"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
)

// slack is how many nodes a search with one thread may take more than its limit.
const slack = 1 << 12

// TestNodes limits questions of every kind in nodes. One thread always stops at the same node:
// again, after other questions, and while the machine is busy. It takes at most the slack more, and
// what it decides is what a search without a limit says.
func TestNodes(t *testing.T) {
	win, hard, opening := load.Example(t, "win-in-3.txt"), boards.Parse(t, long[1].board), boards.Parse(t, long[0].board)
	within := func(q Question) func(context.Context, *Solver) (string, answer.Verdict, answer.Stop) {
		return func(ctx context.Context, s *Solver) (string, answer.Verdict, answer.Stop) {
			r, err := s.Solve(ctx, q)
			return fmt.Sprint(r, err), r.Verdict, r.Stop
		}
	}
	questions := map[string]struct {
		ask  func(context.Context, *Solver) (all string, v answer.Verdict, stop answer.Stop)
		want answer.Verdict // unknown: within no limit of this test
	}{
		"a win in three":    {within(Question{Position: win, N: 3}), answer.Proved},
		"a longer win":      {within(Question{Position: win, N: 3, Longest: 5}), answer.Proved},
		"no win in two":     {within(Question{Position: opening, N: 2}), answer.Disproved},
		"an open question":  {within(Question{Position: hard, N: 3}), answer.Unknown},
		"a capture":         {within(Question{Position: hard, N: 2, Aim: goal.CaptureOf(arimaa.None, arimaa.Traps)}), answer.Unknown},
		"no win by threats": {within(Question{Position: hard, N: 3, Threats: true}), answer.Unknown},
		"all solutions": {func(ctx context.Context, s *Solver) (string, answer.Verdict, answer.Stop) {
			all, stop, err := s.All(ctx, Question{Position: win, N: 3})
			v := answer.Unknown
			if stop == answer.Finished {
				v = answer.Proved
			}
			return fmt.Sprint(len(all), stop, err, s.Nodes()), v, stop
		}, answer.Unknown},
		"a loss": {func(ctx context.Context, s *Solver) (string, answer.Verdict, answer.Stop) {
			r, err := s.Loss(ctx, Question{Position: hard, N: 2})
			return fmt.Sprint(r, err, s.Nodes()), r.Verdict, r.Stop
		}, answer.Disproved},
	}
	limits := []uint64{1, 1000, 10_000}
	first := map[string]string{}
	for round := range 3 {
		if round == 2 && !boards.Large {
			break // a busy machine
		}
		s := newSolver(16<<20, 1)
		t.Run([...]string{"first", "again", "busy"}[round], func(t *testing.T) {
			if round == 2 {
				boards.Busy(t)
			}
			for name, q := range questions {
				for _, limit := range limits {
					s.Forget()
					ctx, cancel := answer.Limit{Nodes: limit}.Start(t.Context())
					all, v, stop := q.ask(ctx, s)
					cancel()
					key := fmt.Sprint(name, ", ", limit)
					if s.Nodes() > limit+slack {
						t.Errorf("%s: %d nodes", key, s.Nodes())
					}
					if v == answer.Unknown && stop != answer.Nodes && name != "no win by threats" {
						t.Errorf("%s: unknown, %v", key, stop)
					}
					if v != answer.Unknown && q.want != answer.Unknown && v != q.want {
						t.Errorf("%s: %v, want %v", key, v, q.want)
					}
					if limit == limits[len(limits)-1] && q.want != answer.Unknown && v != q.want {
						t.Errorf("%s: %v, want %v within this limit", key, v, q.want)
					}
					if round == 0 {
						first[key] = all
					} else if all != first[key] {
						t.Errorf("%s: %s, the first time %s", key, all, first[key])
					}
				}
			}
		})
	}
}

// TestNodesOfThreads lets two threads spend the nodes of a limit: they end soon after it.
func TestNodesOfThreads(t *testing.T) {
	s := newSolver(16<<20, 2)
	ctx, cancel := answer.Limit{Nodes: 20_000}.Start(t.Context())
	defer cancel()
	r, err := s.Solve(ctx, Question{Position: boards.Parse(t, long[1].board), N: 3})
	if err != nil || r.Stop != answer.Nodes || r.Nodes < 20_000 || r.Nodes > 20_000+2*slack {
		t.Errorf("%+v, %v", r, err)
	}
}
