package describe

import (
	"math/rand/v2"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/endgame"
	"goalproof/internal/boards"
	"goalproof/internal/endings"
	"goalproof/solve"
)

func newSolver(t testing.TB, threads int) *solve.Solver {
	t.Helper()
	s, err := solve.New(solve.Options{Memory: 64 << 20, Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// zugzwangByTable returns the zugzwang of the side to move by the definitions of the package, from the exact values of
// an endgame table: of the position, and of the board with the other side to move.
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

// TestWorthTables compares what the turn is worth, found by search, with the exact values of endgame tables. Half of the
// positions are those in which the tables show a zugzwang, so that each kind is tested which occurs.
func TestWorthTables(t *testing.T) {
	ts, classes := endings.Open(t)
	random := rand.New(rand.NewPCG(7, 1))
	s := newSolver(t, 1)
	count, most := map[Zugzwang]int{}, 12
	if boards.Large {
		most = 200
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
		if err != nil {
			t.Fatal(err)
		}
		w, err := Turn(t.Context(), s, p, &a, horizon)
		if err != nil {
			t.Fatal(err)
		}
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
