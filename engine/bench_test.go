package engine

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"goalproof/arimaa"
	"goalproof/internal/testkit/published/games"
)

// searched are positions of the published games, from the opening to the ending: 20, each from
// another game.
func searched(b *testing.B) (positions []*arimaa.Game) {
	all := games.All(b)
	for i := 0; len(positions) < 20 && i < len(all); i++ {
		if g := all[i]; g.Len() >= 30 {
			positions = append(positions, g.At(4+len(positions)*(g.Len()-10)/20))
		}
	}
	return positions
}

// BenchmarkDepth searches positions of the published games for some time with one thread, and
// reports the depth searched completely, in steps, and the nodes a second.
func BenchmarkDepth(b *testing.B) {
	positions := searched(b)
	for _, seconds := range []int{1, 5, 15} {
		b.Run(fmt.Sprintf("%ds", seconds), func(b *testing.B) {
			e := newEngine(b, Options{Memory: 512 << 20, Without: Probe}) // which answers where a win is near
			limit := Limits{Time: time.Duration(seconds) * time.Second}
			depth, nodes, taken, n := 0, uint64(0), 0.0, 0
			least, most := MaxDepth, 0
			for b.Loop() {
				for _, g := range positions {
					e.Forget()
					r, err := e.Search(context.Background(), g, limit, nil)
					require.NoError(b, err)
					nodes += r.Nodes
					taken += r.Time.Seconds()
					if r.Score >= Won || r.Score <= -Won {
						continue
					}
					n++
					depth += r.Depth
					least, most = min(least, r.Depth), max(most, r.Depth)
				}
			}
			b.ReportMetric(float64(depth)/float64(max(n, 1)), "steps")
			b.ReportMetric(float64(least), "least-steps")
			b.ReportMetric(float64(most), "most-steps")
			b.ReportMetric(float64(nodes)/taken, "nodes/s")
		})
	}
}

// BenchmarkThreads searches positions of the published games to a depth of ten steps with one
// thread and with two, and reports by how much the two are faster (the geometric mean over the
// positions, and in all), and the nodes of both by those of one.
func BenchmarkThreads(b *testing.B) {
	positions := searched(b)
	engines := [2]*Engine{}
	for i := range engines {
		engines[i] = newEngine(b, Options{Threads: i + 1, Memory: 512 << 20, Without: Probe})
	}
	var seconds [2]float64
	var nodes [2]uint64
	sum, n := 0.0, 0
	for b.Loop() {
		for _, g := range positions {
			var took [2]float64
			var made [2]uint64
			decided := false
			for i, e := range engines {
				e.Forget()
				r, err := e.Search(context.Background(), g, Limits{Depth: 10}, nil)
				require.NoError(b, err)
				decided = decided || r.Score >= Won || r.Score <= -Won
				took[i] = r.Time.Seconds()
				made[i] = r.Nodes
			}
			if decided {
				continue // the search ends early
			}
			n++
			sum += math.Log(took[0] / took[1])
			for i := range engines {
				seconds[i] += took[i]
				nodes[i] += made[i]
			}
		}
	}
	b.ReportMetric(math.Exp(sum/float64(n)), "speedup")
	b.ReportMetric(seconds[0]/seconds[1], "speedup-in-all")
	b.ReportMetric(float64(nodes[1])/float64(nodes[0]), "nodes/nodes")
}
