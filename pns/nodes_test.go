package pns

import (
	"fmt"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/internal/testkit/boards"
)

// slack is how many nodes a search may take more than its limit.
const slack = 1 << 10

// TestNodes limits questions in nodes: the search always stops at the same node, again, after other
// questions, and while the machine is busy. It takes at most the slack more, and what it decides is
// what a search without a limit says. A context whose nodes are spent already lets it do nothing.
func TestNodes(t *testing.T) {
	win := boards.Parse(t, "g [r                                   M     R   e                 ]")
	game := arimaa.NewGame(boards.Parse(t, long), arimaa.FirstTurn)
	questions := map[string]Question{
		"a win":            {Position: win, N: 2},
		"an open question": {Position: boards.Parse(t, long), N: 4},
		"in a game":        {Position: boards.Parse(t, long), N: 4, Game: game},
		"a capture":        {Position: boards.Parse(t, long), N: 3, Aim: goal.CaptureOf(arimaa.None, arimaa.Traps)},
	}
	decided := map[string]answer.Verdict{"a win": ask(fresh(t, 64), questions["a win"]).Verdict}
	if decided["a win"] == answer.Unknown {
		t.Fatal("the win is not decided without a limit")
	}
	first := map[string]string{}
	for round := range 3 {
		if round == 2 && !boards.Large {
			break // a busy machine
		}
		s := fresh(t, 64)
		t.Run([...]string{"first", "again", "busy"}[round], func(t *testing.T) {
			if round == 2 {
				boards.Busy(t)
			}
			for name, q := range questions {
				for _, limit := range []uint64{1, 1000, 20_000} {
					ctx, cancel := answer.Limit{Nodes: limit}.Start(t.Context())
					r := s.Solve(ctx, q)
					key := fmt.Sprint(name, ", ", limit)
					all := fmt.Sprint(r, s.Err())
					if r.Nodes > limit+slack {
						t.Errorf("%s: %d nodes", key, r.Nodes)
					}
					if r.Verdict == answer.Unknown && r.Stop != answer.Nodes {
						t.Errorf("%s: unknown, %v", key, r.Stop)
					}
					if r.Verdict != answer.Unknown && r.Verdict != decided[name] {
						t.Errorf("%s: %v, without a limit %v", key, r.Verdict, decided[name])
					}
					if r.Verdict == answer.Unknown {
						spent := s.Solve(ctx, q)
						all += fmt.Sprint(spent, s.Err())
						if spent.Stop != answer.Nodes || spent.Nodes > 1 {
							t.Errorf("%s: with no nodes left: %+v", key, spent)
						}
					}
					cancel()
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
