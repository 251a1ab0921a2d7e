//go:build stress

package main

import (
	"bytes"
	"encoding/csv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published/games"
	"goalproof/internal/testkit/require"
)

// rowsOf are all rows of a library by which two are compared.
func rowsOf(t *testing.T, path string) string {
	t.Helper()
	var all strings.Builder
	for _, statement := range []string{
		"SELECT * FROM games ORDER BY id", "SELECT * FROM moves ORDER BY game", "SELECT * FROM materials ORDER BY game, first", "SELECT * FROM position",
	} {
		code, out, errors := said(t, "library", "sql", "--csv", "--limit", "0", path, statement)
		if code != cli.Holds {
			t.Fatalf("%s: exit code %d\n%s", statement, code, errors)
		}
		all.WriteString(out)
	}
	return all.String()
}

// verified checks that a library is sound, and returns the number of its games.
func verified(t *testing.T, path string) (games int) {
	t.Helper()
	code, out, errors := said(t, "library", "verify", path)
	if code != cli.Holds {
		t.Errorf("library verify: exit code %d\n%s%s", code, out, errors)
	}
	return countedGames(t, path)
}

// countedGames returns the number of games of a library.
func countedGames(t *testing.T, path string) (games int) {
	t.Helper()
	code, out, errors := said(t, "library", "query", "--count", path)
	games, err := strconv.Atoi(strings.TrimSpace(out))
	if code != cli.Holds || err != nil {
		t.Errorf("library query: exit code %d\n%s%s", code, out, errors)
	}
	return games
}

// importAll imports an archive, of which some games may be there.
func importAll(t *testing.T, path, archive string) {
	t.Helper()
	if code, out, errors := said(t, "library", "import", path, archive); code != cli.Holds {
		t.Fatalf("library import: exit code %d\n%s%s", code, out, errors)
	}
}

// TestLibraryKilled kills the program while it imports. The games already written are sound, and the
// same import, run again, adds the others.
func TestLibraryKilled(t *testing.T) {
	const many = 12_000 // two transactions
	kills, random := boards.Sized(2, 20), rand.New(rand.NewPCG(3, 4))
	archive, whole := games.Many(t, many), filepath.Join(t.TempDir(), "whole")
	start := time.Now()
	importAll(t, whole, archive)
	takes := time.Since(start)
	want, there := rowsOf(t, whole), map[int]int{}
	for i := range kills {
		path := filepath.Join(t.TempDir(), "library")
		cmd := process(t, "goalproof", "library", "import", path, archive)
		require.NoError(t, cmd.Start())
		time.Sleep(time.Duration((float64(i) + random.Float64()) / float64(kills) * float64(takes)))
		_ = cmd.Process.Kill() // it may have come to its end
		_ = cmd.Wait()
		if _, err := os.Stat(path); err == nil {
			there[verified(t, path)]++
		}
		importAll(t, path, archive)
		if got := verified(t, path); got != many || rowsOf(t, path) != want {
			t.Errorf("killed %d of %d: %d games, or other rows", i+1, kills, got)
		}
	}
	t.Logf("imports of %v killed; games that were there: %v", takes.Round(time.Millisecond), there)
}

// TestLibraryOfTwo imports twice at the same time while the library is asked: games never get fewer,
// each answer is that of one moment, and the second import waits, or says who writes.
func TestLibraryOfTwo(t *testing.T) {
	const many = 12_000
	archive, path := games.Many(t, many), filepath.Join(t.TempDir(), "library")
	importAll(t, path, exampleGames)
	first := process(t, "goalproof", "library", "import", path, archive)
	require.NoError(t, first.Start())
	ended := make(chan error, 1)
	go func() { ended <- first.Wait() }()
	time.Sleep(300 * time.Millisecond)
	second := process(t, "goalproof", "library", "import", path, archive)
	var said2 bytes.Buffer
	second.Stdout, second.Stderr = &said2, &said2
	require.NoError(t, second.Start())
	before, changes, asked := 10, 0, 0
	for over := false; !over; asked++ {
		select {
		case err := <-ended:
			require.NoError(t, err)
			over = true
		default:
		}
		now := momentOf(t, path)
		if now < before {
			t.Errorf("%d games, and there were %d", now, before)
		}
		if now > before {
			changes++
		}
		before = now
	}
	_ = second.Wait() // its exit code is checked
	switch code := second.ProcessState.ExitCode(); {
	case code != cli.Holds && code != cli.BadInput, code == cli.BadInput && !strings.Contains(said2.String(), path+": another process writes to it"):
		t.Errorf("the second import: exit code %d\n%s", code, said2.String())
	default:
		t.Logf("asked %d times, %d changes; the second import: exit code %d, %s", asked, changes, code, said2.String())
	}
	importAll(t, path, archive)
	if got := verified(t, path); got != many+10 {
		t.Errorf("%d games", got)
	}
}

// momentOf lists all games with their number, in one statement, and returns it.
func momentOf(t *testing.T, path string) int {
	t.Helper()
	out, err := process(t, "goalproof", "library", "sql", "--csv", "--limit", "0", path, "SELECT (SELECT count(*) FROM games), id FROM games").Output()
	require.NoError(t, err)
	rows, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
	require.NoError(t, err)
	for _, row := range rows[1:] {
		if row[0] != strconv.Itoa(len(rows)-1) {
			t.Fatalf("%s games are counted, and %d listed", row[0], len(rows)-1)
		}
	}
	if len(rows) == 1 {
		t.Error("there are no games")
	}
	return len(rows) - 1
}

// TestLibraryMemory measures what a library takes, and statements that want more than there is: each
// ends with a word about a limit.
func TestLibraryMemory(t *testing.T) {
	needsMemory(t)
	archive, path := games.Many(t, boards.Sized(12_000, 30_000)), filepath.Join(t.TempDir(), "library")
	most := func(mib int64, code int, args ...string) {
		t.Helper()
		peak := peakOf(t, code, args...)
		t.Logf("%d MiB: %.150s", peak>>20, strings.Join(args[1:], " "))
		if peak > mib<<20 {
			t.Errorf("%d MiB, more than %d: %v", peak>>20, mib, args)
		}
	}
	most(200, cli.Holds, "library", "import", path, archive)
	most(150, cli.Holds, "library", "query", "--count", "--pattern", "Ed4 !rc3", path)
	most(150, cli.Holds, "library", "query", "--limit", "0", "--pattern", "Ed4", path)
	most(200, cli.Holds, "library", "verify", path)
	most(150, cli.Holds, "library", "query", "--limit", "5", "--sort", "rating", path)
	const endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
	for statement, code := range map[string]int{
		"SELECT zeroblob(2000000000)":                                                        cli.BadInput,
		"SELECT randomblob(1000000000)":                                                      cli.BadInput,
		"SELECT printf('%.*c', 1000000000, 'x')":                                             cli.BadInput,
		"SELECT hex(zeroblob(500000000))":                                                    cli.BadInput,
		"SELECT group_concat(zeroblob(1000000)) FROM games":                                  cli.BadInput,
		endless + "SELECT group_concat(x) FROM c":                                            cli.Unknown,
		endless + "SELECT x FROM c ORDER BY -x":                                              cli.Unknown,
		"WITH RECURSIVE c(x) AS (SELECT 1 UNION SELECT x + 1 FROM c) SELECT count(*) FROM c": cli.Unknown,
		"SELECT a.turns, b.turns FROM moves a, moves b ORDER BY 1, 2":                        cli.Unknown,
		"SELECT *, row_number() OVER (ORDER BY a.turns) FROM games a, games b":               cli.Unknown,
		"SELECT count(DISTINCT a.turns || b.turns) FROM moves a, moves b":                    cli.Unknown,
		"SELECT zeroblob(4000000) FROM games":                                                cli.Unknown,
	} {
		for _, form := range []string{"--limit=0", "--json", "--csv"} {
			if form != "--limit=0" && !strings.HasPrefix(statement, "SELECT zeroblob(4") {
				continue
			}
			most(320, code, "library", "sql", form, "--time", "4s", path, statement)
		}
	}
}
