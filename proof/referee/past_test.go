package referee

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/internal/testkit/boards"
)

// TestNoTurnEnds has boards with which no turn of the side moved can have ended, and beside each one that differs in
// little and with which a turn can.
func TestNoTurnEnds(t *testing.T) {
	// Gold's pieces guard two traps and silver's stand on the others, so nothing was lost by a last step of gold's.
	const guarded = "7 ..r..r..\n6 ..r..r..\n"
	for name, test := range map[string]struct {
		moved      Side
		never, may string
	}{
		"undefended on a trap": {moved: Gold,
			never: "3 ..rR....", may: "3 .rr.R..."},
		"no empty square beside or behind a rabbit": {moved: Gold,
			never: guarded + "2 RRRRRRRR\n1 RRRRRRRR", may: guarded + "2 RRRRRRRR\n1 RRRRRRR."},
		"a rabbit does not step back": {moved: Gold,
			never: guarded + "2 RRRRRRRR\n1 RRRRRRRR", may: guarded + "2 RRRRRRRE\n1 RRRRRRRR"},
		"nothing that pulls": {moved: Gold,
			never: guarded + "3 r.......\n2 RRRRRRRR\n1 RRRRRRRR",
			may:   guarded + "3 r.......\n2 CRRRRRRR\n1 RRRRRRRR"},
		"a puller may be lost": {moved: Silver,
			never: "8 rrrrrrrr\n7 rrrrrrrr\n3 ..R..R..\n2 ..R..R..",
			may:   "8 rrrrrrrr\n7 rrrrrrrr\n3 .R...R..\n2 ..R..R.."},
		"no empty square": {moved: Silver,
			never: strings.Repeat("Cc", 32), may: strings.Repeat("Cc", 31) + "C."},
	} {
		if len(test.never) == 64 {
			test.never, test.may = ranks(test.never), ranks(test.may)
		}
		if why := NoTurnEnds(parseBoard(t, test.never), test.moved); why == "" {
			t.Errorf("%s: no reason", name)
		}
		if why := NoTurnEnds(parseBoard(t, test.may), test.moved); why != "" {
			t.Errorf("%s: %s", name, why)
		}
	}
}

// TestTurnsEnd asks about boards with which turns do end.
func TestTurnsEnd(t *testing.T) {
	turns := 0
	check := func(t rapid.TB, st State) {
		t.Helper()
		for b := range Ends(st) {
			if why := NoTurnEnds(b, st.Side); why != "" {
				turn, _ := TurnTo(st, b)
				t.Fatalf("%s: %v ends with\n%s\nbut: %s", st.Position(), turn, b, why)
			}
			turns++
		}
	}
	for _, side := range []Side{Gold, Silver} {
		check(t, start(t, side, `
			7 ..r..r..
			6 ..mrhH..
			5 ..HrE...
			4 ..cDr...
			3 r.Hr.er.
			2 ..CR.D..`))
		// The only step is a sacrifice.
		check(t, start(t, side, `
			8 .......r
			7 ..r.....
			2 ..R.....`))
		// The puller is lost on the trap, and so is what it pulls.
		check(t, start(t, side, `
			3 .D.rd...
			3 .rD.....
			2 RR......
			6 .d.RD...
			7 rr......`))
	}
	boards.Check(t, 100, 1_000, func(r *rapid.T) {
		check(r, mustPosition(t, boards.Few(6).Draw(r, "position")))
	})
	for i, row := range readRows(t, "perft.tsv") {
		if i%10 == 0 {
			check(t, mustPosition(t, row[0]))
		}
	}
	if turns < 20_000 {
		t.Errorf("%d turns: too few to say much", turns)
	}
}

// TestTurnTo asks for the way to boards that are reached and to one that is not.
func TestTurnTo(t *testing.T) {
	st := start(t, Gold, `
		5 ..r.....
		4 ..E.....`)
	for _, r := range Results(st) {
		turn, ok := TurnTo(st, r.Board)
		end, err := st.PlayTurn(turn)
		if !ok || err != nil || end.Board != r.Board || len(turn) != len(r.Turn) {
			t.Fatalf("%v, %t, %v: want %v", turn, ok, err, r.Turn)
		}
	}
	if turn, ok := TurnTo(st, st.Board); ok {
		t.Errorf("%v leads back", turn)
	}
}

// ranks draws 64 squares, those of rank 8 first.
func ranks(squares string) string {
	var b strings.Builder
	for i := range 8 {
		fmt.Fprintf(&b, "%d %s\n", 8-i, squares[8*i:8*i+8])
	}
	return b.String()
}
