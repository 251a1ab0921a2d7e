package solve

import (
	"cmp"
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/require"
	"goalproof/tables/endgame"
)

// fourPieces builds all tables of two to four pieces, once.
var fourPieces = sync.OnceValues(func() (*endgame.Tables, error) {
	dir, err := os.MkdirTemp("", "endgames")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := endgame.Build(context.Background(), endgame.Classes(4), endgame.BuildOptions{Dir: dir, Threads: 2}); err != nil {
		return nil, err
	}
	return endgame.Open(dir, 256<<20)
})

// scatter draws a board with a rabbit of each side, off its goal rank, and other pieces.
func scatter(random *rand.Rand, others int) (b arimaa.Board) {
	put := func(p arimaa.Piece, from, to int) {
		for {
			if s := arimaa.Square(from + random.IntN(to-from)); b.At(s) == arimaa.Empty {
				b.Put(s, p)
				return
			}
		}
	}
	put(arimaa.NewPiece(arimaa.Gold, arimaa.Rabbit), 0, 56)
	put(arimaa.NewPiece(arimaa.Silver, arimaa.Rabbit), 8, 64)
	for range others {
		put(arimaa.NewPiece(arimaa.Side(random.IntN(2)), arimaa.Cat+arimaa.Kind(random.IntN(5))), 0, 64)
	}
	return b
}

// median sorts a list and returns what stands in the middle.
func median[T cmp.Ordered](all []T) T {
	slices.Sort(all)
	return all[len(all)/2]
}

// BenchmarkFourPieces solves 1,000 random positions of four pieces, from which the tables are
// asked, to the whole line.
func BenchmarkFourPieces(b *testing.B) {
	ts, err := fourPieces()
	require.NoError(b, err)
	s := solverWith(b, Options{Memory: 64 << 20, Threads: 1, Endgames: ts})
	for b.Loop() {
		random := rand.New(rand.NewPCG(4, 4))
		var took []time.Duration
		for len(took) < 1000 {
			board := scatter(random, 2)
			p := arimaa.NewPosition(board, arimaa.Side(random.IntN(2)))
			if _, ok := ts.Probe(&p.Board, p.Side()); !ok {
				continue
			}
			start := time.Now()
			a := solved(b, s, b.Context(), Question{Position: p, Deepest: MaxTurns})
			took = append(took, time.Since(start))
			if !a.Tabled && a.Within != 1 {
				b.Fatalf("%v: %+v", p, a)
			}
		}
		b.ReportMetric(float64(median(took).Microseconds()), "µs-median")
		b.ReportMetric(float64(took[len(took)-1].Microseconds()), "µs-longest")
	}
}

// BenchmarkIntoTables solves positions of five and six pieces with tables and without: 200 in which
// the side to move wins in three turns or more, and a turn that captures leads to a table and keeps
// that win. A search gets five seconds.
func BenchmarkIntoTables(b *testing.B) {
	ts, err := fourPieces()
	require.NoError(b, err)
	var solvers [2]*Solver
	for i, tables := range []*endgame.Tables{nil, ts} {
		if solvers[i], err = New(Options{Memory: 256 << 20, Threads: 1, Endgames: tables}); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		random := rand.New(rand.NewPCG(5, 6))
		var took [2][]time.Duration
		var nodes [2][]uint64
		var ratios []float64
		var decided [2]int
		lengths := map[int]int{}
		for len(ratios) < 200 {
			p, n := intoTables(b, solvers[1], ts, random)
			if n == 0 {
				continue
			}
			lengths[n]++
			var spent [2]time.Duration
			for i, s := range solvers {
				s.Forget()
				ctx, cancel := context.WithTimeout(b.Context(), 5*time.Second)
				start := time.Now()
				a := solved(b, s, ctx, Question{Position: p, Deepest: n, NoLine: true})
				spent[i] = time.Since(start)
				cancel()
				if a.Verdict == answer.Disproved || a.Verdict == answer.Proved && a.Within != n {
					b.Fatalf("%v: a win in %d is %v, least %d, with solver %d", p, n, a.Verdict, a.Within, i)
				}
				if a.Verdict == answer.Proved {
					decided[i]++
				}
				took[i], nodes[i] = append(took[i], spent[i]), append(nodes[i], a.Nodes)
			}
			ratios = append(ratios, float64(spent[0])/float64(spent[1]))
		}
		b.Logf("lengths of the wins: %v", lengths)
		for i, name := range []string{"without", "with"} {
			b.ReportMetric(float64(median(took[i]).Microseconds())/1000, "ms-median-"+name)
			b.ReportMetric(float64(median(nodes[i])), "nodes-median-"+name)
			b.ReportMetric(float64(decided[i]), "decided-"+name)
		}
		b.ReportMetric(median(ratios), "ratio-median")
	}
}

// intoTables draws a position of five or six pieces in which the side to move wins in n turns,
// three or more, and no sooner, with a turn that captures and leaves the opponent lost by the
// tables. n is 0 if it finds none, or cannot tell.
func intoTables(b *testing.B, s *Solver, ts *endgame.Tables, random *rand.Rand) (p arimaa.Position, n int) {
	p = arimaa.NewPosition(scatter(random, 3+random.IntN(2)), arimaa.Side(random.IntN(2)))
	if p.Undefended() != 0 || p.Ended(p.Side().Other()).Over() {
		return p, 0
	}
	var g arimaa.Generator
	for i := range g.Generate(&p) {
		if g.Board(i).Ended(p.Side()).Over() {
			continue
		}
		v, ok := ts.Probe(g.Board(i), p.Side().Other())
		if !ok {
			continue
		}
		if m, loses := v.Loss(); loses && (n == 0 || m+1 < n) {
			n = m + 1
		}
	}
	if n < 3 {
		return p, 0
	}
	ctx, cancel := context.WithTimeout(b.Context(), time.Second)
	defer cancel()
	if a := solved(b, s, ctx, Question{Position: p, Deepest: n - 1, NoLine: true}); a.Verdict != answer.Disproved {
		return p, 0
	}
	return p, n
}
