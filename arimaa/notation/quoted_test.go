package notation_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
)

// TestQuoted reads any position with quotation marks of any kind around it or around its squares.
func TestQuoted(t *testing.T) {
	boards.Check(t, 100, 1000, func(t *rapid.T) {
		short := boards.Position().Draw(t, "position")
		label, squares := short[:1], short[3:len(short)-1]
		var ranks []string
		for rank := range slices.Chunk([]byte(strings.ReplaceAll(squares, " ", ".")), 8) {
			ranks = append(ranks, string(rank))
		}
		marks := rapid.SampledFrom([][2]string{{`"`, `"`}, {"'", "'"}, {"“", "”"}, {"‘", "’"}}).Draw(t, "marks")
		quote := func(text string) string { return marks[0] + text + marks[1] }
		for _, text := range []string{
			label + " " + quote(squares), label + quote("["+squares+"]"), quote(short), quote(label + " " + squares),
			label + " " + quote(strings.Join(ranks, "/")), quote("37" + label + " " + strings.Join(ranks, "/")),
		} {
			before := rapid.SampledFrom([]string{"", " ", "setposition ", "setposition  "}).Draw(t, "before")
			text = before + text + rapid.SampledFrom([]string{"", " "}).Draw(t, "behind")
			if p, err := notation.ParsePosition(text); err != nil || p.String() != short {
				t.Errorf("%s: %v\n%v", text, err, p.String())
			}
		}
	})
}

// TestQuotedErrors checks that an error shows the line as it was written, with the place in it.
func TestQuotedErrors(t *testing.T) {
	empty := strings.Repeat(" ", 63)
	for text, column := range map[string]int{
		`setposition g “` + empty + `x”`: 79, `“22g ` + empty + `x”`: 69, `"g [` + empty + `x]"`: 68,
	} {
		_, err := notation.ParsePosition(text)
		bad, ok := errors.AsType[*notation.ParseError](err)
		if want := text + "\n" + strings.Repeat(" ", column-1) + "^"; !ok || bad.Column != column || bad.Excerpt != want {
			t.Errorf("%s: %s", text, notation.Explain(err))
		}
	}
}
