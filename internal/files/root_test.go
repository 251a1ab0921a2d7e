package files

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"goalproof/internal/testkit/require"
)

// TestWriteIn writes within a directory, in which a killed process has left a file. Nothing but
// plain files of the directory is written.
func TestWriteIn(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "inside")
	require.NoError(t, os.Mkdir(dir, 0o777))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	if locks {
		require.NoError(t, root.WriteFile(".file.goalproof-3", []byte("left by a process that was killed"), marked))
	}
	writes(t, dir, func(write func(io.Writer) error) error { return WriteIn(root, "file", write) })
	require.NoError(t, os.WriteFile(filepath.Join(outside, "other"), []byte("other"), 0o666))
	require.NoError(t, root.Mkdir("directory", 0o777))
	names := []string{"../other", "directory", "directory/../../other", filepath.Join(outside, "other"), ""}
	if err := os.Symlink("../other", filepath.Join(dir, "link")); err == nil {
		names = append(names, "link")
		require.NoError(t, os.Symlink("file", filepath.Join(dir, "within")))
		names = append(names, "within")
	}
	for _, name := range names {
		if err := WriteIn(root, name, says("new")); err == nil {
			t.Errorf("%q was written", name)
		}
	}
	if text, err := os.ReadFile(filepath.Join(outside, "other")); err != nil || string(text) != "other" {
		t.Errorf("outside: %q, %v", text, err)
	}
	if runtime.GOOS == "windows" {
		return // which moves no directory that is open
	}
	// The directory is what was opened, wherever its name leads now.
	require.NoError(t, os.Chmod(filepath.Join(dir, "file"), 0o600))
	require.NoError(t, os.Rename(dir, filepath.Join(outside, "moved")))
	require.NoError(t, os.Mkdir(dir, 0o777))
	require.NoError(t, WriteIn(root, "file", says("moved")))
	info, err := os.Stat(filepath.Join(outside, "moved", "file"))
	require.NoError(t, err)
	if info.Mode() != 0o600 || info.Size() != 5 {
		t.Errorf("the file that was moved: %v, %d bytes", info.Mode(), info.Size())
	}
}
