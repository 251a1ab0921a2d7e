package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
)

// says is a function that writes a text.
func says(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// TestWrite writes a file by its path.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	writes(t, dir, func(write func(io.Writer) error) error { return Write(path, write) })
	require.NoError(t, CheckWrite(path))
	if text, err := os.ReadFile(path); err != nil || string(text) != "old" {
		t.Errorf("after a check the file holds %q (%v)", text, err)
	}
}

// writes has the file named file of a directory written anew and over an older one, and lets
// writing fail halfway, after which it holds "old".
func writes(t *testing.T, dir string, write func(func(io.Writer) error) error) {
	t.Helper()
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
	for _, text := range []string{"a longer text", "short", "", "old"} {
		require.NoError(t, write(says(text)))
		holds(text)
	}
	failed := errors.New("enough")
	err := write(func(w io.Writer) error {
		require.NoError(t, says("new")(w))
		if text, err := os.ReadFile(path); err != nil || string(text) != "old" {
			t.Errorf("while writing the file holds %q (%v)", text, err)
		}
		return failed
	})
	if err != failed {
		t.Errorf("the error is %v", err)
	}
	holds("old")
	err = write(func(w io.Writer) error {
		file := w.(*remembering).file
		_, _ = io.WriteString(w, "new")
		w.(*remembering).file = nil // nothing can be written
		_, _ = io.WriteString(w, "er")
		w.(*remembering).file = file
		_, _ = io.WriteString(w, " text")
		return nil
	})
	if !errors.Is(err, os.ErrInvalid) {
		t.Errorf("an error of writing that was ignored: %v", err)
	}
	holds("old")
}

// TestDatabases writes to no SQLite file and to none beside it.
func TestDatabases(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "games.db")
	const text = "SQLite format 3\x00 and more"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	require.NoError(t, os.WriteFile(path+"-wal", []byte("log"), 0o666))
	require.NoError(t, os.Symlink(path+"-wal", filepath.Join(dir, "link")))
	for _, name := range []string{"games.db", "games.db-wal", "games.db-shm", "games.db-journal", "link"} {
		for _, err := range []error{Write(filepath.Join(dir, name), says("new")), CheckWrite(filepath.Join(dir, name))} {
			if err == nil || !strings.Contains(err.Error(), "would destroy a library") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if left, err := os.ReadFile(path); err != nil || string(left) != text {
		t.Errorf("the file holds %q (%v)", left, err)
	}
	require.NoError(t, Write(filepath.Join(dir, "other.db-wal"), says("new")))
}

// TestPermissions compares the permissions with those of a file that is made in the ordinary way.
func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such permissions")
	}
	dir := t.TempDir()
	mode := func(path string) fs.FileMode {
		info, err := os.Stat(path)
		require.NoError(t, err)
		return info.Mode()
	}
	usual, path := filepath.Join(dir, "usual"), filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(usual, nil, 0o666))
	require.NoError(t, Write(path, says("")))
	if mode(path) != mode(usual) {
		t.Errorf("a new file has %v, and others %v", mode(path), mode(usual))
	}
	for _, old := range []fs.FileMode{0o600, 0o666, 0o755} {
		require.NoError(t, os.Chmod(path, old))
		require.NoError(t, Write(path, says("")))
		if mode(path) != old {
			t.Errorf("a file with %v was replaced by one with %v", old, mode(path))
		}
	}
}

// TestLink writes where the name is a link: to a file, and to nothing.
func TestLink(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.Symlink("file", link); err != nil {
		t.Skip("there are no links: ", err)
	}
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o666))
	require.NoError(t, CheckWrite(link))
	require.NoError(t, Write(link, says("new")))
	text, err := os.ReadFile(file)
	if info, _ := os.Lstat(link); err != nil || string(text) != "new" || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the file holds %q (%v), the link is %v", text, err, info.Mode())
	}
	require.NoError(t, os.Remove(file))
	require.NoError(t, Write(link, says("new")))
	if text, err := os.ReadFile(link); err != nil || string(text) != "new" {
		t.Errorf("the file holds %q (%v)", text, err)
	}
}

// TestPipe writes to a pipe, which has a name where the system has /dev/fd.
func TestPipe(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	path := fmt.Sprintf("/dev/fd/%d", w.Fd())
	if _, err := os.Stat(path); err != nil {
		t.Skip("pipes have no names: ", err)
	}
	require.NoError(t, CheckWrite(path))
	require.NoError(t, Write(path, says("text")))
	require.NoError(t, w.Close())
	if text, err := io.ReadAll(r); err != nil || string(text) != "text" {
		t.Errorf("%q (%v) comes out", text, err)
	}
}

// TestNames looks at the errors: they name the file, and not the one that is there for a time.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	full := filepath.Join(dir, "full")
	require.NoError(t, os.Mkdir(full, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(full, "file"), nil, 0o666))
	missing := filepath.Join(dir, "missing", "file")
	for what, write := range map[string]func(string) error{
		"Write":      func(path string) error { return Write(path, says("")) },
		"CheckWrite": CheckWrite,
	} {
		if err := write(missing); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "write "+missing+": ") {
			t.Errorf("%s: the error is %v", what, err)
		}
		if err := write(full); err == nil || !strings.Contains(err.Error(), full+": ") {
			t.Errorf("%s: a directory: the error is %v", what, err)
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
