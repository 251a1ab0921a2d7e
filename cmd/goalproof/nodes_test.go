package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
)

// gamePositions writes positions of the example game to a file, a line each: some are decided at once, some not at all.
func gamePositions(t *testing.T, turns ...int) (file string) {
	t.Helper()
	text, err := os.ReadFile("../../examples/game.turns")
	require.NoError(t, err)
	game, err := notation.ReadGame("game.turns", string(text))
	require.NoError(t, err)
	var lines strings.Builder
	for _, i := range turns {
		p := game.Position(i)
		fmt.Fprintln(&lines, p.String())
	}
	file = filepath.Join(t.TempDir(), "positions.txt")
	require.NoError(t, os.WriteFile(file, []byte(lines.String()), 0o666))
	return file
}

// TestNodesSay lets searches with a limit in nodes say on standard error what their output depends on besides: threads that share
// a position, a store, and time.
func TestNodesSay(t *testing.T) {
	const three = "../../examples/win-in-3.txt"
	store := filepath.Join(t.TempDir(), "facts")
	for _, c := range []struct{ line, want string }{
		{"solve --memory 512MiB --nodes 2000 --threads 2 " + three, "goalproof: 2 threads search one position: how far they come in so many nodes may vary"},
		{"analyze --nodes 500 --threads 2 " + three, "goalproof: 2 threads search one position"},
		{"solve --memory 512MiB --nodes 2000 --threads 2 --algorithm pns --win-in 1 " + three, "-threads search"},
		{"solve --memory 512MiB --nodes 2000 --threads 2 " + three + " " + three, "-threads search"},
		{"solve --memory 512MiB --nodes 50000 --store " + store + " " + three, "-goalproof: --store"},
		{"solve --memory 512MiB --nodes 50000 --store " + store + " " + three, "goalproof: --store answered with "},
		{"solve --memory 512MiB --nodes 1000000 --time 1ms " + gamePositions(t, 20), "goalproof: --time stopped 1 position before --nodes was reached"},
		{"verify --memory 512MiB --nodes 1000000 --time 1ms --win-in 9 " + gamePositions(t, 20, 21), "goalproof: --time stopped 2 positions before --nodes was reached"},
		{"defend --memory 512MiB --nodes 1000000 --time 1ms --win-in 9 " + gamePositions(t, 20), "goalproof: --time stopped 1 position before --nodes was reached"},
		{"mine --time 1ms --win-in 4 " + gamePositions(t, 20), "1: not decided: time is up"},
		{"analyze --memory 512MiB --nodes 1000000 --time 1ms " + gamePositions(t, 20), "goalproof: --time stopped 1 position before --nodes was reached"},
		{"verify --memory 512MiB --nodes 1000000 --time 1ms --win-in 9 " + gamePositions(t, 20), "positions.txt: time is up before the nodes were spent"},
		{"compose --memory 512MiB --nodes 1000000 --time 1ms --claim 4 " + gamePositions(t, 20), "positions.txt: time is up before the nodes were spent"},
		{"mine --nodes 1000000 --time 1ms --win-in 4 " + gamePositions(t, 20), "goalproof: --time stopped 1 position before --nodes was reached"},
		{"experiment --nodes 1000000 --time 1ms --win-in 4 --out " + t.TempDir() + " " + gamePositions(t, 20), "goalproof: --time stopped 1 position before --nodes was reached"},
		{"solve --memory 512MiB --nodes 50000 --time 1h " + three, "-cut"},
	} {
		_, out, errors := said(t, strings.Fields(c.line)...)
		want, not := strings.CutPrefix(c.want, "-")
		if strings.Contains(errors, want) == not {
			t.Errorf("%s\n%s%s\nwant %q", c.line, out, errors, c.want)
		}
	}
}

// TestComposeUndecided does not call a position no puzzle because its nodes were spent.
func TestComposeUndecided(t *testing.T) {
	code, out, errors := said(t, "compose", "--nodes", "1", "../../examples/win-in-2.txt")
	if code != cli.Unknown || !strings.Contains(out, "a puzzle about a win in 2: not decided (the nodes are spent)") {
		t.Errorf("exit code %d\n%s%s", code, out, errors)
	}
}

// TestBestFirstNodes spends all nodes of a limit by best-first search, whose graph has room for them.
func TestBestFirstNodes(t *testing.T) {
	_, out, errors := said(t, "solve", "--memory", "256MiB", "--nodes", "250000", "--win-in", "4", "--algorithm", "pns", "--quiet",
		"../../examples/game.turns", "--turn", "12g")
	if !strings.Contains(out, "unknown (the nodes are spent)") {
		t.Errorf("%s%s", out, errors)
	}
}

// TestNodesRefused gives limits that no search can have.
func TestNodesRefused(t *testing.T) {
	const three = "../../examples/win-in-3.txt"
	for _, c := range []struct{ line, want string }{
		{"mine --nodes 0 " + three, "--nodes 0: without a limit in nodes give one in time, for example --time 10s"},
		{"solve --nodes -1 " + three, "--nodes"},
		{"solve --nodes many " + three, "--nodes"},
		{"solve --nodes 99999999999999 " + three, "--nodes 99999999999999: at most 1,099,511,627,776"},
		{"solve --nodes 1000 --time 0s " + three, "--time 0s: the time must be more than zero"},
		{"verify --nodes 1000 --time -1s " + three, "--time -1s: the time must be more than zero"},
		{"solve --nodes 1000000 --memory 64MiB " + three, "--memory: a search of 1,000,000 nodes takes 92 MiB"},
		{"solve --nodes 1000000 --memory 64MiB " + three + " " + three, "--memory: a search of 1,000,000 nodes takes 92 MiB"},
		{"defend --nodes 1000000 --memory 64MiB " + three, "--memory: a search of 1,000,000 nodes takes 92 MiB"},
		{"verify --nodes 1000000 --memory 64MiB " + three, "--memory: a search of 1,000,000 nodes takes 92 MiB"},
		{"compose --nodes 1000000 --memory 64MiB " + three, "--memory: a search of 1,000,000 nodes takes 92 MiB"},
		{"mine --memory 48MiB " + three, "--memory: a search of 500,000 nodes takes 56 MiB"},
		{"analyze --nodes 1000000 --memory 64MiB " + three, "--memory: an analysis of 1,000,000 nodes takes "},
	} {
		code, out, errors := said(t, strings.Fields(c.line)...)
		if code != cli.BadInput || out != "" || !strings.Contains(errors, c.want) || bytes.Count([]byte(errors), []byte("\n")) > 3 {
			t.Errorf("%s: exit code %d, %q, %q; want %q", c.line, code, out, errors, c.want)
		}
	}
}
