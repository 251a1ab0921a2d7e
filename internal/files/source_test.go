package files

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
)

// write writes a file into a new directory.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

func TestOpen(t *testing.T) {
	text := strings.Repeat("a line\n", 50_000)
	path := write(t, "file", text)
	s := NewSource(t.Context(), nil)
	r, err := s.Open(path)
	require.NoError(t, err)
	defer r.Close()
	if got, err := io.ReadAll(r); err != nil || string(got) != text || s.Interrupted() != nil {
		t.Errorf("%d bytes, %v, %v", len(got), err, s.Interrupted())
	}
}

// TestRefused opens what cannot be an input.
func TestRefused(t *testing.T) {
	out, err := os.OpenFile(write(t, "output", ""), os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	defer out.Close()
	for path, want := range map[string]string{
		t.TempDir():                           "this is a directory, not a file",
		out.Name():                            "the output goes to this file",
		filepath.Join(t.TempDir(), "missing"): "no such file",
	} {
		if _, err := NewSource(t.Context(), out).Open(path); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestInterrupted waits for a pipe to which nothing is written.
func TestInterrupted(t *testing.T) {
	in, w, err := os.Pipe()
	require.NoError(t, err)
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	s := NewSource(ctx, nil)
	r, err := s.Reader("a pipe", in)
	require.NoError(t, err)
	w.WriteString("some")
	got := make([]byte, 10)
	if n, err := r.Read(got); err != nil || string(got[:n]) != "some" {
		t.Fatalf("%q, %v", got[:n], err)
	}
	done := make(chan error)
	go func() {
		_, err := r.Read(got)
		done <- err
	}()
	cancel()
	var i *Interrupted
	if err := <-done; !errors.As(err, &i) || i.Name != "a pipe" || s.Interrupted() != i {
		t.Errorf("%v, %v", err, s.Interrupted())
	}
	w.WriteString("more") // must not be taken for what comes next
	if n, err := r.Read(got); n > 0 || !errors.As(err, &i) {
		t.Errorf("%d bytes, %v after the interruption", n, err)
	}
	if _, err := s.Open(write(t, "file", "")); !errors.As(err, &i) {
		t.Errorf("%v after the interruption", err)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.txt", "a/c.tsv", "a/d.md", "a/e.txt"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte("12345"), 0o666))
	}
	list := func(s *Source, path string, endings ...string) (all string) {
		for name, err := range s.Files(path, endings...) {
			name, _ = filepath.Rel(dir, name)
			if all += " " + filepath.ToSlash(name); err != nil {
				all += " (" + strings.ReplaceAll(err.Error(), dir, "DIR") + ")"
			}
		}
		return all
	}
	s := NewSource(t.Context(), nil)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct{ got, want string }{
		{list(s, dir, ".txt"), " a/e.txt b.txt"},
		{list(s, dir, ".txt", ".tsv"), " a/c.tsv a/e.txt b.txt"},
		{list(s, dir, ".pdf", ".ps"), " . (DIR: there is no .pdf or .ps file in this directory)"},
		{list(s, filepath.Join(dir, "a/d.md"), ".txt"), " a/d.md"},
		{list(s, filepath.Join(dir, "none"), ".txt"), " none (DIR/none: no such file or directory)"},
		{list(NewSource(ended, nil), dir, ".txt"), " . (interrupted while reading DIR)"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
	for link, to := range map[string]string{
		"a/again": "..", "link": "a", "f.txt": "b.txt", "nowhere.txt": "nothing", "self.txt": "self.txt", "outside": t.TempDir(),
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip("there are no symbolic links: ", err)
		}
	}
	for path, want := range map[string]string{
		dir: " a/e.txt b.txt f.txt", filepath.Join(dir, "link"): " link/again/b.txt link/again/f.txt link/e.txt",
		filepath.Join(dir, "outside"): " outside (DIR/outside: there is no .txt file in this directory)",
	} {
		if got := list(s, path, ".txt"); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	require.NoError(t, errors.Join(os.Remove(filepath.Join(dir, "f.txt")), os.Remove(filepath.Join(dir, "link"))))
	if got := Size([]string{dir, filepath.Join(dir, "a/d.md"), filepath.Join(dir, "none")}, ".txt"); got != 15 {
		t.Errorf("%d bytes, want 15", got)
	}
}
