package aei

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/engine"
	"goalproof/engine/player"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
)

// TestOpening checks the first lines of a session, and lines that are no messages.
func TestOpening(t *testing.T) {
	after := func(lines ...string) []string { return append(slices.Clone(opened), lines...) }
	space := "log Error: a message: it begins with its type, not with a space"
	for input, want := range map[string][]string{
		"aei\nisready\nquit\nisready\n":         after("readyok"),
		"aei\r\nisready\r\nquit\r\nisready\r\n": after("readyok"),
		"isready\n\ngo\naei\naei\nisready": append([]string{ // and no last line end
			"log Error: isready: a session begins with aei", "log Error: go: a session begins with aei",
		}, after("log Error: aei: the session is already open", "readyok")...),
		"\n\r\n \n\t\r\naei\n\n   \n go\n isready\nisready \r\n": after(space, space, "readyok"),
	} {
		got, err := converse(t, &fake{t: t}, input)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%q: %v\n%s", input, err, d)
		}
	}
}

// TestAnalysis is a session like the first example of the protocol: a position searched to
// a depth.
func TestAnalysis(t *testing.T) {
	c := control(t, &fake{t: t})
	c.send("isready")
	c.expect("readyok")
	c.send("setoption name depth value 6", "setoption name nodes value 999", "newgame", inOpening, "go")
	_, before := c.expect("bestmove ")
	depth := 0
	for _, line := range before {
		if strings.HasPrefix(line, "info depth ") {
			depth++
		} else if strings.HasPrefix(line, "log ") {
			t.Errorf("unexpected: %s", line)
		}
	}
	if depth != 7 { // and the last report once more
		t.Errorf("%d depths were reported", depth)
	}
	c.quit()
	want := []searched{{inOpening[len("setposition "):], 0, engine.Limits{Depth: 6, Nodes: 999}, player.Settings{Threads: 1, Memory: 64 << 20}}}
	if d := cmp.Diff(want, c.fake.asked(), cmp.AllowUnexported(searched{}, arimaa.Turn{})); d != "" {
		t.Error(d)
	}
}

// TestBlitz is a session like the second example: the options of a game with a clock, the
// setup, pondering on the opponent's time.
func TestBlitz(t *testing.T) {
	c := control(t, &fake{t: t})
	for _, group := range [][]string{
		{"setoption name hash value 500"}, {"setoption name rated value 1", "newgame"},
		{
			"setoption name tcmove value 15", "setoption name tcreserve value 90", "setoption name tcpercent value 100",
			"setoption name tcmax value 120", "setoption name tctotal value 7200", "setoption name tcturns value 0",
			"setoption name tcturntime value 0",
		},
	} {
		c.send(append(group, "isready")...)
		if _, before := c.expect("readyok"); len(before) > 0 {
			t.Fatalf("%q: %q", group, before)
		}
	}
	c.send("setoption name rating value 1857", "setoption name opponent value bot_Clueless 2009 Blitz",
		"setoption name opponent_rating value 1918", "setoption name event value ", "setoption name moveused value 0",
		"setoption name greserve value 90", "setoption name sreserve value 90", "go")
	line, before := c.expect("bestmove ")
	if len(before) > 0 {
		t.Fatalf("%q before the setup", before)
	}
	setup := strings.TrimPrefix(line, "bestmove ")
	c.send("makemove "+setup, "go ponder", "makemove "+silverSetup, "setoption name moveused value 0",
		"setoption name gused value 0", "setoption name sused value 3", "setoption name lastmoveused value 3",
		"go", "setoption name moveused value 1", "stop")
	line, before = c.expect("bestmove ")
	for _, l := range before {
		if !strings.HasPrefix(l, "info ") {
			t.Errorf("unexpected: %s", l)
		}
	}
	turn := strings.TrimPrefix(line, "bestmove ")
	c.send("makemove "+turn, "go ponder", "makemove ed7s ed6s", "setoption name greserve value 30.5", "go", "stop")
	_, before = c.expect("bestmove ")
	for _, l := range before {
		if !strings.HasPrefix(l, "info ") {
			t.Errorf("unexpected: %s", l)
		}
	}
	c.quit()
	asked := c.fake.asked()
	if len(asked) != 3 {
		t.Fatalf("%d searches, want 3: %v", len(asked), asked)
	}
	for i, s := range asked {
		if ponder := i == 1; s.length != i || (s.limits.Time == 0) != ponder || s.settings != (player.Settings{Threads: 1, Memory: 500 << 20}) {
			t.Errorf("search %d: %+v", i, s)
		}
	}
	if first, second := asked[0].limits.Aim, asked[2].limits.Aim; first > 21*time.Second || second > first {
		t.Errorf("%v for the first turn with a reserve of 90 s, %v for the next with 30 s", first, second)
	}
	text := fmt.Sprintf("1g %s\n1s %s\n2g %s\n2s ed7s ed6s\n3g", setup, silverSetup, turn)
	if _, err := notation.ReadGame("", text); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestGame lets a session play whole games against itself, and reads them as a record.
func TestGame(t *testing.T) {
	c := control(t, &fake{t: t, ends: func() bool { return true }})
	c.send("setoption name tcmove value 1", "setoption name tcreserve value 10")
	for range 3 {
		c.send("newgame")
		var record strings.Builder
		for i := range 60 {
			if i >= 2 {
				g, err := notation.ReadGame("", record.String())
				if err != nil {
					t.Fatalf("%v\n%s", err, record.String())
				}
				if g.Outcome().Over() {
					break
				}
			}
			c.send("go")
			line, _ := c.expect("bestmove ")
			turn := strings.TrimPrefix(line, "bestmove ")
			fmt.Fprintf(&record, "%d%c %s\n", 1+i/2, "gs"[i%2], turn)
			c.send("makemove "+turn, "isready")
			if _, before := c.expect("readyok"); len(before) > 0 {
				t.Fatalf("%s: %q", turn, before)
			}
		}
	}
	c.quit()
	if got := c.fake.forgot.Load(); got != 2 { // there was no engine yet at the first newgame
		t.Errorf("the engine was told of %d new games", got)
	}
}

// TestRefused checks messages that come at the wrong time, or break the rules.
func TestRefused(t *testing.T) {
	position := func(side arimaa.Side, gold, silver string) string {
		g, err := notation.ReadGame("", "1g "+gold+"\n1s "+silver+"\n2g")
		require.NoError(t, err)
		return "setposition " + arimaa.NewPosition(g.Last().Board, side).String()
	}
	// The elephants go to and fro until the position after ed8s has occurred twice.
	repeat := []string{
		position(arimaa.Gold, "Ed4 Ra1", "ed7 rh8"),
		"makemove Ed4w", "makemove ed7n", "makemove Ec4e", "makemove ed8s",
		"makemove Ed4w", "makemove ed7n", "makemove Ec4e",
	}
	for _, test := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"stop", []string{"stop"}, []string{"log Error: stop: no search is running"}},
		{"go twice", []string{inOpening, "go", "go", "go ponder", "stop"}, []string{
			"log Error: go: a search is already running", "log Error: go: a search is already running", "bestmove Ha2n",
		}},
		{"silver to move", []string{"setposition s" + strings.TrimPrefix(inOpening, "setposition g"), "go", "stop", "makemove ed7s", "makemove Ee2n"}, []string{
			"bestmove ha7s",
		}},
		{"ponder twice", []string{inOpening, "go ponder", "go ponder", "go", "stop"}, []string{
			"log Error: go: a search is already running", "bestmove Ha2n",
		}},
		{"option", []string{"setoption name contempt value 3", "setoption name button", "setoption name a long name value x"}, []string{
			`log Warning: setoption: there is no option "contempt"`, `log Warning: setoption: there is no option "button"`,
			`log Warning: setoption: there is no option "a long name"`,
		}},
		{"setup", []string{
			"makemove " + silverSetup, "makemove Ee3", "makemove", "makemove Ee2n", "makemove " + goldSetup, "makemove " + goldSetup,
			"makemove " + silverSetup, "makemove " + silverSetup, "go", "stop",
		}, []string{
			`log Error: makemove: "ra8": this piece is not gold's`, "log Error: makemove: Ee3: this is not a square where gold sets up",
			"log Error: makemove: there is no piece in it", `log Error: makemove: "Ee2n" is not a placement such as Ra1`,
			`log Error: makemove: "Ra1": this piece is not silver's`, `log Error: makemove: turn 2g: "ra8" is not a step such as Ee2n`,
			"bestmove Ha2n",
		}},
		{"turns", []string{
			inOpening, "makemove Ee2n Ee3s", "makemove Ee2n Ee3n Ee4n Ee5n Ee6n", "makemove ed7s", "makemove Ee2n Cc3x",
			"makemove pass", "makemove resign", "makemove Ee2n",
		}, []string{
			"log Error: makemove: turn 2g: a turn must change the board", "log Error: makemove: turn 2g: Ee6n: a turn has four steps at most",
			"log Error: makemove: turn 2g: ed7s: no free stronger piece of gold can push or pull it there",
			"log Error: makemove: turn 2g: Cc3x was not captured by the step before",
			`log Error: makemove: turn 2g: "pass" is not a step such as Ee2n`, `log Error: makemove: turn 2g: "resign" is not a step such as Ee2n`,
		}},
		{"repetition", append(slices.Clone(repeat), "makemove ed8s", "makemove Ra1n", "makemove ed8s ed7s"), []string{
			"log Error: makemove: turn 5s: the turn would create the third occurrence of this position",
			`log Error: makemove: turn 5s: Ra1n: no free stronger piece of silver can push or pull it there`,
		}},
		{"no history", append(slices.Clone(repeat), position(arimaa.Silver, "Ed4 Ra1", "ed8 rh8"), "makemove ed8s"), nil},
		{"captures", []string{position(arimaa.Gold, "Ee2 Ra1 Cc2", "ea8 rh8"), "makemove Cc2n", "makemove ea8s"}, nil},
		{"written captures", []string{position(arimaa.Gold, "Ee2 Ra1 Cc2", "ea8 rh8"), "makemove Cc2n Cc3x", "makemove ea8s"}, nil},
		{"unusual", []string{
			"setposition g [rrrrrrrrhdcemcde                                HDCMECDHRRRRRRRR]", "go", "setposition g [r]",
			"setposition x " + inOpening[14:], inOpening + " g", inOpening + "\tg",
		}, []string{
			"log Error: setposition: ", "log Error: go: " + errOutOfSync.Error(), "log Error: setposition: ", "log Error: setposition: ",
			"log Error: setposition: ", "log Error: setposition: ",
		}},
		{"out of sync", []string{
			inOpening, "setposition g [r]", "go", "go ponder", "stop", "makemove Ee2n", inOpening, "makemove Ee2n", "go", "stop",
			"setposition g", "go", "newgame", "go",
		}, []string{
			"log Error: setposition: ", "log Error: go: " + errOutOfSync.Error(), "log Error: go: " + errOutOfSync.Error(), "log Error: stop: ",
			"log Error: makemove: " + errOutOfSync.Error(), "bestmove ", "log Error: setposition: ", "log Error: go: " + errOutOfSync.Error(), "bestmove ",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := converse(t, &fake{t: t}, "aei\n"+strings.Join(test.lines, "\n")+"\n")
			require.NoError(t, err)
			got = got[len(opened):]
			ok := len(got) == len(test.want)
			for i := range min(len(got), len(test.want)) {
				if strings.HasSuffix(test.want[i], " ") {
					got[i] = got[i][:min(len(got[i]), len(test.want[i]))]
				}
				ok = ok && got[i] == test.want[i]
			}
			if !ok {
				t.Error(cmp.Diff(test.want, got))
			}
		})
	}
}

// TestSetPosition sets a position in every form, and says what is wrong with texts that are similar.
func TestSetPosition(t *testing.T) {
	squares := strings.Repeat(" ", 7) + "r" + strings.Repeat(" ", 43) + "D" + strings.Repeat(" ", 7) + "R" + strings.Repeat(" ", 4)
	const ranks, noBrackets = "7r/8/8/8/8/8/3D4/3R4", "after the side letter there must be the squares in brackets: g [...]"
	for _, test := range []struct{ text, wrong string }{
		{`g [` + squares + `]`, ""},
		{`g "` + squares + `"`, ""},
		{` g'` + squares + `' `, ""},
		{`w “` + squares + `”`, ""},
		{`22g ‘` + squares + `’`, ""},
		{`g "[` + squares + `]"`, ""},
		{`"g [` + squares + `]"`, ""},
		{`"g ` + squares + `"`, ""},
		{`“22w ` + squares + `”`, ""},
		{`g ` + ranks, ""},
		{`g "` + ranks + `"`, ""},
		{`"22g ` + ranks + `"`, ""},
		{`"Rd1 Dd2 rh8 g"`, ""},
		{`g "` + squares[1:] + `"`, "the brackets hold 63 squares, not 64"},
		{`g "` + squares + ` "`, "the brackets hold 65 squares, not 64"},
		{`"g ` + squares[:63] + `"`, "the brackets hold 63 squares, not 64"},
		{`"g  ` + squares + `"`, "the brackets hold 65 squares, not 64"},
		{`"g` + squares + `"`, "the brackets hold 63 squares, not 64"},
		{`g "` + squares[:63] + `x"`, "unknown letter 'x' on h1"},
		{`"` + squares + `"`, "nothing says who is to move: write g (gold) or s (silver) before the position"},
		{`x "` + squares + `"`, "a position in short form begins with g or s, not 'x'"},
		{`g "` + squares + `'`, noBrackets},
		{`g "` + squares, noBrackets},
		{`g ` + squares + `"`, noBrackets},
		{`g ` + squares, noBrackets},
		{`g "r"`, noBrackets},
		{`g ""`, noBrackets},
		{`g "g ` + squares + `"`, noBrackets},
		{`g "[` + squares + `]" "`, "text after the position"},
		{`g [` + squares + "]\tmate in 2", "text after the position"},
		{`g "[` + squares + "]\tmate in 2\"", "text after the position"},
		{`g "` + strings.Repeat(" ", 64) + `"`, "there is no position: the board is empty"},
		{`g "EE` + squares[2:] + `"`, "gold has 2 elephants, a full army has 1"},
		{`g "` + squares[:18] + "C" + squares[19:] + `"`, "the piece C stands on the trap c6 without a defender"},
	} {
		f := &fake{t: t}
		got, err := converse(t, f, "aei\nsetposition "+test.text+"\ngo\nstop\n")
		require.NoError(t, err)
		switch got = got[len(opened):]; {
		case test.wrong != "":
			if got[0] != "log Error: setposition: "+test.wrong || len(f.asked()) != 0 {
				t.Errorf("%q: %q, want %q", test.text, got, test.wrong)
			}
		case len(f.asked()) != 1 || f.asked()[0].position != "g ["+squares+"]":
			t.Errorf("%q: %q, %v", test.text, got, f.asked())
		}
	}
}

// TestOver checks the answers to go in games that are over.
func TestOver(t *testing.T) {
	for _, test := range []struct{ position, turn, want string }{
		{"Ee2 Ra8 ea1 rh8 s", "", "gold has won (goal)"},
		{"Ee2 Ra7 ea3 rh1 s", "", "silver has won (goal)"}, // the side to move
		{"Ee2 Ra8 ea3 rh1 s", "", "gold has won (goal)"},
		{"Ee2 ea3 rh8 g", "", "silver has won (elimination)"},
		{"Ee2 Ra1 ea3 g", "", "gold has won (elimination)"},
		{"Ee2 ea3 g", "", "silver has won (elimination)"},
		{"Ra1 ea2 rh8 g", "", "silver has won (immobilisation)"},
		{"Ee2 Ra7 ea1 rh8 g", "Ra7n", "gold has won (goal)"},
		{"Ec4 Ra1 rc5 ea8 g", "rc5n rc6x Ec4n", "gold has won (elimination)"},
		{"Eh6 Ra1 rh8 g", "Eh6n", "gold has won (immobilisation)"},
	} {
		t.Run(test.position, func(t *testing.T) {
			input := "aei\nsetposition " + test.position + "\n"
			if test.turn != "" {
				input += "makemove " + test.turn + "\n"
			}
			input += "go\nstop\ngo ponder\nisready\nstop\ngo infinite\ngo\ngo mate 2\nmakemove Ee2n\n" + inOpening + "\ngo\nstop\n"
			f := &fake{t: t}
			got, err := converse(t, f, input)
			require.NoError(t, err)
			over := "log Warning: go: the game is over: " + test.want
			want := append(slices.Clone(opened), over, "bestmove ", "log Error: stop: no search is running",
				over, "readyok", "bestmove ", over, over, "bestmove ", over, "bestmove none", "log Error: makemove: ", "bestmove Ha2n")
			for i, line := range got {
				if strings.HasPrefix(line, "log Error: makemove: ") && strings.HasSuffix(line, ": the game is over: "+test.want) {
					got[i] = "log Error: makemove: "
				}
			}
			if d := cmp.Diff(want, got); d != "" || len(f.asked()) != 1 {
				t.Errorf("%v\n%s", f.asked(), d)
			}
		})
	}
}

func isBest(line string) bool { return strings.HasPrefix(line, "bestmove ") }

// TestStopAnyTime sends stop at every moment of searches that may end by themselves just then:
// each go has one bestmove.
func TestStopAnyTime(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	ends := make(chan bool, 1)
	c := control(t, &fake{t: t, ends: func() bool { return <-ends }})
	c.send(inOpening)
	n := boards.Sized(200, 1000)
	for range n {
		ends <- random.IntN(2) == 0
		c.send("go")
		switch random.IntN(3) {
		case 0:
			for range random.IntN(20) {
				runtime.Gosched()
			}
		case 1:
			time.Sleep(time.Duration(random.IntN(200)) * time.Microsecond)
		}
		c.send("stop", "isready")
		_, before := c.expect("readyok")
		n := 0
		for _, line := range before {
			if isBest(line) {
				n++
			} else if !strings.HasPrefix(line, "info ") && line != "log Error: stop: no search is running" {
				t.Fatalf("unexpected: %s", line)
			}
		}
		if n != 1 {
			t.Fatalf("%d bestmoves: %q", n, before)
		}
	}
	c.quit()
}

// TestPonder checks that pondering answers at stop alone, even when the search has ended.
func TestPonder(t *testing.T) {
	for _, ends := range []bool{false, true} {
		c := control(t, &fake{t: t, ends: func() bool { return ends }})
		c.send("setoption name tcmove value 0.001", inOpening, "go ponder")
		c.expect("info depth 3")
		time.Sleep(20 * time.Millisecond) // longer than the time for a turn
		c.send("isready")
		if _, before := c.expect("readyok"); slices.ContainsFunc(before, isBest) {
			t.Fatalf("a bestmove while pondering: %q", before)
		}
		c.send("stop")
		c.expect("bestmove ")
		// A go in place of stop begins the turn.
		c.send("go ponder", "go")
		c.expect("bestmove ")
		c.send("newgame", "go ponder", "isready")
		if _, before := c.expect("readyok"); len(before) > 0 {
			t.Fatalf("unexpected: %q", before)
		}
		c.send("stop")
		c.expect("bestmove ")
		c.quit()
		asked := c.fake.asked()
		if len(asked) != 3 || asked[1].limits.Time != 0 || asked[2].limits.Time == 0 {
			t.Errorf("searches: %+v", asked)
		}
	}
}

// TestTime checks the times that searches get, and that a search that does not look at its
// limit is ended.
func TestTime(t *testing.T) {
	for _, test := range []struct {
		name     string
		options  string
		from, to time.Duration
	}{
		{"none", "", 10 * time.Second, UntimedTurn},
		{"a depth", "depth 0", 10 * time.Second, UntimedTurn},
		{"move", "tcmove 8", 7 * time.Second, 8 * time.Second},
		{"reserve of the side to move", "tcmove 8,greserve 100,sreserve 0", 11 * time.Second, 13 * time.Second},
		{"starting reserve", "tcmove 8,tcreserve 100", 11 * time.Second, 13 * time.Second},
		{"used", "tcmove 8,moveused 4", 3 * time.Second, 4 * time.Second},
		{"longest turn", "tcmove 8,tcturntime 4.5", 4 * time.Second, 4500 * time.Millisecond},
		{"game", "tcmove 8,tctotal 4", 3 * time.Second, 4 * time.Second},
		{"no time left", "tcmove 8,moveused 9", 1, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &fake{t: t}
			input := "aei\n" + inOpening + "\n"
			for _, option := range strings.Split(test.options, ",") {
				if name, value, ok := strings.Cut(option, " "); ok {
					input += "setoption name " + name + " value " + value + "\n"
				}
			}
			got, err := converse(t, f, input+"go\nstop\n")
			if test.to == 1 { // the answer may come before the stop
				got = slices.DeleteFunc(got, func(l string) bool { return l == "log Error: stop: no search is running" })
			}
			if err != nil || len(got) != len(opened)+1 {
				t.Fatalf("%q: %v", got, err)
			}
			if l := f.asked()[0].limits; l.Aim < test.from || l.Aim > test.to || l.Time < l.Aim {
				t.Errorf("%v, want %v to %v; at most %v", l.Aim, test.from, test.to, l.Time)
			}
		})
	}
	c := control(t, &fake{t: t})
	c.send("setoption name tcmove value 0.05", inOpening, "go")
	c.expect("bestmove ")
	c.quit()
}

// TestReserveKept checks that the session keeps the clock where the controller does not.
func TestReserveKept(t *testing.T) {
	f := &fake{t: t}
	c := control(t, f)
	c.send("setoption name tcmove value 0", "setoption name tcreserve value 100", inOpening, "go")
	c.expect("info pv")
	time.Sleep(50 * time.Millisecond)
	c.send("setoption name moveused value 50", "stop")
	line, _ := c.expect("bestmove ")
	c.send("makemove "+strings.TrimPrefix(line, "bestmove "), "makemove hh7s", "go", "stop")
	c.expect("bestmove ")
	c.send("newgame", inOpening, "go", "stop")
	c.expect("bestmove ")
	c.quit()
	asked := f.asked()
	first, second, again := asked[0].limits.Time, asked[1].limits.Time, asked[2].limits.Time
	// The next budget is a twentieth of the rest. What had passed before the first one was given is
	// in both.
	if lost := 20 * (first - second); lost < 25*time.Millisecond || lost > 10*time.Second {
		t.Errorf("budgets of %v, then %v", first, second)
	}
	if 20*(first-again) > 10*time.Second {
		t.Errorf("a budget of %v in a new game, %v before", again, first)
	}
}

// TestSettings checks when hash, threads and without count.
func TestSettings(t *testing.T) {
	c := control(t, &fake{t: t})
	c.send(inOpening, "setoption name hash value 100", "setoption name threads value 2", "go")
	c.expect("info pv ")
	c.send("setoption name hash value 5000", "setoption name threads value 9", "setoption name hash value 200", "isready", "stop", "go", "stop",
		"setoption name hash value 0", "setoption name threads value 0", "setoption name without value everything",
		"setoption name without value a, b", "isready")
	_, before := c.expect("log Error")
	before = slices.DeleteFunc(before, func(l string) bool { return strings.HasPrefix(l, "info ") })
	if len(before) > 0 {
		t.Errorf("unexpected: %q", before)
	}
	c.expect("log Error: setoption: threads: \"9\": that is too much")
	c.expect("readyok")
	c.expect("bestmove ")
	c.expect("bestmove ")
	c.expect("log Error: setoption: without: \"everything\": that is too much")
	c.expect("readyok")
	c.quit()
	var got []player.Settings
	for _, s := range c.fake.asked() {
		got = append(got, s.settings)
	}
	if d := cmp.Diff([]player.Settings{{Threads: 2, Memory: 100 << 20}, {Threads: 2, Memory: 200 << 20}}, got); d != "" {
		t.Error(d)
	}
	if c.fake.settings != (player.Settings{Threads: 1, Memory: 64 << 20, Without: "a, b"}) {
		t.Errorf("not what the session began with, without a and b: %+v", c.fake.settings)
	}
}

// TestNoEngine checks that a session without an engine ends with the reason.
func TestNoEngine(t *testing.T) {
	reason := errors.New("there is no memory")
	for _, line := range []string{"isready", inOpening + "\ngo"} {
		c := config(&fake{t: t})
		c.New = func(player.Settings) (player.Player, error) { return nil, reason }
		var out strings.Builder
		err := Serve(t.Context(), strings.NewReader("aei\n"+line+"\nisready\n"), &out, c)
		if !errors.Is(err, reason) || !strings.HasSuffix(out.String(), "aeiok\nlog Error: there is no memory\n") {
			t.Errorf("%v\n%s", err, out.String())
		}
	}
}

// scripted is an engine that reports what it is told.
type scripted struct {
	reports []engine.Report
	err     error
}

func (e *scripted) Forget() {}

func (e *scripted) Search(_ context.Context, _ *arimaa.Game, _ engine.Limits, report func(engine.Report)) (engine.Report, error) {
	for _, r := range e.reports {
		report(r)
	}
	return e.reports[len(e.reports)-1], e.err
}

// turns reads the turns of a line of play.
func turns(t rapid.TB, p arimaa.Position, texts ...string) (all []arimaa.Turn) {
	t.Helper()
	g := arimaa.NewGame(p, 2)
	for i, text := range texts {
		require.NoError(t, notation.Play(g, text))
		all = append(all, g.Turn(i))
	}
	return all
}

// TestInfo checks how reports are written.
func TestInfo(t *testing.T) {
	g, err := notation.ReadGame("", "1g Ee2 Cc2 Rh1\n1s ea8 dd7 rg8\n2g")
	require.NoError(t, err)
	line := turns(t, g.Last(), "Cc2n Cc3x Rh1n", "dd7s", "Rh2n")
	reports := []engine.Report{
		{Turn: line[0], Line: line[:1], Score: -35, Depth: 4, Nodes: 1234, Time: 400 * time.Millisecond},
		{Turn: line[0], Line: line, Score: 9998, Depth: 9, Deeper: true, Win: 2, Nodes: 5678, Time: 2999 * time.Millisecond},
		{Turn: line[0], Line: []arimaa.Turn{line[0], line[2]}, Score: 9998, Depth: 10, Win: 2},
		{Turn: line[0], Score: 9999, Depth: 10, Win: 1},
		{Turn: line[0], Score: -9990, Depth: 11, Loss: 3},
	}
	out, err := serve(t, &scripted{reports: reports}, "setposition "+g.Last().String()+"\ngo ponder\nstop\n")
	require.NoError(t, err)
	want := strings.Join(opened, "\n") + `
info depth 4
info time 0
info nodes 1234
info score -35
info pv Cc2n Cc3x Rh1n
info depth 9+
info time 2
info nodes 5678
info score 9998
info pv Cc2n Cc3x Rh1n s dd7s g Rh2n
log proved: win in at most 2
info depth 10
info time 0
info nodes 0
info score 9998
info pv Cc2n Cc3x Rh1n
info depth 10
info time 0
info nodes 0
info score 9999
log proved: win in 1
info depth 11
info time 0
info nodes 0
info score -9990
log proved: lost in at most 3
info depth 11
info time 0
info nodes 0
info score -9990
bestmove Cc2n Cc3x Rh1n
`
	if d := cmp.Diff(want, out); d != "" {
		t.Error(d)
	}
}

// TestManyReports checks that a search never waits for its reports to be written.
func TestManyReports(t *testing.T) {
	c := config(&fake{t: t})
	e := &talkative{returned: make(chan struct{})}
	c.New = func(player.Settings) (player.Player, error) { return e, nil }
	done := make(chan error, 1)
	go func() {
		done <- Serve(t.Context(), strings.NewReader("aei\n"+inOpening+"\ngo ponder\nstop\n"), stalled(e.returned), c)
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Error("the search waits")
	}
}

// talkative is an engine with many reports.
type talkative struct{ returned chan struct{} }

func (e *talkative) Forget() {}

func (e *talkative) Search(_ context.Context, g *arimaa.Game, _ engine.Limits, report func(engine.Report)) (engine.Report, error) {
	r := engine.Report{Turn: firstTurn(g)}
	for range 10 * keptReports {
		report(r)
	}
	close(e.returned)
	return r, nil
}

// stalled is an output that takes no info line until a channel is closed.
type stalled chan struct{}

func (s stalled) Write(b []byte) (int, error) {
	if strings.HasPrefix(string(b), "info ") {
		<-s
	}
	return len(b), nil
}

// TestNoTurn checks what an engine without a turn, or with an illegal one, is made of.
func TestNoTurn(t *testing.T) {
	for want, e := range map[string]*scripted{
		"log Error: go: nothing is allowed":                                 {[]engine.Report{{}}, errors.New("nothing is allowed")},
		`log Error: go: the engine answered "", which is no legal turn`:     {[]engine.Report{{}}, nil},
		`log Error: go: the engine answered "ed7s", which is no legal turn`: {[]engine.Report{{Turn: turns(t, mustPosition(t).EndTurn(), "ed7s")[0]}}, nil},
	} {
		out, err := serve(t, e, inOpening+"\ngo\nstop\nisready\n")
		if !strings.Contains(out, want+"\n") || !strings.HasSuffix(out, "readyok\n") || strings.Contains(out, "bestmove") || err != nil {
			t.Errorf("%s: %v\n%s", want, err, out)
		}
	}
}

func mustPosition(t rapid.TB) arimaa.Position {
	return boards.Parse(t, strings.TrimPrefix(inOpening, "setposition "))
}

// TestEnd checks that the end of the input, quit and an interruption end a search and the session.
func TestEnd(t *testing.T) {
	for name, end := range map[string]func(*controller){
		"quit": func(c *controller) { c.send("quit") },
		"end":  func(c *controller) { c.in.Close() },
	} {
		for _, search := range []string{"go", "go ponder", "isready"} {
			c := control(t, &fake{t: t})
			c.send(inOpening, search)
			end(c)
			if err := c.ends(); err != nil || c.fake.busy.Load() {
				t.Errorf("%s, %s: the session ended with %v, a search runs: %v", name, search, err, c.fake.busy.Load())
			}
			for line := range c.lines {
				if isBest(line) {
					t.Errorf("%s, %s: %s", name, search, line)
				}
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	f := &fake{t: t}
	in, w := io.Pipe()
	defer w.Close()
	done := make(chan error)
	go func() { done <- Serve(ctx, in, io.Discard, config(f)) }()
	io.WriteString(w, "aei\n"+inOpening+"\ngo ponder\n\n") // what follows is read when go is handled
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) || f.busy.Load() {
		t.Errorf("an interrupted session ended with %v", err)
	}
}

// TestBrokenInput checks that an input that fails is an error.
func TestBrokenInput(t *testing.T) {
	in, w := io.Pipe()
	reason := errors.New("the cable is cut")
	w.CloseWithError(reason)
	if err := Serve(t.Context(), in, io.Discard, config(&fake{t: t})); !errors.Is(err, reason) {
		t.Error(err)
	}
}

// TestClosedOutput closes the output at every line.
func TestClosedOutput(t *testing.T) {
	input := "aei\nisready\n" + inOpening + "\ngo ponder\nstop\nmakemove x\nisready\nxyz\n"
	for n := range 15 {
		f := &fake{t: t}
		out := &closing{left: n}
		in, w := io.Pipe() // which does not end by itself
		go io.WriteString(w, input)
		err := Serve(t.Context(), in, out, config(f))
		in.Close()
		if !errors.Is(err, io.ErrClosedPipe) || f.busy.Load() {
			t.Errorf("after %d lines: %v", n, err)
		}
	}
}

// closing is an output that is closed after some lines.
type closing struct{ left int }

func (c *closing) Write(b []byte) (int, error) {
	if c.left--; c.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(b), nil
}
