package referee

import (
	"testing"

	"goalproof/internal/testkit/boards"
)

// A turn is also a sequence of whole actions: single steps, and pushes and pulls that cost two
// steps each. This is docs/rules.md, "A turn", without half-finished pushes, and must lead to the
// same boards as walking the displacements one at a time.

// actions calls f with the board after every whole action and the number of steps that it costs.
func actions(b Board, side Side, f func(after Board, cost int)) {
	shift := func(b Board, from, to int) Board {
		b[from], b[to] = Empty, b[from]
		b.takeUndefended()
		return b
	}
	for from, piece := range b {
		if !isPiece(piece) || owner(piece) != side || b.frozen(from) {
			continue
		}
		weaker := func(b Board, square int) bool {
			return isPiece(b[square]) && owner(b[square]) != side && strength(b[square]) < strength(piece)
		}
		for d := range directions {
			to, ok := neighbour(from, d)
			if !ok {
				continue
			}
			if weaker(b, to) { // push it from there
				for e := range directions {
					if beyond, ok := neighbour(to, e); ok && b[beyond] == Empty {
						if first := shift(b, to, beyond); first[from] == piece {
							f(shift(first, from, to), 2)
						}
					}
				}
			}
			if b[to] != Empty {
				continue
			}
			backward := side == Gold && directions[d] == 's' || side == Silver && directions[d] == 'n'
			if strength(piece) == 1 && backward {
				continue
			}
			first := shift(b, from, to)
			f(first, 1)
			for e := range directions {
				if pulled, ok := neighbour(from, e); ok && pulled != to && weaker(first, pulled) {
					f(shift(first, pulled, from), 2)
				}
			}
		}
	}
}

// atomicResults is the distinct boards after up to four steps' worth of actions, with the fewest
// steps for each.
func atomicResults(st State) map[Board]int {
	fewest := map[Board]int{st.Board: 0}
	reached := [StepsPerTurn + 1][]Board{{st.Board}}
	for used := range StepsPerTurn {
		for _, b := range reached[used] {
			actions(b, st.Side, func(after Board, cost int) {
				least, known := fewest[after]
				if total := used + cost; total <= StepsPerTurn && (!known || total < least) {
					fewest[after] = total
					reached[total] = append(reached[total], after)
				}
			})
		}
	}
	delete(fewest, st.Board)
	return fewest
}

func TestDisplacementsAgreeWithWholeActions(t *testing.T) {
	check := func(t *testing.T, st State) {
		t.Helper()
		want := atomicResults(st)
		got := Results(st)
		if len(got) != len(want) {
			t.Errorf("%s: %d results, %d by whole actions", st.Position(), len(got), len(want))
		}
		used := 0
		for _, r := range got {
			if steps, ok := want[r.Board]; !ok || steps != len(r.Turn) {
				t.Fatalf("%s: %d steps to a board that takes %d by whole actions (reached: %t)\n%s",
					st.Position(), len(r.Turn), steps, ok, r.Board)
			}
			if len(r.Turn) < used {
				t.Fatalf("%s: a result with %d steps comes after one with %d", st.Position(), len(r.Turn), used)
			}
			used = len(r.Turn)
		}
		// Exchanging the colours changes nothing.
		if n := Distinct(NewState(mirror(st.Board), st.Side.Other())); n != len(got) {
			t.Errorf("%s: %d results, with the colours exchanged %d", st.Position(), len(got), n)
		}
	}
	t.Run("undefended pieces on traps", func(t *testing.T) {
		check(t, start(t, Gold, `
			7 ..r..r..
			6 ..mrhH..
			5 ..HrE...
			4 ..cDr...
			3 r.Hr.er.
			2 ..CR.D..`))
	})
	t.Run("published", func(t *testing.T) {
		for i, row := range readRows(t, "perft.tsv") {
			if i%3 > 0 && !boards.Large {
				continue
			}
			check(t, mustPosition(t, row[0]))
		}
	})
}
