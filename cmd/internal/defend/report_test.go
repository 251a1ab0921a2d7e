package defend

import (
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/cmd/internal/inputs"
	"goalproof/dfpns"
	"goalproof/solve"
)

// TestWords checks that bounds are called bounds, and that what sets the third repetition aside says so.
func TestWords(t *testing.T) {
	const aside = " (the third repetition set aside)"
	held := []dfpns.Solution{{}}
	for _, c := range []struct {
		a                         solve.Defence
		threat, sentence, summary string
	}{
		{solve.Defence{Verdict: answer.Disproved, Within: 3, Refuted: 2, Turns: 9, ThreatIn: 2, ThreatRefuted: 1},
			"The threat: silver wins in 2 turns by ", "Lost: whatever gold plays, silver wins in 3 turns.", "loss in 3"},
		{solve.Defence{Verdict: answer.Disproved, Within: 3, Refuted: 1, Turns: 9, ThreatIn: 3, ThreatRefuted: 1},
			"The threat: silver wins in at most 3 turns by ", "Lost: whatever gold plays, silver wins in at most 3 turns.", "loss in at most 3"},
		{solve.Defence{Verdict: answer.Proved, Turns: 9, Hold: held, Lost: 8, Aside: true, ThreatRefuted: 3},
			"If gold could pass, silver would have no win in 3 turns" + aside, "holds against a win of silver in 3 turns" + aside, "holds against a win in 3" + aside},
		{solve.Defence{Turns: 9, Hold: held, Undecided: 8, Stop: answer.Time, Aside: true},
			"Whether silver threatens to win in 3 turns is not known.", "against a win of silver in 3 turns" + aside, "against a win in 3" + aside},
	} {
		r := result{Item: inputs.Item{}, winIn: 3, answer: c.a}
		r.Diagram.Position = arimaa.NewPosition(arimaa.Board{}, arimaa.Gold)
		for got, want := range map[string]string{r.threat(): c.threat, r.sentence(): c.sentence, r.summary(): c.summary} {
			if !strings.Contains(got, want) || strings.Contains(got, "at most") != strings.Contains(want, "at most") {
				t.Errorf("%q lacks %q", got, want)
			}
		}
	}
}
