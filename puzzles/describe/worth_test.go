package describe

import (
	"context"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/endings"
	"goalproof/internal/testkit/enumeration"
	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/require"
	"goalproof/proof/referee"
	"goalproof/solve"
	"goalproof/tables/endgame"
)

func newSolver(t testing.TB, threads int) *solve.Solver {
	t.Helper()
	s, err := solve.New(solve.Options{Memory: 64 << 20, Threads: threads})
	require.NoError(t, err)
	return s
}

// zugzwangByTable returns the zugzwang of the side to move by the definitions of the package, from
// the exact values of an endgame table: of the position, and of the board with the other side to
// move.
func zugzwangByTable(move, pass endgame.Value, horizon int) Zugzwang {
	within := func(n int, ok bool) int {
		if !ok || n > horizon {
			return 0
		}
		return n
	}
	own, opponent := within(move.Win()), within(move.Loss())
	passOpponent, passOwn := within(pass.Win()), within(pass.Loss())
	switch {
	case opponent > 0 && passOwn > 0:
		return Mutual
	case opponent > 0 && passOpponent == 0:
		return Losing
	case opponent > 0 && passOpponent > opponent:
		return Hastening
	case passOwn > 0 && own == 0:
		return Spoiling
	case passOwn > 0 && own > passOwn:
		return Delaying
	}
	return NoZugzwang
}

// TestWorthTables compares what the turn is worth, found by search, with the exact values of
// endgame tables. Half of the positions are those in which the tables show a zugzwang, so that each
// kind is tested which occurs.
func TestWorthTables(t *testing.T) {
	ts, classes := endings.Open(t)
	random := rand.New(rand.NewPCG(7, 1))
	s := newSolver(t, 1)
	count, most := map[Zugzwang]int{}, 12
	if boards.Large {
		most = 60
	}
	for range 400_000 {
		horizon := 1 + random.IntN(3)
		p, move := endings.Draw(t, ts, classes[random.IntN(len(classes))], random)
		pass, ok := ts.Probe(&p.Board, p.Side().Other())
		if !ok {
			continue
		}
		want := zugzwangByTable(move, pass, horizon)
		if count[want] == most {
			continue
		}
		count[want]++
		a, err := s.Solve(t.Context(), solve.Question{Position: p, Deepest: horizon})
		require.NoError(t, err)
		w, err := Turn(t.Context(), s, p, &a, horizon)
		require.NoError(t, err)
		if got := w.Zugzwang(); got != want {
			t.Errorf("%v: zugzwang %v, the table says %v (%v, after a pass %v)", p, got, want, move, pass)
		}
		agrees := func(name string, got Win, n int, wins bool) {
			if wins = wins && n <= horizon; wins != (got.Within > 0) || wins && !(got.Exact() && got.Within == n) {
				t.Errorf("%v: %s: %+v, the table says %d, %v", p, name, got, n, wins)
			}
			if !wins && got.Verdict != answer.Disproved {
				t.Errorf("%v: %s: %v", p, name, got.Verdict)
			}
		}
		for _, c := range []struct {
			name string
			got  Win
			n    func() (int, bool)
		}{
			{"own win", w.Own, move.Win}, {"opponent's win", w.Opponent, move.Loss},
			{"own win after a pass", w.PassOwn, pass.Loss}, {"opponent's win after a pass", w.PassOpponent, pass.Win},
		} {
			n, wins := c.n()
			agrees(c.name, c.got, n, wins)
		}
		if n, wins := pass.Win(); wins && n == 1 {
			passed := arimaa.NewPosition(p.Board, p.Side().Other())
			after, legal := passed.Try(w.PassOpponent.Turn)
			if !legal || after.Ended(passed.Side()).Winner != passed.Side() {
				t.Errorf("%v: the threat %v does not win", p, w.PassOpponent.Turn)
			}
		}
	}
	t.Log(count)
	for _, z := range []Zugzwang{NoZugzwang, Mutual, Losing, Spoiling, Hastening, Delaying} {
		if count[z] == 0 {
			t.Errorf("no position with zugzwang %v was tested", z)
		}
	}
}

// TestWorthReferee compares what the turn is worth within one turn with the definitions by the
// referee, on boards with up to seven pieces.
func TestWorthReferee(t *testing.T) {
	s := newSolver(t, 1)
	threats, losses := 0, 0
	boards.Check(t, 30, 1000, func(rt *rapid.T) {
		p := boards.Parse(rt, boards.Few(5).Draw(rt, "position"))
		st := load.State(rt, p)
		passed := referee.NewState(st.Board, st.Side.Other())
		if p.Unusual() != nil || !passed.CanStep() {
			return
		}
		a, err := s.Solve(t.Context(), solve.Question{Position: p, Deepest: 1})
		require.NoError(rt, err)
		w, err := Turn(t.Context(), s, p, &a, 1)
		require.NoError(rt, err)
		for _, c := range []struct {
			name string
			got  Win
			want bool
		}{
			{"own win", w.Own, referee.WinIn(st, 1)}, {"opponent's win", w.Opponent, enumeration.Loses(st, 1)},
			{"own win after a pass", w.PassOwn, enumeration.Loses(passed, 1)},
			{"opponent's win after a pass", w.PassOpponent, referee.WinIn(passed, 1)},
		} {
			if c.want != (c.got.Verdict == answer.Proved) || c.want == (c.got.Verdict == answer.Disproved) {
				rt.Errorf("%v: %s: %+v, by definition %v", p, c.name, c.got, c.want)
			}
		}
		if w.PassOpponent.Within > 0 {
			threats++
		}
		if w.Opponent.Within+w.PassOwn.Within > 0 {
			losses++
		}
	})
	t.Logf("%d threats, %d losses", threats, losses)
	if threats < 5 || losses < 5 {
		t.Errorf("%d threats, %d losses: too few", threats, losses)
	}
}

// TestWorthUnknown tests that nothing is claimed where time is up, where a trap holds an undefended
// piece, and where the game is over.
func TestWorthUnknown(t *testing.T) {
	s := newSolver(t, 1)
	p := load.Example(t, "win-in-3.txt")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w, err := Turn(ctx, s, p, &solve.Answer{}, 3)
	if err != nil || w.Stop != answer.Interrupted || w.Zugzwang() != NoZugzwang ||
		w.Own.Within+w.Opponent.Within+w.PassOwn.Within > 0 {
		t.Errorf("interrupted: %+v, %v", w, err)
	}
	a, err := s.Solve(t.Context(), solve.Question{Position: p, Deepest: 3, All: true, NoLine: true})
	require.NoError(t, err)
	d := Describer{Solver: s}
	if z, ok, err := d.Win(ctx, p, &a); ok || z != nil || err != nil {
		t.Errorf("interrupted: %+v, %v, %v", z, ok, err)
	}
	for _, test := range []struct {
		position string
		over     bool
	}{
		{"g [  r                                       C            R        ]", false}, // an undefended cat on c3
		{"g [                                                       R  r     ]", true},  // silver has reached its goal
		{"g [r       E                                              R        ]", true},  // silver could not move
	} {
		p := boards.Parse(t, test.position)
		w, err := Turn(t.Context(), s, p, &solve.Answer{Verdict: answer.Disproved, Bounds: answer.Bounds{Refuted: 2}}, 2)
		if err != nil || w.Over != test.over || w.Opponent.Within+w.PassOwn.Within > 0 || w.Zugzwang() != NoZugzwang {
			t.Errorf("%s: %+v, %v", test.position, w, err)
		}
	}
}
