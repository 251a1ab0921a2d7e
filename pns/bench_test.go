package pns

import (
	"slices"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/answer"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
)

// question is a question with its answer.
type question struct {
	name    string
	board   string
	n       int
	verdict answer.Verdict
	nodes   uint64
}

// fixed is a set of positions, most of them drawn at random, with what their search comes to.
var fixed = []question{
	{"a camel against a crowd", "g [ mr D M  r     D       r           c          R           R     ]", 2, answer.Proved, 20627},
	{"two rabbits of gold far from home", "g [CEm  r       c        d rCH H            R   R          R      h]", 2, answer.Disproved, 10726},
	{"open board", "s [        MC c       r    R  r    HC h                            ]", 2, answer.Proved, 26115},
	{"open board, many turns to refute", "g [cr        e    r  H     c C         DR     d R           H      ]", 2, answer.Disproved, 77051},
	{"pieces far apart", "g [HmHd ED Rr                             D            R     C     ]", 2, answer.Proved, 17380},
	{"a free rabbit", "g [C  r             r  H  r    r       c   R h  M d                ]", 2, answer.Proved, 23465},
	{"crowded on top", "g [hreCrDr     E r  d rD   m      r r     R       RH    d         h]", 2, answer.Proved, 20908},
	{"twenty-four pieces", "g [rCCEhr dMr  c e  d rR rH   mR     R      D       c   D   H     R]", 2, answer.Disproved, 15591},
	{"twenty pieces", "g [rchEh    R    r   r      Cc      DM      H  e    rR HR    R C   ]", 2, answer.Disproved, 17085},
	{"silver runs", "s [C  r M     rE   He  r      r      cm R  RD                      ]", 2, answer.Proved, 87081},
	{"three turns, proved", "s [ r   r     e       h              M                          R  ]", 3, answer.Proved, 53359},
	{"three turns, disproved", "g [Hrr  ch    md      c      r r   R            e        d         ]", 3, answer.Disproved, 143116},
}

// quick returns the fixed questions without those in which few pieces of the defender are left to
// move, where the detector of immobilisation takes most of the time, and in a plain run without the
// longest searches.
func quick() []question {
	return slices.DeleteFunc(slices.Clone(fixed), func(f question) bool {
		return f.name == "pieces far apart" || f.name == "twenty pieces" || f.nodes > 60_000 && !boards.Large
	})
}

// TestSameSearch checks the verdicts and the numbers of nodes, which change only when the search is
// changed on purpose.
func TestSameSearch(t *testing.T) {
	s := fresh(t, 64)
	for _, f := range fixed {
		got := ask(s, Question{Position: boards.Parse(t, f.board), N: f.n})
		if got.Verdict != f.verdict || got.Nodes != f.nodes {
			t.Errorf("%s: %v with %d nodes, it was %v with %d", f.name, got.Verdict, got.Nodes, f.verdict, f.nodes)
		}
		if got.Nodes != s.Nodes() {
			t.Errorf("%s: %d nodes in the result, %d counted", f.name, got.Nodes, s.Nodes())
		}
	}
}

// BenchmarkSolve answers the fixed questions by several parameters; nodes/s is the figure to
// compare for one kind of evaluation, and ns/op for all.
func BenchmarkSolve(b *testing.B) {
	for _, v := range variants {
		b.Run(v.name, func(b *testing.B) {
			s := fresh(b, 64)
			require.NoError(b, s.Tune(v.parameters))
			var questions []Question
			for _, f := range fixed {
				questions = append(questions, Question{Position: boards.Parse(b, f.board), N: f.n})
			}
			nodes := uint64(0)
			b.ReportAllocs()
			for b.Loop() {
				for _, q := range questions {
					nodes += ask(s, q).Nodes
				}
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes")
		})
	}
}

// BenchmarkPublished answers whether there is a win in two in each of the published puzzles.
func BenchmarkPublished(b *testing.B) {
	s := fresh(b, 512)
	var questions []Question
	for _, c := range load.Claims(b, load.WinsInTwo) {
		questions = append(questions, Question{Position: c.Position, N: 2})
	}
	nodes := uint64(0)
	for b.Loop() {
		for _, q := range questions {
			nodes += ask(s, q).Nodes
		}
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes")
}

// BenchmarkGraph searches for a fixed number of nodes with a judge that decides nothing: what the
// graph takes by itself.
func BenchmarkGraph(b *testing.B) {
	const nodes = 300_000
	s := fresh(b, 64)
	s.evaluator = silent{}
	p := boards.Parse(b, fixed[3].board)
	for b.Loop() {
		prepare(s, p, 3, 0)
		for s.Nodes() < nodes {
			s.expand(s.mostProving())
		}
	}
	b.ReportMetric(nodes*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
}
