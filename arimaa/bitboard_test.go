package arimaa_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"goalproof/arimaa"
)

// TestHomeRanks names the squares of both sides.
func TestHomeRanks(t *testing.T) {
	for side, want := range map[arimaa.Side]string{arimaa.Gold: "12", arimaa.Silver: "78"} {
		var ranks []string
		for rest := arimaa.HomeRanks(side); rest != 0; rest = rest.Rest() {
			ranks = append(ranks, rest.First().String()[1:])
		}
		if got := strings.Join(slices.Compact(ranks), ""); got != want || len(ranks) != 16 {
			t.Errorf("%v: %s", side, fmt.Sprint(ranks))
		}
	}
}
