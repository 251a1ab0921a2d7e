package certificates

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
	"goalproof/proof"
)

// TestNames takes names of files, of which two are the same although the puzzles have different
// names.
func TestNames(t *testing.T) {
	names := NewNames("puzzles")
	for _, name := range []string{"a 1", "b/1", "a-1"} {
		if err := names.Take(FileName(name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	err := names.Take(FileName("a/1"))
	const want = "--certificates: two puzzles are named a_1, and so would their files be"
	if !errors.As(err, new(*Twice)) || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestWrite writes certificates to files, plain and compressed ones: equal certificates make equal
// files, and what cannot be written leaves the file that is there alone, and nothing beside it.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	c := &proof.Certificate{Turns: 1, Entries: []proof.Entry{
		{Rank: 1, Position: "g [        R               r                                      e]", Turn: "Ra7n"},
	}}
	contents := func(path string) string {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(b)
	}
	for _, name := range []string{"c.proof", "c.proof.gz"} {
		path := filepath.Join(dir, name)
		require.NoError(t, Write(path, c))
		first := contents(path)
		if packed := strings.HasPrefix(first, "\x1f\x8b"); packed != (filepath.Ext(name) == ".gz") {
			t.Errorf("%s begins with %q", name, first[:4])
		}
		if read, _, err := proof.ReadFile(path); err != nil || len(read.Entries) != 1 || read.Entries[0].Position != c.Entries[0].Position {
			t.Errorf("%s: %v, read as %+v", name, err, read)
		}
		if err := Write(path, c); err != nil || contents(path) != first {
			t.Errorf("%s: written differently (%v)", name, err)
		}
		bad := &proof.Certificate{Turns: 1, Entries: []proof.Entry{c.Entries[0], {Rank: 1, Position: c.Entries[0].Position}}}
		if err := Write(path, bad); err == nil || !strings.Contains(err.Error(), "entry 2: a turn without steps") {
			t.Errorf("%s: the error is %v", name, err)
		}
		if contents(path) != first {
			t.Errorf("%s: damaged", name)
		}
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "taken"), 0o777))
	for _, path := range []string{filepath.Join(dir, "taken"), filepath.Join(dir, "none", "c.proof")} {
		if err := Write(path, c); err == nil {
			t.Errorf("%s: written", path)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 3 {
		t.Errorf("%v, left are %v", err, left)
	}
}

// TestRejected tells certificates with a hole from those that were not checked to the end.
func TestRejected(t *testing.T) {
	if !Rejected(fmt.Errorf("line 3: %w", &proof.Hole{})) {
		t.Error("a certificate with a hole is not rejected")
	}
	if Rejected(nil) || Rejected(proof.ErrTooManyReplies) {
		t.Error("a certificate without a hole is rejected")
	}
}
