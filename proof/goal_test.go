package proof_test

import (
	"strings"
	"testing"

	"goalproof/proof"
)

// TestGoals accepts what is true of small boards, and refuses what is not, with the reason.
func TestGoals(t *testing.T) {
	const (
		cat      = "g [r......r........e..................E.......c....R...............]" // it falls on c3
		last     = "g [r......r...........................E.......c....R.....r.........]" // the same, and silver is about to reach its goal
		far      = "g [r......e........................................R..........C....]" // from the rabbit on a2
		elephant = "g [r................................e..............R..........C....]" // near it
	)
	for _, test := range []struct{ claim, entries, want string }{
		{"1 capture", "1 " + cat + " cd3w cc3x Ed4s", ""},
		{"1 capture=c", "1 " + cat + " cd3w Ed4s", ""},
		{"1 capture@c3", "1 " + cat + " cd3w cc3x Ed4s", ""},
		{"1 capture=c@c3", "1 " + cat + " cd3w cc3x Ed4s", ""},
		{"2 capture", "2 " + cat + " cd3w cc3x Ed4s", ""},
		{"1 capture", "1 " + last + " cd3w cc3x Ed4s", ""},
		{"1 capture=d", "1 " + cat + " cd3w cc3x Ed4s", "does not reach the goal at once"},
		{"1 capture@f3", "1 " + cat + " cd3w cc3x Ed4s", "does not reach the goal at once"},
		{"1 capture=c@f6", "1 " + cat + " cd3w cc3x Ed4s", "does not reach the goal at once"},
		{"1 capture", "1 " + cat + " Ed4n", "does not reach the goal at once"},
		{"1 capture", "1 " + cat + " cd3w cc3x", "illegal"},
		{"1 capture", "1 " + cat + " cd3w cc3x Ed4s\n+ Ra2n", "the answer Ra2n is not needed"},
		{"2 capture=d", "2 " + cat + " cd3w cc3x Ed4s", "is not met"},
		{"2 capture=r", "2 " + last + " cd3w cc3x Ed4s", "it wins for the defender (goal)"},
		{"1 rabbit=2", "1 " + far + " Cd1n", ""},
		{"1 rabbit=3", "1 " + far + " Ra2n", ""},
		{"1 rabbit=6", "1 " + far + " Ra2n Ra3n Ra4n Ra5n", ""},
		{"1 rabbit=4", "1 " + far + " Ra2n", "does not reach the goal at once"},
		{"1 rabbit=2", "1 " + elephant + " Cd1n", "is not met"},
		{"1 rabbit=2", "1 " + far + " Cd1n\n+ Ra2n", "takes another turn"},
		{"2 rabbit=2", "2 " + far + " Cd1n\n+ Ra2n", "the answer Ra2n"},
	} {
		turns, goal, _ := strings.Cut(test.claim, " ")
		text := "goalproof certificate 4\nclaim " + turns + "\ngoal " + goal + "\n" + test.entries + "\n"
		c, _, err := proof.Read(strings.NewReader(text), "x")
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		err = c.Check(t.Context(), nil)
		switch {
		case test.want == "" && err != nil, test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: %v, want %q", text, err, test.want)
		}
		var again strings.Builder
		if err := c.Write(&again); err != nil {
			t.Error(err)
		}
		read, _, err := proof.Read(strings.NewReader(again.String()), "x")
		if err != nil || read.Goal != goal || read.Turns != c.Turns {
			t.Errorf("%s is written as %s: %v", text, again.String(), err)
		}
	}
}

// TestGoalAlone refuses to write or to accept a goal beside a loss.
func TestGoalAlone(t *testing.T) {
	c := &proof.Certificate{Turns: 1, Goal: "capture", Loss: true, Entries: []proof.Entry{{Rank: 1, Position: "g [................................................................]"}}}
	if err := c.Check(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "claims no loss") {
		t.Errorf("%v", err)
	}
	if err := c.Write(&strings.Builder{}); err == nil {
		t.Error("it is written")
	}
}
