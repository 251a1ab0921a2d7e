package library

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/require"
)

// Some tests kill a process that imports: the test binary again, which then imports in place of
// tests.
const (
	childEnv   = "LIBRARY_TEST_CHILD" // the library
	archiveEnv = "LIBRARY_TEST_ARCHIVE"
	chunkEnv   = "LIBRARY_TEST_CHUNK"
)

func TestMain(m *testing.M) {
	path := os.Getenv(childEnv)
	if path == "" {
		os.Exit(m.Run())
	}
	chunk, err := strconv.Atoi(os.Getenv(chunkEnv))
	if err == nil {
		_, err = importFile(path, os.Getenv(archiveEnv), chunk, func(Read) { fmt.Println("read") })
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// importFile imports an archive into a library, in chunks of so many positions.
func importFile(path, archive string, chunk int, each func(Read)) (im *Import, err error) {
	ctx := context.Background()
	text, err := os.Open(archive)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	l, err := Create(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := l.Close(); err == nil {
			err = e
		}
	}()
	if im, err = l.Import(); err != nil {
		return nil, err
	}
	im.chunk = chunk
	err = im.Text(ctx, "archive", notation.Parts(notation.NewLines("archive", text)), each)
	if e := im.Close(); err == nil {
		err = e
	}
	return im, err
}

// child prepares a process that imports. It writes a line for each game that it has read.
func child(path, archive string, chunk int) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childEnv+"="+path, archiveEnv+"="+archive, chunkEnv+"="+strconv.Itoa(chunk))
	c.Stderr = os.Stderr
	return c
}

// killAfter starts a child and kills it when it has read so many games, unless it has come to its
// end.
func killAfter(t *testing.T, c *exec.Cmd, games int) {
	t.Helper()
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	lines := bufio.NewScanner(out)
	for n := 1; n <= games && lines.Scan(); n++ {
	}
	require.NoError(t, c.Process.Kill())
	_, _ = io.Copy(io.Discard, out)
	_ = c.Wait() // it was killed
}

// contents are what must be the same after an import that was interrupted. The parameter is the
// last game that counts.
var contents = []string{
	"SELECT * FROM games WHERE id <= ? ORDER BY id",
	"SELECT * FROM moves WHERE game <= ? ORDER BY game",
	"SELECT * FROM materials WHERE game <= ? ORDER BY game, first",
	"SELECT * FROM position WHERE game <= ? ORDER BY key, game, at",
}

// everything counts all games.
const everything = math.MaxInt64

// sum digests the contents of a library up to a game.
func sum(t *testing.T, l *Library, last int64) string {
	t.Helper()
	sum := sha256.New()
	for _, question := range contents {
		rows, err := l.db.Query(question, last)
		require.NoError(t, err)
		columns, err := rows.Columns()
		require.NoError(t, err)
		values, to := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			to[i] = &values[i]
		}
		for rows.Next() {
			require.NoError(t, rows.Scan(to...))
			fmt.Fprintf(sum, "%v\n", values)
		}
		require.NoError(t, rows.Err())
		require.NoError(t, rows.Close())
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// publishedArchive returns the name of an archive of published games, and a library that has them.
func publishedArchive(t *testing.T) (file string, whole *Library) {
	t.Helper()
	file = filepath.Join(published.Dir(t), "games", "archive-2002.tsv")
	path := filepath.Join(t.TempDir(), "whole")
	_, err := importFile(path, file, usualChunk, func(Read) {})
	require.NoError(t, err)
	return file, opened(t, path)
}

// opened opens a library for reading until the test ends.
func opened(t *testing.T, path string) *Library {
	t.Helper()
	l, err := Open(t.Context(), path)
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	return l
}
