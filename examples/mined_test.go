package examples_test

import (
	"context"
	"runtime"
	"testing"

	"goalproof/batch"
	"goalproof/puzzles"
	"goalproof/solve"
)

// TestMined verifies the puzzles that were mined from games at random: each is a win in exactly the
// number of turns that it claims, its solution is the only one, and the certificate of the win holds.
// No puzzle is there twice.
func TestMined(t *testing.T) {
	set := puzzles.Read("mined")
	if len(set) < 50 {
		t.Fatalf("%d puzzles", len(set))
	}
	known := puzzles.Known{}
	certify := func(ctx context.Context, s *solve.Solver, q solve.Question, a solve.Answer) (bool, error) {
		c, err := s.Certificate(ctx, q, a)
		if err != nil {
			return false, err
		}
		return true, c.Check(ctx, nil)
	}
	start := func() (*solve.Solver, error) { return solve.New(solve.Options{Memory: 64 << 20, Threads: 1}) }
	verify := func(ctx context.Context, s *solve.Solver, i int) (puzzles.Result, error) {
		return puzzles.Verify(ctx, s, set[i], puzzles.Options{Certify: certify}), nil
	}
	for o := range batch.Run(t.Context(), len(set), runtime.GOMAXPROCS(0), start, verify) {
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		p, r := set[o.Job], o.Value
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		claim, _ := r.ClaimTrue()
		unique, _ := r.Unique()
		if !claim || !unique || r.SolutionOK == nil || !*r.SolutionOK || r.Certificate != puzzles.Accepted {
			t.Errorf("%s: claim %t, unique %t, certificate %v", p.Label(), claim, unique, r.Certificate)
		}
		if !known.Add(&p.Position) {
			t.Errorf("%s is there twice", p.Label())
		}
	}
}
