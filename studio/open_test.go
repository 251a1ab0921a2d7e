package studio_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
	"goalproof/puzzles"
	"goalproof/solve/report"
	"goalproof/studio"
)

// opened is what /api/open answers.
type opened struct {
	Kind, Says string
	Counts     struct{ Positions, Games, Puzzles, Broken int }
	readAnswer
}

// goalInOne is the certificate of a win in 1.
const goalInOne = "goalproof certificate 1\nclaim 1\n1 g [       rR                                       R              e] Ra7n\n"

// TestOpen opens texts of every kind. Where a text is of two kinds, the one that says more counts.
func TestOpen(t *testing.T) {
	c := start(t, studio.Options{})
	good, other := study(t, "win-in-2.txt").Position, study(t, "no-win-in-2.txt").Position
	var verified bytes.Buffer
	claimed := puzzles.Puzzle{Name: "a", Claim: 2}
	for _, position := range []string{good, other} {
		r := puzzles.Result{Puzzle: claimed}
		record := r.Record()
		record.Position = &position
		require.NoError(t, report.WriteJSON(&verified, record))
	}
	short := "1w Ra1 Eb2\n1b rh8 eg7\n2w Eb2n\n2b eg7s\n"
	for _, test := range []struct {
		text, kind, says                  string
		positions, games, puzzles, broken int
	}{
		{good, "position", "position, gold to move", 1, 0, 0, 0},
		{example(t, "win-in-2.txt"), "position", "position, gold to move", 1, 0, 0, 0},
		{good + "\n" + other, "positions", "2 positions", 2, 0, 0, 0},
		{good + "\ng [x]\n" + other, "positions", "3 positions, 1 of which cannot be read", 2, 0, 0, 1},
		{short, "game", "game, 2 turns", 0, 1, 0, 0},
		{example(t, "game.turns"), "game", "game, 50 turns", 0, 1, 0, 0},
		{strings.Replace(short, "Eb2n", "Eb2n ! {forward}", 1), "annotated", "game, 2 turns", 0, 1, 0, 0},
		{strings.Replace(short, "2b eg7s", "( 2w Ra1n ) 2b eg7s", 1), "annotated", "game, 2 turns", 0, 1, 0, 0},
		{archive, "games", "3 games, 1 of which cannot be read", 0, 2, 0, 1},
		{good + "\n\n[Gold \"ann\"]\n" + short, "mixed", "1 position and 1 game", 1, 1, 0, 0},
		{"position\tclaim\tsolution\n" + good + "\t2\t\n" + other + "\t2\t\n", "puzzles", "2 puzzles", 2, 0, 2, 0},
		{"position\tclaim\tsolution\n" + good + "\t2\t\n" + other + "\t\t\n", "puzzles", "2 puzzles", 2, 0, 1, 0},
		{verified.String(), "run", "run of goalproof verify, 2 puzzles", 2, 0, 2, 0},
		{strings.Repeat(good+"\n", 500), "positions", "500 positions", 500, 0, 0, 0},
		{strings.Repeat(good+"\n", 501), "positions", "500 positions, and more that is not listed", 500, 0, 0, 0},
		{strings.Repeat(verified.String(), 251), "run", "run of goalproof verify, 500 puzzles, and more that is not listed", 500, 0, 500, 0},
		{goalInOne, "certificate", "certificate, not checked: gold wins in 1 turn", 1, 0, 0, 0},
		{strings.Replace(goalInOne, "Ra7n", "Ra7e", 1), "certificate", "certificate, not checked: gold wins in 1 turn", 1, 0, 0, 0}, // it is false
		{"goalproof refutation 1\nclaim no win in 1\n" + other + "\n", "certificate", "certificate, not checked: gold has no win in 1 turn", 1, 0, 0, 0},
	} {
		a := ask[opened](c, "POST", "/api/open", map[string]any{"text": test.text})
		got := a.Counts
		if a.Kind != test.kind || a.Says != test.says || got.Positions != test.positions || got.Games != test.games ||
			got.Puzzles != test.puzzles || got.Broken != test.broken {
			t.Errorf("%.60q: %s, %q, %+v, want %.80v", test.text, a.Kind, a.Says, got, test)
		}
		if len(a.Found) != test.positions+test.games+test.broken {
			t.Errorf("%.60q: %d are found", test.text, len(a.Found))
		}
		for _, f := range a.Found {
			if f.Error == "" {
				viewOf(c, "view", map[string]any{"study": f.Study})
			}
		}
	}
}

// TestOpenRefused opens texts that are nothing: the error is that of the reader of the kind that
// they begin like, with its place.
func TestOpenRefused(t *testing.T) {
	c := start(t, studio.Options{})
	refuses(c, "/api/open", map[string]any{
		"":                          map[string]any{"text": ""},
		"unknown field":             map[string]any{"text": "x", "path": "/etc/passwd"},
		"pasted.txt:1":              map[string]any{"text": "g [rrr]", "name": "pasted.txt"},
		"win.proof:3":               map[string]any{"text": strings.Replace(goalInOne, "1 g", "1 x", 1), "name": "win.proof"},
		"no certificate that this":  map[string]any{"text": "goalproof certificate 9\nclaim 1\n"},
		"object 1: its schema":      map[string]any{"text": `{"schema":9,"claim_true":null}`},
		"object 1: verdict \"odd\"": map[string]any{"text": `{"schema":1,"claim_true":null,"verdict":"odd"}`},
		`side "blue"`:               map[string]any{"text": "x", "side": "blue"},
	})
	text := strings.SplitN(example(t, "win-in-2.txt"), "44g\n", 2)[1]
	if status, body, _ := c.do(c.request("POST", "/api/open", map[string]any{"text": text})); status != 422 || !strings.Contains(body, `"code":"no_side"`) {
		t.Errorf("without a side: %d %s", status, body)
	}
	if a := ask[opened](c, "POST", "/api/open", map[string]any{"text": text, "side": "silver"}); a.Kind != "position" || !strings.HasPrefix(a.Found[0].Study.Position, "s [") {
		t.Errorf("with a side: %+v", a)
	}
	c.refusedFor(http.StatusRequestEntityTooLarge, "sent to /api/archive", "POST", "/api/open", map[string]any{"text": strings.Repeat("x", studio.MaxBody)})
}
