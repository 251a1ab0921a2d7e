package solve

import (
	"context"
	"fmt"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
)

// late returns the published positions that are this number of turns before the goal, of one game
// or of all ("").
func late(t testing.TB, game string, from, to int) (all []arimaa.Position) {
	t.Helper()
	for _, row := range published.Rows(t, "late.tsv") {
		var before int
		if _, err := fmt.Sscan(row[1], &before); err != nil {
			t.Fatal(err)
		}
		if (game == "" || row[0] == game) && from <= before && before <= to {
			all = append(all, parse(t, row[3]))
		}
	}
	return all
}

// TestBothBounds finds wins in positions of published games before it is known whether there are
// shorter ones, and has their certificates checked: in two positions, and with the tag large in
// every fifth of those 3 to 5 turns before the goal as well.
func TestBothBounds(t *testing.T) {
	positions := late(t, "669220", 4, 5)
	unhurried := len(positions)
	if boards.Deep {
		all := late(t, "", 3, 5)
		for i := 0; i < len(all); i += 5 {
			positions = append(positions, all[i])
		}
	}
	s := newSolver(t)
	tally := map[string]int{}
	for i, p := range positions {
		s.Forget()
		ctx, cancel := context.Background(), func() {}
		if i >= unhurried {
			ctx, cancel = context.WithTimeout(ctx, 2*time.Second)
		}
		q := Question{Position: p, Deepest: 20, Any: true}
		a := solved(t, s, ctx, q)
		cancel()
		if a.Verdict != answer.Proved {
			tally[a.Verdict.String()]++
			continue
		}
		if a.Within <= a.Refuted || a.Within > 3 && a.Refuted < 2 {
			t.Errorf("%v: a win within %d, and none in %d", p, a.Within, a.Refuted)
		}
		certified(t, s, q, a)
		if i < unhurried {
			checkLine(t, p, a)
		}
		if !a.Exact() {
			tally["two bounds"]++
		}
		tally[fmt.Sprint("within ", a.Within)]++
	}
	t.Log(tally)
	if tally["two bounds"] == 0 {
		t.Error("no win was found before smaller N were decided")
	}
}

// longWins are endings of five to nine pieces, drawn at random, that threats win in five turns or
// more.
var longWins = []string{
	"s [ r    r        r         d    H              R   R   R          ]",
	"g [                 r    r                        E  e D   R  R    ]",
	"g [           r  d r               M              R          R  R  ]",
	"g [      d e   r                  H                R             R ]",
	"g [      rr     C       C                D           h          RR ]",
	"g [    r     r                m     C       R      R               ]",
	"g [ r    r                   e                 H         M      R R]",
	"s [            r                  dd           R               E   ]",
	"s [      r    r r                    D         R            R R    ]",
	"s [   r                   r     C           R                  R   ]",
	"s [ r   r              r                         C   R       RR    ]",
	"g [          r   e r                                R     E    R R ]",
	"g [        r           d    h C                   H    R          R]",
	"g [cr              r   e          M               R            RE  ]",
	"g [r                  r                 m       R      HR  C       ]",
	"s [          r       r r                            R C  R     R   ]",
	"s [   M        r          m                    R  R                ]",
	"s [r       r      h                        R     d       D         ]",
	"s [rhr                        C                         R     R    ]",
	"g [m            rr                                        RR M     ]",
	"g [         Hm   r     r                                R         R]",
	"g [   r   D r             H                R  c                R   ]",
	"g [    r    r                 h                     R  R           ]",
}

// TestLongWins finds wins within five to nine turns and has their certificates checked: of one
// ending, or of all with the tag large. Now and then the search over all turns may find a shorter
// win, which threats alone would not.
func TestLongWins(t *testing.T) {
	s := newSolver(t)
	texts, least := longWins, 20
	if !boards.Deep {
		texts, least = longWins[:1], 1
	}
	long := 0
	for _, text := range texts {
		s.Forget()
		q := Question{Position: parse(t, text), Deepest: 20, Any: true}
		a := solved(t, s, context.Background(), q)
		if a.Verdict != answer.Proved || a.Within > 9 || a.Refuted < 2 {
			t.Errorf("%s: %v within %d, none in %d", text, a.Verdict, a.Within, a.Refuted)
			continue
		}
		certified(t, s, q, a)
		if a.Within >= 5 {
			long++
		}
		t.Logf("%s: within %d, none in %d, %d nodes in %v", text, a.Within, a.Refuted, a.Nodes, a.Time)
	}
	if long < least {
		t.Errorf("%d wins in five turns or more, want %d", long, least)
	}
}
