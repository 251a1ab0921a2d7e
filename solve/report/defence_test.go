package report

import (
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/dfpns"
	"goalproof/solve"
)

// TestDefenceWords checks that bounds are called bounds, and that what sets the third repetition
// aside says so.
func TestDefenceWords(t *testing.T) {
	held := []dfpns.Solution{{}}
	for _, c := range []struct {
		a                         solve.Defence
		threat, sentence, summary string
	}{
		{solve.Defence{Verdict: answer.Disproved, Bounds: answer.Bounds{Within: 3, Refuted: 2}, Turns: 9, Threat: solve.Threat{Bounds: answer.Bounds{Within: 2, Refuted: 1}}},
			"The threat: silver wins in 2 turns by ", "Lost: whatever gold plays, silver wins in 3 turns.", "loss in 3"},
		{solve.Defence{Verdict: answer.Disproved, Bounds: answer.Bounds{Within: 3, Refuted: 1}, Turns: 9, Threat: solve.Threat{Bounds: answer.Bounds{Within: 3, Refuted: 1}}},
			"The threat: silver wins in at most 3 turns by ", "Lost: whatever gold plays, silver wins in at most 3 turns.", "loss in at most 3"},
		{solve.Defence{Verdict: answer.Proved, Turns: 9, Hold: held, Lost: 8, Aside: true, Threat: solve.Threat{Bounds: answer.Bounds{Refuted: 3}}},
			"If gold could pass, silver would have no win in 3 turns" + aside, "holds against a win of silver in 3 turns" + aside, "holds against a win in 3" + aside},
		{solve.Defence{Turns: 9, Hold: held, Undecided: 8, Stop: answer.Time, Aside: true},
			"Whether silver threatens to win in 3 turns is not known.", "against a win of silver in 3 turns" + aside, "against a win in 3" + aside},
	} {
		d := Defence{Question: solve.Question{Deepest: 3}, Defence: c.a}
		for got, want := range map[string]string{d.Threatens(): c.threat, d.Sentence(): c.sentence, d.Summary(): c.summary} {
			if !strings.Contains(got, want) || strings.Contains(got, "at most") != strings.Contains(want, "at most") {
				t.Errorf("%q lacks %q", got, want)
			}
		}
	}
}
