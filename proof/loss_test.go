package proof_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/enumeration"
	"goalproof/internal/testkit/load"
	"goalproof/proof"
	"goalproof/proof/referee"
)

// TestLosses compares with complete enumeration on small boards: a true loss has a certificate that
// is accepted, also after it has been written and read, and after a game; where a turn holds,
// everything that claims a loss is refused.
func TestLosses(t *testing.T) {
	b := newBuilder(t)
	tally := map[string]int{}
	boards.Check(t, 250, 2000, func(t *rapid.T) {
		p := boards.Parse(t, rapid.OneOf(boards.Few(2), boards.Few(3)).Draw(t, "position"))
		if p.Undefended() != 0 || p.Ended(p.Side().Other()).Over() {
			return
		}
		st := load.State(t, p)
		work := max(referee.Distinct(st), referee.Distinct(referee.NewState(st.Board, st.Side.Other())))
		for n := 1; n <= 2 && work <= []int{1: 500, 2: 80}[n]; n++ {
			c := b.lose(p, n)
			if want := enumeration.Loses(st, n); (c != nil) != want {
				t.Fatalf("%v: a loss in %d is %v", p, n, want)
			}
			if c != nil {
				read, _, err := proof.Read(strings.NewReader(text(b, c)), "loss")
				if err != nil || text(b, read) != text(b, c) || c.ToMove() != map[bool]string{true: "gold", false: "silver"}[st.Side == referee.Gold] {
					t.Fatalf("%v: %v", p, err)
				}
				for _, good := range []*proof.Certificate{read, shuttled(b, c)} {
					if good == nil {
						continue
					}
					if err := good.Check(b.Context(), nil); (err == nil) != (valid(good) == "") || err != nil && good.Game == nil {
						t.Fatalf("%v: a loss in %d: %v; by package arimaa %q", p, n, err, valid(good))
					}
				}
				tally["lost in "+string(rune('0'+n))]++
				return
			}
			// With all that can be said for it the claim is refused.
			c = b.claimLoss(p, n)
			var hole *proof.Hole
			if err := c.Check(b.Context(), nil); !errors.As(err, &hole) || hole.Reply == "" {
				t.Fatalf("%v: no loss in %d, but %v", p, n, err)
			}
			tally["holds for "+string(rune('0'+n))]++
		}
	})
	for _, kind := range []string{"lost in 1", "lost in 2", "holds for 1", "holds for 2"} {
		if tally[kind] == 0 {
			t.Errorf("%s: there was none (%v)", kind, tally)
		}
	}
	t.Log(tally)
}

// TestLossClaims refuses what is not well formed, or claims a loss where it is none.
func TestLossClaims(t *testing.T) {
	const root = "g [                                    e        c r  R             ]"
	lost := "goalproof certificate 3\nclaim lost 1\n1 " + root + "\n"
	for _, c := range []struct{ text, want string }{
		{strings.Replace(lost, "certificate 3", "certificate 1", 1), `x:2: claim "lost 1": version 3 claims a loss`},
		{strings.Replace(lost, "lost 1", "1", 1), `x:2: claim "1": version 3 claims a loss`},
		{strings.Replace(lost, "lost 1", "lost", 1), `x:2: claim "lost": version 3 claims a loss`},
		{strings.Replace(lost, "lost 1", "lost 0", 1), `x:2: "0": want a number`},
		{strings.TrimSuffix(lost, "\n") + " Rf1n\n", `x:3: turn "Rf1n": the first entry of a loss has no turn`},
		{lost + "1 " + root + "\n", "x:4: a turn without steps"},
		{lost + "game " + root + "\n", "x:4: the game comes before the entries"},
	} {
		if _, _, err := proof.Read(strings.NewReader(c.text), "x"); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	for _, c := range []struct{ name, position, want string }{
		{"a turn wins", "g [        R                                      r                ]", "it wins for the defender (goal)"},
		{"the game is over", "s [R                                              r                ]", "the game is over there: gold has won (goal)"},
		{"nobody can move", "g [        r                                              e      eR]", "the game is over there: silver has won"},
	} {
		certificate := proof.Certificate{Turns: 1, Loss: true, Entries: []proof.Entry{{Rank: 1, Position: c.position}}}
		if err := certificate.Check(t.Context(), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}
