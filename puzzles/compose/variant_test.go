package compose

import (
	"slices"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/enumeration"
	"goalproof/internal/testkit/require"
	"goalproof/puzzles"
	"goalproof/solve"
)

// checkVariant certifies the win of a variant by the plain rules, decides with a solver of its own
// that it is a puzzle and, for a win in two, lists its solutions by enumeration.
func checkVariant(t *testing.T, v *Variant) {
	t.Helper()
	z := &v.Puzzle
	checkPuzzle(t, z, &Puzzle{Turns: z.Turns, Single: z.Single}, true)
	s, err := solve.New(solve.Options{Memory: 32 << 20, Threads: 1})
	require.NoError(t, err)
	q := solve.Question{Position: z.Position, Deepest: z.Turns}
	a, err := s.Try(t.Context(), q, z.Solution)
	require.NoError(t, err)
	c, err := s.Certificate(t.Context(), q, a)
	require.NoError(t, err)
	require.NoError(t, c.Check(t.Context(), nil))
	if z.Turns != 2 {
		return
	}
	var turns arimaa.Generator
	var plain enumeration.Enumeration
	n := 0
	for i := range turns.Generate(&z.Position) {
		after := turns.Position(i, z.Position.Side())
		if plain.Forces(&after) {
			n++
		}
	}
	if n != v.Mined.Solutions {
		t.Errorf("%v: %d solutions by enumeration, not %d", z.Position, n, v.Mined.Solutions)
	}
}

// nodeComposer returns a composer whose findings do not depend on the machine.
func nodeComposer(t *testing.T, nodes uint64) *Composer {
	s, err := solve.New(solve.Options{}.ForNodes(nodes, 1))
	require.NoError(t, err)
	return New(s, answer.Limit{Nodes: nodes})
}

// TestTwins looks for twins, all of which differ by one piece and have another solution.
func TestTwins(t *testing.T) {
	c := nodeComposer(t, 200_000)
	all := mined(t, boards.Sized(120, 20))
	z, err := c.Puzzle(t.Context(), boards.Parse(t, winInTwo), 2)
	require.NoError(t, err)
	found := 0
	for _, z := range append(all, z) {
		v, err := c.Twins(t.Context(), z, boards.Sized(40, 300))
		require.NoError(t, err)
		refused := 0
		for _, n := range v.Refused {
			refused += n
		}
		if v.Tried != refused+len(v.Found) {
			t.Errorf("%v: %d tried, %d refused, %d found", z.Position, v.Tried, refused, len(v.Found))
		}
		for i := range v.Found {
			one := &v.Found[i]
			checkVariant(t, one)
			changed, odd := one.Change.Apply(z.Position)
			if odd != nil || changed != one.Puzzle.Position || one.Puzzle.Turns != z.Turns || puzzles.SameRoute(one.Puzzle.Solution, z.Solution) {
				t.Errorf("%v: %v makes %+v", z.Position, one.Change, one.Puzzle)
			}
			found++
		}
	}
	if t.Logf("%d twins", found); found < 3 {
		t.Errorf("%d twins", found)
	}
}

// TestLonger looks for puzzles that lead to one in two and to one in one, twice. Some lead to the
// puzzle with a piece added, which keeps it.
func TestLonger(t *testing.T) {
	added := 0
	for _, of := range []struct {
		position      string
		turns, rounds int
		nodes, seed   uint64
	}{
		{"g [r      rRr   r  hE           e                R  R              ]", 2, boards.Sized(110, 1000), 200_000, 2},
		{winInOne, 1, boards.Sized(60, 300), 20_000, 1},
	} {
		c := nodeComposer(t, of.nodes)
		z, err := c.Puzzle(t.Context(), boards.Parse(t, of.position), of.turns)
		require.NoError(t, err)
		var found [2]Variants
		for i := range found {
			found[i], err = c.Longer(t.Context(), z, of.rounds, of.seed)
			require.NoError(t, err)
		}
		if len(found[0].Found) == 0 || len(found[0].Found) != len(found[1].Found) || found[0].Refused != found[1].Refused {
			t.Fatalf("%v: %+v", z.Position, found)
		}
		for i := range found[0].Found {
			one := &found[0].Found[i]
			if again := found[1].Found[i]; again.Puzzle != one.Puzzle || again.Reply != one.Reply {
				t.Errorf("the same seed finds %v and %v", one.Puzzle, again.Puzzle)
			}
			checkVariant(t, one)
			if slices.ContainsFunc(found[0].Found[:i], func(v Variant) bool { return v.Puzzle.Position == one.Puzzle.Position }) {
				t.Errorf("%v is found twice", one.Puzzle.Position)
			}
			to := z
			if one.Change != (Change{}) {
				added++
				to.Position, err = one.Change.Apply(z.Position)
				require.NoError(t, err)
				checkPuzzle(t, &to, &z, false)
			}
			after, first := one.Puzzle.Position.Try(one.Puzzle.Solution)
			after, second := after.Try(one.Reply)
			if !first || !second || after != to.Position || one.Puzzle.Turns != z.Turns+1 {
				t.Errorf("%+v does not lead to %v", one, to.Position)
			}
		}
		t.Logf("a win in %d: %d found", of.turns, len(found[0].Found))
	}
	if added == 0 {
		t.Error("no piece was added")
	}
}
