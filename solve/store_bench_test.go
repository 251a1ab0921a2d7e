package solve

import (
	"context"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/require"
	"goalproof/tables"
	"goalproof/tables/store"
)

// BenchmarkStore asks for a win in 3 at published positions with the other side to move, with one
// thread, as far as that is decided within 15 s each: without a store, with an empty one, and with
// the one that the second run has left. It reports the times of the three runs in s, what the empty
// store costs, and what share of the time the warm one takes. Alone on a machine each of the first
// two takes more than a minute.
func BenchmarkStore(b *testing.B) {
	var questions []Question
	for _, name := range published.Names(b, "win-in-2/reduced/*.txt") {
		d, err := notation.ReadPositions(name, published.Read(b, name))
		require.NoError(b, err)
		q := Question{Position: d[0].Position.EndTurn(), Deepest: 3, NoLine: true}
		if q.Position.Unusual() == nil {
			questions = append(questions, q)
		}
	}
	// run answers all questions and returns its time, and the most nodes that one took.
	run := func(facts tables.Store, limit time.Duration, each func(Question, Answer)) (sum time.Duration, most uint64) {
		s := solverWith(b, Options{Memory: 256 << 20, Threads: 1, Store: facts})
		for _, q := range questions {
			ctx, cancel := context.WithTimeout(context.Background(), limit)
			s.Forget()
			a, err := s.Solve(ctx, q)
			cancel()
			require.NoError(b, err)
			each(q, a)
			sum += a.Time
			most = max(most, a.Nodes)
		}
		return sum, most
	}
	var decided []Question
	run(nil, 15*time.Second, func(q Question, a Answer) {
		if a.Verdict != answer.Unknown {
			decided = append(decided, q)
		}
	})
	questions = decided
	const enough = 10 * time.Minute
	for b.Loop() {
		dir := b.TempDir()
		open := func() *store.Store {
			s, err := store.Open(dir, store.Options{Memory: 8 << 20})
			require.NoError(b, err)
			return s
		}
		least := map[arimaa.Position]int{}
		without, _ := run(nil, enough, func(q Question, a Answer) { least[q.Position] = a.Within })
		same := func(q Question, a Answer) {
			if a.Verdict == answer.Unknown || a.Within != least[q.Position] {
				b.Fatalf("%v: win in %d without a store, %d (%v) with one", q.Position, least[q.Position], a.Within, a.Verdict)
			}
		}
		facts := open()
		cold, _ := run(facts, enough, same)
		require.NoError(b, facts.Close())
		facts = open()
		warm, most := run(facts, enough, same)
		require.NoError(b, facts.Close())
		b.ReportMetric(float64(len(questions)), "questions")
		b.ReportMetric(without.Seconds(), "without-s")
		b.ReportMetric(cold.Seconds(), "cold-s")
		b.ReportMetric(warm.Seconds(), "warm-s")
		b.ReportMetric(cold.Seconds()/without.Seconds(), "cold/without")
		b.ReportMetric(warm.Seconds()/cold.Seconds(), "warm/cold")
		b.ReportMetric(float64(most), "most-warm-nodes")
	}
}
