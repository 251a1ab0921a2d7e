package compose

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/dfpns"
	"goalproof/internal/files"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/puzzles"
	"goalproof/puzzles/describe"
	"goalproof/solve"

	"github.com/google/go-cmp/cmp"
)

// winInTwo is examples/win-in-2.txt.
const (
	winInOne = "g [     c       E   d    Rcr   r eHRRr    r    C  R                ]"
	winInTwo = "g [r       Rr     r   E dr                    e  r        RR  RR  R]"
)

// TestNoHarder compares puzzles by their difficulty as it is shown: each doubling of the solutions
// takes 0.42 points off.
func TestNoHarder(t *testing.T) {
	p, err := notation.ParsePosition(winInTwo)
	require.NoError(t, err)
	solution, err := puzzles.ReadTurn(p, "Re1e Rh2w Ed6n Ed7w")
	require.NoError(t, err)
	with := func(solutions int) *puzzles.Mined {
		return &puzzles.Mined{Position: p, Turns: 2, Solution: solution, Solutions: solutions}
	}
	hard := Task{Aim: Hard}
	alike := false // of some pair the lesser difficulty is shown alike
	for n := 1; n < 100; n++ {
		less, more := with(n+1), with(n)
		shows := fmt.Sprintf("%.1f", less.Difficulty()) != fmt.Sprintf("%.1f", more.Difficulty())
		alike = alike || !shows && less.Difficulty() < more.Difficulty()
		if hard.noHarder(less, more) == shows || !hard.noHarder(more, less) || !hard.noHarder(more, more) {
			t.Errorf("%v after %v", more.Difficulty(), less.Difficulty())
		}
	}
	if !alike {
		t.Error("each difference shows")
	}
	if (&Task{Aim: Small}).noHarder(with(2), with(2)) || (&Task{Aim: Hard, Themes: describe.Pull}).noHarder(with(2), with(2)) || hard.noHarder(nil, with(1)) {
		t.Error("another aim, a theme, or nothing to compare with")
	}
}

func newComposer(t testing.TB) *Composer {
	s, err := solve.New(solve.Options{Memory: 32 << 20, Threads: 1})
	require.NoError(t, err)
	return New(s, answer.Limit{Time: time.Minute})
}

// mined returns some of the mined puzzles, all with the tag large.
func mined(t testing.TB, every int) (all []Puzzle) {
	c := newComposer(t)
	i := 0
	for p := range puzzles.Read(files.NewSource(t.Context(), nil), "../../examples/mined", nil) {
		if i++; i%every != 0 {
			continue
		}
		z, err := c.Puzzle(t.Context(), p.Position, p.Claim)
		require.NoError(t, err)
		all = append(all, z)
	}
	return all
}

// checkPuzzle decides with a solver of its own that a puzzle is what it says, and keeps what
// another one was.
func checkPuzzle(t testing.TB, z, from *Puzzle, anySolution bool) {
	t.Helper()
	if err := z.Position.Unusual(); err != nil {
		t.Fatalf("%v: %v", z.Position, err)
	}
	s, err := solve.New(solve.Options{Memory: 32 << 20, Threads: 1})
	require.NoError(t, err)
	a, err := s.Solve(t.Context(), solve.Question{Position: z.Position, Deepest: z.Turns, All: true})
	require.NoError(t, err)
	if !a.Exact() || a.Within != from.Turns || a.Essential() != 1 || from.Single && len(a.Solutions) != 1 {
		t.Fatalf("%v, from %v: a win in %d, %d solutions, %d essential", z.Position, from.Position, a.Within, len(a.Solutions), a.Essential())
	}
	i := slices.IndexFunc(a.Solutions, func(s dfpns.Solution) bool { return s.Essential })
	if !puzzles.SameRoute(a.Solutions[i].Turn, z.Solution) || !anySolution && !puzzles.SameRoute(z.Solution, from.Solution) {
		t.Fatalf("%v: the solution is %v, not %v, before %v", z.Position, a.Solutions[i].Turn, z.Solution, from.Solution)
	}
}

// TestReduce reduces mined puzzles. The result is a puzzle, its changes lead there, and no piece of
// it can be taken away or be replaced by a weaker one.
func TestReduce(t *testing.T) {
	every := boards.Sized(60, 4)
	before, after := 0, 0
	c := newComposer(t)
	for _, z := range mined(t, every) {
		small, changes, err := c.Reduce(t.Context(), z)
		require.NoError(t, err)
		checkPuzzle(t, &small, &z, false)
		p := z.Position
		for _, change := range changes {
			if p, err = change.Apply(p); err != nil {
				t.Fatal(err)
			}
		}
		if p != small.Position {
			t.Errorf("the changes %v lead from %v to %v, not to %v", changes, z.Position, p, small.Position)
		}
		parts, err := newComposer(t).Parts(t.Context(), small)
		require.NoError(t, err)
		for _, part := range parts {
			if part.Superfluous || part.Weaker != arimaa.None {
				t.Errorf("%v: %+v", small.Position, part)
			}
		}
		before += z.Position.Occupied().Len()
		after += len(parts)
	}
	if t.Logf("%d pieces before, %d after", before, after); after >= before || boards.Large && 2*after > before {
		t.Errorf("%d pieces of %d are left", after, before)
	}
}

// TestParts compares what is said of each piece with the solver's answers about positions that are
// written as text.
func TestParts(t *testing.T) {
	c := newComposer(t)
	z, err := c.Puzzle(t.Context(), boards.Parse(t, winInTwo), 2)
	require.NoError(t, err)
	parts, err := c.Parts(t.Context(), z)
	require.NoError(t, err)
	if len(parts) != z.Position.Occupied().Len() {
		t.Fatalf("%d parts", len(parts))
	}
	superfluous, spoils := 0, 0
	for _, part := range parts {
		i := 3 + 8*(7-int(part.Square)/8) + int(part.Square)%8
		keeps := func(letter byte) bool {
			changed := []byte(winInTwo)
			changed[i] = letter
			p := boards.Parse(t, string(changed))
			if p.Unusual() != nil {
				return false
			}
			a, err := c.miner.Solver.Solve(t.Context(), solve.Question{Position: p, Deepest: 2, All: true})
			require.NoError(t, err)
			return a.Exact() && a.Within == 2 && len(a.Solutions) == 1 && puzzles.SameRoute(a.Solutions[0].Turn, z.Solution)
		}
		if keeps(' ') != part.Superfluous {
			t.Errorf("%v%v is superfluous: %t", part.Piece, part.Square, part.Superfluous)
		}
		weaker := arimaa.None
		for kind := part.Piece.Kind() - 1; kind > arimaa.None; kind-- {
			if keeps(arimaa.NewPiece(part.Piece.Side(), kind).Letter()) {
				weaker = kind
			}
		}
		if part.Superfluous {
			superfluous++
		} else if spoils++; weaker != part.Weaker {
			t.Errorf("%v%v: weaker %v, not %v", part.Piece, part.Square, part.Weaker, weaker)
		}
	}
	if superfluous == 0 || spoils == 0 {
		t.Errorf("%d pieces are superfluous, %d are not", superfluous, spoils)
	}
}

// TestRepair takes a piece that makes a solution unique from a puzzle, and finds it again among the
// repairs.
func TestRepair(t *testing.T) {
	c := newComposer(t)
	z, err := c.Puzzle(t.Context(), boards.Parse(t, "g [r       Rr         C                       c  r        R    R  R]"), 2)
	require.NoError(t, err)
	broken := remove(&z.Position, 22) // the rabbit on g3
	p, err := broken.Apply(z.Position)
	require.NoError(t, err)
	if _, err := c.Puzzle(t.Context(), p, 2); !errors.Is(err, ErrNoPuzzle) {
		t.Fatalf("%v: %v", p, err)
	}
	repaired, err := c.Repair(t.Context(), p, 2, 1000)
	require.NoError(t, err)
	found := false
	for _, r := range repaired {
		found = found || r.Puzzle.Position == z.Position
		checkPuzzle(t, &r.Puzzle, &Puzzle{Turns: 2, Single: r.Puzzle.Single}, true)
	}
	if boards.Large {
		if few, err := c.Repair(t.Context(), p, 2, 2); err != nil || len(few) != 2 || few[1] != repaired[1] {
			t.Errorf("%v, %v", few, err)
		}
	}
	if t.Logf("%d repairs", len(repaired)); !found || len(repaired) < 3 {
		t.Errorf("%d repairs; what was taken away is among them: %t", len(repaired), found)
	}
}

// TestSearch compares a search with one that is saved and continued again and again.
func TestSearch(t *testing.T) {
	z := mined(t, 40)[0]
	for _, aim := range []Aim{Small, Hard} {
		rounds := boards.Sized(7, 250)
		whole := Search{Aim: aim, Rounds: rounds, Seed: 3, Current: z, Best: z}
		require.NoError(t, whole.Run(t.Context(), newComposer(t), func() {}))
		checkPuzzle(t, &whole.Best, &z, aim == Hard)
		checkPuzzle(t, &whole.Current, &z, aim == Hard)
		part := &Search{Aim: aim, Rounds: rounds, Seed: 3, Current: z, Best: z}
		for breaks := 0; part.Round < rounds; breaks++ {
			ctx, cancel := context.WithCancel(t.Context())
			n := 0
			err := part.Run(ctx, newComposer(t), func() {
				if n++; n > breaks%17 {
					cancel()
				}
			})
			cancel()
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if part, err = newComposer(t).Resume(t.Context(), part.Save(&z), 0); err != nil {
				t.Fatal(err)
			}
		}
		if part.Best != whole.Best || part.Current != whole.Current {
			t.Errorf("%s: with breaks %v and %v, without %v and %v", aim, part.Best, part.Current, whole.Best, whole.Current)
		}
		c := newComposer(t)
		from, err := whole.cost(t.Context(), c, &z)
		require.NoError(t, err)
		if t.Logf("%s: %.2f, then %.2f: %v", aim, from, whole.bestCost, whole.Best.Position); whole.bestCost >= from {
			t.Errorf("%s: cost %f, before %f", aim, whole.bestCost, from)
		}
	}
}

// TestReduced asks for what a search wants after its best puzzle has been reduced: a theme or the
// difficulty is not given up for a piece.
func TestReduced(t *testing.T) {
	c, kept := newComposer(t), 0
	z, err := c.Puzzle(t.Context(), boards.Parse(t, winInTwo), 2)
	require.NoError(t, err)
	plain, _, err := c.Reduce(t.Context(), z)
	require.NoError(t, err)
	for _, s := range []Search{{Aim: Hard, Best: z}, {Aim: Small, Themes: describe.Threat, Best: z}, {Aim: Small, Best: z}} {
		got, err := s.Reduced(t.Context(), c)
		require.NoError(t, err)
		before, err := s.cost(t.Context(), c, &z)
		require.NoError(t, err)
		after, err := s.cost(t.Context(), c, &plain)
		require.NoError(t, err)
		want := plain
		if after > before {
			want = z
			kept++
		}
		if got != want {
			t.Errorf("%s, %v: %v, want %v: the costs are %.2f and, reduced, %.2f", s.Aim, s.Themes, got.Position, want.Position, before, after)
		}
	}
	if kept == 0 {
		t.Error("no reduction costs anything")
	}
}

// TestJudgeShort gives a composer no time: nothing is kept, and nothing that was not decided is
// remembered as such.
func TestJudgeShort(t *testing.T) {
	c := newComposer(t)
	c.miner.Limit.Time = 1
	p := boards.Parse(t, winInTwo)
	if f, err := c.Judge(t.Context(), p, 2); err != nil || f.Essential != 0 || f.Verdict != 0 {
		t.Errorf("%+v, %v", f, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	other := newComposer(t)
	if _, err := other.Judge(ctx, p, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if f, err := other.Judge(t.Context(), p, 2); err != nil || f.Essential != 1 {
		t.Errorf("asked again: %+v, %v", f, err)
	}
}

// TestChanges lists the changes of a position with one piece in the open and one at the edge.
func TestChanges(t *testing.T) {
	p := boards.Parse(t, "s [                           E                                   r]")
	counts := map[string]int{}
	results := map[arimaa.Position]bool{}
	for _, change := range changes(&p) {
		q, odd := change.Apply(p)
		if odd == nil && change.Old == arimaa.Empty && change.New.Kind() == arimaa.Elephant && change.New.Side() == arimaa.Gold {
			t.Errorf("%v: two elephants", change)
		}
		if results[q] || q == p {
			t.Errorf("%v leads to what another change leads to, or to nothing new", change)
		}
		results[q] = true
		kind, _, _ := strings.Cut(change.String(), " ")
		counts[kind]++
	}
	want := map[string]int{"without": 2, "a": 5, "Ed5": 4, "rh1": 2, "with": 12 * 62}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestBetween makes changes of positions at random: those between two positions lead from one to
// the other, each where the position then is, and no piece is taken away that is added elsewhere.
func TestBetween(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 1))
	tally := map[string]int{}
	changed := func(p arimaa.Position) arimaa.Position {
		for range random.IntN(6) {
			p, _ = propose(random, &p).Apply(p)
		}
		return p
	}
	for range 500 {
		from := changed(boards.Parse(t, winInTwo))
		to := changed(from)
		p, gone, added := from, map[arimaa.Piece]bool{}, map[arimaa.Piece]bool{}
		for _, change := range Between(&from, &to) {
			if p.At(change.At) != change.Old || change.To != change.At && (p.At(change.To) != arimaa.Empty || change.Old != change.New) {
				t.Fatalf("%v, %v: %+v", from, to, change)
			}
			p, _ = change.Apply(p)
			switch {
			case change.Old == arimaa.Empty:
				added[change.New] = true
				tally["added"]++
			case change.New == arimaa.Empty:
				gone[change.Old] = true
				tally["gone"]++
			case change.To != change.At:
				tally["moved"]++
			default:
				tally["replaced"]++
			}
		}
		if p != to {
			t.Fatalf("%v, want %v", p, to)
		}
		for piece := range gone {
			if added[piece] {
				t.Errorf("%v, %v: %v is taken away and added", from, to, piece)
			}
		}
	}
	boards.ExpectAll(t, tally, "added", "gone", "moved", "replaced")
}

// TestBefore counts what a composer judges, by the function that is called before: it may give
// another solver each time, and what is made is the same. Its error ends the work.
func TestBefore(t *testing.T) {
	for _, task := range []Task{{Aim: Small}, {Aim: Hard, Rounds: 20}, {Aim: Twin, Rounds: 20}, {Aim: Longer, Rounds: 20}} {
		make := func(before func(context.Context, Progress) (*solve.Solver, error)) (Made, error) {
			c := nodeComposer(t, 20_000)
			c.Before = before
			if task.Aim == Longer { // it asks more about a win in one
				return c.Make(t.Context(), task, boards.Parse(t, winInOne), 1, &States{})
			}
			return c.Make(t.Context(), task, boards.Parse(t, winInTwo), 2, &States{})
		}
		want, err := make(nil)
		require.NoError(t, err)
		calls, last := 0, Progress{}
		got, err := make(func(_ context.Context, so Progress) (*solve.Solver, error) {
			if calls++; so.Judged != calls || so.Rounds < last.Rounds {
				t.Errorf("%s: %+v after %+v", task.Aim, so, last)
			}
			last = so
			return solve.New(solve.Options{Memory: 16 << 20, Threads: 1})
		})
		require.NoError(t, err)
		if got.To != want.To || got.Judged != want.Judged || len(got.Variants.Found) != len(want.Variants.Found) || calls != got.Judged {
			t.Errorf("%s: %d calls, %+v, want %+v", task.Aim, calls, got, want)
		}
		if last.Rounds > task.Rounds || task.Rounds > 0 && last.Rounds == 0 {
			t.Errorf("%s: %+v", task.Aim, last)
		}
		enough := errors.New("enough")
		if _, err := make(func(_ context.Context, so Progress) (s *solve.Solver, err error) {
			if so.Judged == 3 {
				return nil, enough
			}
			return solve.New(solve.Options{Memory: 16 << 20, Threads: 1})
		}); !errors.Is(err, enough) {
			t.Errorf("%s: %v", task.Aim, err)
		}
	}
}
