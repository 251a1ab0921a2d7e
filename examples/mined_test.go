package examples_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/batch"
	"goalproof/internal/files"
	"goalproof/internal/testkit/boards"
	"goalproof/puzzles"
	"goalproof/solve"
)

// TestMined verifies the puzzles that were mined from games at random: each is a win in exactly the
// number of turns that it claims, its solution is the only essential one, and the certificate of the win holds.
// Difficulty and themes are those of today. No idea is there twice. (Some are verified; all, with the tag deep.)
func TestMined(t *testing.T) {
	set := slices.Collect(puzzles.Read(files.NewSource(t.Context(), nil), "mined", nil))
	if len(set) < 50 {
		t.Fatalf("%d puzzles", len(set))
	}
	var ideas puzzles.Ideas
	for i := range set {
		p := &set[i]
		s := arimaa.NewState(p.Position)
		turn, err := notation.PlaySteps(&s, p.Solution)
		if err != nil {
			t.Fatalf("%s: %v", p.Label(), err)
		}
		if _, first := ideas.Add(p.Position, p.Claim, turn); !first {
			t.Errorf("%s shows the idea of an earlier one", p.Label())
		}
	}
	n, apart := 0, boards.Sized(30, 1)
	set = slices.DeleteFunc(set, func(puzzles.Puzzle) bool { n++; return n%apart != 0 })
	table, err := os.ReadFile("mined/win-in-2.tsv")
	require.NoError(t, err)
	certify := func(ctx context.Context, s *solve.Solver, q solve.Question, a solve.Answer) (puzzles.Certificate, error) {
		c, err := s.Certificate(ctx, q, a)
		if err != nil {
			return puzzles.NoCertificate, err
		}
		return puzzles.Accepted, c.Check(ctx, nil)
	}
	start := func() (*solve.Solver, error) { return solve.New(solve.Options{Memory: 64 << 20, Threads: 1}) }
	verify := func(ctx context.Context, s *solve.Solver, p puzzles.Puzzle) (puzzles.Result, error) {
		return puzzles.Verify(ctx, s, p, puzzles.Options{Certify: certify, Describe: true}), nil
	}
	for o := range batch.Run(t.Context(), slices.Values(set), runtime.GOMAXPROCS(0), len(set), start, verify) {
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		p, r := o.Job, o.Value
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		claim, _ := r.ClaimTrue()
		unique, _ := r.EssentiallyUnique()
		if !claim || !unique || r.SolutionOK == nil || !*r.SolutionOK || r.Certificate != puzzles.Accepted {
			t.Errorf("%s: claim %t, unique %t, certificate %v", p.Label(), claim, unique, r.Certificate)
		}
		difficulty, _ := r.Description.Difficulty()
		if end := fmt.Sprintf("\t%.1f\t%d\t%v\n", difficulty, r.Description.Winning, r.Description.Themes); !hasRow(string(table), p.Position.String(), end) {
			t.Errorf("%s: the row does not end with %q", p.Label(), end)
		}
	}
}

// hasRow reports whether a table has a row with such a beginning and end.
func hasRow(table, start, end string) bool {
	for row := range strings.Lines(table) {
		if strings.HasPrefix(row, start) && strings.HasSuffix(row, end) {
			return true
		}
	}
	return false
}
