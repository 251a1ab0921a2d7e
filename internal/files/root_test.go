package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestWriteIn writes within a directory: anew, over an older file, and halfway. Nothing but plain files of the directory is written.
func TestWriteIn(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "inside")
	noError(t, os.Mkdir(dir, 0o777))
	root, err := os.OpenRoot(dir)
	noError(t, err)
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
		noError(t, WriteIn(root, "file", says(text)))
		holds(text)
	}
	const left = ".file.goalproof-3"
	noError(t, root.WriteFile(left, []byte("left by a process that was killed"), marked))
	if locks {
		noError(t, WriteIn(root, "file", says("old")))
		holds("old")
	}
	noError(t, WriteIn(root, "file", says("old")))
	failed := errors.New("enough")
	err = WriteIn(root, "file", func(w io.Writer) error {
		noError(t, says("new")(w))
		return failed
	})
	if err != failed {
		t.Errorf("the error is %v", err)
	}
	_ = root.Remove(left)
	holds("old")

	noError(t, os.WriteFile(filepath.Join(outside, "other"), []byte("other"), 0o666))
	noError(t, root.Mkdir("directory", 0o777))
	names := []string{"../other", "directory", "directory/../../other", filepath.Join(outside, "other"), ""}
	if err := os.Symlink("../other", filepath.Join(dir, "link")); err == nil {
		names = append(names, "link")
		noError(t, os.Symlink("file", filepath.Join(dir, "within")))
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
	noError(t, os.Chmod(filepath.Join(dir, "file"), 0o600))
	noError(t, os.Rename(dir, filepath.Join(outside, "moved")))
	noError(t, os.Mkdir(dir, 0o777))
	noError(t, WriteIn(root, "file", says("moved")))
	info, err := os.Stat(filepath.Join(outside, "moved", "file"))
	noError(t, err)
	if info.Mode() != 0o600 || info.Size() != 5 {
		t.Errorf("the file that was moved: %v, %d bytes", info.Mode(), info.Size())
	}
}
