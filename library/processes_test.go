package library

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/require"
)

// snapshot asks one question that several tables answer, and returns the number of games: all of
// them must be as they are after the same commit.
func snapshot(t *testing.T, l *Library) (games int) {
	t.Helper()
	var last, records, positions, indexed int
	require.NoError(t, l.db.QueryRow(`SELECT (SELECT count(*) FROM games), (SELECT COALESCE(max(id), 0) FROM games), (SELECT count(*) FROM moves),
		(SELECT COALESCE(sum(turns + 1), 0) FROM games), (SELECT count(*) FROM position)`).Scan(&games, &last, &records, &positions, &indexed))
	if games != last || games != records || positions != indexed {
		t.Errorf("%d games, the last is number %d, %d records, %d positions, %d of them in the index", games, last, records, positions, indexed)
	}
	listed := 0
	for row, err := range l.Select(t.Context(), "SELECT (SELECT count(*) FROM games), id FROM games", Limits{}) {
		require.NoError(t, err)
		if listed++; listed > 1 { // the first row has the names
			records = int(row[0].(int64))
		}
	}
	if listed > 1 && listed-1 != records {
		t.Errorf("%d games are listed and %d counted by the same statement", listed-1, records)
	}
	if listed-1 < games {
		t.Errorf("%d games are listed, and there were %d before", listed-1, games)
	}
	return games
}

// TestReadWhileImported asks a library again and again while another process imports: games never
// get fewer, and each answer is that of one moment. Where the import is over before this process gets
// to see three changes, another one begins.
func TestReadWhileImported(t *testing.T) {
	file, whole := publishedArchive(t)
	for range 10 {
		if readWhileImported(t, file, whole) >= 3 {
			return
		}
	}
	t.Error("the number of games changed less than three times, in each of ten imports")
}

// readWhileImported reads during an import of a file, and returns how often the number of games has
// changed. The whole library is compared with another one in the end.
func readWhileImported(t *testing.T, file string, whole *Library) (changes int) {
	path := filepath.Join(t.TempDir(), "library")
	l, err := Create(t.Context(), path)
	require.NoError(t, err)
	require.NoError(t, l.Close())
	l = opened(t, path)
	c := child(path, file, 100)
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	lines := bufio.NewScanner(out)
	before := 0
	for n := 0; lines.Scan(); n++ {
		if n%4 > 0 {
			continue
		}
		reader := l
		if n%8 == 0 {
			reader, err = Open(t.Context(), path)
			require.NoError(t, err)
		}
		now := snapshot(t, reader)
		if reader != l {
			require.NoError(t, reader.Close())
		}
		if now < before {
			t.Errorf("%d games, and there were %d", now, before)
		}
		if now > before {
			changes++
		}
		before = now
	}
	require.NoError(t, c.Wait())
	if sum(t, l, everything) != sum(t, whole, everything) {
		t.Error("the library that was read is another one")
	}
	return changes
}

// TestInUse imports while another process keeps writing. The error says so, and the library is as it
// was before.
func TestInUse(t *testing.T) {
	l := importText(t, 1, short)
	_, err := l.write.ExecContext(context.Background(), "BEGIN IMMEDIATE")
	require.NoError(t, err)
	other, err := Create(t.Context(), l.path)
	require.NoError(t, err)
	defer other.Close()
	_, err = other.write.ExecContext(context.Background(), "PRAGMA busy_timeout = 10")
	require.NoError(t, err)
	second, err := other.Import()
	require.NoError(t, err)
	second.failed = second.add("test", &prepared{}, map[[16]byte]int{})
	if err := second.Close(); !errors.Is(err, ErrInUse) {
		t.Error(err)
	}
	_, err = l.write.ExecContext(context.Background(), "ROLLBACK")
	require.NoError(t, err)
	if n := snapshot(t, other); n != 1 {
		t.Errorf("%d games", n)
	}
}

// TestChangedWhileRead changes a file that is read as one that nobody changes: closing it says so.
func TestChangedWhileRead(t *testing.T) {
	writer := importText(t, 1, short)
	require.NoError(t, writer.Close())
	for _, change := range []bool{false, true} {
		still, err := os.Stat(writer.path)
		require.NoError(t, err)
		l := &Library{path: writer.path, real: writer.path, still: still}
		require.NoError(t, l.reader(t.Context(), "mode=ro&immutable=1"))
		if n := snapshot(t, l); n != 1 {
			t.Errorf("%d games", n)
		}
		if change {
			_, err := importFile(writer.path, filepath.Join(published.Dir(t), "games", "archive-2002.tsv"), usualChunk, func(Read) {})
			require.NoError(t, err)
		}
		if err := l.Close(); errors.Is(err, ErrInUse) != change || !change && err != nil {
			t.Errorf("changed %t: %v", change, err)
		}
	}
}
