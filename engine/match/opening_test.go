package match

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/engine"
)

// TestSetups checks that the setups are full armies, each once before all come again, in an order
// that depends on nothing but the seed, and that none is missing.
func TestSetups(t *testing.T) {
	n := len(soundSetups())
	sequence := func(seed uint64) (all []arimaa.Position) {
		openings := Setups(seed)
		for pair := range 2 * n {
			all = append(all, openings(pair).Last())
		}
		return all
	}
	all := sequence(1)
	round := func(from int) map[arimaa.Position]bool {
		set := map[arimaa.Position]bool{}
		for _, p := range all[from : from+n] {
			set[p] = true
		}
		return set
	}
	first := round(0)
	if len(first) != n || !maps.Equal(first, round(n)) {
		t.Errorf("of %d setups %d come first, then %d", n, len(first), len(round(n)))
	}
	if !slices.Equal(all, sequence(1)) || slices.Equal(all[:n], all[n:]) || slices.Equal(all, sequence(2)) {
		t.Error("the order does not follow from seed and round")
	}
	for p := range first {
		if p.Of(arimaa.Gold).Len() != 16 || p.Of(arimaa.Silver).Len() != 16 {
			t.Errorf("%v is no setup", p)
		}
		if _, _, ok := setups(&p); !ok {
			t.Errorf("%v is not sent as setups", p)
		}
	}
	random := rand.New(rand.NewPCG(2, 3))
	for range 10000 {
		var b arimaa.Board
		for side := range arimaa.Side(2) {
			for _, p := range engine.Setup(side, b, random) {
				b.Put(p.Square, p.Piece)
			}
		}
		if p := arimaa.NewPosition(b, arimaa.Gold); !first[p] {
			t.Fatalf("%v is missing", p)
		}
	}
}

// TestReadOpenings checks what may begin a game, and in which order.
func TestReadOpenings(t *testing.T) {
	const (
		over     = "1w Ra7\n1b ra8 rh5\n2w Ra7e\n2b ra8e\n3w Rb7e\n3b rh5s\n4w Rc7e\n4b rh4s\n5w Rd7n\n5b"
		position = "g [r                          e       E                           R]"
		game     = "1w Ra1 Eb1\n1b ra8 eb8\n2w Eb1n\n2b"
	)
	for text, want := range map[string][]int{ // the lengths of the games
		position + "\n" + strings.Replace(position, "g", "s", 1): {0, 0},
		game: {1},
		"id\tmovelist\n1\t" + strings.ReplaceAll(game, "\n", `\n`) + "\n2\t1w Ra1\\n1b ra8\\n2w\n": {1, 0},
		over: {3}, strings.TrimSuffix(game, "2b") + "2b ra8s\n3w resigns": {1}, // those are over, and begin in the middle
	} {
		o, err := ReadOpenings(notation.NewLines("file", strings.NewReader(text)), Rules{Turns: 3})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		for i := range 4 {
			if n := o(i).Len(); n != want[i%len(want)] {
				t.Errorf("%q: opening %d has %d turns", text, i, n)
			}
		}
	}
	for text, want := range map[string]string{
		"":         "there is no",
		"nonsense": "file:1",
		"g [R                          e       E                           R]": "file:1: the game is over",
		"id\tmovelist\n1\t1w Ra1\\n1b ra8\\n2w Ra1s":                           "game 1",
		strings.Repeat(position+"\n", 100_001):                                 "file:100001: the openings have more than 100000 positions",
		"3g" + race + "\n4g" + race:                                            "file: opening 2: turn 4g is beyond the limit of 3 turns",
		game + " ra8s\n3w Eb2n\n3b ra7s\n4w":                                   "file: opening 1: turn 4g is beyond the limit of 3 turns",
	} {
		if _, err := ReadOpenings(notation.NewLines("file", strings.NewReader(text)), Rules{Turns: 3}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.1000q: %v, want %s", text, err, want)
		}
	}
}
