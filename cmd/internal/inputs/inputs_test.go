package inputs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/require"
)

// TestChangingInput truncates a file, or appends to it, while it is read: the command answers about
// what was there, and may report an error.
func TestChangingInput(t *testing.T) {
	const quickWin = "g [                R                                r              ]"
	path := filepath.Join(t.TempDir(), "positions.txt")
	text := strings.Repeat(quickWin+"\n", 20_000) // more than is read at a time
	for name, change := range map[string]func() error{
		"cut":     func() error { return os.Truncate(path, 100) },
		"removed": func() error { return os.Remove(path) },
		"longer":  func() error { return os.WriteFile(path, []byte(text+text), 0o666) },
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		f := Flags{}
		in, err := f.Read(t.Context(), []string{path}, cli.Terminal{})
		require.NoError(t, err)
		n := 0
		for it := range in.All {
			if it.Err != nil && it.Diagram.Number != 0 {
				t.Errorf("%s: %v", name, it.Err)
			}
			if n++; n == 10 {
				require.NoError(t, change())
			}
		}
		if n < 100 || name == "longer" && n != 40_000 {
			t.Errorf("%s: %d positions", name, n)
		}
	}
}
