package proof_test

import (
	"slices"
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/proof"
)

// The attack of examples/no-win-in-2.txt, and the one reply that holds.
const attack, holds = "Ec7e Ed7e Ee7e Ef7n", "ef4e eg4e eh4n eh5n"

// attackOnly is a certificate of the attack with answers to all replies but the one that holds, and
// the position after that one.
func attackOnly(t *testing.T) (c *proof.Certificate, held arimaa.Position) {
	t.Helper()
	root := load.Example(t, "no-win-in-2.txt")
	after, ok := playText(root, attack)
	if !ok {
		t.Fatal("the attack is illegal")
	}
	if held, ok = playText(after, holds); !ok {
		t.Fatal("the reply is illegal")
	}
	b := newBuilder(t)
	b.c = claim(2, proof.Entry{Rank: 2, Position: root.String(), Turn: attack})
	b.known = map[arimaa.Position]bool{held: true}
	b.meet(0, after)
	return b.c, held
}

// after is a certificate after a game that begins at a position.
func after(c *proof.Certificate, start string, turns ...string) *proof.Certificate {
	d := clone(c)
	d.Game = &proof.Game{Start: start, Turns: turns}
	return d
}

// A reply that would be the third occurrence is forbidden and need not be met.
func TestReplyForbidden(t *testing.T) {
	c, held := attackOnly(t)
	hole := rejected(t, c, "no answer wins after it, and there is no entry for the position")
	if hole.After != held.String() {
		t.Errorf("the reply that is not met leads to %s, want %v", hole.After, held)
	}
	// From the position after the reply both elephants go back to where the attack began.
	again, back := []string{"Ef8w", "eh6s", "Ee8e", "eh5n"}, []string{"Ef8s Ef7w Ee7w Ed7w", "eh6s eh5s eh4w eg4w"}
	accepted(t, after(c, held.String(), slices.Concat(again, back)...))
	rejected(t, after(c, held.String(), back...), "the reply "+hole.Reply+" is not met")
	// With the other side to move it is another position.
	other := []string{"eh6s", "Ef8w", "eh5n", "Ee8e", "eh6s", back[0], "eh5s eh4w eg4w"}
	rejected(t, after(c, "s"+held.String()[1:], other...), "the reply "+hole.Reply+" is not met")
}

// So is a turn of the attacker's, and it may not stand in the certificate.
func TestTurnForbidden(t *testing.T) {
	c := newBuilder(t).certify(load.Example(t, "win-in-2.txt"), 2)
	ended, _ := playText(boards.Parse(t, c.Entries[0].Position), c.Entries[0].Turn)
	again, back := []string{"ed3n", "Ec7e", "ed4s", "Ed7w"}, []string{"ed3n", "Ec7e Ed7s Rf1w Rg2e", "ed4s"}
	accepted(t, after(c, ended.String(), back...))
	rejected(t, after(c, ended.String(), slices.Concat(again, back)...), "it would be the third occurrence of this position")
}

// forcedReturn is a board on which a turn of gold leaves silver one turn only, and that turn brings
// the board back.
const forcedReturn = `
	3:.r......
	2:cEdR....
	1:.cC.....`

// there is the turn of gold, and back that of silver.
const there, back = "ca2s Eb2w Ea2e", "ca1n"

// Row 6 of the table: all turns of the opponent are forbidden.
func TestRowSix(t *testing.T) {
	root := position(t, "g", forcedReturn)
	win := claim(1, proof.Entry{Rank: 1, Position: root, Turn: there})
	rejected(t, win, "the rank is 1, but the turn "+there+" does not win at once")
	rejected(t, after(win, root), "the rank is 1, but")
	accepted(t, after(win, root, there, back))
	// By the counts along the line it is a win in 2 the first time, of a kind that a certificate
	// cannot say.
	rejected(t, claim(2, proof.Entry{Rank: 2, Position: root, Turn: there}), "which is not lower than 2")
	rejected(t, claim(2, proof.Entry{Rank: 2, Position: root, Turn: there, Answers: []string{there}}), "which is not lower than 2")
}

// An answer may win by row 6 as well: with the cat's step the forced return leads to a position
// that has occurred twice.
func TestAnswerByRowSix(t *testing.T) {
	const north, south = there + " Ch4n", there + " Ch5s"
	root := position(t, "g", forcedReturn+"\n4:.......C")
	moved := position(t, "g", forcedReturn+"\n5:.......C")
	c := claim(2, proof.Entry{Rank: 2, Position: root, Turn: there, Answers: []string{north}})
	accepted(t, after(c, moved, there, back, south, back))
	rejected(t, after(c, moved, south, back), "no answer wins after it")
	// Nor does an answer help that is forbidden itself.
	end, ok := playText(boards.Parse(t, root), north)
	if !ok {
		t.Fatal("the answer is illegal")
	}
	rejected(t, after(c, end.String(), back, there, back, south, back), "no answer wins after it")
}
