package puzzles

import (
	"strings"
	"testing"

	"goalproof/arimaa/notation"
)

// TestPlaceBytes reads an archive, positions, a table and JSON: at each place no more of the text
// counts than what it and those before it take, whatever a reader has buffered, and in the end all
// of it does.
func TestPlaceBytes(t *testing.T) {
	const position = "g [r       Rr     r   E dr                    e  r        RR  RR  R]"
	row := "\t1w Ra1 Rd1 Re1 Rh1 Rh2 Ed6 Ra7\\n1b ed3 rg3 df6 rg6 rb7 rh7 ra8\\n2w Ra1n\\n2b ed3s\\n3w\n"
	for name, c := range map[string]struct {
		head, entry string
		places      int // of an entry
	}{
		"archive":   {"id\tmovelist\n", "game" + row, 3},
		"positions": {"", position + "\n", 1},
		"table":     {"position\tclaim\n", position + "\t2\n", 1},
		"json":      {"", `{"position":"` + position + `"}` + "\n", 1},
	} {
		const entries = 1000 // more than is read at a time
		text := c.head + strings.Repeat(c.entry, entries)
		n, bytes, games := 0, 0, 0
		for p := range Places(notation.Parts(notation.NewLines(name, strings.NewReader(text))), &games) {
			if p.Err != nil {
				t.Fatal(p.Err)
			}
			n, bytes = n+1, bytes+int(p.Bytes)
			if want := len(c.head) + len(c.entry)*n/c.places; bytes > want+len(c.head)+len(c.entry) || bytes < want-len(c.head)-1 {
				t.Fatalf("%s: %d bytes at place %d, want %d", name, bytes, n, want)
			}
		}
		if n != entries*c.places || bytes != len(text) {
			t.Errorf("%s: %d places with %d bytes, want %d with %d", name, n, bytes, entries*c.places, len(text))
		}
	}
}
