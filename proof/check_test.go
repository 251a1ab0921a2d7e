package proof_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/proof"
)

// position is the short form of a drawn board: one rank a line, '.' for an empty square, 'x' for an
// empty trap. Ranks that are left out are empty.
func position(t testing.TB, side, drawing string) string {
	t.Helper()
	ranks := slices.Repeat([]string{"        "}, 8)
	for _, line := range strings.Fields(drawing) {
		rank, squares, ok := strings.Cut(line, ":")
		if !ok || len(rank) != 1 || rank < "1" || rank > "8" || len(squares) != 8 {
			t.Fatalf("bad line %q in a drawing", line)
		}
		ranks['8'-rank[0]] = strings.NewReplacer(".", " ", "x", " ").Replace(squares)
	}
	return side + " [" + strings.Join(ranks, "") + "]"
}

// accepted has a certificate checked that is right.
func accepted(t testing.TB, c *proof.Certificate) {
	t.Helper()
	if err := c.Check(context.Background(), nil); err != nil {
		t.Errorf("rejected: %v", err)
	}
	if why := valid(c); why != "" {
		t.Errorf("package arimaa: %s", why)
	}
}

// rejected has a certificate checked that is wrong, and looks for a phrase in the message.
func rejected(t testing.TB, c *proof.Certificate, phrase string) *proof.Hole {
	t.Helper()
	err := c.Check(context.Background(), nil)
	var hole *proof.Hole
	switch {
	case err == nil:
		t.Fatalf("accepted, want %q", phrase)
	case !errors.As(err, &hole):
		t.Fatalf("%v (%T), want a *Hole", err, err)
	case !strings.Contains(err.Error(), phrase):
		t.Errorf("the message is %q, want %q", err, phrase)
	}
	if valid(c) == "" {
		t.Errorf("rejected with %q, but package arimaa finds nothing wrong", err)
	}
	return hole
}

// claim is a certificate without a history.
func claim(turns int, entries ...proof.Entry) *proof.Certificate {
	return &proof.Certificate{Turns: turns, Entries: entries}
}

// The rabbit on c7 has one turn, onto the trap, where it is lost; it is silver's only rabbit. (Gold
// has a goal as well.)
const suicide = `
	7:.RrR....
	2:......R.`

// Each win is of a kind of its own.
func TestWins(t *testing.T) {
	capture := position(t, "g", `
		5:..r.....
		4:..E.....
		2:......R.`)
	for name, c := range map[string]*proof.Certificate{
		"goal": claim(1, proof.Entry{Rank: 1, Turn: "Re7n", Position: position(t, "g", `
			7:....R...
			3:..x..x.r`)}),
		"elimination":                         claim(1, proof.Entry{Rank: 1, Turn: "rc5n rc6x Ec4n", Position: capture}),
		"elimination, capture without a mark": claim(1, proof.Entry{Rank: 1, Turn: "rc5n Ec4n", Position: capture}),
		"immobilisation": claim(1, proof.Entry{Rank: 1, Turn: "eb3s eb2s", Position: position(t, "s", `
			8:.......r
			3:.e......
			1:R.......`)}),
		"last rabbit lost": claim(2, proof.Entry{Rank: 2, Turn: "Rg2e", Position: position(t, "g", suicide)}),
		"dots":             claim(2, proof.Entry{Rank: 2, Turn: "Rg2e", Position: "g " + strings.ReplaceAll(position(t, "g", suicide)[2:], " ", ".")}),
		// All that silver can do is push the rabbit to b8. To pull it back would restore the position.
		"pushed home": claim(2, proof.Entry{Rank: 2, Turn: "Ee4n", Position: position(t, "g", `
			8:C.......
			7:cRC.....
			6:CCx..x..
			4:....E...
			2:......Cr
			1:.......C`)}),
	} {
		t.Run(name, func(t *testing.T) { accepted(t, c) })
	}
}

// clone copies what an edit may change.
func clone(c *proof.Certificate) *proof.Certificate {
	d := *c
	d.Entries = slices.Clone(c.Entries)
	for i := range d.Entries {
		d.Entries[i].Answers = slices.Clone(d.Entries[i].Answers)
	}
	return &d
}

// TestHoles damages good certificates, each in one place, in other ways than the files of
// TestFalse.
func TestHoles(t *testing.T) {
	b := newBuilder(t)
	two := b.certify(load.Example(t, "win-in-2.txt"), 2)
	three := b.certify(load.Example(t, "win-in-3.txt"), 3)
	// The cat is all that keeps gold's last rabbit on the trap.
	careless := claim(2, proof.Entry{Rank: 2, Turn: "Ca8s", Answers: []string{"Cc2s"}, Position: position(t, "g", `
		8:C......r
		3:..R..x..
		2:..C.....`)})
	lost := claim(2, proof.Entry{Rank: 2, Position: position(t, "g", suicide), Turn: "Rg2e"})
	one := claim(1, proof.Entry{Rank: 1, Turn: "Re7n", Position: position(t, "g", `
		7:....R...
		3:..x..x.r
		2:Eh......`)})
	for _, c := range []*proof.Certificate{two, three, lost, one} {
		accepted(t, c)
	}
	for _, test := range []struct {
		name   string
		from   *proof.Certificate
		edit   func(c *proof.Certificate)
		phrase string
	}{
		{"no claim", two, func(c *proof.Certificate) { c.Turns = 0 }, "a win in 0 turns"},
		{"no entries", two, func(c *proof.Certificate) { c.Entries = nil }, "there are no entries"},
		{"rank 0", two, func(c *proof.Certificate) { c.Entries[0].Rank = 0 }, "rank 0: it is at least 1"},
		{"rank 1", two, func(c *proof.Certificate) { c.Turns, c.Entries[0].Rank = 1, 1 }, "the rank is 1, but the turn Rh2w Ed6n Ed7w Re1e does not win at once"},
		{"rank 1 and all replies lose", lost, func(c *proof.Certificate) { c.Turns, c.Entries[0].Rank = 1, 1 }, "the rank is 1, but the turn Rg2e does not win at once"},
		{"position", two, func(c *proof.Certificate) { c.Entries[0].Position += "]" }, "want the side to move and 64 squares"},
		{"root not first", three, func(c *proof.Certificate) { slices.Reverse(c.Entries) }, "the first entry has rank 2, but a win in 3 is claimed"},
		{"no steps", two, func(c *proof.Certificate) { c.Entries[0].Turn = "" }, "a turn without steps"},
		{"no turn", two, func(c *proof.Certificate) { c.Entries[0].Turn = "resigns" }, "is not a step"},
		{"off the board", two, func(c *proof.Certificate) { c.Entries[0].Turn = "Re1s" }, "leaves the board"},
		{"answers after a win", one, func(c *proof.Certificate) { c.Entries[0].Answers = []string{"Ea2n"} }, "the answer Ea2n is not needed: the turn Re7n wins at once"},
		{"reply that wins", two, func(c *proof.Certificate) { c.Entries[0].Turn = "Ed6n Ed7w" }, "it wins for the defender (goal)"},
		{"no answers", two, func(c *proof.Certificate) { c.Entries[0].Answers = nil }, "no answer wins after it, and there is no entry"},
		{"answer without steps", two, func(c *proof.Certificate) { c.Entries[0].Answers[0] = "" }, `answer "": a turn without steps`},
		{"answer that is no turn", two, func(c *proof.Certificate) { c.Entries[0].Answers[0] = "Ea1x Ea1n" }, "no answer wins after it"},
		{"answer with two blanks", two, func(c *proof.Certificate) { c.Entries[0].Answers[0] = "Ea1n  Ea2n" }, "one blank between steps"},
		{"answer twice", two, func(c *proof.Certificate) {
			c.Entries[0].Answers = append(c.Entries[0].Answers, c.Entries[0].Answers[0])
		}, "is not needed: where it wins, an answer before it does or the reply has lost already"},
		{"answer that loses", careless, func(c *proof.Certificate) {}, "no answer wins after it, and there is no entry"},
		{"answer where all replies lose", lost, func(c *proof.Certificate) { c.Entries[0].Answers = []string{"Rb7n"} }, "the answer Rb7n is not needed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := clone(test.from)
			test.edit(c)
			hole := rejected(t, c, test.phrase)
			if len(c.Entries) > 0 && c.Turns > 0 && !strings.Contains(hole.Error(), hole.Position) {
				t.Errorf("the message %q does not name the position %q", hole, hole.Position)
			}
			if hole.Reply == "" {
				return
			}
			// The reply is one that can be played, and leads to where it says.
			if !strings.Contains(hole.Error(), hole.Reply) || !strings.Contains(hole.Error(), hole.After) {
				t.Errorf("the message %q names no reply", hole)
			}
			i := slices.IndexFunc(c.Entries, func(e proof.Entry) bool { return e.Position == hole.Position })
			after, _ := playText(boards.Parse(t, c.Entries[i].Position), c.Entries[i].Turn)
			if q, ok := playText(after, hole.Reply); !ok || q.String() != hole.After {
				t.Errorf("the reply %s leads to %v, not to %s", hole.Reply, q, hole.After)
			}
		})
	}
}

// After a file was read the message names the line; comments and blank lines count.
func TestLines(t *testing.T) {
	const head = "goalproof certificate 1\n# a comment\n\nclaim 1\n"
	root := position(t, "g", "7:....R... 3:..x..x.r 2:Eh......")
	for _, test := range []struct{ text, want string }{
		{"1 " + root + " Ea2n\n", "line 5: at " + root + ": the rank is 1"},
		{"1 " + root + " Re7n\n#\n\n1 " + root + " Re7n\n", "line 8: at " + root + ": the position has an entry of rank 1 already on line 5"},
	} {
		c, _, err := proof.Read(strings.NewReader(head+test.text), "test")
		if err != nil {
			t.Error(err)
			continue
		}
		if err := c.Check(context.Background(), nil); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("the message is %q, want %q", err, test.want)
		}
	}
}

// counting is a context that counts how often it is asked, and is done from a number of times on;
// 0: never.
type counting struct {
	context.Context
	asked, most int
}

func (c *counting) Err() error {
	if c.asked++; c.most > 0 && c.asked >= c.most {
		return context.Canceled
	}
	return nil
}

// TestCancel has a check ask its context often and end with it, whatever it is doing: for each of
// many replies, and with one reply for many answers, both when they are read and when they are
// tried.
func TestCancel(t *testing.T) {
	for _, test := range []struct {
		c     *proof.Certificate
		least int
	}{
		{newBuilder(t).certify(load.Example(t, "win-in-2-for-silver.txt"), 2), 1000},
		{claim(2, proof.Entry{Rank: 2, Turn: there, Position: position(t, "g", forcedReturn),
			Answers: slices.Repeat([]string{"Rd2n"}, 100_000)}), 2 * 100_000 / 256},
	} {
		all := &counting{Context: t.Context()}
		if err := test.c.Check(all, nil); errors.Is(err, context.Canceled) || all.asked < test.least {
			t.Fatalf("%v; it was asked %d times", err, all.asked)
		}
		for _, most := range []int{1, all.asked / 4, all.asked / 2, all.asked * 3 / 4} {
			count := &counting{Context: t.Context(), most: most}
			if err := test.c.Check(count, nil); err != context.Canceled || count.asked > most+1 {
				t.Errorf("done at %d of %d times: %v after %d", most, all.asked, err, count.asked)
			}
		}
	}
}
