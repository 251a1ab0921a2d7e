package dfpns

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/endings"
	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/require"
)

// TestTurns asks about ranges of first turns, without a limit: those that are said to be refuted are
// not among the solutions, the one that wins is, and without one all are decided.
func TestTurns(t *testing.T) {
	tables, classes := endings.Open(t)
	for _, threads := range []int{1, 2} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			random := rand.New(rand.NewPCG(11, uint64(threads)))
			tally := map[string]int{}
			for range boards.Sized(300, 6000) {
				p, v := endings.Draw(t, tables, classes[random.IntN(len(classes))], random)
				n, wins := v.Win()
				if p.CheckStart() != nil || !wins || n < 2 || n > 4 {
					continue
				}
				keeps := map[arimaa.Position]bool{}
				for _, solution := range list(t, newSolver(32<<20, threads), p, n) {
					keeps[solution.After] = true
				}
				g := &arimaa.Generator{}
				turns := g.Generate(&p)
				from := random.IntN(turns)
				to := from + random.IntN(turns-from+1)
				r, err := newSolver(32<<20, threads).Turns(context.Background(), Question{Position: p, N: n}, from, to)
				require.NoError(t, err)
				checkRange(t, g, &p, keeps, &r, from, to, tally)
				if r.Win < 0 && (r.To != to || len(r.Open) > 0) {
					t.Fatalf("%v: %+v of the turns %d to %d are not all decided", p, r, from, to)
				}
			}
			boards.ExpectAll(t, tally, "win", "refuted")
		})
	}
}

// checkRange checks what is said of turns against those that keep the win.
func checkRange(t *testing.T, g *arimaa.Generator, p *arimaa.Position, keeps map[arimaa.Position]bool, r *Turns, from, to int, tally map[string]int) {
	t.Helper()
	if r.To < from || r.To > to {
		t.Fatalf("%v: the turns up to %d, of %d to %d", p, r.To, from, to)
	}
	open := map[int]bool{}
	for i, o := range r.Open {
		if o.Number < from || o.Number >= r.To || i > 0 && o.Number <= r.Open[i-1].Number {
			t.Fatalf("%v: the open turns %+v of %d to %d", p, r.Open, from, to)
		}
		open[o.Number] = true
	}
	for i := from; i < r.To; i++ {
		switch keep := keeps[g.Position(i, p.Side())]; {
		case i == r.Win:
			if !keep || r.Turn != g.Turn(i) {
				t.Fatalf("%v: %v does not keep the win", p, r.Turn)
			}
			tally["win"]++
		case open[i]:
		case keep:
			t.Fatalf("%v: %v is refuted, and keeps the win", p, g.Turn(i))
		default:
			tally["refuted"]++
		}
	}
}

// TestSharedTables has two solvers search at the same time, each its own questions, on the tables of
// both: they answer as solvers do that know of nothing.
func TestSharedTables(t *testing.T) {
	tables, classes := endings.Open(t)
	shared := NewTables(16<<20, 16<<20)
	var wait sync.WaitGroup
	for worker := range 2 {
		random := rand.New(rand.NewPCG(12, uint64(worker)))
		s := New(Options{Tables: shared})
		wait.Go(func() {
			found := [answer.Disproved + 1]int{}
			for range boards.Sized(300, 3000) {
				p, v := endings.Draw(t, tables, classes[random.IntN(len(classes))], random)
				least, wins := v.Win()
				n := 2 + random.IntN(3)
				if p.CheckStart() != nil || wins && least < 2 {
					continue
				}
				r, err := s.Solve(context.Background(), Question{Position: p, N: n})
				if err != nil {
					t.Error(err)
					return
				}
				want := answer.Disproved
				if wins && least <= n {
					want = answer.Proved
				}
				if found[r.Verdict]++; r.Verdict != want {
					t.Errorf("%v: a win in %d is %v, want %v", p, n, r.Verdict, want)
				}
			}
			if found[answer.Proved] == 0 || found[answer.Disproved] == 0 {
				t.Errorf("verdicts: %v", found)
			}
		})
	}
	wait.Wait()
}

// TestKillers has a solver tell another one which replies refute: it searches otherwise, and finds
// the same. Those that are legal nowhere change nothing.
func TestKillers(t *testing.T) {
	var late []string // 3 to 5 turns before a goal
	for _, row := range published.Rows(t, "late.tsv") {
		if row[1] >= "3" && row[1] <= "5" {
			late = append(late, row[3])
		}
	}
	p := boards.Parse(t, late[79])
	q := Question{Position: p, N: 3}
	solveWith := func(s *Solver) Result {
		r, err := s.Solve(context.Background(), q)
		require.NoError(t, err)
		return r
	}
	first := newSolver(32<<20, 1)
	alone := solveWith(first)
	killers := first.Killers(2)
	if alone.Verdict != answer.Disproved || len(killers) == 0 {
		t.Fatalf("%v, refuted by %v", alone.Verdict, killers)
	}
	told := newSolver(32<<20, 1)
	told.TryFirst(2, killers)
	if got := told.Killers(2); !slices.Equal(got, killers) {
		t.Errorf("told of %v, it knows %v", killers, got)
	}
	if r := solveWith(told); r.Verdict != alone.Verdict || r.Nodes == alone.Nodes {
		t.Errorf("told what refutes, it needs %d nodes for %v, and otherwise %d for %v", r.Nodes, r.Verdict, alone.Nodes, alone.Verdict)
	}
	misled := newSolver(32<<20, 1)
	misled.TryFirst(2, []arimaa.Turn{arimaa.Turn{}.With(arimaa.NewStep(arimaa.NewPiece(arimaa.Gold, arimaa.Elephant), 0, arimaa.South))})
	if r := solveWith(misled); r.Verdict != alone.Verdict || r.Nodes != alone.Nodes {
		t.Errorf("told of what is not legal, it needs %d nodes for %v", r.Nodes, r.Verdict)
	}
	told.Forget()
	if got := told.Killers(2); len(got) > 0 {
		t.Errorf("after Forget it knows %v", got)
	}
}
