package engine

import (
	"testing"
	"time"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// opening has all pieces behind their lines.
const opening = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]"

// TestNeed checks what makes a turn take more time or less.
func TestNeed(t *testing.T) {
	p := boards.Parse(t, opening)
	options := p.Options(nil)
	a, b := arimaa.Turn{}.WithOption(options[0]), arimaa.Turn{}.WithOption(options[1])
	var n need
	check := func(what string, r Report, want time.Duration) {
		t.Helper()
		if got := n.percent(&r); got != want {
			t.Errorf("%s: %d %%, want %d", what, got, want)
		}
	}
	check("before the first depth", Report{Turn: a}, 140)
	for depth := range stableFrom {
		n.completed(&Report{Turn: a, Score: 100})
		if depth > 0 {
			check("the same turn", Report{Turn: a, Score: 100}, 100)
		}
	}
	n.completed(&Report{Turn: a, Score: 100})
	check("the same turn for long", Report{Turn: a, Score: 100}, 70)
	check("its score falls", Report{Turn: a, Score: 40, Deeper: true}, 140)
	check("another turn", Report{Turn: b, Score: 120, Deeper: true}, 140)
	check("another turn, and a worse score", Report{Turn: b, Score: 20, Deeper: true}, 280)
	n.completed(&Report{Turn: b, Score: 20})
	check("after a change", Report{Turn: b, Score: 20}, 140)
}

// TestAim searches with an aim, far from the limit: the search ends by itself, with one thread and
// with two.
func TestAim(t *testing.T) {
	for threads := 1; threads <= 2; threads++ {
		e := newEngine(t, Options{Threads: threads, Without: Probe})
		if r := search(t, e, boards.Parse(t, opening), Limits{Time: time.Hour, Aim: 20 * time.Millisecond}); r.Depth == MaxDepth {
			t.Errorf("%d threads: depth %d", threads, r.Depth)
		}
	}
}
