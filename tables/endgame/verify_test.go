package endgame

import (
	"math/rand/v2"
	"testing"

	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/internal/testkit/boards"
)

// TestVerify checks that every value of the small tables follows from what comes after it.
func TestVerify(t *testing.T) {
	ts := open(t, "")
	for n := 2; n <= 3; n++ {
		for _, c := range Classes(n) {
			o := VerifyOptions{Threads: 2, Sample: 2000, Referee: 20}
			if n == 2 || boards.Large {
				o.Sample, o.Referee = 0, 1000
			}
			v, err := ts.Verify(t.Context(), c, o)
			if err != nil || v.Wrong != 0 {
				t.Errorf("%v: %d wrong, %v: %v", c, v.Wrong, v.Examples, err)
			}
			if v.Positions == 0 || v.Referee == 0 {
				t.Errorf("%v: %d positions, %d by the referee", c, v.Positions, v.Referee)
			}
			t.Logf("%v: %d positions, %d by the referee", c, v.Positions, v.Referee)
		}
	}
}

// TestPlanted changes 1,000 values of tables, one at a time, and checks that each is found.
func TestPlanted(t *testing.T) {
	ts := open(t, "")
	random := rand.New(rand.NewPCG(1, 2))
	var g arimaa.Generator
	var d goal.Detector
	for planted := 0; planted < 1000; {
		table := ts.classes[random.IntN(len(ts.classes))]
		number, side := random.IntN(table.Numbers), random.IntN(table.Sides)
		b, ok := table.layout.board(number)
		if !ok || b.Ended(arimaa.Side(1-side)).Over() && random.IntN(100) > 0 {
			continue // not all of those that are over
		}
		before := Verified{}
		if err := ts.verify(&g, &d, table, number, arimaa.Side(side), false, &before); err != nil || before.Wrong != 0 {
			t.Fatalf("%v: %v, %v", table.Class, before, err)
		}
		at := number + side*table.Numbers
		value := &table.loaded[at/blockSize].Load().values[at%blockSize]
		old := *value
		for *value == old {
			*value = uint8(random.IntN(12))
			if random.IntN(10) == 0 {
				*value = uint8(over)
			}
		}
		after := Verified{}
		if err := ts.verify(&g, &d, table, number, arimaa.Side(side), false, &after); err != nil || after.Wrong != 1 {
			t.Fatalf("%v: %v instead of %v on %v: %v, %v", table.Class, Value(*value), Value(old), b, after, err)
		}
		*value = old
		planted++
	}
}
