package studio_test

import (
	"net/http"
	"testing"

	"goalproof/studio"
)

// TestLegal asks whether games lead to positions: of the setup, with and without turns, and to some
// that have no last turn, or none but such as cannot be taken back further.
func TestLegal(t *testing.T) {
	c := start(t, studio.Options{})
	const setup, none = "g [rrrrrrrrhdcemcdh                                RRRRRRRRHDCMECDH]", "no step, push or pull can be taken back"
	for _, test := range []struct {
		study           studio.Study
		verdict, reason string
	}{
		{*study(t, "win-in-2.txt"), "possible", ""},
		{studio.Study{Position: setup}, "possible", ""},
		{studio.Study{Position: setup, Steps: "Ra2n"}, "possible", ""},
		{studio.Study{Position: setup, Turns: []string{"Ra2n", "ed7s"}}, "possible", ""},
		{studio.Study{Position: "s" + setup[1:]}, "impossible", "gold has no legal last turn: " + none},
		{studio.Study{Position: "s" + setup[1:], Turns: []string{"ed7s"}}, "impossible",
			"every last turn leads back to a position that has none, or none but from here"},
		{studio.Study{Position: "Ea1 Eb1 rc6 g"}, "impossible",
			"gold has 2 elephants, a full army has 1; the piece r stands on the trap c6 without a defender"},
	} {
		a := ask[struct{ Verdict, Reason string }](c, "POST", "/api/legal", map[string]any{"study": test.study})
		if a.Verdict != test.verdict || a.Reason != test.reason {
			t.Errorf("%+v: %+v, want %s: %s", test.study, a, test.verdict, test.reason)
		}
	}
	c.refusedFor(http.StatusUnprocessableEntity, "position", "POST", "/api/legal", map[string]any{"study": studio.Study{Position: "none"}})
}
