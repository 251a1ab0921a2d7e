// Package load gives tests positions of the folder examples, those that others have published
// (package published), and states of the referee.
package load

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/published"
	"goalproof/proof/referee"
)

// State gives a position to the referee, as text.
func State(t rapid.TB, p arimaa.Position) referee.State {
	t.Helper()
	st, err := referee.ParsePosition(p.String())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// Example reads a position of the folder examples.
func Example(t testing.TB, file string) arimaa.Position {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(published.Root(t), "examples", file))
	if err != nil {
		t.Fatal(err)
	}
	return first(t, file, string(text))
}

func first(t testing.TB, name, text string) arimaa.Position {
	t.Helper()
	positions, err := notation.ReadPositions(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return positions[0].Position
}

// Claim is a published position that is said to be won.
type Claim struct {
	Name     string // of its file
	Position arimaa.Position
	Turns    int // that the win is said to take, 1 or 2
	False    bool
}

// Patterns of published claims, for [Claims].
const (
	WinsInTwo = "win-in-2/*/*.txt" // 101, three of them false
	Puzzles   = "puzzles/*.txt"    // four
)

// falseClaims are no wins in two.
var falseClaims = []string{"win-in-2/big/08829.txt", "win-in-2/big/11255.txt", "win-in-2/reduced/11778.txt"}

// Claims returns the published claims of files that match a pattern, or skips the test.
func Claims(t testing.TB, pattern string) (all []Claim) {
	t.Helper()
	wrong := 0
	for _, name := range published.Names(t, pattern) {
		c := Claim{Name: name, Position: first(t, name, published.Read(t, name)), Turns: 2, False: slices.Contains(falseClaims, name)}
		if strings.Contains(name, "one-move") {
			c.Turns = 1
		}
		if c.False {
			wrong++
		}
		all = append(all, c)
	}
	if pattern == WinsInTwo && (len(all) != 101 || wrong != len(falseClaims)) || pattern == Puzzles && len(all) != 4 {
		t.Fatalf("%s: %d claims, %d of them false", pattern, len(all), wrong)
	}
	return all
}
