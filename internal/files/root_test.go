package files

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"goalproof/internal/testkit/fatal"
)

// TestWriteIn writes within a directory, in which a killed process has left a file. Nothing but plain files of the directory is
// written.
func TestWriteIn(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "inside")
	fatal.If(t, os.Mkdir(dir, 0o777))
	root, err := os.OpenRoot(dir)
	fatal.If(t, err)
	defer root.Close()
	if locks {
		fatal.If(t, root.WriteFile(".file.goalproof-3", []byte("left by a process that was killed"), marked))
	}
	writes(t, dir, func(write func(io.Writer) error) error { return WriteIn(root, "file", write) })
	fatal.If(t, os.WriteFile(filepath.Join(outside, "other"), []byte("other"), 0o666))
	fatal.If(t, root.Mkdir("directory", 0o777))
	names := []string{"../other", "directory", "directory/../../other", filepath.Join(outside, "other"), ""}
	if err := os.Symlink("../other", filepath.Join(dir, "link")); err == nil {
		names = append(names, "link")
		fatal.If(t, os.Symlink("file", filepath.Join(dir, "within")))
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
	fatal.If(t, os.Chmod(filepath.Join(dir, "file"), 0o600))
	fatal.If(t, os.Rename(dir, filepath.Join(outside, "moved")))
	fatal.If(t, os.Mkdir(dir, 0o777))
	fatal.If(t, WriteIn(root, "file", says("moved")))
	info, err := os.Stat(filepath.Join(outside, "moved", "file"))
	fatal.If(t, err)
	if info.Mode() != 0o600 || info.Size() != 5 {
		t.Errorf("the file that was moved: %v, %d bytes", info.Mode(), info.Size())
	}
}
