package match

import (
	"strings"
	"testing"

	"goalproof/arimaa"
)

// TestSetups checks that the setups are full armies, others for each pair, and depend on nothing
// but seed and pair.
func TestSetups(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(2) {
		for pair := range 30 {
			p := Setups(seed)(pair).Last()
			if p.Of(arimaa.Gold).Len() != 16 || p.Of(arimaa.Silver).Len() != 16 {
				t.Errorf("%v is no setup", p)
			}
			if again := Setups(seed)(pair).Last(); p != again {
				t.Errorf("%v, then %v", p, again)
			}
			if _, _, ok := setups(&p); !ok {
				t.Errorf("%v is not sent as setups", p)
			}
			seen[p.String()] = true
		}
	}
	if len(seen) < 50 {
		t.Errorf("%d different setups of 60", len(seen))
	}
}

// TestReadOpenings checks what may begin a game, and in which order.
func TestReadOpenings(t *testing.T) {
	const (
		position = "g [r                          e       E                           R]"
		game     = "1w Ra1 Eb1\n1b ra8 eb8\n2w Eb1n\n2b"
	)
	for text, want := range map[string][]int{ // the lengths of the games
		position + "\n" + strings.Replace(position, "g", "s", 1): {0, 0},
		game: {1},
		"id\tmovelist\n1\t" + strings.ReplaceAll(game, "\n", `\n`) + "\n2\t1w Ra1\\n1b ra8\\n2w\n": {1, 0},
	} {
		o, err := ReadOpenings("file", text)
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
		"1w Ra7\n1b ra8 rh5\n2w Ra7e\n2b ra8e\n3w Rb7e\n3b rh5s\n4w Rc7e\n4b rh4s\n5w Rd7n\n5b": "the game is over",
		"g [R                          e       E                           R]":                  "file:1: the game is over",
		"id\tmovelist\n1\t1w Ra1\\n1b ra8\\n2w Ra1s":                                            "game 1",
	} {
		if _, err := ReadOpenings("file", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
