//go:build linux

package main

import (
	"compress/gzip"
	"io"
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
		for _, args := range [][]string{{"import", c.path, "/dev/null"}, {"review", c.path, "--nodes", "10", "--effort", "0"}} {
			code, out, errors := run(append([]string{"library"}, args...)...)
			if code != cli.BadInput || out != "" || !strings.Contains(errors, c.path+": permission denied") {
				t.Errorf("%s: %v: exit code %d\n%s%s", name, args, code, out, errors)
			}
		}
	}
}

// TestOlderLibrary asks a library of version 1: where it may be written to, it is brought up to
// date; elsewhere one line says what to do.
func TestOlderLibrary(t *testing.T) {
	packed, err := os.Open("../../library/testdata/version1.db.gz")
	require.NoError(t, err)
	defer packed.Close()
	z, err := gzip.NewReader(packed)
	require.NoError(t, err)
	data, err := io.ReadAll(z)
	require.NoError(t, err)
	run := runUnprivileged(t)
	questions := [][]string{{"query", "--count"}, {"findings"}, {"verify"}, {"info"}, {"sql"}, {"review", "--nodes", "10", "--effort", "0"}, {"import"}}
	path := filepath.Join(t.TempDir(), "library")
	require.NoError(t, os.WriteFile(path, data, 0o666))
	readable(t, filepath.Dir(path))
	ask := func(q []string) []string {
		args := append(append([]string{"library"}, q...), path)
		switch q[0] {
		case "sql":
			args = append(args, "SELECT count(*) FROM findings")
		case "import":
			args = append(args, "/dev/null")
		}
		return args
	}
	for _, q := range questions {
		code, out, errors := run(ask(q)...)
		want := "made by an older version of this program, and cannot be brought up to date"
		if q[0] == "import" {
			want = "permission denied"
		}
		if code != cli.BadInput || out != "" || strings.Count(errors, "\n") != 1 || !strings.Contains(errors, path+": ") || !strings.Contains(errors, want) {
			t.Errorf("%v: exit code %d\n%s%s", q, code, out, errors)
		}
	}
	for _, q := range questions[:len(questions)-1] {
		path = filepath.Join(t.TempDir(), "library")
		require.NoError(t, os.WriteFile(path, data, 0o666))
		if code, out, errors := said(t, ask(q)...); code != cli.Holds {
			t.Errorf("%v: exit code %d\n%s%s", q, code, out, errors)
		}
		if n := verifiedGames(t, path); n != 2 {
			t.Errorf("%v: %d games", q, n)
		}
	}
}

// verifiedGames checks that a library is sound, and returns the number of its games.
func verifiedGames(t *testing.T, path string) int {
	t.Helper()
	holds(t, "library", "verify", path)
	return countedIn(t, path)
}
