package notation_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
)

// TestPlay plays random games twice, turn by turn and as a list of turns.
func TestPlay(t *testing.T) {
	start := readGame(t, opening)
	boards.Check(t, 15, 300, func(t *rapid.T) {
		g := start.At(0)
		var gen arimaa.Generator
		for range 10 {
			p := g.Last()
			if g.Outcome().Over() {
				break
			}
			turn := gen.Turn(rapid.IntRange(0, gen.Generate(&p)-1).Draw(t, "turn"))
			text := p.Notation(turn)
			if rapid.Bool().Draw(t, "without captures") {
				text = turn.String()
			}
			if err := notation.Play(g, text); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if g.Turn(g.Len()-1) != turn {
				t.Fatalf("%s was read as %v", text, g.Turn(g.Len()-1))
			}
		}
	})
}

// TestPlayRefused checks that what is refused leaves the game alone, and why it is refused.
func TestPlayRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "there is no step in it",
		" \t":                      "there is no step in it",
		"Ee2n Ee3n Ee4n Ee5n Ee6n": "turn 2g: Ee6n: a turn has four steps at most",
		"Ee2n Ee3s":                "turn 2g: a turn must change the board",
		"ed7s":                     "turn 2g: ed7s: no free stronger piece of gold can push or pull it there",
		"Ee2n Cc3x":                "turn 2g: Cc3x was not captured by the step before",
		"Ee2n\x00":                 `turn 2g: "Ee2n\x00" is not a step such as Ee2n`,
		"pass":                     `turn 2g: "pass" is not a step such as Ee2n`,
		"takeback":                 `turn 2g: "takeback" is not a step such as Ee2n`,
	} {
		g := readGame(t, opening)
		err := notation.Play(g, text)
		if err == nil || err.Error() != want || g.Len() != 0 {
			t.Errorf("%q: %v after %d turns, want %s", text, err, g.Len(), want)
		}
		if errors.Is(err, arimaa.ErrNotChanged) != strings.HasSuffix(want, "change the board") {
			t.Errorf("%q: the error wraps the wrong rule: %v", text, err)
		}
	}
}

// TestParseSetup reads setups of both sides, whole and with a handicap.
func TestParseSetup(t *testing.T) {
	gold := "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2"
	for side, text := range map[arimaa.Side]string{
		arimaa.Gold:   gold,
		arimaa.Silver: "ra8 ee7",
	} {
		setup, err := notation.ParseSetup(side, text)
		var back []string
		for _, p := range setup {
			back = append(back, p.String())
		}
		if err != nil || strings.Join(back, " ") != text {
			t.Errorf("%q was read as %v: %v", text, back, err)
		}
	}
	for text, want := range map[string]string{
		"":            "there is no piece in it",
		"Ra1 ra8":     `"ra8": this piece is not gold's`,
		"Ra1 Ca1":     `"Ca1": the square is taken`,
		"Ra1 Ea2 Eb2": "Eb2: gold has 1 of this piece",
		"Ra1 Eb3":     "Eb3: this is not a square where gold sets up",
		"Ra1 Ee2n":    `"Ee2n" is not a placement such as Ra1`,
		"Ra0":         `"Ra0" is not a placement such as Ra1`,
	} {
		if _, err := notation.ParseSetup(arimaa.Gold, text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestPlaySteps makes a part of a turn with captures written, left out, and wrong.
func TestPlaySteps(t *testing.T) {
	p := boards.Parse(t, "Ra1 Cc3 Ed3 Mc5 hc4 rh8 g")
	for _, c := range []struct{ text, want string }{
		{"hc4w Mc5s", ""},
		{"Ed3n Cc3x Ed4n", ""},
		{"Ed3n cc3x", "cc3x was not captured by the step before"},
		{"Ed3n Ed3n", "there is no piece on d3"},
		{"  ", "there is no step in it"},
	} {
		s := arimaa.NewState(p)
		before := s
		turn, err := notation.PlaySteps(&s, c.text)
		switch {
		case c.want == "" && (err != nil || turn.Len() == 0 || s == before):
			t.Errorf("%s: %v, %v", c.text, turn, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || s != before):
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}
