package arimaa_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnusual(t *testing.T) {
	for _, test := range []struct {
		name, position, want string
	}{
		{"the usual", `
2g
8| r r r r r r r r |
7| h d c e m c d h |
6|     x     x     |
5|                 |
4|                 |
3|     x     x     |
2| H D C E M C D H |
1| R R R R R R R R |
`, ""},
		{"a defended piece on a trap", `
9g
8| r               |
7|                 |
6|   C E     x     |
5|                 |
4|                 |
3|     x     x     |
2|                 |
1|               R |
`, ""},
		{"too many of a kind", `
2s
8| e               |
7| m   r           |
6| e   x     x     |
5| M               |
4| M           C   |
3| M   x     x     |
2| R R R R R R R R |
1| C C         R   |
`, `gold has 9 rabbits, a full army has 8
gold has 3 cats, a full army has 2
gold has 3 camels, a full army has 1
silver has 2 elephants, a full army has 1`},
		{"undefended pieces on traps", `
2s
8| r               |
7|                 |
6|     R     c     |
5|     c           |
4|                 |
3|     x     e     |
2|               r |
1|               R |
`, `the piece e stands on the trap f3 without a defender
the piece R stands on the trap c6 without a defender
the piece c stands on the trap f6 without a defender`},
		{"no legal step", `
2g
8| r               |
7|                 |
6|     x     x     |
5|                 |
4|                 |
3|     x     x     |
2| c               |
1| R c             |
`, "the game is over: silver has won (immobilisation)"},
		{"all at once", `
2g
8|                 |
7|                 |
6|     c     x     |
5|                 |
4|                 |
3|     x     x     |
2| e               |
1| r e             |
`, `silver has 2 elephants, a full army has 1
the piece c stands on the trap c6 without a defender
the game is over: silver has won (goal)`},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, got := diagram(t, test.position), ""
			if err := p.Unusual(); err != nil {
				got = err.Error()
			}
			if d := cmp.Diff(test.want, got); d != "" {
				t.Errorf("- want, + got:\n%s", d)
			}
		})
	}
}
