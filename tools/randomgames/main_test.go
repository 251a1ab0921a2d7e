package main

import (
	"bytes"
	"os"
	"testing"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
)

// TestExamples checks that the games that are shipped with the program are those that this command
// writes.
func TestExamples(t *testing.T) {
	want, err := os.ReadFile("../../examples/games.tsv")
	require.NoError(t, err)
	if !boards.Large {
		rows := bytes.SplitAfterN(want, []byte("\n"), 5)
		want = bytes.Join(rows[:4], nil) // with the header
	}
	var got bytes.Buffer
	if write(&got, bytes.Count(want, []byte("\n"))-1, 1); !bytes.Equal(got.Bytes(), want) {
		t.Errorf("examples/games.tsv, of %d bytes, is not what go run ./tools/randomgames writes", len(want))
	}
}
