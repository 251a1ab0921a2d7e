//go:build stress

package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
)

// gamesWithPuzzles imports games that begin with puzzles, in copies of a few ideas.
func gamesWithPuzzles(t *testing.T, many int) (path string) {
	t.Helper()
	dir := t.TempDir()
	rows := []string{"id\tmovelist"}
	for i := range many {
		rows = append(rows, fmt.Sprintf("game-%d\t%s", i, []string{
			`1w Ra1 Rd1 Re1 Rh1 Rh2 Ed6 Ra7\n1b ed3 rg3 df6 rg6 rb7 rh7 ra8\n44w Ra1n\n44b rg3s\n45w Ra2n\n45b rg2w\n46w`,
			`1w Rh1 Re1 Rd1 Ra1 Ra2 Ee6 Rh7\n1b ee3 rb3 dc6 rb6 rg7 ra7 rh8\n44w Rh1n\n44b rb3s\n45w Rd1n`,
			`1w Ra1 Rd1 Re1 Rh1 Rh2 Ed6 Ra7\n1b ed3 rf5 df6 rg6 rb7 rh7 ra8\n44w`,
		}[i%3]))
	}
	put(t, filepath.Join(dir, "games.tsv"), rows)
	path = filepath.Join(dir, "games.db")
	importAll(t, path, filepath.Join(dir, "games.tsv"))
	return path
}

// minedRows are all rows that mining writes.
func minedRows(t *testing.T, path string) (rows string) {
	t.Helper()
	for _, table := range []string{"puzzle", "origin", "theme", "mining", "mined"} {
		code, out, errors := said(t, "library", "sql", "--csv", "--limit", "0", path, "SELECT * FROM "+table+" ORDER BY 1, 2")
		if code != cli.Holds {
			t.Fatalf("%s: exit code %d\n%s", table, code, errors)
		}
		rows += out
	}
	return rows
}

// TestLibraryKilledMining kills the program while it mines. The library is sound after that, with all
// puzzles of a game or none. The same command, run again, mines the other games, and in the end all
// rows are those of a mining that was not killed.
func TestLibraryKilledMining(t *testing.T) {
	const many = 240
	kills := boards.Sized(3, 20)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	mine := func(path string) []string { return []string{"library", "mine", "--nodes", "6000", path} }
	whole := gamesWithPuzzles(t, many)
	start := time.Now()
	if code, out, errors := said(t, mine(whole)...); code != cli.Holds || strings.Count(out, "\n") != 3 {
		t.Fatalf("exit code %d\n%s%s", code, out, errors)
	}
	takes := time.Since(start)
	want := minedRows(t, whole)
	var mined []int
	for i := range kills {
		path := gamesWithPuzzles(t, many)
		cmd := process(t, "goalproof", mine(path)...)
		require.NoError(t, cmd.Start())
		time.Sleep(time.Duration((float64(i) + random.Float64()) / float64(kills) * float64(takes)))
		_ = cmd.Process.Kill() // it may have come to its end
		_ = cmd.Wait()
		verified(t, path)
		_, out, _ := said(t, "library", "sql", "--csv", path, "SELECT game FROM mined WHERE game NOT IN (SELECT game FROM origin)")
		if strings.TrimSpace(out) != "game" {
			t.Errorf("these games were mined, and their puzzles are not there: %s", out)
		}
		_, out, _ = said(t, "library", "sql", "--csv", path, "SELECT game FROM mined")
		mined = append(mined, strings.Count(out, "\n")-1)
		if code, out, errors := said(t, mine(path)...); code != cli.Holds {
			t.Fatalf("exit code %d\n%s%s", code, out, errors)
		}
		if verified(t, path); minedRows(t, path) != want {
			t.Errorf("killed %d of %d: other rows", i+1, kills)
		}
	}
	t.Logf("minings of %v killed; games that were mined: %v", takes.Round(time.Millisecond), mined)
}
