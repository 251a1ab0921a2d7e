package solve

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/internal/testkit/boards"
)

// slack is how many nodes a question may take more than its limit.
const slack = 1 << 13

// TestNodes limits questions of every kind in nodes. What a solver with one thread answers is
// always the same: again, after other questions, and while the machine is busy. It takes at most
// the slack more, says that the nodes were spent, and decides nothing otherwise than without a
// limit.
func TestNodes(t *testing.T) {
	game, three := exampleGame(t), exampleOf(t, "win-in-3.txt")
	hard, late := game.At(40), game.At(49)
	first := late.Last()
	type result struct {
		all     string
		verdict answer.Verdict
		stop    answer.Stop
		nodes   uint64
	}
	solve := func(q Question) func(context.Context, *Solver) result {
		return func(ctx context.Context, s *Solver) result {
			a, err := s.Solve(ctx, q)
			a.Time = 0
			return result{fmt.Sprintf("%+v, %v", a, err), a.Verdict, a.Stop, a.Nodes}
		}
	}
	questions := map[string]func(context.Context, *Solver) result{
		"a win in three":    solve(Question{Position: three, Deepest: 3, All: true}),
		"without a bound":   solve(Question{Position: hard.Last(), Deepest: MaxTurns}),
		"in a game":         solve(Question{Position: hard.Last(), Deepest: 4, Game: hard}),
		"in a game, a win":  solve(Question{Position: late.Last(), Deepest: 3, Game: late}),
		"another aim":       solve(Question{Position: hard.Last(), Deepest: 3, Aim: goal.CaptureOf(arimaa.None, arimaa.Traps)}),
		"threats of a pass": solve(Question{Position: first.EndTurn(), Deepest: 2, NoLine: true}),
		"a turn": func(ctx context.Context, s *Solver) result {
			a, err := s.Try(ctx, Question{Position: hard.Last(), Deepest: 3, Game: hard}, game.Turn(40))
			a.Time = 0
			return result{fmt.Sprintf("%+v, %v", a, err), a.Verdict, a.Stop, a.Nodes}
		},
		"a defence": func(ctx context.Context, s *Solver) result {
			d, err := s.Defend(ctx, Question{Position: hard.Last(), Deepest: 3}, nil)
			d.Time = 0
			return result{fmt.Sprintf("%+v, %v", d, err), d.Verdict, d.Stop, d.Nodes}
		},
		"a loss": func(ctx context.Context, s *Solver) result {
			l, err := s.Loss(ctx, Question{Position: hard.Last(), Deepest: 3})
			l.Time = 0
			return result{fmt.Sprintf("%+v, %v", l, err), l.Verdict, l.Stop, l.Nodes}
		},
		"variations": func(ctx context.Context, s *Solver) result {
			a, err := s.Solve(ctx, Question{Position: three, Deepest: 3, NoLine: true})
			if err != nil || a.Verdict != answer.Proved {
				return result{fmt.Sprint(a.Refuted, a.Nodes, err), answer.Unknown, a.Stop, a.Nodes}
			}
			v, err := s.Variations(ctx, Question{Position: three}, 3, a.Line[0].Turn, 3)
			c, failed := s.Certificate(ctx, Question{Position: three}, a)
			entries := 0
			if c != nil {
				entries = len(c.Entries)
			}
			return result{fmt.Sprint(v == nil, err, entries, failed), answer.Proved, answer.Finished, 0}
		},
	}
	free := map[string]answer.Verdict{"a win in three": answer.Proved, "variations": answer.Proved, "threats of a pass": answer.Proved}
	for _, algorithm := range []Algorithm{DFPNS, PNS} {
		known := map[string]string{}
		for round := range 3 {
			if round == 2 && !boards.Large {
				break // a busy machine
			}
			s := solverWith(t, Options{Algorithm: algorithm, Memory: 32 << 20, ProofTable: 8 << 20, TranspositionTable: 8 << 20, Threads: 1})
			t.Run(fmt.Sprint(algorithm, [...]string{" first", " again", " busy"}[round]), func(t *testing.T) {
				if round == 2 {
					boards.Busy(t)
				}
				for name, ask := range questions {
					if algorithm == PNS && (name == "a win in three" || name == "variations") {
						continue // with dfpns alone
					}
					for _, limit := range []uint64{500, 6000} {
						ctx, cancel := s.Start(t.Context(), answer.Limit{Nodes: limit})
						r := ask(ctx, s)
						cancel()
						key := fmt.Sprint(name, ", ", limit)
						if r.nodes > limit+slack {
							t.Errorf("%s: %d nodes", key, r.nodes)
						}
						if r.verdict == answer.Unknown && r.stop != answer.Nodes && r.stop != answer.Memory {
							t.Errorf("%s: unknown, %v", key, r.stop)
						}
						if want := free[name]; want != answer.Unknown && r.verdict != answer.Unknown && r.verdict != want {
							t.Errorf("%s: %v, want %v", key, r.verdict, want)
						}
						if round == 0 {
							known[key] = r.all
						} else if r.all != known[key] {
							t.Errorf("%s: %.400s\nthe first time %.400s", key, r.all, known[key])
						}
					}
				}
			})
		}
	}
}

// TestNodesAgree compares what is decided within a limit in nodes with the answers of a solver
// without one.
func TestNodesAgree(t *testing.T) {
	s, limited := newSolver(t), newSolver(t)
	decided := 0
	boards.Check(t, 60, 600, func(t *rapid.T) {
		p := drawn(t, boards.Position())
		if p.Ended(p.Side().Other()).Over() {
			return
		}
		q := Question{Position: p, Deepest: 2, NoLine: true}
		ctx, cancel := limited.Start(context.Background(), answer.Limit{Nodes: 2000})
		defer cancel()
		a, b := solved(t, limited, ctx, q), solved(t, s, context.Background(), q)
		if a.Verdict == answer.Unknown {
			return
		}
		if decided++; a.Verdict != b.Verdict || a.Within != b.Within || a.Refuted != b.Refuted {
			t.Fatalf("%v: %v in %d, without a limit %v in %d", p, a.Verdict, a.Within, b.Verdict, b.Within)
		}
	})
	if decided == 0 {
		t.Error("nothing was decided")
	}
}
