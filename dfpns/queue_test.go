package dfpns

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestQueue compares the queue with selectChild, which passes over all children, while their numbers change as in a search.
func TestQueue(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 1))
	draw := func() numbers {
		switch rng.IntN(40) {
		case 0:
			return proved
		case 1, 2, 3:
			return disproved
		case 4:
			return numbers{infinite - 1, infinite - 1}
		}
		return numbers{1 + rng.Uint32N(5), 1 + rng.Uint32N(5)}
	}
	var q queue
	for range 2000 {
		children := make([]child, rng.IntN(12))
		for i := range children {
			children[i].numbers = draw()
		}
		for q.fill(children); ; {
			wantBest, wantSecond, want := selectChild(children, false)
			best, second, got := q.first()
			if got != want {
				t.Fatalf("numbers %v, want %v, of %v", got, want, children)
			}
			if first := slices.IndexFunc(children, func(c child) bool { return c.numbers == proved }); got == proved && best != first {
				t.Fatalf("child %d is said to be proved first, not %d, in %v", best, first, children)
			}
			if got.solved() {
				break
			}
			if best != wantBest || second != wantSecond {
				t.Fatalf("child %d, then %d, want %d, then %d, of %v", best, second, wantBest, wantSecond, children)
			}
			c := children[best]
			if c.busy < 3 && rng.IntN(3) == 0 {
				c.busy++
				q.put(best, c)
				continue
			}
			c.numbers = draw()
			q.put(best, c)
			q.clearBusy()
			for _, c := range children {
				if c.busy != 0 {
					t.Fatalf("busy after clearBusy: %v", children)
				}
			}
		}
	}
}
