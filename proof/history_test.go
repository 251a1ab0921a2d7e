package proof_test

import (
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/goal"
	"goalproof/proof"
)

// The attack of examples/no-win-in-2.txt, and the one reply that holds.
const attack, holds = "Ec7e Ed7e Ee7e Ef7n", "ef4e eg4e eh4n eh5n"

// attackOnly is a certificate of the attack with answers to all replies but the one that holds, and the position after
// that one.
func attackOnly(t *testing.T) (c *proof.Certificate, held arimaa.Position) {
	t.Helper()
	root := example(t, "no-win-in-2.txt")
	after, ok := playText(root, attack)
	if !ok {
		t.Fatal("the attack is illegal")
	}
	if held, ok = playText(after, holds); !ok {
		t.Fatal("the reply is illegal")
	}
	e := proof.Entry{Rank: 2, Position: root.String(), Turn: attack}
	var answers []arimaa.Turn
	var d goal.Detector
	var g arimaa.Generator
reply:
	for i := range g.Generate(&after) {
		q := g.Position(i, arimaa.Silver)
		if q.Board.Ended(arimaa.Silver).Over() || q == held {
			continue
		}
		for _, a := range answers {
			if end, ok := q.Try(a); ok {
				if o := end.Board.Ended(arimaa.Gold); o.Over() && o.Winner == arimaa.Gold {
					continue reply
				}
			}
		}
		a, ok := d.CanWin(&q, &q.Board)
		if !ok {
			t.Fatalf("%v holds as well", g.Turn(i))
		}
		answers = append(answers, a)
		e.Answers = append(e.Answers, a.String())
	}
	return claim(2, e), held
}

// with is a certificate with a history.
func with(c *proof.Certificate, seen ...proof.Seen) *proof.Certificate {
	d := clone(c)
	d.Seen = seen
	return d
}

// once and twice are lines of a history.
func once(position string) proof.Seen  { return proof.Seen{Count: 1, Position: position} }
func twice(position string) proof.Seen { return proof.Seen{Count: 2, Position: position} }

// A reply that would be the third occurrence is forbidden and need not be met.
func TestReplyForbidden(t *testing.T) {
	c, held := attackOnly(t)
	root := c.Entries[0].Position
	hole := rejected(t, c, "no answer wins after it, and there is no entry for the position")
	if hole.After != held.String() {
		t.Errorf("the reply that is not met leads to %s, want %v", hole.After, held)
	}
	accepted(t, with(c, once(root), twice(held.String())))
	accepted(t, with(c, twice(held.String()), twice(root)))
	rejected(t, with(c, once(root), once(held.String())), "the reply "+hole.Reply+" is not met")
	// With the other side to move it is another position.
	rejected(t, with(c, once(root), twice("s"+held.String()[1:])), "the reply "+hole.Reply+" is not met")
}

// So is a turn of the attacker's, and it may not stand in the certificate.
func TestTurnForbidden(t *testing.T) {
	b := newBuilder(t)
	c := b.certify(example(t, "win-in-2.txt"), 2)
	root, err := notation.ParsePosition(c.Entries[0].Position)
	if err != nil {
		t.Fatal(err)
	}
	after, _ := playText(root, c.Entries[0].Turn)
	accepted(t, with(c, once(root.String()), once(after.String())))
	accepted(t, with(c, once(root.String()), twice("g"+after.String()[1:])))
	rejected(t, with(c, once(root.String()), twice(after.String())), "it would be the third occurrence of this position")
}

// forcedReturn is a board on which a turn of gold leaves silver one turn only, and that turn brings the board back.
const forcedReturn = `
	3:.r......
	2:cEdR....
	1:.cC.....`

// Row 6 of the table: all turns of the opponent are forbidden.
func TestRowSix(t *testing.T) {
	root := position(t, "g", forcedReturn)
	win := claim(1, proof.Entry{Rank: 1, Position: root, Turn: there})
	rejected(t, win, "the rank is 1, but the turn "+there+" does not win at once")
	rejected(t, with(win, once(root)), "the rank is 1, but")
	accepted(t, with(win, twice(root)))
	// By the counts along the line it is a win in 2 the first time, of a kind that a certificate cannot say.
	rejected(t, claim(2, proof.Entry{Rank: 2, Position: root, Turn: there}), "which is not lower than 2")
	rejected(t, claim(2, proof.Entry{Rank: 2, Position: root, Turn: there, Answers: []string{there}}), "which is not lower than 2")
}

// An answer may win by row 6 as well: with the rabbit's step the forced return leads to a position that has occurred
// twice.
func TestAnswerByRowSix(t *testing.T) {
	root := position(t, "g", forcedReturn+"\n4:.......R")
	moved := position(t, "g", forcedReturn+"\n5:.......R")
	c := claim(2, proof.Entry{Rank: 2, Position: root, Turn: there, Answers: []string{there + " Rh4n"}})
	accepted(t, with(c, once(root), twice(moved)))
	rejected(t, with(c, once(root), once(moved)), "no answer wins after it")
	// Nor does an answer help that is forbidden itself.
	st, err := notation.ParsePosition(root)
	if err != nil {
		t.Fatal(err)
	}
	end, ok := playText(st, there+" Rh4n")
	if !ok {
		t.Fatal("the answer is illegal")
	}
	accepted(t, with(c, once(root), twice(moved), once(end.String())))
	rejected(t, with(c, once(root), twice(moved), twice(end.String())), "no answer wins after it")
}

// The history itself may be wrong.
func TestHistoryHoles(t *testing.T) {
	root := position(t, "g", suicide)
	c := claim(2, proof.Entry{Rank: 2, Position: root, Turn: "Rg2e"})
	other := position(t, "g", "7:.RrR.... 2:.....R..")
	accepted(t, with(c, once(other), twice(root)))
	for _, test := range []struct {
		phrase string
		seen   []proof.Seen
	}{
		{"the history does not hold the position of the first entry", []proof.Seen{once(other)}},
		{"the history does not hold the position of the first entry", []proof.Seen{once("s" + root[1:])}},
		{"the position is listed already", []proof.Seen{once(root), once(root)}},
		{"the position is listed already", []proof.Seen{once(root), twice(other), once(other)}},
		{"once or twice, not 3 times", []proof.Seen{{Count: 3, Position: root}}},
		{"once or twice, not 0 times", []proof.Seen{{Count: 0, Position: root}}},
		{"is not a piece", []proof.Seen{once(root), once("g [x" + root[4:])}},
		{"the side to move is g or s, not", []proof.Seen{once(root), twice("w" + root[1:])}},
		{"the game is over there: silver wins (goal)", []proof.Seen{once(root), twice(position(t, "g", "7:.RrR.... 2:......R. 1:r......."))}},
		{"the game is over there: gold wins (elimination)", []proof.Seen{once(root), twice(position(t, "s", "2:......R."))}},
		{"the game is over there: gold wins (immobilisation)", []proof.Seen{once(root), twice(position(t, "s", "5:RrR..... 4:.R......"))}},
		{"an undefended piece stands on the trap c3", []proof.Seen{once(root), twice(position(t, "g", "7:.RrR.... 3:..R..... 2:......R."))}},
		{"and a game has one first position", []proof.Seen{once(root),
			once(position(t, "g", "7:.RrR.... 3:..R..... 2:......R.")), once(position(t, "g", "7:.RrR.... 3:.....R.. 2:......R."))}},
		{"it lacks a piece that the position of the first entry has", []proof.Seen{once(root), twice(position(t, "g", "7:.RrR...."))}},
		{"neither can come before the other", []proof.Seen{once(root),
			twice(position(t, "g", "7:.RrR.... 2:E.....R.")), twice(position(t, "g", "7:.RrR.... 2:.....MR."))}},
	} {
		hole := rejected(t, with(c, test.seen...), test.phrase)
		if hole.Position == "" {
			t.Errorf("%v names no position", hole)
		}
	}
}
