package library

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"goalproof/internal/testkit/require"
)

var writeVersion = flag.Bool("write-version", false, "write testdata/versionN.db.gz for the present version")

// ofVersion returns a copy of the small library of a version that testdata has.
func ofVersion(t *testing.T, version int) (path string) {
	data, err := os.ReadFile(fmt.Sprintf("testdata/version%d.db.gz", version))
	require.NoError(t, err)
	text, err := gzip.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	whole, err := io.ReadAll(text)
	require.NoError(t, err)
	path = filepath.Join(t.TempDir(), "library")
	require.NoError(t, os.WriteFile(path, whole, 0o666))
	return path
}

// tables returns what a file says of its tables, indices and views.
func tables(t *testing.T, l *Library) (text string) {
	require.NoError(t, l.view(context.Background(), func(v *view) error {
		_, err := v.query(context.Background(), "SELECT group_concat(name || ': ' || COALESCE(sql, ''), char(10) ORDER BY name) FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'",
			nil, &text)
		return err
	}))
	return text
}

// TestVersions opens a library of each version that there has been: it is brought up to date, with the
// same games, and then has the tables of a new one.
func TestVersions(t *testing.T) {
	game := "[Gold \"ann\"]\n[Silver \"bob\"]\n[Date \"2026-01-31\"]\n\n" + short
	fresh := importText(t, 1, game+"\n[Gold \"cho\"]\n\n"+short+"\ng [r       Rr     r   E dr                    e  r        RR  RR  R] win in 2\n")
	if *writeVersion {
		require.NoError(t, fresh.Close())
		data, err := os.ReadFile(fresh.path)
		require.NoError(t, err)
		var b bytes.Buffer
		z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		require.NoError(t, err)
		_, err = z.Write(data)
		require.NoError(t, err)
		require.NoError(t, z.Close())
		require.NoError(t, os.WriteFile(fmt.Sprintf("testdata/version%d.db.gz", Version), b.Bytes(), 0o666))
		return
	}
	for version := 1; version <= Version; version++ {
		path := ofVersion(t, version)
		l, err := Create(context.Background(), path)
		require.NoError(t, err)
		defer l.Close()
		require.NoError(t, l.Verify(context.Background(), func(int) {}))
		games := all(t, l, &Filter{})
		if len(games) != 2 || games[0].Gold != "ann" || games[1].Twin != 1 || games[0].Turns != 3 {
			t.Errorf("version %d: %d games: %+v", version, len(games), games)
		}
		if im := addText(t, l, 1, "again", game); im.Known != 1 || im.Added != 0 {
			t.Errorf("version %d: its game is not known again: %+v", version, im)
		}
		if got, want := tables(t, l), tables(t, fresh); got != want {
			t.Errorf("a library of version %d has the tables\n%s\nand a new one has\n%s\nRaise Version, with an upgrade and a file of it in testdata.", version, got, want)
		}
	}
}
