package endgame

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
)

// interrupted builds the tables of three pieces and interrupts that of ER-r when it begins with N
// turns. It returns the directory.
func interrupted(t *testing.T, n int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	err := Build(ctx, smallClasses(), BuildOptions{Dir: dir, Threads: 2, Checkpoints: 1, Progress: func(p Progress) {
		if p.Class.String() == "ER-r" && p.N == n {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return dir
}

// resume continues a build and returns the first N that was computed of ER-r, and why its
// checkpoint was discarded.
func resume(t *testing.T, dir string) (first int, discarded error) {
	t.Helper()
	err := Build(t.Context(), smallClasses(), BuildOptions{Dir: dir, Threads: 1, Checkpoints: 1, Progress: func(p Progress) {
		if p.Class.String() != "ER-r" {
			return
		}
		if p.Discarded != nil {
			discarded = p.Discarded
		}
		if first == 0 {
			first = p.N
		}
	}})
	require.NoError(t, err)
	for _, c := range smallClasses() {
		sameAsEmbedded(t, dir, c)
		if _, err := os.Stat(checkpointName(dir, c)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v: the checkpoint is still there: %v", c, err)
		}
	}
	return first, discarded
}

// TestCheckpoint interrupts a build after every N and continues it: from that N, with the same
// table in the end.
func TestCheckpoint(t *testing.T) {
	for _, n := range []int{1, 4} {
		if first, discarded := resume(t, interrupted(t, n)); first != n || discarded != nil {
			t.Errorf("interrupted in %d: continued in %d (%v)", n, first, discarded)
		}
	}
}

// TestDamagedCheckpoint continues from checkpoints that are damaged or of something else: from the
// beginning.
func TestDamagedCheckpoint(t *testing.T) {
	dir := interrupted(t, 3)
	path := ""
	for _, c := range smallClasses() {
		if c.String() == "ER-r" {
			path = checkpointName(dir, c)
		}
	}
	sound, err := os.ReadFile(path)
	require.NoError(t, err)
	flipped := func(at int) []byte {
		data := append([]byte{}, sound...)
		data[at] ^= 4
		return data
	}
	for name, data := range map[string][]byte{
		"empty":            nil,
		"foreign":          []byte(strings.Repeat("something else\n", 100)),
		"one byte missing": sound[:len(sound)-1],
		"flipped early":    flipped(30),
		"flipped late":     flipped(len(sound) - 1),
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(path, data, 0o666))
			if err := os.Remove(strings.TrimSuffix(path, checkpointExtension) + Extension); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			first, discarded := resume(t, dir)
			if first != 1 || !errors.Is(discarded, ErrFile) || !strings.Contains(discarded.Error(), path) {
				t.Errorf("continued in %d: %v", first, discarded)
			}
		})
	}
}
