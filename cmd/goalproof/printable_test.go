package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/interrupt"
	"goalproof/internal/printable"
)

// rude is what a name must not do to a terminal.
const rude = "\x1b]0;title\a\u202e\x9b2J"

func init() { programs["goalproof-rude"] = runRude }

// runRude is the program with another name, which it gives itself in the engine interface.
func runRude() {
	os.Exit(run(interrupt.Context(), os.Args[1:], cli.Terminal{In: os.Stdin, Out: renamed{}, Err: os.Stderr}))
}

type renamed struct{}

func (renamed) Write(b []byte) (int, error) {
	if _, err := os.Stdout.Write(bytes.Replace(b, []byte("id name goalproof"), []byte("id name "+rude), 1)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// checkPrintable checks that a text tells the rude name, and does nothing of what it might.
func checkPrintable(t *testing.T, what, text string) {
	t.Helper()
	if !strings.Contains(text, "]0;title") {
		t.Errorf("%s: the name is not there:\n%q", what, text)
	}
	if printable.Text(text) != text {
		t.Errorf("%s: %q", what, text)
	}
}

// TestRudeEngine plays a game between engines that name themselves so.
func TestRudeEngine(t *testing.T) {
	record := t.TempDir()
	player := process(t, "goalproof-rude").Path + " aei"
	code, out, errors := said(t, "match", "--games", "1", "--turns", "2", "--depth", "1", "--record", record, player, player)
	if code != cli.Holds {
		t.Fatalf("exit code %d\n%s%s", code, out, errors)
	}
	checkPrintable(t, "output", out)
	games, err := os.ReadFile(filepath.Join(record, "games.tsv"))
	require.NoError(t, err)
	checkPrintable(t, "games.tsv", string(games))
	if code, out, errors := said(t, "match", "--games", "1", "--turns", "2", "--depth", "1", "--record", record, player, player); code != cli.Holds || !strings.Contains(out, "1 game is recorded") {
		t.Errorf("exit code %d\n%s%s", code, out, errors)
	}
}

// TestRudeNames gives files such names, and players.
func TestRudeNames(t *testing.T) {
	const (
		won  = "g [                R                                r              ]\n"
		lost = "g [                                                               x]\n"
	)
	dir := t.TempDir()
	name := func(text, ending string) string {
		file := filepath.Join(dir, rude+ending)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Skip("there is no such name: ", err)
		}
		return file
	}
	good, bad := name(won, ".txt"), name(lost, "-bad.txt")
	turns, err := os.ReadFile("../../examples/game.turns")
	require.NoError(t, err)
	moves := strings.ReplaceAll(strings.TrimSpace(strings.Join(strings.SplitN(string(turns), "\n", 6)[1:5], "\n")), "\n", `\n`)
	games := name("id\twusername\tbusername\tresult\ttermination\tmovelist\n1\t"+rude+"\tx\tw\tr\t"+moves+"\n", ".tsv")
	svg, page := filepath.Join(dir, "board.svg"), filepath.Join(dir, "page.html")
	for _, args := range [][]string{
		{"show", good}, {"show", bad}, {"solve", "--quiet", good}, {"solve", "--json", good}, {"solve", good, bad}, {"evaluate", good},
		{"verify", "--html", page, good}, {"defend", "--win-in", "1", good}, {"review", "--effort", "0", "--nodes", "1", games},
		{"review", "--effort", "0", "--nodes", "1", "--csv", games}, {"review", "--effort", "50", "--nodes", "1", "--html", page + "2", games}, {"show", "--svg", svg, good},
		{"mine", "--as", "4steps", "--out", rude + "/none", games}, {"show", filepath.Join(dir, "none"+rude)}, {"check", good}, {rude}, {"solve", "--goal", rude, good},
	} {
		_, out, errors := said(t, args...)
		checkPrintable(t, strings.Join(args, " "), out+errors)
	}
	for _, file := range []string{page, page + "2", svg} {
		text, err := os.ReadFile(file)
		if err != nil || printable.Text(string(text)) != string(text) {
			t.Errorf("%s (%v): %q", file, err, text)
		}
	}
}
