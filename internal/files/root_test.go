package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"goalproof/internal/testkit/fatal"
)

// TestWriteIn writes within a directory: anew, over an older file, and halfway. Nothing but plain files of the directory is written.
func TestWriteIn(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "inside")
	fatal.If(t, os.Mkdir(dir, 0o777))
	root, err := os.OpenRoot(dir)
	fatal.If(t, err)
	defer root.Close()
	holds := func(want string) {
		t.Helper()
		text, err := root.ReadFile("file")
		if err != nil || string(text) != want {
			t.Errorf("the file holds %q (%v), not %q", text, err, want)
		}
		if entries, err := fs.ReadDir(root.FS(), "."); err != nil || len(entries) != 1 {
			t.Errorf("%d files (%v) in the directory: %v", len(entries), err, entries)
		}
	}
	for _, text := range []string{"a longer text", "short", ""} {
		fatal.If(t, WriteIn(root, "file", says(text)))
		holds(text)
	}
	const left = ".file.goalproof-3"
	fatal.If(t, root.WriteFile(left, []byte("left by a process that was killed"), marked))
	if locks {
		fatal.If(t, WriteIn(root, "file", says("old")))
		holds("old")
	}
	fatal.If(t, WriteIn(root, "file", says("old")))
	failed := errors.New("enough")
	err = WriteIn(root, "file", func(w io.Writer) error {
		fatal.If(t, says("new")(w))
		return failed
	})
	if err != failed {
		t.Errorf("the error is %v", err)
	}
	_ = root.Remove(left)
	holds("old")

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
