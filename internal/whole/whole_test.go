package whole

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// says is a function that writes a text.
func says(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// TestWrite writes a file anew and over an older one, and lets writing fail halfway.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	holds := func(want string) {
		t.Helper()
		text, err := os.ReadFile(path)
		if err != nil || string(text) != want {
			t.Errorf("the file holds %q (%v), not %q", text, err, want)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
			t.Errorf("%d files (%v) in the directory: %v", len(entries), err, entries)
		}
	}
	for _, text := range []string{"a longer text", "short", ""} {
		if err := Write(path, says(text)); err != nil {
			t.Fatal(err)
		}
		holds(text)
	}
	noError(t, Write(path, says("old")))
	failed := errors.New("enough")
	err := Write(path, func(w io.Writer) error {
		if err := says("new")(w); err != nil {
			t.Error(err)
		}
		holdsOld, err := os.ReadFile(path)
		if err != nil || string(holdsOld) != "old" {
			t.Errorf("while writing the file holds %q (%v)", holdsOld, err)
		}
		return failed
	})
	if err != failed {
		t.Errorf("the error is %v", err)
	}
	holds("old")
	noError(t, Check(path))
	holds("old")
}

// TestPermissions compares the permissions with those of a file that is made in the ordinary way.
func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such permissions")
	}
	dir := t.TempDir()
	mode := func(path string) fs.FileMode {
		info, err := os.Stat(path)
		noError(t, err)
		return info.Mode()
	}
	usual, path := filepath.Join(dir, "usual"), filepath.Join(dir, "file")
	noError(t, os.WriteFile(usual, nil, 0o666))
	noError(t, Write(path, says("")))
	if mode(path) != mode(usual) {
		t.Errorf("a new file has %v, and others %v", mode(path), mode(usual))
	}
	noError(t, os.Chmod(path, 0o600))
	noError(t, Write(path, says("")))
	if mode(path) != 0o600 {
		t.Errorf("a file with 0600 was replaced by one with %v", mode(path))
	}
}

// TestNames looks at the errors: they name the file, and not the one that is there for a time.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	full := filepath.Join(dir, "full")
	noError(t, os.Mkdir(full, 0o777))
	noError(t, os.WriteFile(filepath.Join(full, "file"), nil, 0o666))
	missing := filepath.Join(dir, "missing", "file")
	for path, want := range map[string]error{missing: fs.ErrNotExist, full: ErrNoFile} {
		for what, err := range map[string]error{"Write": Write(path, says("")), "Check": Check(path)} {
			if !errors.Is(err, want) || !strings.HasPrefix(err.Error(), "write "+path+": ") {
				t.Errorf("%s: %s: the error is %v", path, what, err)
			}
		}
	}
	// A directory takes the name while the file is written.
	late := filepath.Join(dir, "late")
	err := Write(late, func(io.Writer) error { return os.Mkdir(late, 0o777) })
	if err == nil || !strings.HasPrefix(err.Error(), "write "+late+": ") {
		t.Errorf("the error is %v", err)
	}
	// An error about another file stays as it is.
	other := &fs.PathError{Op: "read", Path: "other", Err: errors.New("gone")}
	if err := Write(filepath.Join(dir, "file"), func(io.Writer) error { return other }); err != other {
		t.Errorf("the error is %v", err)
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
