package pns

import (
	"context"
	"testing"
	"time"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/internal/testkit/boards"
)

// TestMirrored checks that turning a position over, or left to right, changes no verdict. The
// searches take different ways, so the little memory and time that bound them may be enough for one
// and not for another.
func TestMirrored(t *testing.T) {
	s := fresh(t, 1)
	tally := map[string]int{}
	boards.Check(t, 16, 600, func(t *rapid.T) {
		text := boards.Position().Draw(t, "position")
		for n := 1; n <= 3; n++ {
			verdicts := map[answer.Verdict]string{}
			for _, image := range []string{text, boards.Mirror(text), boards.Swap(text), boards.Swap(boards.Mirror(text))} {
				ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
				got := s.Solve(ctx, Question{Position: boards.Parse(t, image), N: n})
				cancel()
				if got.Verdict == answer.Unknown {
					tally["unknown"]++
					continue
				}
				tally["decided"]++
				verdicts[got.Verdict] = image
			}
			if len(verdicts) > 1 {
				t.Fatalf("a win in %d: proved for %s, disproved for %s",
					n, verdicts[answer.Proved], verdicts[answer.Disproved])
			}
		}
	})
	t.Log(tally)
	if tally["decided"] < 5*tally["unknown"] {
		t.Errorf("too few are decided: %v", tally)
	}
}
