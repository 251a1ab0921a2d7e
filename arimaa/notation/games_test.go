package notation_test

import (
	"errors"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"github.com/google/go-cmp/cmp"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
)

// opening is a whole setup that the tests continue.
const opening = `
1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7
`

func readGame(t testing.TB, text string) *arimaa.Game {
	t.Helper()
	g, err := notation.ReadGame("g.txt", written(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return g
}

// same reports whether two games have the same turns, labels, positions and end.
func same(g, h *arimaa.Game) bool {
	if g.Len() != h.Len() || g.End() != h.End() {
		return false
	}
	for i := range g.Len() {
		if g.Turn(i) != h.Turn(i) {
			return false
		}
	}
	for i := range g.Len() + 1 {
		if g.Position(i) != h.Position(i) || g.Label(i) != h.Label(i) {
			return false
		}
	}
	return true
}

// checkTurns checks that the written list of turns is read as the same game.
func checkTurns(t testing.TB, g *arimaa.Game) {
	t.Helper()
	again, err := notation.ReadGame("", notation.Turns(g))
	if err != nil {
		t.Fatalf("the written turns are not read: %v\n%s", err, notation.Turns(g))
	}
	if !same(g, again) {
		t.Fatalf("written\n%s\nread as\n%s", notation.Turns(g), notation.Turns(again))
	}
}

func TestReadWholeGame(t *testing.T) {
	for _, test := range []struct{ name, text string }{
		{"older letters, last label", opening + `2w Ee2n Ee3n Ee4n Ee5n
2b hh7s hh6s ha7s
3w Ee6w me7s Ed6s me6w
3b
`},
		{"letters g and s", strings.NewReplacer("1w", "1g", "1b", "1s").Replace(opening) + `2g Ee2n Ee3n Ee4n Ee5n
2s hh7s hh6s ha7s
3g Ee6w me7s Ed6s me6w
3s
`},
		{"no last label, CRLF, tabs, blanks, comments", "⌂# a game¶" + strings.ReplaceAll(opening, "\n", "¶\n") + `2w→Ee2n··Ee3n→Ee4n Ee5n→¶
  2b hh7s hh6s ha7s·
# two pulls

3w Ee6w me7s Ed6s me6w`},
		{"Silver's setup first", `
1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7
1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
2w Ee2n Ee3n Ee4n Ee5n
2b hh7s hh6s ha7s
3w Ee6w me7s Ed6s me6w
`},
		{"turns taken back", opening + `2w Ee2n Ee3n
2b ha7s
3w takeback
2b takeback
2w Ee2n Ee3n Ee4n Ee5n
2b hh7s hh6s ha7s
3w Ee6w me7s
3b takeback
3w Ee6w me7s Ed6s me6w
`},
		{"setups taken back", `
1w Ee1 Rh2
1b takeback
1w Ee1 Ra2
1b ee8 rh7
2w takeback
1b ra8 ea7
2w Ra2n
2b takeback
2w takeback
1b takeback
1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7
2w Ee2n Ee3n Ee4n Ee5n
2b hh7s hh6s ha7s
3w Ee6w me7s Ed6s me6w
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := readGame(t, test.text)
			if want := boards.Parse(t, "s rrrrrrrr/1dce1cd1/h2m4/3E3h/8/8/HDCM1CDH/RRRRRRRR"); g.Last() != want {
				t.Errorf("the position is %v, want %v", g.Last(), want)
			}
			if g.Len() != 3 || g.Label(0) != "2g" || g.Label(1) != "2s" || g.Label(3) != "3s" || g.End() != "" || g.Outcome().Over() {
				t.Errorf("%d turns, labels %s, %s, %s, end %q, outcome %v", g.Len(), g.Label(0), g.Label(1), g.Label(3), g.End(), g.Outcome())
			}
			checkTurns(t, g)
			if h := g.At(3); !same(g, h) || notation.Turns(h) != notation.Turns(g) {
				t.Errorf("the game at its end is written\n%s", notation.Turns(h))
			}
			want := strings.TrimPrefix(opening, "\n") + `2w Ee2n Ee3n Ee4n Ee5n
2b hh7s hh6s ha7s
3w Ee6w me7s Ed6s me6w
`
			if d := cmp.Diff(want, notation.Turns(g)); d != "" {
				t.Errorf("written (- want, + got):\n%s", d)
			}
		})
	}
}

// TestReadHandMade reads positions set up by hand, with the turns that follow, if any.
func TestReadHandMade(t *testing.T) {
	for _, test := range []struct {
		name, text string
		pieces     string // after the last turn
		next       string // label of the turn to come
		turns      string // as written; empty: as the text
	}{
		{"a pass gives Silver the move", `
1w Ca1 Rd2
1b ra5
2w pass
2b
`, "Ca1 Rd2 ra5", "2s", "1w Ca1 Rd2\n1b ra5\n2w pass\n"},
		{"turns after the pass", `
1w Ca1 Rd2
1b ra5
2w pass
2b ra5s ra4s
3w Rd2n
3b
`, "Ca1 Rd3 ra3", "3s", "1w Ca1 Rd2\n1b ra5\n2w pass\n2b ra5s ra4s\n3w Rd2n\n"},
		{"no pass, letters g and s", `
1g Ca1 Rd2
1s ra5
2g Rd2n Rd3n
`, "Ca1 Rd4 ra5", "2s", "1w Ca1 Rd2\n1b ra5\n2w Rd2n Rd3n\n"},
		{"a pass by Silver", `
1w Ca1 Rd2
1b ra5
2b pass
3w
`, "Ca1 Rd2 ra5", "3g", "1w Ca1 Rd2\n1b ra5\n3w\n"},
		{"a pass taken back", `
1w Ca1 Rd2
1b ra5
2w pass
2b ra5s
3w takeback
2b takeback
2w Rd2n
`, "Ca1 Rd3 ra5", "2s", "1w Ca1 Rd2\n1b ra5\n2w Rd2n\n"},
		{"a pass and then a setup taken back", `
1w Ca1 Rd2
1b ra6
2w pass
2b takeback
2w Rd2n
2b takeback
2w takeback
1b ra5
2b
`, "Ca1 Rd2 ra5", "2s", "1w Ca1 Rd2\n1b ra5\n2w pass\n"},
		{"a first label without a turn", `
1w Ca1 Rd2
1b ra5
2b
`, "Ca1 Rd2 ra5", "2s", "1w Ca1 Rd2\n1b ra5\n2w pass\n"},
		{"a later turn", `
1w Ca1 Rd2
1b ra5
34b ra5s
35w
`, "Ca1 Rd2 ra4", "35g", "1w Ca1 Rd2\n1b ra5\n34w pass\n34b ra5s\n"},
		{"a later first label without a turn", `
1w Ca1 Rd2
1b ra5
34w
`, "Ca1 Rd2 ra5", "34g", ""},
		{"the setup alone", `
1w Ca1 Rd2
1b ra5
`, "Ca1 Rd2 ra5", "2g", "1w Ca1 Rd2\n1b ra5\n"},
		{"a side without pieces", `
1w
1b ra5
2b
`, "ra5", "2s", "1w\n1b ra5\n2w pass\n"},
		{"a side left out", "1b ra5", "ra5", "2g", "1w\n1b ra5\n"},
		{"too many of a kind, undefended on traps", `
1w Ec3 Ed1 Rh1
1b ec6 ma8 mb8 ra6
2w Ed1w
`, "Ec1 Rh1 ra6 ma8 mb8", "2s", "1w Ec3 Ed1 Rh1\n1b ec6 ma8 mb8 ra6\n2w Ed1w Ec3x ec6x\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := readGame(t, test.text)
			if want := boards.Parse(t, test.pieces+" "+test.next[len(test.next)-1:]); g.Last() != want {
				t.Errorf("the position is %v, want %v", g.Last(), want)
			}
			if got := g.Label(g.Len()); got != test.next {
				t.Errorf("turn %s is next, want %s", got, test.next)
			}
			want := test.turns
			if want == "" {
				want = written(test.text)
			}
			if d := cmp.Diff(want, notation.Turns(g)); d != "" {
				t.Errorf("written (- want, + got):\n%s", d)
			}
			checkTurns(t, g)
		})
	}
}

// TestReadEnds reads how players end a game.
func TestReadEnds(t *testing.T) {
	for _, test := range []struct{ text, end, next string }{
		{"2w Ca1n\n2b resigns\n", "resigns", "2s"},
		{"2w Ca1n\n2b resign", "resign", "2s"},
		{"2w Ca1n\n2b lost\n", "lost", "2s"},
		{"2w resigns\n", "resigns", "2g"},
		{"2b resigns\n", "resigns", "2s"},
		{"2w Ca1n\n2b\n", "", "2s"},
		{"2w Ca1n\n", "", "2s"},
		// A last label after the resignation, which some records count as a turn.
		{"2w Ca1n\n2b resigns\n2b\n", "resigns", "2s"},
		{"2w Ca1n\n2b resigns\n3w\n", "resigns", "2s"},
		{"2w Ca1n\n2b ra5s\n3w resign\n3b", "resign", "3g"},
	} {
		g := readGame(t, "1w Ca1 Rd2\n1b ra5\n"+test.text)
		if got := g.Label(g.Len()); g.End() != test.end || got != test.next {
			t.Errorf("%q: end %q before turn %s, want %q before %s", test.text, g.End(), got, test.end, test.next)
		}
		checkTurns(t, g)
	}
}

// TestReadCaptures reads records with the captures written and left out.
func TestReadCaptures(t *testing.T) {
	const setup = "1w Ee3 Cb3 Df3 Rh1\n1b hd3 rh8\n"
	for _, test := range []struct{ name, turn, want string }{
		{"a piece pushed onto a trap, and one left behind", "hd3w hc3x Ee3w Df3x", ""},
		{"the same, not written", "hd3w Ee3w", "hd3w hc3x Ee3w Df3x"},
		{"one of the two written", "hd3w Ee3w Df3x", "hd3w hc3x Ee3w Df3x"},
		{"a piece that steps onto a trap", "Cb3e Cc3x", ""},
		{"the same, not written", "Cb3e Ee3n", "Cb3e Cc3x Ee3n Df3x"},
		{"a piece whose defender leaves", "Ee3n Df3x Ee4n", ""},
		{"in the middle of a pull", "Ee3n Df3x hd3e", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.want == "" {
				test.want = test.turn
			}
			g, err := notation.ReadGame("", setup+"2w "+test.turn+"\n")
			require.NoError(t, err)
			if d := cmp.Diff(setup+"2w "+test.want+"\n", notation.Turns(g)); d != "" {
				t.Errorf("written (- want, + got):\n%s", d)
			}
			checkTurns(t, g)
		})
	}
	for turn, want := range map[string]string{
		"hc3x hd3w Ee3w":           `3:4: turn 2w: hc3x was not captured by the step before`,
		"hd3w Ee3w hc3x":           `3:14: turn 2w: hc3x was not captured by the step before`,
		"hd3w hc3x hc3x Ee3w":      `3:14: turn 2w: hc3x was not captured by the step before`,
		"hd3w Hc3x Ee3w":           `3:9: turn 2w: Hc3x was not captured by the step before`,
		"hd3w hf3x Ee3w":           `3:9: turn 2w: hf3x was not captured by the step before`,
		"hd3w hc9x Ee3w":           `3:9: turn 2w: hc9x was not captured by the step before`,
		"hd3w ?c3x Ee3w":           `3:9: turn 2w: ?c3x was not captured by the step before`,
		"Cb3n Cb4n Cb4x":           `3:14: turn 2w: Cb4x was not captured by the step before`,
		"Ee3n Df3x Ee4n Df3x Ee5n": `3:19: turn 2w: Df3x was not captured by the step before`,
	} {
		g, err := notation.ReadGame("", setup+"2w "+turn+"\n")
		checkParseError(t, g, err, want)
	}
}

// caged is a game at whose end each turn of Gold would create a third occurrence.
const caged = `
1w Eb1 Ch4 Rd4
1b ea2 eb2 ec1 dd5 dh5 cd8 ra8
2w pass
2b dh5n
3w Ch4w
3b dh6s
4w Cg4e
4b cd8e
5w Eb1w
5b ce8w
`

func TestGameErrors(t *testing.T) {
	const hand = `
1w Ea1 Rd2 Rh2
1b ra5 cd3 me5
`
	const pass = hand + "2w pass\n"
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", `g.txt:1:1: there is no turn in it`},
		{"comments alone", "# a\n\n", `g.txt:1:1: there is no turn in it`},
		{"no label", "# a\n hello\n", `g.txt:2:2: a turn begins with its number and side, for example 2g or 2w, not "hello"`},
		{"no number", "w Ca1\n", `g.txt:1:1: a turn begins with its number and side, for example 2g or 2w, not "w"`},
		{"no side", hand + "2 Ea1n\n", `g.txt:3:1: a turn begins with its number and side, for example 2g or 2w, not "2"`},
		{"another side", hand + "2x Ea1n\n", `g.txt:3:1: a turn begins with its number and side, for example 2g or 2w, not "2x"`},
		{"turn 0", "0w Ca1\n", `g.txt:1:1: a turn begins with its number and side, for example 2g or 2w, not "0w"`},
		{"a number too great", hand + "100001w Ea1n\n", `g.txt:3:1: a turn begins with its number and side, for example 2g or 2w, not "100001w"`},
		{"the greatest number", hand + "100000w Ea1n\n", `g.txt:3:1: turn 100000w: games end before turn 100000`},
		{"a pass with the greatest number", hand + "100000b pass\n", `g.txt:3:1: turn 100000b: games end before turn 100000`},

		{"a step in the setup", "1w Ca1n\n", `g.txt:1:1: turn 1 is the setup: pieces and squares, for example Ra1`},
		{"a word in the setup", "1w resigns\n", `g.txt:1:1: turn 1 is the setup: pieces and squares, for example Ra1`},
		{"a step after pieces", "1w Ca1 Rb1n\n", `g.txt:1:8: "Rb1n" is not a placement such as Ra1`},
		{"no such square", "1w Ca1 Ra9\n", `g.txt:1:8: "Ra9" is not a placement such as Ra1`},
		{"no such piece", "1w Ca1 Kb1\n", `g.txt:1:8: "Kb1" is not a placement such as Ra1`},
		{"letters of several bytes", "1w Ca1 é1\n", `g.txt:1:8: "é1" is not a placement such as Ra1`},
		{"the other side's piece", "1w Ca1 rb1\n", `g.txt:1:8: "rb1": this piece is not gold's`},
		{"the other side's piece, Silver", "1b Ra1\n", `g.txt:1:4: "Ra1": this piece is not silver's`},
		{"one square twice", "1w Ca1 Ra1\n", `g.txt:1:8: "Ra1": the square is taken`},
		{"one square for both sides", "1w Ca1\n1b ra1\n", `g.txt:2:4: "ra1": the square is taken`},
		{"one setup twice", hand + "1w Ch8\n", `g.txt:3:1: turn 1w stands twice`},
		{"pieces in a later turn", "2w Ca1\n", `g.txt:1:1: pieces are placed in turn 1, not in 2w`},
		{"the setup after the first turn", pass + "1w Ch8\n", `g.txt:4:1: turn 1w stands where turn 2s is expected`},

		{"nothing to take back", "1b takeback\n", `g.txt:1:4: there is no turn to take back`},
		{"Silver's setup taken back by Silver", hand + "1b takeback\n", `g.txt:3:4: there is no turn to take back`},
		{"the setup taken back at a wrong turn", hand + "3w takeback\n", `g.txt:3:4: there is no turn to take back`},
		{"an empty setup taken back", "1w Ca1\n1b\n2w takeback\n", `g.txt:3:4: there is no turn to take back`},
		{"more taken back than played", hand + "2w Ea1n\n2b takeback\n2w takeback\n1b takeback\n1w takeback\n", `g.txt:7:4: there is no turn to take back`},
		{"taken back at a wrong turn", hand + "2w Ea1n\n2w takeback\n", `g.txt:4:1: turn 2w stands where turn 2s is expected`},
		{"taken back before a game of later turns", hand + "34w Ea1n\n34b takeback\n34w takeback\n", `g.txt:5:5: there is no turn to take back`},

		{"a pass in a later turn", pass + "2b ra5s\n3w pass\n", `g.txt:5:4: turn 3w: a turn must change the board`},
		{"a pass after a pass", pass + "2b pass\n", `g.txt:4:4: turn 2b: a turn must change the board`},
		{"a pass before a step", hand + "2w pass Ea1n\n", `g.txt:3:4: turn 2w: "pass" is not a step such as Ee2n`},
		{"a turn without steps", hand + "2w\n2b ra5s\n", `g.txt:3:1: turn 2w has no steps`},
		{"a later turn without steps", pass + "2b\n3w Ea1n\n", `g.txt:4:1: turn 2b has no steps`},
		{"a turn left out", hand + "2w Ea1n\n3w Ea2n\n", `g.txt:4:1: turn 3w stands where turn 2s is expected`},
		{"a number left out", hand + "2w Ea1n\n3b ra5s\n", `g.txt:4:1: turn 3b stands where turn 2s is expected`},
		{"a wrong last label", hand + "2w Ea1n\n3w\n", `g.txt:4:1: turn 3w stands where turn 2s is expected`},
		{"a wrong last label after the end", hand + "2w resigns\n3w\n", `g.txt:4:1: turn 3w stands where turn 2g is expected`},
		{"a turn after the end", hand + "2w resigns\n2b ra5s\n", `g.txt:4:1: a turn after the game has ended (resigns)`},
		{"a wrong number after the end", hand + "2w resigns\n3b\n", `g.txt:4:1: turn 3b stands where turn 2g is expected`},
		{"two labels after the end", hand + "2w lost\n2b\n3w\n", `g.txt:4:1: turn 2b has no steps`},

		{"an unknown word", hand + "2w hello\n", `g.txt:3:4: turn 2w: "hello" is not a step such as Ee2n`},
		{"an unknown word behind a step", hand + "2w Ea1n\t resigns\n", `g.txt:3:10: turn 2w: steps stand before "resigns"`},
		{"a word behind takeback", hand + "2w Ea1n\n2b takeback ra5s\n", `g.txt:4:4: turn 2b: "takeback" is not a step such as Ee2n`},
		{"a placement for a step", hand + "2w Ea1n Eb2\n", `g.txt:3:9: turn 2w: "Eb2" is not a step such as Ee2n`},
		{"a comment of a script", hand + "2w Ea1n # nice\n", `g.txt:3:9: turn 2w: "#" begins no comment here: write it in braces`},
		{"no such direction", hand + "2w Ea1q\n", `g.txt:3:4: turn 2w: "Ea1q" is not a step such as Ee2n`},
		{"a step off the board", hand + "2w Ea1w\n", `g.txt:3:4: turn 2w: Ea1w: the step leaves the board`},
		{"no piece there", hand + "2w Eb1n\n", `g.txt:3:4: turn 2w: Eb1n: there is no piece on b1`},
		{"another piece there", hand + "2w Ma1n\n", `g.txt:3:4: turn 2w: Ma1n: the piece on a1 is E`},
		{"an occupied square", hand + "2w Rd2n\n", `g.txt:3:4: turn 2w: Rd2n: d3 is occupied`},
		{"a frozen piece", hand + "2w Ea1n Rd2e\n", `g.txt:3:9: turn 2w: Rd2e: the piece is frozen`},
		{"a rabbit backward", hand + "2w Rh2s\n", `g.txt:3:4: turn 2w: Rh2s: a rabbit does not step backward`},
		{"a Silver rabbit backward", pass + "2b ra5n\n", `g.txt:4:4: turn 2b: ra5n: a rabbit does not step backward`},
		{"the enemy's piece far away", hand + "2w ra5s\n", `g.txt:3:4: turn 2w: ra5s: no free stronger piece of gold can push or pull it there`},
		{"a push in the fourth step", hand + "2w Ea1n Ea2n Ea3n ra5e\n", `g.txt:3:19: turn 2w: ra5e: a push needs two steps`},
		{"a push not completed", pass + "2b Rd2s\n", `g.txt:4:4: turn 2b: the push must be completed by a step to d2`},
		{"a push not completed by the next step", pass + "2b Rd2s ra5s\n", `g.txt:4:9: turn 2b: ra5s: the push must be completed by a step to d2`},
		{"five steps", hand + "2w Ea1n Ea2n Ea3e Eb3e Ec3e\n", `g.txt:3:24: turn 2w: Ec3e: a turn has four steps at most`},
		{"nothing changed", hand + "2w Ea1n Ea2s\n", `g.txt:3:9: turn 2w: a turn must change the board`},
		{"behind letters of several bytes", hand + "2w Ea1n éé Ea2n Ea2q\n", `g.txt:3:9: turn 2w: "éé" is not a step such as Ee2n`},
		{"third repetition", hand + `2w Ea1n
2b me5n
3w Ea2s
3b me6s
4w Ea1n
4b me5n
5w Ea2s
5b me6w md6s md5e
`, `g.txt:10:14: turn 5b: the turn would create the third occurrence of this position`},
		{"a turn where every turn is forbidden", caged + "6w Ea1e\n", `g.txt:11:1: turn 6w: the game is over: silver has won (repetition)`},
		{"a turn after a goal", `
1w Ra7 Ea1
1b rh8
2w Ra7n
2b rh8s
`, `g.txt:4:1: turn 2b: the game is over: gold has won (goal)`},
		{"a turn in a game that is over from the start", `
1w Ra8 Ea1
1b rh8
2w Ea1n
`, `g.txt:3:1: turn 2w: the game is over: gold has won (goal)`},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, err := notation.ReadGame("g.txt", written(test.text))
			checkParseError(t, g, err, test.want)
			for _, rule := range []error{arimaa.ErrNotChanged, arimaa.ErrThirdRepetition} {
				if got, want := errors.Is(err, rule), strings.HasSuffix(test.want, ": "+rule.Error()); got != want {
					t.Errorf("errors.Is(%v): %v, want %v", rule, got, want)
				}
			}
		})
	}
}

func TestParseStep(t *testing.T) {
	for _, piece := range "RCDHMErcdhme" {
		for square := range 64 {
			from := arimaa.Square(square)
			for d, letter := range "nesw" {
				text := string(piece) + from.String() + string(letter)
				to, inside := from.Next(arimaa.Direction(d))
				s, err := notation.ParseStep(text)
				switch {
				case !inside && (err == nil || err.Error() != text+": the step leaves the board"):
					t.Errorf("%s: %v, %v", text, s, err)
				case inside && (err != nil || s.String() != text || s.From() != from || s.To() != to || s.Piece().String() != string(piece)):
					t.Errorf("%s: %v, %v", text, s, err)
				}
			}
		}
	}
	// One byte of a step is replaced by each other one.
	for i, letters := range []string{"RCDHMErcdhme", "abcdefgh", "12345678", "nesw"} {
		for c := range 256 {
			text := []byte("Ed4n")
			text[i] = byte(c)
			s, err := notation.ParseStep(string(text))
			outside := i == 2 && c == '8'
			if valid := strings.IndexByte(letters, byte(c)) >= 0 && !outside; valid != (err == nil) || err != nil && s != 0 {
				t.Errorf("%q: %v, %v", text, s, err)
			}
		}
	}
	for _, text := range []string{"", "E", "Ee2", "Ee2nn", " e2n", "Ee 2n", "Eé2n"} {
		if s, err := notation.ParseStep(text); err == nil || !strings.HasSuffix(err.Error(), " is not a step such as Ee2n") {
			t.Errorf("%q: %v, %v", text, s, err)
		}
	}
}

func TestParseLabel(t *testing.T) {
	for text, want := range map[string]string{
		"2g": "2g", "2w": "2g", "34s": "34s", "34b": "34s", "1g": "1g", "007b": "7s", "100000s": "100000s",
	} {
		number, side, err := notation.ParseLabel(text)
		if got := arimaa.TurnLabel(number, side); err != nil || got != want {
			t.Errorf("%q: %s, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "g", "2", "0g", "-1g", "+2g", "2x", "2G", "g2", " 2g", "2 g", "2gg", "2g Ee2n", "2g\n", "100001g", "99999999999999999999g", "２g"} {
		if number, side, err := notation.ParseLabel(text); err == nil || !strings.Contains(err.Error(), "is not a turn") {
			t.Errorf("%q: %d, %v, %v", text, number, side, err)
		}
	}
}
