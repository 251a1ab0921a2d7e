package arimaa_test

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
	"goalproof/zobrist"
)

// TestPerft compares the generators with the published counts.
func TestPerft(t *testing.T) {
	var g arimaa.Generator
	for _, row := range published.Rows(t, "perft.tsv") {
		p := boards.Parse(t, row[0])
		got := []int{g.Generate(&p), 0, 0, 0, 0}
		for _, o := range p.Options(nil) {
			got[1]++
			switch {
			case o.IsPush():
				got[3]++
			case o.IsPull():
				got[4]++
			default:
				got[2]++
			}
		}
		for i, name := range []string{"distinct results", "options", "steps", "pushes", "pulls"} {
			if want, _ := strconv.Atoi(row[i+1]); got[i] != want {
				t.Errorf("%v: %d %s, want %d", p, got[i], name, want)
			}
		}
	}
}

// TestLongest compares the listing by priority with the plain one: the same results, each in one
// batch, with a turn of as many steps that leads there; the longest first, and among them those of
// the highest priority.
func TestLongest(t *testing.T) {
	positions := rapid.OneOf(boards.Position(), boards.Few(8))
	boards.Check(t, 200, 5_000, func(t *rapid.T) {
		p := boards.Parse(t, positions.Draw(t, "position"))
		p = p.WithStepsLeft(rapid.IntRange(0, arimaa.StepsPerTurn).Draw(t, "steps left"))
		var plain, g arimaa.Generator
		steps := map[arimaa.Board]int{}
		for i := range plain.Generate(&p) {
			steps[*plain.Board(i)] = plain.Steps(i)
		}
		priority := func(b *arimaa.Board) int { return int(b.Hash()%1000) - 500 }
		seen := map[arimaa.Board]bool{}
		longest, last := true, 1<<30
		g.Longest(&p, priority, func(from, to int) bool {
			if from >= to {
				t.Fatalf("%v: an empty batch", p)
			}
			for i := from; i < to; i++ {
				b := *g.Board(i)
				if seen[b] || g.Steps(i) != steps[b] {
					t.Fatalf("%v: %v in %d steps, seen before: %t; the plain listing takes %d", p, g.Turn(i), g.Steps(i), seen[b], steps[b])
				}
				seen[b] = true
				long := g.Steps(i) == p.StepsLeft()
				if long && !longest {
					t.Fatalf("%v: %v comes behind a shorter turn", p, g.Turn(i))
				}
				if longest = long; long {
					parent := g.Parent(i)
					if priority(parent) > last {
						t.Fatalf("%v: %v comes behind a turn of lower priority", p, g.Turn(i))
					}
					last = priority(parent)
				}
				end, turn := p, g.Turn(i)
				for k := range turn.Len() {
					end = end.After(arimaa.SingleStep(turn.Step(k)))
				}
				if end.Board != b || turn.Len() != g.Steps(i) {
					t.Fatalf("%v: %v does not lead where it is said to", p, turn)
				}
			}
			return true
		})
		if len(seen) != len(steps) {
			t.Fatalf("%v: %d results, the plain listing has %d", p, len(seen), len(steps))
		}
		batches := 0
		g.Longest(&p, priority, func(int, int) bool {
			batches++
			return false
		})
		if batches > 1 {
			t.Fatalf("%v: %d batches after the first was refused", p, batches-1)
		}
	})
}

// TestLongestSkipping skips a part of the boards with steps left, by their keys, and compares the
// listing with a search of all orders of options that does not pass these boards. Each board is
// asked about once.
func TestLongestSkipping(t *testing.T) {
	positions := boards.Few(6)
	boards.Check(t, 100, 1_000, func(t *rapid.T) {
		p := boards.Parse(t, positions.Draw(t, "position"))
		p = p.WithStepsLeft(rapid.IntRange(0, arimaa.StepsPerTurn).Draw(t, "steps left"))
		part := rapid.Uint64Range(1, 6).Draw(t, "part")
		rejects := func(k zobrist.Key) bool { return k.Lo>>20%part == 1 }
		want := map[arimaa.Board]int{} // most steps left
		skipped := map[arimaa.Board]bool{}
		var search func(at arimaa.Position, left int)
		search = func(at arimaa.Position, left int) {
			at = at.WithStepsLeft(left)
			for _, o := range at.Options(nil) {
				after := at.After(o)
				rest := left - o.Steps()
				if after.Board == p.Board {
					continue
				}
				if rest > 0 && rejects(after.PiecesKey()) {
					skipped[after.Board] = true
					continue
				}
				if old, ok := want[after.Board]; !ok || rest > old {
					want[after.Board] = rest
					search(after, rest)
				}
			}
		}
		search(p, p.StepsLeft())
		for b := range skipped {
			delete(want, b) // if it was met again with no steps left
		}
		var g arimaa.Generator
		asked := map[zobrist.Key]bool{}
		skip := func(points []arimaa.Point, left int) {
			for i := range points {
				b, k := points[i].Board(), points[i].Key()
				if asked[k] || b.PiecesKey() != k || left < 1 {
					t.Fatalf("%v: asked twice about one board, with the key of another, or with %d steps left", p, left)
				}
				if asked[k] = true; rejects(k) {
					points[i].LeaveOut()
				}
			}
		}
		order := func(b *arimaa.Board) int { return int(b.PiecesKey().Lo % 5) }
		var whole [2]int // boards asked about
		for k, list := range []func(*arimaa.Position, arimaa.Skip, func(*arimaa.Board) int, func(from, to int) bool){g.LongestSkipping, g.LongestLate} {
			clear(asked)
			got := map[arimaa.Board]bool{}
			list(&p, skip, order, func(from, to int) bool {
				for i := from; i < to; i++ {
					left, ok := want[*g.Board(i)]
					after, legal := p.TryPart(g.Turn(i))
					if !ok || p.StepsLeft()-g.Steps(i) != left || got[*g.Board(i)] || !legal || after.Board != *g.Board(i) {
						t.Fatalf("%v: %v is listed with %d steps, which leaves %d of %d: %t", p, g.Turn(i), g.Steps(i), left, p.StepsLeft(), ok)
					}
					got[*g.Board(i)] = true
				}
				return true
			})
			if len(got) != len(want) {
				t.Fatalf("%v: %d results, want %d", p, len(got), len(want))
			}
			whole[k] = len(asked)
		}
		if whole[0] != whole[1] {
			t.Fatalf("%v: %d boards asked about, and late %d", p, whole[0], whole[1])
		}
		clear(asked)
		g.LongestLate(&p, skip, order, func(int, int) bool { return false })
		clear(asked)
		if n := g.Skipping(&p, skip); n != len(want) {
			t.Fatalf("%v: %d results, want %d", p, n, len(want))
		}
		if n := g.Generate(&p); n < len(want) {
			t.Fatalf("%v: %d results without skipping, %d with it", p, n, len(want))
		}
	})
}

// TestAsksLate ends a listing at its first results: by then LongestLate has not asked about most
// boards with one step left.
func TestAsksLate(t *testing.T) {
	p := boards.Parse(t, "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]")
	var g arimaa.Generator
	asked := 0
	skip := func(points []arimaa.Point, left int) {
		if left == 1 {
			asked += len(points)
		}
	}
	count := func(more bool) int {
		asked = 0
		g.LongestLate(&p, skip, func(*arimaa.Board) int { return 0 }, func(int, int) bool { return more })
		return asked
	}
	if first, all := count(false), count(true); first == 0 || first > all/10 {
		t.Errorf("%d of %d boards asked about before the first results", first, all)
	}
}

// TestNoAllocation checks that a generator that has grown allocates nothing more.
func TestNoAllocation(t *testing.T) {
	p := boards.Parse(t, "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]")
	var g arimaa.Generator
	if n := testing.AllocsPerRun(3, func() { g.Generate(&p) }); n != 0 {
		t.Errorf("%v allocations to list %d results", n, g.Len())
	}
}

// BenchmarkTurns lists the distinct results of a turn in the published perft positions; results/s
// is the figure to compare.
func BenchmarkTurns(b *testing.B) {
	var positions []arimaa.Position
	for _, row := range published.Rows(b, "perft.tsv") {
		p := boards.Parse(b, row[0])
		positions = append(positions, p)
	}
	var g arimaa.Generator
	results := 0
	b.ReportAllocs()
	for b.Loop() {
		for i := range positions {
			results += g.Generate(&positions[i])
		}
	}
	b.ReportMetric(float64(results)/b.Elapsed().Seconds(), "results/s")
}
