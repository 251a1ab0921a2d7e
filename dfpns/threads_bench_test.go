package dfpns

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"goalproof/answer"
)

// BenchmarkThreads asks for a win in three at positions of the published games in which there is
// none in two, with one worker and with two, and reports how much faster two are over those
// questions that take one worker between one second and ten.
func BenchmarkThreads(b *testing.B) {
	const least, most = time.Second, 10 * time.Second
	positions := gamePositions(b, 20, rand.New(rand.NewPCG(3, 3)))
	ask := func(workers, i int) (time.Duration, answer.Verdict) {
		s := newSolver(64<<20, workers)
		ctx, cancel := context.WithTimeout(context.Background(), most)
		defer cancel()
		start := time.Now()
		r, err := s.Solve(ctx, Question{Position: positions[i], N: 3})
		require.NoError(b, err)
		return time.Since(start), r.Verdict
	}
	for b.Loop() {
		var one, two time.Duration
		questions := 0
		for i := range positions {
			single, verdict := ask(1, i)
			if single < least || verdict == answer.Unknown {
				continue
			}
			double, again := ask(2, i)
			if again != answer.Unknown && again != verdict {
				b.Fatalf("%v: %v with one worker, %v with two", positions[i], verdict, again)
			}
			b.Logf("%v %v: %v, %v", positions[i], verdict, single, double)
			questions++
			one += single
			two += double
		}
		b.ReportMetric(float64(questions), "questions")
		b.ReportMetric(one.Seconds()/two.Seconds(), "times-faster")
	}
}
