package main

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
)

var update = flag.Bool("update", false, "draw the pictures of the README again")

// TestReadmePicture checks that the picture at the top of the README is what the program draws.
func TestReadmePicture(t *testing.T) {
	t.Chdir("../..")
	const kept = "docs/win-in-3.svg"
	drawn := filepath.Join(t.TempDir(), "drawn.svg")
	if *update {
		drawn = kept
	}
	args := []string{"solve", "--threads", "1", "--memory", "64MiB", "--svg", drawn, "examples/win-in-3.txt"}
	if code := run(t.Context(), args, cli.Terminal{In: os.Stdin, Out: io.Discard, Err: os.Stderr}); code != cli.Holds {
		t.Fatalf("exit code %d", code)
	}
	want, err := os.ReadFile(drawn)
	require.NoError(t, err)
	got, err := os.ReadFile(kept)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what the program draws (%v): go test ./cmd/goalproof -run ReadmePicture -update", kept, err)
	}
}
