package dfpns

import (
	"context"
	"fmt"
	"testing"

	"goalproof/internal/testkit/require"

	"github.com/dustin/go-humanize"

	"goalproof/answer"
	"goalproof/arimaa/notation"
	"goalproof/tables"
)

// deepQuestions are questions about random boards of few pieces on which a search comes back to the
// same positions again and again. Three quarters of a million to four million nodes each.
var deepQuestions = []struct {
	position string
	n        int
}{
	{"g [               H          r H  e       r                       R]", 5},
	{"g [        r                   c           R       r    M          ]", 5},
	{"g [ e       r            r             D                     R     ]", 4},
	{"g [              r     d        r     R               H            ]", 4},
	{"g [               m         c   r R   H               M r          ]", 4},
	{"g [                r   C   ReRr                E                   ]", 4},
	{"g [  r                 h           r C             R               ]", 4},
	{"g [          He    h           r    R    r                D        ]", 4},
}

// BenchmarkTables answers questions of four and five turns with one worker: with proof tables of
// different sizes beside a large transposition table, the other way round, and with every
// replacement scheme where both tables are small. It reports the nodes that all questions together
// take, in millions, and the seconds.
func BenchmarkTables(b *testing.B) {
	const large = 16 << 20
	ask := func(b *testing.B, o Options) {
		o.Threads = 1
		for b.Loop() {
			nodes := uint64(0)
			for _, q := range deepQuestions {
				p, err := notation.ParsePosition(q.position)
				require.NoError(b, err)
				r, err := New(o).Solve(context.Background(), Question{Position: p, N: q.n})
				if err != nil || r.Verdict == answer.Unknown {
					b.Fatal(r, err)
				}
				nodes += r.Nodes
			}
			b.ReportMetric(float64(nodes)/1e6, "Mnodes")
			b.ReportMetric(b.Elapsed().Seconds(), "s")
		}
	}
	for _, bytes := range []uint64{1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, large} {
		b.Run("facts="+humanize.IBytes(bytes), func(b *testing.B) { ask(b, Options{Facts: bytes, Numbers: large}) })
	}
	for _, bytes := range []uint64{1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, large} {
		b.Run("numbers="+humanize.IBytes(bytes), func(b *testing.B) { ask(b, Options{Facts: large, Numbers: bytes}) })
	}
	for _, scheme := range []string{"greater", "deeper", "newer", "older", "two-level", "aged"} {
		for _, bytes := range []uint64{4 << 10, 32 << 10} {
			name := fmt.Sprintf("scheme=%s/both=%s", scheme, humanize.IBytes(bytes))
			b.Run(name, func(b *testing.B) { ask(b, Options{Facts: bytes, Numbers: bytes, Scheme: tables.SchemeNamed(scheme)}) })
		}
	}
}
