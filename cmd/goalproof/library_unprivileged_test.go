//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/require"
	"goalproof/library"
)

// leftFiles makes a library of the examples as a writer leaves it that was killed: ten games are in its
// log alone. The directory gets those of its files that are named by their ends.
func leftFiles(t *testing.T, ends ...string) (path string) {
	t.Helper()
	from := filepath.Join(t.TempDir(), "library")
	l, err := library.Create(t.Context(), from)
	require.NoError(t, err)
	defer l.Close()
	text, err := os.Open(exampleGames)
	require.NoError(t, err)
	defer text.Close()
	im, err := l.Import()
	require.NoError(t, err)
	require.NoError(t, im.Text(t.Context(), "examples", notation.Parts(notation.NewLines("examples", text)), func(library.Read) {}))
	require.NoError(t, im.Close())
	path = filepath.Join(t.TempDir(), "library")
	for _, end := range append(ends, "") {
		data, err := os.ReadFile(from + end)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path+end, data, 0o666))
	}
	return path
}

// TestLibraryOnlyRead asks libraries in directories in which nothing may be written: they answer rightly,
// or one line says what to do.
func TestLibraryOnlyRead(t *testing.T) {
	run := runUnprivileged(t)
	read := imported(t) // it was only read last
	if code, _, errors := said(t, "library", "info", read); code != cli.Holds {
		t.Fatal(errors)
	}
	for name, c := range map[string]struct{ path, refused string }{
		"closed":               {imported(t), ""},
		"read":                 {read, ""},
		"killed":               {leftFiles(t, "-wal", "-shm"), ""},
		"killed, without -shm": {leftFiles(t, "-wal"), "an import that was interrupted has left "},
	} {
		readable(t, filepath.Dir(c.path))
		for _, args := range [][]string{{"query", "--count", c.path}, {"verify", c.path}} {
			code, out, errors := run(append([]string{"library"}, args...)...)
			switch {
			case c.refused == "" && (code != cli.Holds || errors != "" || !strings.Contains(out, "10")):
				t.Errorf("%s: %v: exit code %d\n%s%s", name, args, code, out, errors)
			case c.refused != "" && (code != cli.BadInput || out != "" || !strings.Contains(errors, c.refused+c.path+"-wal")):
				t.Errorf("%s: %v: exit code %d\n%s%s", name, args, code, out, errors)
			}
		}
		code, out, errors := run("library", "import", c.path, "/dev/null")
		if code != cli.BadInput || out != "" || !strings.Contains(errors, c.path+": permission denied") {
			t.Errorf("%s: import: exit code %d\n%s%s", name, code, out, errors)
		}
	}
}
