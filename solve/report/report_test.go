package report

import (
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/solve"
	"goalproof/tables/endgame"
)

const (
	aside = " (the third repetition set aside)"
	won   = answer.Proved
	no    = answer.Disproved
)

// game is a game in which nothing has been played.
var game = arimaa.NewGame(arimaa.Position{}, 2)

// TestWords checks that what sets the third repetition aside says so, also in a few words, that
// nothing else does, and that bounds are called bounds.
func TestWords(t *testing.T) {
	exact, open := answer.Bounds{Within: 2, Refuted: 1}, answer.Bounds{Within: 5, Refuted: 3}
	none := answer.Bounds{Refuted: 3}
	line := []solve.Ply{{}, {}}
	lost := arimaa.Outcome{Winner: arimaa.Silver, Reason: arimaa.Goal}
	for _, c := range []struct {
		r                 Report
		sentence, summary string
	}{
		{Report{Answer: solve.Answer{Verdict: won, Bounds: exact, Line: line}}, "Proved: gold wins in 2 turns.", "win in 2: "},
		{Report{Answer: solve.Answer{Verdict: won, Bounds: exact, Line: line}, Certificate: "accepted"}, "Proved, checked: gold wins in 2 turns.", "checked win in 2: "},
		{Report{Answer: solve.Answer{Verdict: won, Bounds: exact, Line: line, Tabled: true}}, "Proved: gold wins in 2 turns (endgame table).", "win in 2 (endgame table): "},
		{Report{Answer: solve.Answer{Verdict: won, Stop: answer.Time, Bounds: open, Line: line}},
			"Proved: gold wins in at most 5 turns. There is no win in 3" + aside + ". Whether it wins in 4 is not known (time is up).",
			"win in at most 5 (time is up), no win in 3" + aside + ": "},
		{Report{Answer: solve.Answer{Verdict: won, Bounds: answer.Bounds{Within: 5}, Line: line}, Question: solve.Question{Any: true}},
			"Proved: gold wins in at most 5 turns. Whether it wins in 1 to 4 is not known.", "win in at most 5 (finished), no win in 0: "},
		{Report{Answer: solve.Answer{Verdict: won, Bounds: exact, Line: line, Solutions: make([]dfpns.Solution, 1)}, Question: solve.Question{All: true, Game: game}},
			"Proved: gold wins in 2 turns.", "win in 2:  (unique)" + aside},
		{Report{Answer: solve.Answer{Verdict: no, Bounds: none}}, "Disproved: gold has no win in 3 turns" + aside + ".", "no win in 3" + aside},
		{Report{Answer: solve.Answer{Verdict: no, Bounds: none}, Question: solve.Question{Game: game}}, "Disproved: gold has no win in 3 turns.", "no win in 3"},
		{Report{Answer: solve.Answer{Verdict: no, Bounds: none, Aside: true}, Question: solve.Question{Game: game}},
			"Disproved: gold has no win in 3 turns" + aside + ".", "no win in 3" + aside},
		{Report{Answer: solve.Answer{Verdict: no, Bounds: answer.Bounds{Refuted: 1}}, Certificate: "sampled"}, "Disproved, a sample checked: gold has no win in 1 turn.", "no win in 1"},
		{Report{Answer: solve.Answer{Verdict: no, Bounds: none, Tabled: true, Value: endgame.Neither}},
			"Disproved: gold has no win: neither side can force one (endgame table; the third repetition set aside).",
			"no win: neither side can force one (endgame table; the third repetition set aside)"},
		{Report{Answer: solve.Answer{Verdict: no, Bounds: none, Tabled: true, Value: endgame.LossIn(2)}},
			"Disproved: gold has no win, and loses in 2 turns (endgame table).", "no win, and loses in 2 turns (endgame table)"},
		{Report{Answer: solve.Answer{Verdict: no, Bounds: none, Tabled: true, Value: endgame.WinIn(5)}},
			"Disproved: gold has no win in 3 turns, but one in 5 (endgame table; the third repetition set aside).",
			"no win in 3 turns, but one in 5 (endgame table; the third repetition set aside)"},
		{Report{Answer: solve.Answer{Stop: answer.Memory, Bounds: none}},
			"Unknown: memory is full while looking for a win in 4 turns. There is none in 3 turns" + aside + ".", "unknown (memory is full), no win in 3" + aside},
		{Report{Answer: solve.Answer{Stop: answer.Time, Bounds: none}, Tried: "Ra2n"},
			"Unknown: time is up before it was decided whether gold wins with Ra2n.", "unknown (time is up), no win in 3 with Ra2n" + aside},
		{Report{Answer: solve.Answer{Verdict: won, Bounds: open}, Tried: "Ra2n"}, "Proved: with Ra2n gold wins in at most 5 turns.", "win in at most 5 with Ra2n"},
		{Report{Answer: solve.Answer{Verdict: no, Bounds: none, Refutation: line[:1]}, Tried: "Ra2n"},
			"Disproved: with Ra2n gold has no win in 3 turns" + aside + ". (The limit was reached before the reply was found again.)", "no win in 3 with Ra2n" + aside},
		{Report{Answer: solve.Answer{Verdict: no, Bounds: none, Refutation: []solve.Ply{{}, {Outcome: lost}}}, Tried: "Ra2n"},
			"Disproved: with Ra2n gold has no win in 3 turns" + aside + ". The reply  refutes it: silver wins by goal.", "no win in 3 with Ra2n" + aside + ": "},
		{Report{Answer: solve.Answer{Verdict: no, Bounds: none, Refutation: []solve.Ply{{Outcome: lost}}}, Tried: "Ra2n"},
			"Disproved: with Ra2n gold has no win in 3 turns" + aside + ". It loses at once by goal.", "no win in 3 with Ra2n" + aside},
	} {
		if got := c.r.Sentence(); got != c.sentence {
			t.Errorf("%q, want %q", got, c.sentence)
		}
		if got := c.r.Summary(); got != c.summary {
			t.Errorf("%q, want %q", got, c.summary)
		}
	}
}

// TestListed checks what is said of a list of solutions.
func TestListed(t *testing.T) {
	list := make([]dfpns.Solution, 3)
	list[0].Essential = true
	for _, c := range []struct {
		a    solve.Answer
		want string
	}{
		{solve.Answer{Solutions: list[1:2]}, "unique."},
		{solve.Answer{Solutions: list}, "essentially unique, 3 solutions."},
		{solve.Answer{Solutions: list[1:]}, "2 solutions, 0 essential."},
		{solve.Answer{Solutions: list[:1], Listing: answer.Time}, "at least 1 solution: time is up."},
		{solve.Answer{}, "not listed: that depends on the repetitions of this game."},
	} {
		r := Report{Question: solve.Question{All: true}, Answer: c.a}
		r.Verdict, r.Bounds = won, answer.Bounds{Within: 2, Refuted: 1}
		if got := r.Listed(); got != "First turns that win in 2: "+c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		if r.Game = game; r.Listed() != "First turns that win in 2"+aside+": "+c.want {
			t.Errorf("in a game: %q", r.Listed())
		}
		if r.Refuted = 0; !strings.HasSuffix(r.Listed(), "not listed: the shortest win is not known.") {
			t.Errorf("not exact: %q", r.Listed())
		}
	}
}

// TestLongest checks that a defence is called the longest where it is certain to be.
func TestLongest(t *testing.T) {
	for n, want := range map[int]string{2: "With the longest defence:\n", solve.SureLine: "With the longest defence:\n", solve.SureLine + 1: "With the longest defence known:\n"} {
		var out strings.Builder
		r := Report{Answer: solve.Answer{Verdict: won, Bounds: answer.Bounds{Within: n, Refuted: n - 1}, Line: make([]solve.Ply, 2)}}
		if r.Write(&out); !strings.Contains(out.String(), want) {
			t.Errorf("a win in %d lacks %q:\n%s", n, want, &out)
		}
	}
}
