package learn

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/require"
)

// played returns games of few nodes.
func played(t testing.TB, n int) (all []*Game) {
	t.Helper()
	for g, err := range (SelfPlay{Seed: 1, Nodes: 20, Threads: 2}).Games(t.Context(), 0, n) {
		require.NoError(t, err)
		all = append(all, g)
	}
	return all
}

// TestRecords writes games and reads them again, after each way in which the last record can be
// incomplete, too. A damaged file is an error, which names the game.
func TestRecords(t *testing.T) {
	games := played(t, 4)
	name := filepath.Join(t.TempDir(), "games")
	open := func() *Records {
		t.Helper()
		r, err := OpenRecords(name, "some games")
		require.NoError(t, err)
		return r
	}
	r := open()
	sizes := []int64{}
	for _, g := range games {
		info, err := os.Stat(name)
		require.NoError(t, err)
		sizes = append(sizes, info.Size())
		require.NoError(t, r.Add(g))
	}
	require.NoError(t, r.Close())
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	for _, end := range []int64{sizes[3], sizes[3] + 1, sizes[3] + 4, sizes[3] + 100, int64(len(whole)) - 1} {
		require.NoError(t, os.WriteFile(name, whole[:end], 0o666))
		if n := count(t, name); n != 3 {
			t.Errorf("%d games are read from %d bytes", n, end)
		}
		r := open()
		if r.Games() != 3 {
			t.Errorf("%d games are left of %d bytes", r.Games(), end)
		}
		require.NoError(t, r.Add(games[3]))
		require.NoError(t, r.Close())
		if again, err := os.ReadFile(name); err != nil || string(again) != string(whole) {
			t.Errorf("continued after %d bytes the file is another: %v", end, err)
		}
	}
	i := 0
	if err := Read(name, 3, func(g *Game) error {
		if !reflect.DeepEqual(g, games[i]) {
			t.Errorf("game %d: %v, not %v", i, g, games[i])
		}
		i++
		return nil
	}); err != nil || i != 3 {
		t.Errorf("%d games: %v", i, err)
	}
	if _, err := OpenRecords(name, "other games"); err == nil {
		t.Error("games of another description are accepted")
	}
	for _, c := range []struct {
		at   int64
		want string
	}{{0, "another version"}, {sizes[0] + 3, "game 1: a record of"}, {sizes[0] + 50, "game 1: the checksum is wrong"}} {
		damaged := bytes.Clone(whole)
		damaged[c.at] ^= 0x55
		require.NoError(t, os.WriteFile(name, damaged, 0o666))
		if err := Read(name, 100, func(*Game) error { return nil }); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("byte %d: %v", c.at, err)
		}
	}
}

func count(t *testing.T, name string) (n int) {
	t.Helper()
	if err := Read(name, 100, func(*Game) error { n++; return nil }); err != nil {
		t.Error(err)
	}
	return n
}

// FuzzParseGame checks that no payload causes a panic, and that a game that is read has legal
// turns.
func FuzzParseGame(f *testing.F) {
	p := arimaa.NewPosition(arimaa.Board{}, arimaa.Gold)
	f.Add(append([]byte{0, byte(len(p.AppendPacked(nil)))}, p.AppendPacked(nil)...))
	f.Add([]byte{1, 200, 3})
	f.Add(append([]byte{0, 255}, make([]byte, 257)...)) // a length that a byte cannot hold with the two before it
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := ParseGame(data)
		if err != nil {
			return
		}
		n := 0
		for range g.All {
			n++
		}
		if n != len(g.Turns) {
			t.Errorf("%d positions before %d turns", n, len(g.Turns))
		}
	})
}
