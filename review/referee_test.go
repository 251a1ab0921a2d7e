package review_test

import (
	"testing"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/enumeration"
	"goalproof/internal/testkit/load"
	"goalproof/proof/referee"
	"goalproof/review"
)

// drawGame draws a game of a few turns from a small board, in which no position occurs twice.
func drawGame(t *rapid.T) (*arimaa.Game, bool) {
	p := boards.Parse(t, boards.Few(2).Draw(t, "position"))
	if p.Unusual() != nil {
		return nil, false
	}
	g := arimaa.NewGame(p, 2)
	var turns arimaa.Generator
	for range rapid.IntRange(0, 4).Draw(t, "turns") {
		last := g.Last()
		if n := turns.Generate(&last); n == 0 || g.Play(turns.Turn(rapid.IntRange(0, n-1).Draw(t, "turn"))) != nil {
			break
		}
	}
	return g, len(g.Twice(arimaa.Gold))+len(g.Twice(arimaa.Silver)) == 0
}

// least returns the least number of turns, 1 or 2, for which a question has the answer yes, or 0.
func least(question func(st referee.State, n int) bool, st referee.State) int {
	for n := 1; n <= 2; n++ {
		if question(st, n) {
			return n
		}
	}
	return 0
}

// TestAsReferee reviews games on small boards and compares all that is said about their positions
// with complete enumeration.
func TestAsReferee(t *testing.T) {
	s := newSolver(t)
	counts := map[string]int{}
	boards.Check(t, 15, 1_000, func(t *rapid.T) {
		g, ok := drawGame(t)
		if !ok {
			return
		}
		v := reviewed(t, review.NewRecord("drawn", g), review.Options{WinIn: 2, Limit: unhurried}, s)
		for i := range v.Standings {
			if i == g.Len() && g.Outcome().Over() {
				continue // nothing is asked
			}
			p := g.Position(i)
			st := load.State(t, p)
			threat := 0
			if _, _, over := referee.Outcome(st.Board, st.Side); !over {
				threat = least(referee.WinIn, referee.NewState(st.Board, st.Side.Other()))
			}
			for _, f := range []struct {
				name string
				fact review.Fact
				want int
			}{
				{"win", v.Standings[i].Win, least(referee.WinIn, st)},
				{"threat", v.Standings[i].Threat, threat},
				{"loss", v.Standings[i].Loss, least(enumeration.Loses, st)},
			} {
				if f.fact.Proved() && f.fact.Within > 2 && f.want == 0 {
					counts["beyond"]++ // deduced: enumeration does not reach it
					continue
				}
				if f.fact.Verdict == answer.Unknown || f.fact.Proved() != (f.want > 0) || f.fact.Within != f.want {
					t.Fatalf("%v: %s %+v, the referee says %d", p, f.name, f.fact, f.want)
				}
				if f.want > 0 {
					counts[f.name]++
				}
			}
			for _, saving := range v.Standings[i].Saving {
				after, ok := p.Try(saving.Turn)
				if !ok {
					t.Fatalf("%v: %v is illegal", p, saving.Turn)
				}
				if n := least(referee.WinIn, load.State(t, after)); n != 0 {
					t.Fatalf("%v: after %v the referee finds a win in %d", p, saving.Turn, n)
				}
				counts["saving"]++
			}
		}
	})
	t.Logf("proved: %v", counts)
	few := map[string]int{"win": 3, "threat": 3, "loss": 1} // and in a thousand games some saving turns
	if boards.Deep {
		few["saving"] = 1
	}
	for name, few := range few {
		if counts[name] < few {
			t.Errorf("%s: proved only %d times: the test says little", name, counts[name])
		}
	}
}
