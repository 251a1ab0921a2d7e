package inputs

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/require"
	"goalproof/puzzles"
)

// TestProgress reads a file ahead of the work: the bar shows the bytes of what is done, not of what
// has been read.
func TestProgress(t *testing.T) {
	const row = "game\t1w Ra1 Rd1 Re1 Rh1 Rh2 Ed6 Ra7\\n1b ed3 rg3 df6 rg6 rb7 rh7 ra8\\n2w Ra1n\\n2b ed3s\\n3w\n"
	const rows = 1200
	text := "id\tmovelist\n" + strings.Repeat(row, rows)
	path := filepath.Join(t.TempDir(), "games.tsv")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	source := cli.Terminal{}.Source(t.Context())
	file, err := source.Open(path)
	require.NoError(t, err)
	defer file.Close()
	games := 0
	places := Peek(puzzles.Places(notation.Parts(notation.NewLines(path, file)), &games), LookAhead, One)
	defer places.Stop()
	bar := NewProgress(cli.Terminal{}, io.Discard, "mining", places.Total(), []string{path})
	defer bar.Finish()
	if n := bar.bar.Current(); n != 0 {
		t.Errorf("before the first position is done the bar shows %d bytes", n)
	}
	done := 0
	for p := range places.All {
		bar.Advance(p.Bytes)
		if done++; done == 3*rows/2 {
			if n, half := bar.bar.Current(), int64(len(text)/2); n < half-200 || n > half+200 {
				t.Errorf("in the middle the bar shows %d bytes of %d", n, len(text))
			}
		}
	}
	if n := bar.bar.Current(); n != int64(len(text)) {
		t.Errorf("in the end the bar shows %d bytes of %d", n, len(text))
	}
}
