package solve

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/proof/referee"
)

// checkVariation checks a variation of a win within n turns by the referee: every reply stands in
// one group; after each reply of a group the attacker needs as many turns as it says, and its
// answer wins within them; or the reply has lost. wins asks for a win in n.
func checkVariation(t rapid.TB, v *Variation, n int, wins func(st referee.State, n int) bool) {
	t.Helper()
	st := stateOf(t, v.Before)
	after := played(t, st, v.Before, v.Turn)
	if winner, _, over := referee.Outcome(after.Board, st.Side); over != v.Outcome.Over() || over && winner != st.Side {
		t.Fatalf("%v: the outcome after %v is %v", v.Before, v.Turn, v.Outcome)
	} else if over {
		return
	}
	if passed := referee.NewState(after.Board, st.Side); wins(passed, 1) != (v.Threat.Len() > 0) {
		t.Fatalf("%v: %v threatens %v", v.Before, v.Turn, v.Threat)
	}
	left := map[referee.Board]bool{}
	for b := range referee.Ends(after) {
		left[b] = true
	}
	if v.Replies != len(left) {
		t.Fatalf("%v: %d replies to %v, the referee has %d", v.Before, v.Replies, v.Turn, len(left))
	}
	defender := v.Before.AfterTurn(v.Turn)
	for i, g := range v.Groups {
		if g.Turns >= n || len(g.Replies) == 0 || i > 0 && g.Turns > v.Groups[i-1].Turns && v.Groups[i-1].Turns > 0 {
			t.Fatalf("%v: group %d of %v: %+v", v.Before, i, v.Turn, v.Groups)
		}
		for k, reply := range g.Replies {
			next := played(t, after, defender, reply)
			if !left[next.Board] {
				t.Fatalf("%v: the reply %v stands in two groups", v.Before, reply)
			}
			delete(left, next.Board)
			if winner, _, over := referee.Outcome(next.Board, after.Side); over {
				if winner != st.Side || g.Turns != 0 {
					t.Fatalf("%v: the game is over after the reply %v", v.Before, reply)
				}
				continue
			}
			if g.Turns > 1 && wins(next, g.Turns-1) || !wins(next, g.Turns) {
				t.Fatalf("%v: after %v the win does not take %d turns", v.Before, reply, g.Turns)
			}
			end := played(t, next, defender.AfterTurn(reply), g.Answer.Turn)
			if g.Turns == 1 {
				if winner, _, over := referee.Outcome(end.Board, st.Side); !over || winner != st.Side {
					t.Fatalf("%v: after %v the answer %v does not win", v.Before, reply, g.Answer.Turn)
				}
			} else if k == 0 {
				checkVariation(t, g.Answer, g.Turns, wins)
			}
		}
	}
	if len(left) != v.HiddenReplies || (v.Hidden == 0) != (len(left) == 0) {
		t.Fatalf("%v: %d replies are missing, %d hidden", v.Before, len(left), v.HiddenReplies)
	}
}

// TestVariations checks the variations of the wins in two that random small boards have.
func TestVariations(t *testing.T) {
	s := newSolver(t)
	listed, hidden := 0, 0
	boards.Check(t, 200, 3000, func(t *rapid.T) {
		p := drawn(t, rapid.OneOf(boards.Few(2), boards.Few(3)))
		if p.Undefended() != 0 || p.Ended(p.Side().Other()).Over() {
			return
		}
		q := Question{Position: p, Deepest: 2, NoLine: true}
		a := solved(t, s, context.Background(), q)
		if a.Verdict != answer.Proved || a.Within != 2 || referee.Distinct(stateOf(t, p.EndTurn())) > 800 {
			return
		}
		width := rapid.IntRange(1, 6).Draw(t, "width")
		v, err := s.Variations(context.Background(), q, 2, a.Line[0].Turn, width)
		require.NoError(t, err)
		checkVariation(t, v, 2, referee.WinIn)
		if len(v.Groups) > width+1 {
			t.Fatalf("%v: %d groups, want at most %d", p, len(v.Groups), width+1)
		}
		if listed++; v.Hidden > 0 {
			hidden++
		}
	})
	if listed == 0 || hidden == 0 {
		t.Errorf("%d wins, %d with hidden groups", listed, hidden)
	}
}

// TestVariationsOfExamples checks the variations of wins in two and three, with the searches of
// dfpns in place of the referee for wins in more than one turn.
func TestVariationsOfExamples(t *testing.T) {
	s := newSolver(t)
	for name, n := range map[string]int{"win-in-2.txt": 2, "zugzwang-in-2.txt": 2, "win-in-3.txt": 3} {
		q := Question{Position: exampleOf(t, name), Deepest: n, NoLine: true}
		a := solved(t, s, t.Context(), q)
		v, err := s.Variations(t.Context(), q, n, a.Line[0].Turn, 4)
		require.NoError(t, err)
		checkVariation(t, v, n, func(st referee.State, n int) bool {
			p, err := notation.ParsePosition(st.Position())
			require.NoError(t, err)
			return solved(t, s, t.Context(), Question{Position: p, Deepest: n, NoLine: true}).Verdict == answer.Proved
		})
		if v.Groups[0].Turns != n-1 {
			t.Errorf("%s: the first group holds out for %d turns, want %d", name, v.Groups[0].Turns, n-1)
		}
	}
}

// TestNoVariations refuses what cannot be listed.
func TestNoVariations(t *testing.T) {
	p := exampleOf(t, "win-in-2.txt")
	q := Question{Position: p, Deepest: 2}
	turn := solved(t, newSolver(t), t.Context(), q).Line[0].Turn
	if _, err := best(t, 16<<20).Variations(t.Context(), q, 2, turn, 3); !errors.Is(err, ErrNoVariations) {
		t.Errorf("with pns: %v", err)
	}
	q.Game = arimaa.NewGame(p, arimaa.FirstTurn)
	for range 4 {
		if !shuttle(q.Game) {
			t.Fatal("no game")
		}
	}
	if _, err := newSolver(t).Variations(t.Context(), q, 2, turn, 3); len(q.Game.Twice(arimaa.Gold)) == 0 || !errors.Is(err, ErrNoVariations) {
		t.Errorf("with a game: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newSolver(t).Variations(ctx, Question{Position: p, Deepest: 2}, 2, turn, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
