package render_test

import (
	"fmt"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/arimaa/render"
	"goalproof/internal/testkit/boards"
)

// TestShapes checks that the shapes of a picture are what its SVG draws beyond the empty board, in
// the same order.
func TestShapes(t *testing.T) {
	p := boards.Parse(t, "Ed4 rd5 Ra1 Hb2 cc3 ra8 g")
	s := arimaa.NewState(p)
	turn, err := notation.PlaySteps(&s, "rd5n Ed4n Ra1n")
	require.NoError(t, err)
	for _, flipped := range []bool{false, true} {
		picture := render.Picture{Position: p, Turn: turn, Flipped: flipped}
		all, rest := picture.Shapes(), picture.SVG()
		symbols, arrows := 0, 0
		for _, shape := range all {
			want := fmt.Sprintf(`<path class="%s" d="%s"/>`, shape.Class, shape.Path)
			switch {
			case shape.Symbol != "":
				want = fmt.Sprintf(`<use href="#%s" x="%v" y="%v"/>`, shape.Symbol, shape.X, shape.Y)
				symbols++
			case shape.Text != "":
				want = fmt.Sprintf(`<text class="%s" x="%v" y="%v">%s</text>`, shape.Class, shape.X, shape.Y, shape.Text)
			case shape.Class == "own" || shape.Class == "forced":
				arrows++
			}
			_, after, ok := strings.Cut(rest, want)
			if !ok {
				t.Fatalf("flipped %v: %s is not drawn after the shape before it", flipped, want)
			}
			rest = after
		}
		if strings.Contains(rest, "<path") || strings.Contains(rest, "<use") || symbols != p.Occupied().Len() || arrows != 3 {
			t.Errorf("flipped %v: %d symbols, %d arrows; left over: %s", flipped, symbols, arrows, rest)
		}
	}
}
