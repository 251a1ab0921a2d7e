package referee

import (
	"strings"
	"testing"
)

func TestSquares(t *testing.T) {
	for name, want := range map[string]int{"a1": 0, "h1": 7, "a2": 8, "c3": 18, "f3": 21, "c6": 42, "f6": 45, "h8": 63} {
		got, err := ParseSquare(name)
		if err != nil || got != want || SquareName(got) != name {
			t.Errorf("%s: square %d named %s (%v), want %d", name, got, SquareName(got), err, want)
		}
	}
	for _, name := range []string{"", "a", "a0", "a9", "i1", "A1", "a10", "1a"} {
		if square, err := ParseSquare(name); err == nil {
			t.Errorf("%q is read as square %d", name, square)
		}
	}
	if SquareName(-1) != "??" || SquareName(64) != "??" {
		t.Error("numbers beyond the board have names")
	}
}

func TestSides(t *testing.T) {
	if Gold.String() != "g" || Silver.String() != "s" || Gold.Other() != Silver || Silver.Other() != Gold {
		t.Error("sides are confused")
	}
}

func TestPositionText(t *testing.T) {
	text := "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]"
	st := mustPosition(t, text)
	same(t, st.Board, `
		8 rrrrrrrr
		7 hdcemcdh
		2 HDCMECDH
		1 RRRRRRRR`)
	if st.Side != Gold || st.Left != 4 || st.Start != st.Board {
		t.Errorf("read as %v to move with %d steps left", st.Side, st.Left)
	}
	if got := st.Position(); got != text {
		t.Errorf("written back as %q", got)
	}
	if other := mustPosition(t, "w ["+strings.ReplaceAll(text[3:67], " ", ".")+"]\r\n"); other != st {
		t.Errorf("with w and dots: %s", other.Position())
	}
	if other := mustPosition(t, "b"+text[1:]); other.Side != Silver || other.Position() != "s"+text[1:] {
		t.Errorf("with b: %s", other.Position())
	}
}

func TestPositionTextErrors(t *testing.T) {
	blank := strings.Repeat(" ", 64)
	for _, text := range []string{
		"", "g", "g []", "[" + blank + "]", "x [" + blank + "]", "g [" + blank + " ]", "g [" + blank[1:] + "]",
		"g [" + blank[1:] + "x]", "g [" + blank[2:] + "é]", "g{ " + blank + "]", "g [" + blank + "}",
	} {
		if st, err := ParsePosition(text); err == nil {
			t.Errorf("%q is read as %s", text, st.Position())
		}
	}
}

func TestStepText(t *testing.T) {
	for text, want := range map[string]Step{
		"Ee2n": {'E', 12, 20}, "re2s": {'r', 12, 4}, "ca8e": {'c', 56, 57}, "Mh1w": {'M', 7, 6},
	} {
		got, err := ParseStep(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("%s is read as %+v, written %s (%v)", text, got, got, err)
		}
	}
	for _, text := range []string{"", "Ee2", "Ee2nn", "Xe2n", "Ee9n", "Ei2n", "Ee2x", "Ee2N", "Ra8n", "Ra1s",
		"Ra1w", "Rh1e", " e2n"} {
		if got, err := ParseStep(text); err == nil {
			t.Errorf("%q is read as %s", text, got)
		}
	}
	if got := (Capture{'h', 18}).String(); got != "hc3x" {
		t.Errorf("capture written %s", got)
	}
}

// Nothing may panic on bad input, be it an impossible step or a State that nobody made properly.
func TestBadInput(t *testing.T) {
	good := start(t, Gold, `2 ....E...`)
	for _, st := range []State{good, {}, {Board: good.Board, Left: -1}, {Side: 7, Left: 9}} {
		for _, step := range []Step{{}, {'E', 12, 12}, {'E', 12, 28}, {'E', -1, 12}, {'E', 12, 64},
			{' ', 0, 1}, {0, 0, 1}, {'E', 7, 8}} {
			if next, taken, err := st.Play(step); err == nil || taken != nil || next != st {
				t.Errorf("step %s is legal", step)
			}
		}
		st.Steps()
		Results(st)
		FewestGoal(st)
		FewestWin(st)
		WinIn(st, 1)
		Outcome(st.Board, st.Side)
		_, _ = st.Position(), st.Board.String()
	}
}

func TestReadTurnErrors(t *testing.T) {
	st := start(t, Gold, `
		4 ..r.....
		3 .E......
		2 ........`)
	for text, phrase := range map[string]string{
		"Eb3":            "not a step",
		"rc4s":           "no stronger piece",
		"Eb3n rc4x":      "does not capture",
		"Eb3n Eb4n Eb4n": "no such piece",
	} {
		if _, after, err := st.ReadTurn(text); err == nil || !strings.Contains(err.Error(), phrase) || after != st {
			t.Errorf("%q: error %v, want one that says %q", text, err, phrase)
		}
	}
	// A capture may be left out, but not made up or reported twice.
	trap := start(t, Gold, `
		3 ...r....
		2 ...E....`)
	if _, _, err := trap.ReadTurn("rd3w Ed2n"); err != nil {
		t.Error(err)
	}
	if _, _, err := trap.ReadTurn("rd3w rc3x rc3x Ed2n"); err == nil {
		t.Error("a capture is accepted twice")
	}
	if _, _, err := trap.ReadTurn("rd3w Ed2n rc3x"); err == nil {
		t.Error("a capture is accepted after a later step")
	}
	if _, err := st.WriteTurn([]Step{{'r', 26, 18}}); err == nil {
		t.Error("an illegal turn is written")
	}
	if _, err := st.PlayTurn([]Step{{'r', 26, 18}}); err == nil {
		t.Error("an illegal turn is played")
	}
}
