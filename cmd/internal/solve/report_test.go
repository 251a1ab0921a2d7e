package solve

import (
	"bytes"
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/cmd/internal/cli"
	"goalproof/dfpns"
	"goalproof/solve"
)

// TestWords checks that what sets the third repetition aside says so in a few words, too, and that a defence is called the
// longest where it is certain to be.
func TestWords(t *testing.T) {
	const aside = " (the third repetition set aside)"
	line := []solve.Ply{{}, {}}
	var f flags
	all := flags{all: true}
	all.try = "Ra2n"
	game := answered{}
	game.Game = arimaa.NewGame(arimaa.Position{}, 2)
	won := solve.Answer{Verdict: answer.Proved, Within: 2, Refuted: 1, Line: line, Solutions: make([]dfpns.Solution, 1)}
	for _, c := range []struct{ got, want string }{
		{f.summary(answered{}, solve.Answer{Verdict: answer.Proved, Stop: answer.Time, Within: 5, Refuted: 3, Line: line}), "win in at most 5 (time is up), no win in 3" + aside + ": "},
		{all.summary(game, won), " (unique)" + aside},
		{all.trySummary(answered{}, solve.Answer{Stop: answer.Time, Refuted: 2}), "no win in 2 with Ra2n" + aside},
	} {
		if !strings.Contains(c.got, c.want) {
			t.Errorf("%q lacks %q", c.got, c.want)
		}
	}
	for n, want := range map[int]string{2: "With the longest defence:\n", solve.SureLine: "With the longest defence:\n", solve.SureLine + 1: "With the longest defence known:\n"} {
		var out bytes.Buffer
		f.writeLine(cli.Terminal{Out: &out}, answered{}, solve.Answer{Verdict: answer.Proved, Within: n, Refuted: n - 1, Line: line})
		if !strings.Contains(out.String(), want) {
			t.Errorf("a win in %d lacks %q:\n%s", n, want, &out)
		}
	}
}
