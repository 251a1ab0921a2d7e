//go:build stress

package library

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published/games"
	"goalproof/internal/testkit/require"
)

var (
	kills      = flag.Int("kills", boards.Sized(10, 60), "imports to kill")
	killsGames = flag.Int("kills-games", 3_000, "games that each of them is to import")
)

// killed starts a child and kills it after some time; if begun, counted from the moment when its
// file is there, else from its start.
func killed(t *testing.T, path, archive string, chunk int, begun bool, after time.Duration) {
	t.Helper()
	c := child(path, archive, chunk)
	require.NoError(t, c.Start())
	for end := time.Now().Add(time.Minute); begun && time.Now().Before(end); {
		if _, err := os.Stat(path); err == nil {
			break
		}
	}
	time.Sleep(after)
	_ = c.Process.Kill() // it may have come to its end
	_ = c.Wait()
}

// TestKills kills imports at random moments of their whole time; two in five while the file is made
// and its log begins.
func TestKills(t *testing.T) {
	const chunk = 1 << 13
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	archive, dir := games.Many(t, *killsGames), t.TempDir()
	start := time.Now()
	c := child(filepath.Join(dir, "whole"), archive, chunk)
	require.NoError(t, c.Run())
	takes := time.Since(start)
	whole := opened(t, filepath.Join(dir, "whole"))
	states := map[string]int{}
	for n := range *kills {
		path := filepath.Join(t.TempDir(), "library")
		begun, most := n%5 < 2, takes
		if begun {
			most = 30 * time.Millisecond
		}
		killed(t, path, archive, chunk, begun, time.Duration(random.Float64()*float64(most)))
		state := "some games"
		for _, log := range []string{"-journal", "-wal"} {
			if info, err := os.Stat(path + log); err == nil && info.Size() > 0 {
				states["with "+log]++
			}
		}
		switch there := afterKill(t, path, archive, chunk, whole); there {
		case -1:
			state = "no library"
		case 0:
			state = "no games"
		case *killsGames:
			state = "all games"
		}
		states[state]++
		require.NoError(t, os.RemoveAll(filepath.Dir(path)))
	}
	t.Logf("%d imports of %v killed: %v", *kills, takes.Round(time.Millisecond), states)
	if *kills >= 15 && states["some games"] < *kills/10 {
		t.Error("few kills fell into an import")
	}
}

// TestTwoImports has two processes import the same games at the same time: they take turns, and
// none is lost or there twice.
func TestTwoImports(t *testing.T) {
	file, whole := publishedArchive(t)
	path := filepath.Join(t.TempDir(), "library")
	first, second := child(path, file, 200), child(path, file, 300)
	require.NoError(t, first.Start())
	require.NoError(t, second.Run())
	require.NoError(t, first.Wait())
	l := opened(t, path)
	require.NoError(t, l.Verify(t.Context(), func(int) {}))
	if n := snapshot(t, l); n != snapshot(t, whole) {
		t.Errorf("%d games", n)
	}
}
