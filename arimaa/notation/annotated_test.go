package notation

import (
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
)

const annotated = `[Gold "ann b."]
[Silver "bob"]

1g Ra1 Ee2 1s ra8 ee7 {a setup (of two pieces) 9g}
2g Ee2n
   Ee3n !? $4 (2g Ee2e {a [variation]} (2g Ra1n) 2s ee7s) 2s ee7s??
3g Ee4e 1-0
`

// TestReadAnnotated reads a game with all that may stand beside its turns.
func TestReadAnnotated(t *testing.T) {
	g, tags, err := ReadAnnotated("game", strings.ReplaceAll(annotated, "\n", "\r\n"))
	require.NoError(t, err)
	if tags["Gold"] != "ann b." || tags["Silver"] != "bob" || tags["Result"] != "1-0" || len(tags) != 3 {
		t.Errorf("tags %v", tags)
	}
	want := "1w Ra1 Ee2\n1b ra8 ee7\n2w Ee2n Ee3n\n2b ee7s\n3w Ee4e\n"
	if got := Turns(g); got != want {
		t.Errorf("the game is\n%swant\n%s", got, want)
	}
}

func TestReadAnnotatedErrors(t *testing.T) {
	for _, test := range []struct {
		old, new string // what is broken in the game
		want     string
		length   int // turns that can be read; -1: none
	}{
		{"Ee3n", "Ee5n", "game:6:4: Ee5n: there is no piece on e5", 0},
		{"Ee4e", "qe4e", "game:7:4: turn 3g: \"qe4e\" is not a step", 2},
		{"2s ee7s??", "", "game:7:1: turn 3g stands where turn 2s is expected", 1},
		{"9g}", "", "game:4:23: the comment does not end", -1},
		{" 2s ee7s)", "", "game:6:15: the variation does not end", -1},
		{"$4 (", "$4", "game:6:17: Ee2e: there is no piece on e2", 0},
		{"bob\"]", "bob", "game:2:1: a tag is written", -1},
	} {
		text := strings.Replace(annotated, test.old, test.new, 1)
		if test.old == "9g}" {
			text = strings.ReplaceAll(text, "}", "")
		}
		g, _, err := ReadAnnotated("game", text)
		if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "turn 2g: ", ""), test.want) {
			t.Errorf("%q for %q: error %v, want %q", test.new, test.old, err, test.want)
		}
		length := -1
		if g != nil {
			length = g.Len()
		}
		if length != test.length {
			t.Errorf("%q for %q: %d turns are read, want %d", test.new, test.old, length, test.length)
		}
	}
}
