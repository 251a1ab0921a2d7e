package dfpns

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/published"
)

// BenchmarkPublished asks for a win in two on the published positions, with one worker, and reports
// times for a position in ms: the plain question where the answer is yes; and the list of all
// solutions, or the plain question where the answer is no.
func BenchmarkPublished(b *testing.B) {
	all := load.Claims(b, load.WinsInTwo)
	var yes, complete []time.Duration
	unique, essentially := 0, 0
	s := newSolver(1<<20, 1)
	for b.Loop() {
		unique, essentially = 0, 0
		for _, c := range all {
			took, r := timed(b, s, c.Position)
			if r.Verdict == answer.Disproved {
				complete = append(complete, took)
				continue
			}
			yes = append(yes, took)
			s.Forget()
			start := time.Now()
			solutions := list(b, s, c.Position, 2)
			complete = append(complete, time.Since(start))
			marked := 0
			for _, s := range solutions {
				if s.Essential {
					marked++
				}
			}
			if len(solutions) == 1 {
				unique++
			}
			if marked == 1 {
				essentially++
			}
		}
	}
	report(b, "yes", yes)
	report(b, "complete", complete)
	b.ReportMetric(float64(unique), "unique")
	b.ReportMetric(float64(essentially), "essentially-unique")
}

// BenchmarkGames asks for a win in two at 500 positions of the published games, with one worker,
// and reports times for a position in ms.
func BenchmarkGames(b *testing.B) {
	positions := gamePositions(b, 500, rand.New(rand.NewPCG(500, 2)))
	var times []time.Duration
	s := newSolver(1<<20, 1)
	for b.Loop() {
		for _, p := range positions {
			took, _ := timed(b, s, p)
			times = append(times, took)
		}
	}
	report(b, "all", times)
}

// BenchmarkNoWinInThree refutes wins in three in three positions of late.tsv, 3 to 5 turns before a
// goal, with one worker, and reports the nodes.
func BenchmarkNoWinInThree(b *testing.B) {
	var late []arimaa.Position
	for _, row := range published.Rows(b, "late.tsv") {
		if row[1] >= "3" && row[1] <= "5" {
			late = append(late, boards.Parse(b, row[3]))
		}
	}
	for _, i := range []int{28, 46, 79} {
		b.Run(fmt.Sprint(i), func(b *testing.B) {
			s := newSolver(1<<30, 1)
			nodes := uint64(0)
			for b.Loop() {
				s.Forget()
				r := ask(b, s, late[i], 3)
				if r.Verdict != answer.Disproved {
					b.Fatalf("%v: a win in three is %v", late[i], r.Verdict)
				}
				nodes += r.Nodes
			}
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes")
		})
	}
}

// timed asks a solver that has forgotten all before for a win in two.
func timed(b *testing.B, s *Solver, p arimaa.Position) (time.Duration, Result) {
	b.Helper()
	s.Forget()
	start := time.Now()
	r, err := s.Solve(context.Background(), Question{Position: p, N: 2})
	took := time.Since(start)
	if err != nil || r.Verdict == answer.Unknown {
		b.Fatalf("%v: %v, %v", p, r.Verdict, err)
	}
	return took, r
}

func report(b *testing.B, name string, times []time.Duration) {
	slices.Sort(times)
	sum := time.Duration(0)
	for _, t := range times {
		sum += t
	}
	ms := func(t time.Duration) float64 { return t.Seconds() * 1000 }
	n := len(times)
	b.ReportMetric(ms(times[n/2]), name+"-median-ms")
	b.ReportMetric(ms(sum)/float64(n), name+"-mean-ms")
	b.ReportMetric(ms(times[n*9/10]), name+"-p90-ms")
	b.ReportMetric(ms(times[n-1]), name+"-max-ms")
}
