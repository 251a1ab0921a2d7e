//go:build large

package dfpns

import (
	"testing"
)

// TestHalfPull looks at solutions in which a cat pulls a rabbit along or does not. A turn may end
// before the second half of a pull, so a solution that ends there lies on the way to the other.
func TestHalfPull(t *testing.T) {
	alone(t)
	p := short(t, "g [rrrr    rrCC                                           R        ]")
	s := newSolver(0, 1)
	for n := 1; n <= 2; n++ {
		st := plain(t, p)
		want := solutions(st, n)
		if len(want) == 0 {
			continue
		}
		behind := onward(st, want)
		for _, solution := range list(t, s, p, n) {
			board := plain(t, solution.After).Board
			essential := true
			for before := range behind[board] {
				if want[before] < want[board] {
					essential = false
				}
			}
			if solution.Essential != essential {
				t.Errorf("%v is essential: %t, enumeration says %t", solution.Turn, solution.Essential, essential)
			}
		}
		return
	}
	t.Errorf("%v: no win in 2", p)
}
