package notation

import (
	"errors"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/arimaa"
)

// TestBrokenGames reads games that break off somewhere.
func TestBrokenGames(t *testing.T) {
	const sound = "1w Ra1 Ee2\n1b ra8 ee7\n2w Ee2n\n2b ee7s\n"
	for _, test := range []struct {
		name, text string
		length     int    // turns that can be read; -1: none, not even the setup
		reason     string // in the error; "" where there is none
	}{
		{"nothing broken", sound, 2, ""},
		{"an illegal step", sound + "3w Ee3n Ee5n\n3b ee6s\n", 2, "turn 3w: Ee5n"},
		{"an unknown piece", "1w Ra1 Ee2\n1b ra8 ee7\n2w Qe2n\n2b ee7s\n", 0, "turn 2w: \"Qe2n\" is not a step"},
		{"a missing turn", sound + "3b ee6s\n", 2, "turn 3b stands where turn 3g is expected"},
		{"a turn that changes nothing", sound + "3w Ee3n Ee4s\n", 2, "turn 3w: a turn must change the board"},
		{"a broken setup", "1w Ra1 Qe2\n1b ra8\n", -1, "\"Qe2\" is not a placement"},
		{"nothing at all", "", -1, "there is no turn in it"},
	} {
		check := func(how string, g *arimaa.Game, err error) {
			t.Helper()
			length := -1
			if g != nil {
				length = g.Len()
			}
			if length != test.length {
				t.Errorf("%s, %s: %d turns are read, want %d", test.name, how, length, test.length)
			}
			var bad *ParseError
			if (err == nil) != (test.reason == "") || err != nil && (!errors.As(err, &bad) || !strings.Contains(err.Error(), test.reason)) {
				t.Errorf("%s, %s: error %v, want %q", test.name, how, err, test.reason)
			}
		}
		g, err := ReadGame("game", test.text)
		check("list", g, err)
		if test.text == "" {
			continue
		}
		all, err := ReadArchive("archive", "id\tmovelist\n7\t"+strings.ReplaceAll(strings.TrimSpace(test.text), "\n", `\n`)+"\n")
		require.NoError(t, err)
		g, err = all[0].Game()
		check("archive", g, err)
		if err != nil && !strings.Contains(err.Error(), "archive:2: game 7: ") {
			t.Errorf("%s: the error does not name the game: %v", test.name, err)
		}
	}
}
