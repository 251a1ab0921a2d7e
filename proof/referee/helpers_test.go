package referee

import (
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
)

// parseBoard reads a board as drawn in these tests: one rank a line, '.' for an empty square, 'x'
// for an empty trap. Ranks may be left out; they are empty.
func parseBoard(t testing.TB, drawing string) Board {
	t.Helper()
	b := EmptyBoard()
	for _, line := range strings.Split(drawing, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if len(line) != 10 || line[0] < '1' || line[0] > '8' || line[1] != ' ' {
			t.Fatalf("bad line %q in a drawing", line)
		}
		rank := int(line[0] - '1')
		for file := range 8 {
			square, c := 8*rank+file, line[2+file]
			switch {
			case isPiece(c):
				b[square] = c
			case c == '.' || c == 'x' && isTrap(square):
			default:
				t.Fatalf("bad square %q on %s in a drawing", c, SquareName(square))
			}
		}
	}
	return b
}

// start is the start of a turn on a drawn board.
func start(t testing.TB, side Side, drawing string) State {
	t.Helper()
	return NewState(parseBoard(t, drawing), side)
}

func mustPosition(t testing.TB, text string) State {
	t.Helper()
	st, err := ParsePosition(text)
	require.NoError(t, err)
	return st
}

// play plays a turn or a part of one, which must be legal and must name every capture.
func play(t testing.TB, st State, text string) State {
	t.Helper()
	turn, end, err := st.ReadTurn(text)
	if err != nil {
		t.Fatalf("%s: %v\n%s", text, err, st.Board)
	}
	written, err := st.WriteTurn(turn)
	if err != nil || written != text {
		t.Fatalf("%q is written as %q (%v)", text, written, err)
	}
	return end
}

// legal checks that each step is legal in the state, by Steps and by Play.
func legal(t testing.TB, st State, steps ...string) {
	t.Helper()
	for _, text := range steps {
		if why := tryStep(t, st, text); why != "" {
			t.Errorf("should be legal: %s\n%s", why, st.Board)
		}
	}
}

// illegal checks that each step is illegal in the state, by Steps and by Play, and that the reason
// contains a phrase.
func illegal(t testing.TB, st State, phrase string, steps ...string) {
	t.Helper()
	for _, text := range steps {
		switch why := tryStep(t, st, text); {
		case why == "":
			t.Errorf("%s is legal, want: %s\n%s", text, phrase, st.Board)
		case !strings.Contains(why, phrase):
			t.Errorf("reason %q does not say %q\n%s", why, phrase, st.Board)
		}
	}
}

// tryStep is the reason against a step, empty if it is legal. Steps and Play must agree.
func tryStep(t testing.TB, st State, text string) (why string) {
	t.Helper()
	step, err := ParseStep(text)
	require.NoError(t, err)
	_, _, err = st.Play(step)
	if listed := slices.Contains(st.Steps(), step); listed != (err == nil) {
		t.Errorf("%s: listed by Steps: %t, Play says: %v\n%s", text, listed, err, st.Board)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// same checks a board against a drawing.
func same(t testing.TB, got Board, drawing string) {
	t.Helper()
	if want := parseBoard(t, drawing); got != want {
		t.Errorf("board\n%s\nwant\n%s", got, want)
	}
}

// onlySteps checks the whole list of legal steps; the order does not matter, but each may occur
// only once.
func onlySteps(t testing.TB, st State, want ...string) {
	t.Helper()
	var got []string
	for _, step := range st.Steps() {
		got = append(got, step.String())
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("legal steps %v, want %v\n%s", got, want, st.Board)
	}
}

// reaches reports whether some turn from the state ends with the drawn board, and with how many
// steps.
func reaches(t testing.TB, st State, drawing string) (steps int, ok bool) {
	t.Helper()
	want := parseBoard(t, drawing)
	for _, r := range Results(st) {
		if r.Board == want {
			return len(r.Turn), true
		}
	}
	return 0, false
}
