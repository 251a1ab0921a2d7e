package boards

import (
	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
)

// Parse reads a position in one line.
func Parse(t rapid.TB, text string) arimaa.Position {
	t.Helper()
	p, err := notation.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
