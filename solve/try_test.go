package solve

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/endings"
	"goalproof/internal/testkit/require"
	"goalproof/proof/referee"
)

// keeps reports, by enumeration, whether the turn that leads to a board wins for the side that made
// it within n turns, this one included. The history holds what has occurred before the turn, nil:
// it is set aside.
func keeps(history func() *referee.History, after referee.Board, me referee.Side, n int) bool {
	opponent := me.Other()
	judge := func(h *referee.History, b referee.Board, moved referee.Side) (referee.Side, bool) {
		if h == nil {
			won, _, over := referee.Outcome(b, moved)
			return won, over
		}
		won, _, over := h.Outcome(b, moved)
		return won, over
	}
	past := func(add ...referee.Board) *referee.History {
		if history == nil {
			return nil
		}
		h := history()
		for i, b := range add {
			h.Add(b, []referee.Side{opponent, me}[i%2])
		}
		return h
	}
	h := past(after)
	if won, over := judge(past(), after, me); over || n == 1 {
		return over && won == me
	}
	for b := range referee.Ends(referee.NewState(after, opponent)) {
		if h != nil && !h.Allowed(b, me) {
			continue
		}
		if won, over := judge(h, b, opponent); over {
			if won == opponent {
				return false
			}
			continue
		}
		wins := false
		if st := referee.NewState(b, me); h == nil {
			wins = referee.WinIn(st, n-1)
		} else {
			wins = past(after, b).WinIn(st, n-1)
		}
		if !wins {
			return false
		}
	}
	return true
}

// turnsToTry returns some turns at p: solutions, and others.
func turnsToTry(t *rapid.T, s *Solver, p arimaa.Position) (turns []arimaa.Turn) {
	all := solved(t, s, context.Background(), Question{Position: p, Deepest: 2, All: true, NoLine: true})
	if n := len(all.Solutions); n > 0 {
		turns = append(turns, all.Solutions[rapid.IntRange(0, n-1).Draw(t, "solution")].Turn)
	}
	var g arimaa.Generator
	if n := g.Generate(&p); n > 0 {
		for range 2 {
			turns = append(turns, g.Turn(rapid.IntRange(0, n-1).Draw(t, "turn")))
		}
	}
	return turns
}

// checkRefutation plays a refutation by the plain rules: the reply is legal and wins, or no win in
// n-1 follows.
func checkRefutation(t rapid.TB, p arimaa.Position, a Answer, n int) {
	t.Helper()
	st := stateOf(t, p)
	for i, ply := range a.Refutation {
		moved := st.Side
		st = played(t, st, ply.Before, ply.Turn)
		winner, _, over := referee.Outcome(st.Board, moved)
		switch {
		case over && winner == referee.Side(p.Side()):
			t.Fatalf("%v: the refutation %v wins", p, a.Refutation)
		case over, i == 0 && n > 1:
		case i == 0 && len(a.Refutation) > 1:
			t.Fatalf("%v: a reply to the last turn", p)
		case i == 1 && referee.WinIn(st, n-1):
			t.Fatalf("%v: after %v there is a win in %d", p, a.Refutation, n-1)
		}
		if last := i == len(a.Refutation)-1; last && i == 0 && n > 1 && !over {
			t.Fatalf("%v: the reply is missing", p)
		}
	}
}

// TestTry compares tries with complete enumeration: of turns at positions with few pieces, one and
// two turns long, with either search, with endgame tables and without.
func TestTry(t *testing.T) {
	ts, _ := endings.Open(t)
	tabled := solverWith(t, Options{Memory: 64 << 20, Threads: 1, Endgames: ts})
	solvers := []*Solver{newSolver(t), best(t, 16<<20), tabled}
	count := map[answer.Verdict]int{}
	boards.Check(t, 240, 6_000, func(t *rapid.T) {
		p := drawn(t, boards.Few(2))
		if p.Unusual() != nil {
			return
		}
		st := stateOf(t, p)
		for _, turn := range turnsToTry(t, solvers[0], p) {
			end := played(t, st, p, turn)
			for n := 1; n <= 2; n++ {
				want := keeps(nil, end.Board, st.Side, n)
				for i, s := range solvers {
					a, err := s.Try(context.Background(), Question{Position: p, Deepest: n}, turn)
					require.NoError(t, err)
					count[a.Verdict]++
					switch {
					case (a.Verdict == answer.Proved) != want || a.Verdict == answer.Unknown:
						t.Fatalf("%v: %s in %d: %v, enumeration %v (solver %d)", p, p.Notation(turn), n, a.Verdict, want, i)
					case want && a.Line[0].Turn != turn:
						t.Fatalf("%v: the line begins with %v, not %v", p, a.Line[0].Turn, turn)
					case want:
						checkLine(t, p, a)
					case a.Refuted != n:
						t.Fatalf("%v: %s in %d: refuted up to %d", p, p.Notation(turn), n, a.Refuted)
					default:
						checkRefutation(t, p, a, n)
					}
				}
			}
		}
	})
	if count[answer.Proved] < 30 || count[answer.Disproved] < 30 {
		t.Errorf("%v: the test says little", count)
	}
}

// TestTryInGame does so in games in which a position has occurred twice.
func TestTryInGame(t *testing.T) {
	s := newSolver(t)
	games, different := 0, 0
	boards.Check(t, 80, 10_000, func(t *rapid.T) {
		p := drawn(t, boards.Few(2))
		if p.Unusual() != nil {
			return
		}
		game := arimaa.NewGame(p, 2)
		if game.Outcome().Over() {
			return
		}
		var made [2]arimaa.Step
		for i := range 4 {
			at := arimaa.NewState(game.Last())
			step := made[i%2]
			if i < 2 {
				steps := at.Steps(nil)
				if len(steps) == 0 {
					return
				}
				step = steps[rapid.IntRange(0, len(steps)-1).Draw(t, "step")]
				made[i] = arimaa.NewStep(step.Piece(), step.To(), (step.Direction()+2)%4)
			}
			if game.Play(arimaa.Turn{}.With(step)) != nil {
				return
			}
		}
		if game.Outcome().Over() || game.Last() != p { // pieces have been captured
			return
		}
		games++
		q := Question{Position: p, Deepest: 2, Game: game}
		st := stateOf(t, p)
		history := func() *referee.History { return historyOf(t, game) }
		turns := turnsToTry(t, s, p)
		turns = append(turns, game.Turn(0))
		for _, turn := range turns {
			end := played(t, st, p, turn)
			a, err := s.Try(context.Background(), q, turn)
			require.NoError(t, err)
			want := keeps(history, end.Board, st.Side, 2)
			if (a.Verdict == answer.Proved) != want || a.Verdict == answer.Unknown {
				t.Fatalf("%v: %s in 2: %v, enumeration %v; %s", p, p.Notation(turn), a.Verdict, want, notation.Turns(game))
			}
			if want != keeps(nil, end.Board, st.Side, 2) {
				different++
			}
		}
	})
	if games < 20 {
		t.Errorf("only %d games: the test says little", games)
	}
	t.Logf("%d games, %d answers that depend on the history", games, different)
}

// TestTryEndgames tries turns at positions that tables know: their values decide.
func TestTryEndgames(t *testing.T) {
	ts, classes := endings.Open(t)
	s := solverWith(t, Options{Memory: 64 << 20, Threads: 1, Endgames: ts})
	wins := 0
	boards.Check(t, 600, 6_000, func(r *rapid.T) {
		class := rapid.SampledFrom(classes).Draw(r, "class")
		p, v := endings.Draw(t, ts, class, rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 1)))
		n, won := v.Win()
		if !won || n < 2 {
			return
		}
		var g arimaa.Generator
		i := rapid.IntRange(0, g.Generate(&p)-1).Draw(r, "turn")
		after := g.Position(i, p.Side())
		best, err := ts.Best(&p, nil)
		require.NoError(r, err)
		for _, turn := range []arimaa.Turn{g.Turn(i), best.Turn} {
			want := turn == best.Turn
			if !want {
				value, ok := ts.Probe(&after.Board, after.Side())
				if !ok || after.Board.Ended(p.Side()).Over() {
					continue
				}
				m, loses := value.Loss()
				want = loses && m < n
			}
			a, err := s.Try(context.Background(), Question{Position: p, Deepest: n}, turn)
			require.NoError(r, err)
			if (a.Verdict == answer.Proved) != want || want && a.Within != n || !want && len(a.Refutation) != 2 {
				r.Errorf("%v, win in %d: %s: %v within %d, the table says %v", p, n, p.Notation(turn), a.Verdict, a.Within, want)
			}
			if wins++; want && len(a.Line) != 2*n-1 && len(a.Line) != 2*n-2 { // a reply may end it
				r.Errorf("%v, win in %d: a line of %d turns", p, n, len(a.Line))
			}
		}
	})
	if wins < 20 {
		t.Errorf("only %d tries", wins)
	}
}

// TestTryUnknown stops tries, after the first turn is decided: what is not decided is unknown, at
// once.
func TestTryUnknown(t *testing.T) {
	p := parse(t, restless)
	var g arimaa.Generator
	g.Generate(&p)
	for name, s := range map[string]*Solver{"dfpns": newSolver(t), "pns": best(t, 16<<20)} {
		var a Answer
		var err error
		for limit := 100 * time.Millisecond; err == nil && a.Refuted < 1 && limit < time.Minute; limit *= 2 {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			a, err = s.Try(ctx, Question{Position: p, Deepest: 20}, g.Turn(0))
			cancel()
		}
		if err != nil || a.Verdict != answer.Unknown || a.Stop != answer.Time || a.Refuted < 1 || len(a.Line)+len(a.Refutation) > 0 {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
}

// TestTryRepetition tries the turn after which the only reply restores the board: without a
// history, when the board has occurred once, and twice.
func TestTryRepetition(t *testing.T) {
	game := gameOf(t, singleReply)
	s := newSolver(t)
	p, turn := game.Last(), game.Turn(0)
	for _, test := range []struct {
		name   string
		game   *arimaa.Game
		n      int
		within int // 0: refuted
	}{
		{"no history", nil, 2, 0},
		{"the board has occurred once, one turn", game.At(0), 1, 0},
		{"the board has occurred once", game.At(0), 2, 2},
		{"the board has occurred twice", game, 1, 1},
	} {
		q := Question{Position: p, Deepest: test.n, Game: test.game}
		a, err := s.Try(t.Context(), q, turn)
		require.NoError(t, err)
		if test.within > 0 && (a.Verdict != answer.Proved || a.Within != test.within) ||
			test.within == 0 && (a.Verdict != answer.Disproved || len(a.Refutation) != test.n) {
			t.Errorf("%s: %+v", test.name, a)
		}
	}
	require.NoError(t, game.Play(turn))
	if _, err := s.Try(t.Context(), Question{Position: game.Last(), Deepest: 2, Game: game}, turn); err == nil {
		t.Error("a turn of the wrong side is tried")
	}
}

// TestTryInThree tries first turns of a win in three, with a game and without: the solutions win,
// and a reply to each of some others leaves no win in two.
func TestTryInThree(t *testing.T) {
	p := exampleOf(t, "win-in-3.txt")
	s := newSolver(t)
	q := Question{Position: p, Deepest: 3, All: true}
	all := solved(t, s, t.Context(), q)
	wins := map[arimaa.Position]bool{}
	var turns []arimaa.Turn
	for _, solution := range all.Solutions {
		wins[solution.After] = true
		turns = append(turns, solution.Turn)
	}
	var g arimaa.Generator
	for n, i := g.Generate(&p), 7; i < n; i += n / 20 {
		turns = append(turns, g.Turn(i))
	}
	q.All = false
	for _, q.Game = range []*arimaa.Game{nil, arimaa.NewGame(p, 42)} {
		for _, turn := range turns {
			a, err := s.Try(t.Context(), q, turn)
			require.NoError(t, err)
			if wins[p.AfterTurn(turn)] {
				if a.Verdict != answer.Proved || a.Within != 3 || !a.Exact() {
					t.Errorf("%s: %+v", p.Notation(turn), a)
				}
				checkLine(t, p, a)
				continue
			}
			if a.Verdict != answer.Disproved || a.Refuted != 3 || len(a.Refutation) != 2 {
				t.Errorf("%s: %+v", p.Notation(turn), a)
				continue
			}
			ply := a.Refutation[1]
			if after := ply.Before.AfterTurn(ply.Turn); !after.Ended(ply.Before.Side()).Over() {
				if b := solved(t, s, t.Context(), Question{Position: after, Deepest: 2}); b.Verdict != answer.Disproved {
					t.Errorf("%s: after %s there is a win in %d", p.Notation(turn), ply.Before.Notation(ply.Turn), b.Within)
				}
			}
		}
	}
	if len(all.Solutions) == 0 || len(turns) < len(all.Solutions)+10 {
		t.Errorf("%d solutions, %d turns: the test says little", len(all.Solutions), len(turns))
	}
}
