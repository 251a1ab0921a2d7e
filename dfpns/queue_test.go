package dfpns

import (
	"math/rand/v2"
	"slices"
	"testing"

	"goalproof/tables"
)

// backUp returns the numbers of a node, backed up from its children by the definition of proof and
// disproof numbers (Allis 1994), the child to search next, and the number of the second-best child.
func backUp(children []child, and bool) (best int, second uint32, total numbers) {
	best = -1
	least, next := uint32(tables.Infinity), uint32(tables.Infinity) // as they look
	lowest, sum := uint32(tables.Infinity), uint64(0)
	for i := range children {
		c := &children[i]
		number, other := c.proof, c.disproof
		if and {
			number, other = other, number
		}
		lowest = min(lowest, number)
		sum += uint64(other)
		if c.solved() {
			continue
		}
		looks := uint32(min(uint64(number)*(1+uint64(c.busy)), tables.Infinity-1))
		if best < 0 || looks < least {
			best, least, next = i, looks, least
		} else {
			next = min(next, looks)
		}
	}
	sum = min(sum, tables.Infinity-1)
	switch {
	case lowest == 0 && and, sum == 0 && !and:
		total = disproved
	case lowest == 0, sum == 0:
		total = proved
	case and:
		total = numbers{uint32(sum), lowest}
	default:
		total = numbers{lowest, uint32(sum)}
	}
	return best, next, total
}

// TestQueue compares the queue with backUp, which passes over all children, while their numbers
// change as in a search.
func TestQueue(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 1))
	draw := func() numbers {
		switch rng.IntN(40) {
		case 0:
			return proved
		case 1, 2, 3:
			return disproved
		case 4:
			return numbers{tables.Infinity - 1, tables.Infinity - 1}
		}
		return numbers{1 + rng.Uint32N(5), 1 + rng.Uint32N(5)}
	}
	var q queue
	for range 2000 {
		children, and := make([]child, rng.IntN(12)), rng.IntN(2) == 0
		wins := proved.turned(and)
		for i := range children {
			children[i].numbers = draw()
		}
		for q.fill(children, and); ; {
			wantBest, wantSecond, want := backUp(children, and)
			best, second, got := q.first()
			if got != want {
				t.Fatalf("numbers %v, want %v, of %v", got, want, children)
			}
			if first := slices.IndexFunc(children, func(c child) bool { return c.numbers == wins }); got == wins && best != first {
				t.Fatalf("child %d decides, not %d, in %v", best, first, children)
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
