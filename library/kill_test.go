package library

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
)

// afterKill checks a library whose import was killed: it is sound, and has only whole games, the
// first of those that it is to have. The same import again adds the rest. It returns how many games
// were there; -1 if there was no library yet.
func afterKill(t *testing.T, path, archive string, chunk int, whole *Library) (games int) {
	t.Helper()
	all, err := whole.Totals(t.Context())
	require.NoError(t, err)
	l, err := Open(t.Context(), path)
	switch info, _ := os.Stat(path); {
	case err == nil:
		require.NoError(t, l.Verify(t.Context(), func(int) {}))
		there, err := l.Totals(t.Context())
		require.NoError(t, err)
		games = there.Games
		if sum(t, l, everything) != sum(t, whole, int64(games)) {
			t.Errorf("the %d games that are there are not the first ones", games)
		}
		require.NoError(t, l.Close())
	case errors.Is(err, os.ErrNotExist) || errors.Is(err, ErrForeign) && info.Size() == 0:
		games = -1
	case strings.Contains(err.Error(), path+"-journal") && strings.Contains(err.Error(), "import again"):
		games = -1 // its making is to be undone, for which a reader has no right
	default:
		t.Fatal(err)
	}
	im, err := importFile(path, archive, chunk, func(Read) {})
	require.NoError(t, err)
	if im.Known != max(games, 0) || im.Added+im.Known != all.Games {
		t.Errorf("%d games were there; the second import found %d and added %d", games, im.Known, im.Added)
	}
	if l, err = Open(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	require.NoError(t, l.Verify(t.Context(), func(int) {}))
	if sum(t, l, everything) != sum(t, whole, everything) {
		t.Errorf("%d games were there when the import was killed: its rows are not those of a whole one", games)
	}
	return games
}

// TestKilled kills imports when they have read some games.
func TestKilled(t *testing.T) {
	const chunk = 100
	file, whole := publishedArchive(t)
	for _, after := range []int{0, 15} {
		path := filepath.Join(t.TempDir(), "library")
		killAfter(t, child(path, file, chunk), after)
		if there := afterKill(t, path, file, chunk, whole); after > 0 && there <= 0 {
			t.Errorf("killed after %d games were read: %d are there", after, there)
		}
	}
}
