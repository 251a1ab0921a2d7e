package studio_test

import (
	"strings"
	"testing"

	"goalproof/studio"
)

// TestEngineTurn asks for the engine's turn where it wins at once, where it loses whatever it
// plays, and where it is stopped.
func TestEngineTurn(t *testing.T) {
	c := start(t, studio.Options{})
	for _, test := range []struct {
		study      studio.Study
		turn, says string
		ends       bool
	}{
		{studio.Study{Position: "Ra1 Ed4 rh2 ee7 s", Number: 9}, "", "Proved: silver wins in at most 1 turn.", true},
		{studio.Study{Position: "Ra6 Rh6 Rd6 Eb2 ra7 ea8 g", Turns: []string{"Eb2n"}}, "", "Proved: gold wins in at most 1 turn, whatever silver plays.", false},
	} {
		r := c.work(task{Kind: "play", Study: &test.study, Threads: 1, Unusual: true, Seconds: 5})
		if r.Verdict != "played" || r.Says != test.says || len(r.Line.Line) != 1 || (r.EndsBy != nil) != test.ends {
			t.Errorf("%+v: %+v", test.study, r)
			continue
		}
		v := viewOf(c, "turn", map[string]any{"study": test.study, "turn": r.Line.Line[0]})
		if (v.Over != nil) != test.ends {
			t.Errorf("%s: over: %v", r.Line.Line[0], v.Over)
		}
	}
	long := c.begin(task{Kind: "play", Study: &studio.Study{Position: opening}, Threads: 1, Seconds: 3600})
	until(t, "running", func() bool { return c.job(long.ID).State == "running" })
	c.stop(long.ID)
	job, _ := c.end(long.ID)
	if job.State != "done" || len(job.Result.Line.Line) != 1 || job.Result.Labels[0] != "2g" || job.Result.Line.Line[0] == "" {
		t.Errorf("stopped: %+v", job)
	}
	// With no time at all there is a turn, too.
	r := c.work(task{Kind: "play", Study: &studio.Study{Position: opening}, Threads: 1, Seconds: 1e-9})
	viewOf(c, "turn", map[string]any{"study": studio.Study{Position: opening}, "turn": r.Line.Line[0]})
	over := studio.Study{Position: "Ra7 Eb2 rh5 eg7 g", Turns: []string{"Ra7n"}}
	refuses(c, "/api/jobs", map[string]task{
		"no study":               {Kind: "play"},
		"the game is over":       {Kind: "play", Study: &over, Unusual: true},
		`unknown field "win_in"`: {Kind: "play", Study: &over, WinIn: 2},
		"turn 2g: Ra1n":          {Kind: "play", Study: &studio.Study{Position: opening, Turns: []string{"Ra1n"}}},
		"the turn under way":     {Kind: "play", Study: &studio.Study{Position: opening, Steps: "Ee2n"}},
		"no game leads":          {Kind: "play", Study: &studio.Study{Position: "Rc3 rh5 g"}},
		"seconds -1":             {Kind: "play", Study: &studio.Study{Position: opening}, Seconds: -1},
		"threads -1":             {Kind: "play", Study: &studio.Study{Position: opening}, Threads: -1},
		"memory 18446744073709":  {Kind: "play", Study: &studio.Study{Position: opening}, Memory: 1<<64 - 1},
		"memory 1: it is too":    {Kind: "play", Study: &studio.Study{Position: opening}, Memory: 1},
		"too little for the":     {Kind: "play", Study: &studio.Study{Position: opening}, Memory: 1 << 20},
	})
}

const opening = "g [rrrrrrrrdhcemchd                                DHCMECHDRRRRRRRR]"

// TestSetup sets both sides up.
func TestSetup(t *testing.T) {
	c := start(t, studio.Options{})
	v := viewOf(c, "setup", map[string]any{"gold": "Ra1 Ee2", "silver": ""})
	if v.Label != "2g" || v.Squares[0] != 'R' || v.Squares[12] != 'E' || strings.Count(v.Squares, "r") != 8 || len(v.Unusual) > 0 {
		t.Errorf("%+v", v)
	}
	v = viewOf(c, "setup", map[string]any{})
	if strings.Count(v.Squares, "R") != 8 || strings.Count(v.Squares, " ") != 32 || len(v.Unusual) > 0 {
		t.Errorf("%+v", v)
	}
	refuses(c, "/api/setup", map[string]any{
		"gold: ":   map[string]any{"gold": "Ra3"},
		"silver: ": map[string]any{"silver": "ra8 Ra7"},
		"is taken": map[string]any{"gold": "Ra1 Ra1"},
		"<b>":      map[string]any{"gold": "<b>"},
		"unknown":  map[string]any{"bronze": ""},
	})
}

// archive has three games: one of names that would be markup, one that goes on, and one whose
// second turn is illegal.
const archive = "id\twusername\tbusername\twrating\tbrating\tresult\ttermination\tevent\tmovelist\n" +
	`7` + "\t<img src=x>\tbob\t1800\t1500\tb\tr\tCup\t" + `1w Ra4 Eb2\n1b rh5 eg7\n2w Ra4n Ra5n\n2b rh5s\n` + "\n" +
	`8` + "\tcarol\tdave\t\t\t\t\t\t" + `1w Ra1 Eb2\n1b rh8 eg7\n2w Eb2n\n` + "\n" +
	`9` + "\teve\tbob\t\t\tw\tg\t\t" + `1w Ra1 Eb2\n1b rh8 eg7\n2w Eb2n\n2b rh8n\n` + "\n"

// TestReadGames reads what an archive says about its games.
func TestReadGames(t *testing.T) {
	c := start(t, studio.Options{})
	type facts struct {
		Name, Gold, Silver, Event, Winner, Ended string
		Turns                                    int
		GoldRating                               string `json:"gold_rating"`
	}
	a := ask[struct {
		Found []struct {
			Game  *facts
			Error string
		}
	}](c, "POST", "/api/read", map[string]any{"text": archive})
	want := []facts{
		{"7", "<img src=x>", "bob", "Cup", "silver", "resignation", 2, "1800"},
		{"8", "carol", "dave", "", "", "", 1, ""},
		{"9", "eve", "bob", "", "", "", 1, ""}, // the rest of it cannot be read
	}
	for i, f := range a.Found {
		if f.Game == nil || *f.Game != want[i] || (f.Error != "") != (i == 2) {
			t.Errorf("%+v %+v", f, f.Game)
		}
	}
	if len(a.Found) != len(want) {
		t.Errorf("%d games", len(a.Found))
	}
}
