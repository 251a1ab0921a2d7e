package review_test

import (
	"sync"
	"testing"

	"goalproof/review"
)

// TestGrowing checks what a review tells while it runs: about each position once, from the last one
// back, and what it says to be proved stays so.
func TestGrowing(t *testing.T) {
	facts, none := 0, 0
	for name, text := range map[string]string{"race": race, "waits": waits, "repeating": repeating} {
		r := read(t, text)
		var mu sync.Mutex
		var examined, evaluated []int
		proved, chances := map[int]review.Proved{}, map[int]float64{}
		v := reviewed(t, r, review.Options{WinIn: 2, Limit: unhurried, Engine: newEngine(t), Effort: 500,
			Examined: func(i int, p review.Proved) {
				mu.Lock()
				defer mu.Unlock()
				examined, proved[i] = append(examined, i), p
			},
			Evaluated: func(i int, gold float64) {
				mu.Lock()
				defer mu.Unlock()
				evaluated, chances[i] = append(evaluated, i), gold
			}})
		n := len(v.Standings)
		if len(examined) != n || len(evaluated) != n {
			t.Fatalf("%s: %v examined, %v evaluated, of %d positions", name, examined, evaluated, n)
		}
		for k := range n {
			i := n - 1 - k
			shown := v.Shown(i)
			if examined[k] != i || evaluated[k] != i || shown.Proved != proved[i] {
				t.Errorf("%s: position %d: %+v at the end, %+v before", name, i, shown.Proved, proved[i])
			}
			over := i == n-1 && r.Game.Outcome().Over()
			if chance := chances[i]; chance < 0 || chance > 1 || (chance == 0 || chance == 1) != over || over && chance != *shown.Chance {
				t.Errorf("%s: position %d: chance %v, at the end %v", name, i, chance, *shown.Chance)
			}
			won := shown.Proved.Side != ""
			if won {
				facts++
			} else {
				none++
			}
			if (shown.Proved.Within > 0) != (won && !over) {
				t.Errorf("%s: position %d: %+v", name, i, shown.Proved)
			}
		}
	}
	if facts == 0 || none == 0 {
		t.Errorf("a win is proved at %d positions, and none at %d: the comparison is empty", facts, none)
	}
}
