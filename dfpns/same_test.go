package dfpns

import (
	"context"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/pns"
)

// question is a position with the least number of turns in which the side to move wins, 0 if it
// does not within the number that is asked for. TestQuestions compares the numbers with package
// pns.
type question struct {
	board string
	least int
}

// two are positions asked about wins in two.
var two = []question{
	{"g [ mr D M  r     D       r           c          R           R     ]", 2},
	{"g [CEm  r       c        d rCH H            R   R          R      h]", 0},
	{"g [C  r             r  H  r    r       c   R h  M d                ]", 2},
	{"g [hreCrDr     E r  d rD   m      r r     R       RH    d         h]", 2},
	{"g [rchEh    R    r   r      Cc      DM      H  e    rR HR    R C   ]", 0},
}

// three are positions asked about wins in three, decided quickly.
var three = []question{
	{"g [Hrr  ch    md      c      r r   R            e        d         ]", 0},
	{"g [   rD      h        E        H             e                  Rm]", 3},
	{"g [     r                                                    R     ]", 3},
}

// listed are more of them, decided quickly too; to list all solutions takes seconds.
var listed = []question{
	{"s [ r   r     e       h              M                          R  ]", 3},
	{"g [ r M                          h               H                R]", 3},
}

// longWins are positions of five and six pieces that are won in five turns and more, the quickest
// first. Those of five pieces were drawn from the endgame tables RRR-er and ERRR-r, which say the
// same.
var longWins = []question{
	{"s [         R               r         e     R                 R    ]", 7},
	{"s [             R                 r   e                      R    R]", 7},
	{"s [           R             r       e                      R     R ]", 7},
	{"g [                E                      r              R  R  R   ]", 5},
	{"s [            R   r         e                             R    R  ]", 5},
	{"s [           R  r  e                               R   R          ]", 5},
	{"s [             R                 r   e           d          R    R]", 6},
	{"s [          r       e       R     R          R                    ]", 5},
	{"g [                E                      r                 R  R  R]", 5},
	{"s [                       r R                  e       R      R    ]", 6},
	{"s [e              r R              C                   R        R  ]", 5},
	{"s [                    r         e  R       R                R     ]", 7},
	{"s [       r                 e  R                     R        R    ]", 5},
	{"s [r    e        R                                         R      R]", 5},
	{"s [     e           r                       R      R           R   ]", 5},
	{"s [                          Rr                         R     eR   ]", 6},
	{"s [         e     r                   RR                       R   ]", 6},
}

// TestLongWins solves the positions of longWins, the quickest two or all with the tag large, and
// compares with package pns where that decides within a little memory.
func TestLongWins(t *testing.T) {
	alone(t)
	questions := longWins[:boards.Sized(1, len(longWins))]
	s, slow := newSolver(64<<20, 2), best(t, 32)
	tally := map[string]int{}
	for _, q := range questions {
		s.Forget()
		p := boards.Parse(t, q.board)
		for n := q.least - 1; n <= q.least; n++ {
			want := verdict(n == q.least)
			if got := ask(t, s, p, n); got.Verdict != want {
				t.Errorf("%s: a win in %d is %v, want %v", q.board, n, got.Verdict, want)
			}
			got := slow.Solve(context.Background(), pns.Question{Position: p, N: n})
			tally[got.Verdict.String()]++
			if got.Verdict != answer.Unknown && got.Verdict != want {
				t.Errorf("%s: a win in %d is %v by pns, want %v", q.board, n, got.Verdict, want)
			}
		}
	}
	boards.ExpectAll(t, tally, "proved", "disproved")
}

// TestQuestions checks with package pns what the tables of questions say.
func TestQuestions(t *testing.T) {
	alone(t)
	slow := best(t, 64)
	for deepest, questions := range map[int][]question{2: two, 3: slices.Concat(three, listed)} {
		for _, q := range questions {
			for n := 1; n <= deepest; n++ {
				got := slow.Solve(context.Background(), pns.Question{Position: boards.Parse(t, q.board), N: n})
				if want := verdict(q.least > 0 && n >= q.least); got.Verdict != want {
					t.Errorf("%s: a win in %d is %v by pns, want %v", q.board, n, got.Verdict, want)
				}
			}
		}
	}
}

// same asks a solver about the positions of two and three, with the tag large also of listed, in
// the order of the tables, and compares what it says, the lists of solutions included, with what
// another one said before: nothing but the first time.
func same(t *testing.T, s *Solver, before [][]Solution) (all [][]Solution) {
	t.Helper()
	questions := slices.Concat(two, three)
	if boards.Deep {
		questions = append(questions, listed...)
	}
	for i, q := range questions {
		p := boards.Parse(t, q.board)
		for n := 1; n <= 3 && (n <= 2 || i >= len(two)); n++ {
			want := verdict(q.least > 0 && n >= q.least)
			if got := ask(t, s, p, n); got.Verdict != want {
				t.Fatalf("%s: a win in %d is %v, want %v", q.board, n, got.Verdict, want)
			}
		}
		var found []Solution
		if q.least > 0 {
			found = list(t, s, p, q.least)
			check(t, p, found)
			if len(found) == 0 {
				t.Fatalf("%s: no solutions", q.board)
			}
		}
		if before != nil && !slices.Equal(found, before[i]) {
			t.Fatalf("%s: %d solutions, not the same as the %d before, or in another order", q.board, len(found), len(before[i]))
		}
		all = append(all, found)
	}
	return all
}

// TestThreads checks that the number of workers changes neither verdicts nor lists of solutions,
// nor the turn with which a win in two begins.
func TestThreads(t *testing.T) {
	one := newSolver(1<<20, 1)
	first := same(t, one, nil)
	for _, threads := range []int{2, 4} {
		s := newSolver(1<<20, threads)
		same(t, s, first)
		for _, q := range two {
			p := boards.Parse(t, q.board)
			if got, want := ask(t, s, p, 2).Turn, ask(t, one, p, 2).Turn; got != want {
				t.Errorf("%s: %v with %d workers, %v with one", q.board, got, threads, want)
			}
		}
	}
}

// TestMemory checks that the size of the table changes neither verdicts nor lists of solutions: the
// smallest table forgets nearly everything.
func TestMemory(t *testing.T) {
	first := same(t, newSolver(16<<20, 2), nil)
	for _, memory := range []uint64{1 << 10, 1 << 20, 1 << 26} {
		same(t, newSolver(memory, 2), first)
	}
}

// TestWarm asks the same solver questions in changing order, and compares what it says with what a
// fresh one said. Then it forgets everything, and nothing changes.
func TestWarm(t *testing.T) {
	first := same(t, newSolver(1<<20, 2), nil)
	warm := newSolver(1<<20, 2)
	for _, q := range slices.Backward(slices.Concat(three, listed)) {
		for _, n := range []int{3, 2, 1, 3} {
			want := verdict(q.least > 0 && n >= q.least)
			if got := ask(t, warm, boards.Parse(t, q.board), n); got.Verdict != want {
				t.Fatalf("%s: a win in %d is %v, want %v", q.board, n, got.Verdict, want)
			}
		}
		// The same board for the other side is another question.
		p := boards.Parse(t, q.board)
		other := p.EndTurn()
		if got, want := ask(t, warm, other, 2), ask(t, newSolver(1<<20, 1), other, 2); got.Verdict != want.Verdict {
			t.Fatalf("%v: a win in 2 is %v after other questions, %v before any", other, got.Verdict, want.Verdict)
		}
	}
	same(t, warm, first)
	same(t, warm, first)
	warm.Forget()
	same(t, warm, first)
}

// TestWarmNearby asks one solver about a position and then about others that its search has met,
// for either side, with growing and falling N, so that it meets what it has noted about the same
// positions with other numbers of turns left. Fresh solvers say the same.
func TestWarmNearby(t *testing.T) {
	alone(t)
	var g arimaa.Generator
	tally := map[string]int{}
	drawings := rapid.OneOf(boards.Few(0), boards.Few(1), crowded(), crowded())
	boards.Check(t, 30, 800, func(t *rapid.T) {
		p := boards.Parse(t, drawings.Draw(t, "position"))
		warm := newSolver(1<<20, 1)
		for range 12 {
			if size(&g, p) > 60 || p.Board.Ended(p.Side().Other()).Over() {
				return
			}
			for _, n := range rapid.SliceOfN(rapid.IntRange(2, 4), 1, 3).Draw(t, "turns") {
				want := ask(t, newSolver(1<<20, 1), p, n).Verdict
				if got := ask(t, warm, p, n); got.Verdict != want {
					t.Fatalf("%v: a win in %d is %v after other questions, %v before any", p, n, got.Verdict, want)
				}
				tally[want.String()+" in "+string(rune('0'+n))]++
			}
			if n := g.Generate(&p); n > 0 {
				p = g.Position(rapid.IntRange(0, n-1).Draw(t, "turn"), p.Side())
			}
		}
	})
	boards.ExpectAll(t, tally, "proved in 3", "disproved in 3", "proved in 4", "disproved in 4")
}

// TestMirrored turns positions over, and left to right: the verdicts stay, and the solutions are
// those of the position, turned in the same way.
func TestMirrored(t *testing.T) {
	alone(t)
	s := newSolver(1<<20, 2)
	tally := map[string]int{}
	drawings := rapid.OneOf(boards.Few(5), crowded(), boards.Position())
	boards.Check(t, 60, 400, func(t *rapid.T) {
		text := drawings.Draw(t, "position")
		for n := 1; n <= 2; n++ {
			got := ask(t, s, boards.Parse(t, text), n)
			for _, turned := range []func(string) string{
				boards.Mirror, boards.Swap, func(p string) string { return boards.Swap(boards.Mirror(p)) },
			} {
				if image := ask(t, s, boards.Parse(t, turned(text)), n); image.Verdict != got.Verdict {
					t.Fatalf("a win in %d: %v for %s, %v for %s", n, got.Verdict, text, image.Verdict, turned(text))
				}
			}
			tally[got.Verdict.String()+" in "+string(rune('0'+n))]++
			if got.Verdict == answer.Disproved {
				continue
			}
			essential := map[arimaa.Position]bool{} // of each solution
			for _, solution := range list(t, s, boards.Parse(t, text), n) {
				essential[solution.After] = solution.Essential
			}
			for _, turned := range []func(string) string{boards.Mirror, boards.Swap} {
				images := list(t, s, boards.Parse(t, turned(text)), n)
				for _, image := range images {
					back, ok := essential[boards.Parse(t, turned(image.After.String()))]
					if !ok || back != image.Essential {
						t.Fatalf("%s: %v (essential: %t) has no image among the solutions of %s",
							turned(text), image.Turn, image.Essential, text)
					}
				}
				if len(images) != len(essential) {
					t.Fatalf("%s has %d solutions in %d, %s has %d", text, len(essential), n, turned(text), len(images))
				}
			}
			break
		}
	})
	boards.ExpectAll(t, tally, "proved in 1", "proved in 2", "disproved in 2")
}

// TestExamples solves examples whose claims are proved by enumeration in package examples:
// zugzwang, immobilisation, a win in three, and one defence that holds.
func TestExamples(t *testing.T) {
	tests := []struct {
		file      string
		least     int      // turns; 0: none within two
		solutions []string // the essential ones
	}{
		{"immobilisation.txt", 1, []string{"cb6n Ma6e Ra5n Rb5w"}},
		{"elimination.txt", 1, []string{"rd6e rc6x Md7s re6e rf6x Md6e"}},
		{"win-in-2.txt", 2, []string{"Re1e Rh2w Ed6n Ed7w"}},
		{"win-in-2-for-silver.txt", 2, []string{"dc5n rb6s dc6x rb5s rb4s"}},
		{"zugzwang-in-2.txt", 2, []string{"Ef5w Ee5w Ed5n Ed6n"}},
		{"no-win-in-2.txt", 0, nil},
		{"win-in-3.txt", 3, []string{"Ec4w Eb4n Eb5n"}},
	}
	s := newSolver(16<<20, 2)
	for _, tt := range tests {
		t.Run(strings.TrimSuffix(tt.file, ".txt"), func(t *testing.T) {
			p := load.Example(t, tt.file)
			for n := 1; n <= max(tt.least, 2); n++ {
				if got, want := ask(t, s, p, n), verdict(tt.least > 0 && n >= tt.least); got.Verdict != want {
					t.Fatalf("a win in %d is %v, want %v", n, got.Verdict, want)
				}
			}
			if tt.least == 0 {
				return
			}
			want := map[arimaa.Board]bool{}
			for _, text := range tt.solutions {
				_, after, err := load.State(t, p).ReadTurn(text)
				require.NoError(t, err)
				end, err := after.Stop()
				require.NoError(t, err)
				q := boards.Parse(t, end.Position())
				want[q.Board] = true
			}
			essential := 0
			for _, solution := range list(t, s, p, tt.least) {
				if !solution.Essential {
					continue
				}
				if essential++; !want[solution.After.Board] {
					t.Errorf("%s wins as well", p.Notation(solution.Turn))
				}
			}
			if essential != len(want) {
				t.Errorf("%d essential solutions, want %d", essential, len(want))
			}
		})
	}
}

// TestEpsilon searches with other thresholds: the way is another one, the answers are the same.
func TestEpsilon(t *testing.T) {
	alone(t)
	nodes := map[float64]uint64{}
	for _, epsilon := range []float64{0, DefaultEpsilon, 0.01, 1.1, MaxEpsilon} {
		s := New(Options{Facts: 1 << 20, Numbers: 1 << 20, Threads: 1, Epsilon: epsilon})
		sum := uint64(0)
		for _, q := range three {
			r, err := s.Solve(context.Background(), Question{Position: boards.Parse(t, q.board), N: 3})
			if err != nil || r.Verdict != verdict(q.least > 0) {
				t.Errorf("%s, epsilon %v: %v, %v", q.board, epsilon, r.Verdict, err)
			}
			sum += r.Nodes
		}
		nodes[epsilon] = sum
	}
	if nodes[0] != nodes[DefaultEpsilon] || nodes[DefaultEpsilon] == nodes[MaxEpsilon] {
		t.Errorf("nodes by epsilon: %v", nodes)
	}
}
