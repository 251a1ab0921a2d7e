package render

import (
	"regexp"
	"strings"
	"testing"

	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
)

func TestBoard(t *testing.T) {
	p := boards.Parse(t, "s [ r                                         E                    ]")
	d := notation.Diagram{Position: p, Number: 12}
	plain := Board(d, false)
	want := `
12s
 +-----------------+
8|   r             |
7|                 |
6|     x     x     |
5|                 |
4|                 |
3|     x E   x     |
2|                 |
1|                 |
 +-----------------+
   a b c d e f g h
`[1:]
	if plain != want {
		t.Errorf("got\n%s", plain)
	}
	styled := Board(d, true)
	if !strings.Contains(styled, "\x1b[") {
		t.Error("a styled board has no colours")
	}
	if bare := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(styled, ""); bare != plain {
		t.Errorf("without its colours the styled board is\n%s", bare)
	}
}
