//go:build linux || darwin || freebsd

package experiment

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/files"
	"goalproof/internal/testkit/require"
)

// TestExperimentInUse checks that an experiment keeps out of a directory in which another one is at work.
func TestExperimentInUse(t *testing.T) {
	const position = "g [                R                                r              ]"
	dir := t.TempDir()
	held, err := files.LockDir(dir, false)
	require.NoError(t, err)
	defer held.Close()
	var out, errors bytes.Buffer
	code := cli.Run(t.Context(), []string{"--out", dir, "--time", "10ms", position}, cli.Terminal{In: os.Stdin, Out: &out, Err: &errors}, Command)
	if want := "--out: " + dir + " is in use by another process\n"; code != cli.BadInput || !strings.HasSuffix(errors.String(), want) {
		t.Errorf("exit code %d, want %d\n%s", code, cli.BadInput, errors.String())
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("the directory holds %v, %v", files, err)
	}
}
