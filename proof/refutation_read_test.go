package proof

import (
	"context"
	"errors"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
	"goalproof/proof/referee"
)

const noWinHead = "goalproof refutation 1\nclaim no win in 2\n" + root + "\n"

// sampleRefutation has every kind of line.
func sampleRefutation() *Refutation {
	return &Refutation{Turns: 2, Position: root, Refuted: []Refuted{
		{Turn: "Rh3n", Reply: "ra7s"},
		{Turn: "Rh3n Rh4n", Reply: "ra7s"},
		{Turn: "hc4s hc3x Md4w"},
		{Turn: "Rh3w", Reply: "ra7s ra6s"},
	}}
}

// sampleRefutationText is its text, as the documentation describes it.
const sampleRefutationText = noWinHead + "- ra7s\n+ Rh3n\n+ Rh3n Rh4n\n-\n+ hc4s hc3x Md4w\n- ra7s ra6s\n+ Rh3w\n"

func TestReadRefutationErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"goalproof refutation 2\n", "x:1: no certificate that this program can read"},
		{"goalproof refutation 1\n", "x: the claim is missing, such as: claim no win in 2"},
		{"goalproof refutation 1\nclaim 2\n", `x:2: "claim 2": the claim comes first`},
		{"goalproof refutation 1\nclaim no win in two\n", `x:2: "two": want a number`},
		{"goalproof refutation 1\nclaim no win in 0\n", `x:2: "0": want a number, at least 1`},
		{"goalproof refutation 1\nclaim no win in 3\n", `x:2: a claim of 3 turns: only "no win in 1" and "no win in 2" can be written down: `},
		{"goalproof refutation 1\nclaim no win in 2\n", "x: the position is missing"},
		{"goalproof refutation 1\nclaim no win in 2\n+ Rh3n\n", "x:3: position"},
		{"goalproof refutation 1\nclaim no win in 1\n" + root + "\n-\n", `x:4: "-": a claim of no win in 1 has no turns`},
		{noWinHead + root + "\n", `x:4: "g [                 ": want - and a reply, or + and a first turn`},
		{noWinHead + "+ Rh3n\n", "x:4: a turn before the first reply"},
		{noWinHead + "- ra7s\n", "x: no turn follows the reply on line 4"},
		{noWinHead + "-\n- ra7s\n", "x:5: no turn follows the reply on line 4"},
		{noWinHead + "-\n+\n", "x:5: a turn without steps"},
		{noWinHead + "- ra7\n", `x:4: "ra7" is not a step`},
		{noWinHead + "-\n+ Rh3n Rh4n Rh5n Rh6n Rh7n\n", "x:5: turn"},
		{noWinHead + "-\n+ Rh3n", "x:5: the text ends within a line"},
		{noWinHead + "# " + strings.Repeat("x", maxLine) + "\n", "x:4: the line is longer than 4096 bytes"},
		{noWinHead + "-\n" + strings.Repeat("+ Rh3n\n", maxFirst+1), "x:1000005: more than 1000000 first turns"},
	} {
		_, r, err := Read(strings.NewReader(test.text), "x")
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%.200q: %v, want %q", test.text, err, test.want)
		}
		if r != nil {
			t.Errorf("%.200q: with an error it is read as %+v", test.text, r)
		}
	}
}

func TestWriteRefutationErrors(t *testing.T) {
	for _, test := range []struct {
		want string
		edit func(r *Refutation)
	}{
		{"a claim of 0 turns", func(r *Refutation) { r.Turns = 0 }},
		{"a claim of 3 turns: only", func(r *Refutation) { r.Turns = 3 }},
		{"a claim of no win in 1 with 4 first turns", func(r *Refutation) { r.Turns = 1 }},
		{"position", func(r *Refutation) { r.Position += "\n" }},
		{"first turn 2: a turn without steps", func(r *Refutation) { r.Refuted[1].Turn = "" }},
		{"first turn 1: turn", func(r *Refutation) { r.Refuted[0].Reply = "ra7s\nra6s" }},
		{"at most 1000000", func(r *Refutation) { r.Refuted = make([]Refuted, maxFirst+1) }},
	} {
		r := sampleRefutation()
		test.edit(r)
		var b strings.Builder
		if err := r.Write(&b); err == nil || !strings.Contains(err.Error(), test.want) || b.Len() > 0 {
			t.Errorf("%d bytes are written, the error is %v, want %q", b.Len(), err, test.want)
		}
	}
}

// TestTooLarge has a position with too many turns to check: nothing is said about the claim. (The
// limit is lowered: to reach it takes a minute.)
func TestTooLarge(t *testing.T) {
	c := Refutation{Turns: 1, Position: "g [               r                        E              R        ]"}
	st, err := referee.ParsePosition(c.Position)
	require.NoError(t, err)
	n := referee.Distinct(st)
	for limit, want := range map[int]error{n - 1: ErrTooLarge, n: nil} {
		k := &refutationChecker{Refutation: &c, root: st, attacker: st.Side, defender: st.Side.Other(), limit: limit}
		if _, wins, err := k.win(t.Context(), st); wins || err != want {
			t.Errorf("limit %d of %d: %t, %v", limit, n, wins, err)
		}
		if err := k.complete(t.Context()); !errors.Is(err, want) {
			t.Errorf("limit %d of %d: %v", limit, n, err)
		}
	}
}

// TestWinInterrupted interrupts the search for one win, which may take seconds.
func TestWinInterrupted(t *testing.T) {
	st, err := referee.ParsePosition("g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	k := &refutationChecker{limit: maxReplies}
	if _, wins, err := k.win(ctx, st); wins || err != context.Canceled {
		t.Errorf("%t, %v", wins, err)
	}
}
