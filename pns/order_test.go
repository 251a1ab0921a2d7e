package pns

import (
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// TestScores checks what options count on small boards.
func TestScores(t *testing.T) {
	tests := []struct {
		name    string
		drawing string
		option  string
		want    int16
	}{
		{"a step of a piece", "2 ...E...r", "Ed2n", 0},
		{"a rabbit far from home", "5 R......r", "Ra5n", 10},
		{"a rabbit at home", "2 R......r", "Ra2n", 1},
		{"a horse is pushed", "4 .Eh....r", "hc4n Eb4e", 2 * 5},
		{"an enemy rabbit is pushed near its goal", "3 ...Er..r", "re3s Ed3e", 2*12 - 12},
		{"a dog is pulled", "5 .Ed....r", "Eb5w dc5w", 2 * 3},
		{"a cat is pushed onto a trap", "4 .Ec....r", "cc4s Eb4e", 2*2 + 4*2},
		{"a defender is pushed away", `
			4 .Ehh....
			3 ..d.....`, "hc4n Eb4e", 2*5 + 4*3},
		{"a camel steps onto a trap", "2 ..M....r", "Mc2n", -4 * 7},
		{"the last defender steps away", `
			3 ..D.....
			2 ..E....r`, "Ec2w", -4 * 3},
	}
	for _, tt := range tests {
		p := drawn(t, arimaa.Gold, tt.drawing)
		steps := turn(t, tt.option)
		o := arimaa.SingleStep(steps.Step(0))
		if steps.Len() == 2 {
			o = arimaa.PushOrPull(steps.Step(0), steps.Step(1))
		}
		if _, got := play(p, o); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestScoresMirrored checks that an option leads where it should, and that it counts the same on
// the board turned over, for the other side.
func TestScoresMirrored(t *testing.T) {
	boards.Check(t, 500, 10_000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Position().Draw(t, "position"))
		swapped := arimaa.NewPosition(p.Board.Swapped(), p.Side().Other())
		for _, o := range p.Options(nil) {
			after, score := play(p, o)
			if after != p.After(o) {
				t.Fatalf("%v: %v leads to %v", p, o, after)
			}
			image := arimaa.SingleStep(o.First().Swapped())
			if o.Steps() == 2 {
				image = arimaa.PushOrPull(o.First().Swapped(), o.Second().Swapped())
			}
			if _, got := play(swapped, image); got != score {
				t.Fatalf("%v: %v counts %d, and %d on the board turned over", p, o, score, got)
			}
		}
	})
}
