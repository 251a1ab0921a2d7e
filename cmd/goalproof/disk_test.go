//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
)

// writers are command lines that write, and lack their last word: the name of any file, or of a directory (or of a file that
// is read first).
func writers(t *testing.T) (files, directories []string) {
	t.Helper()
	const (
		won  = "'g [                R                                r              ]'"
		lost = "'s [       rR                                                       ]'"
	)
	text, err := os.ReadFile("../../examples/game.turns")
	require.NoError(t, err)
	game := put(t, filepath.Join(t.TempDir(), "game.turns"), strings.SplitN(string(text), "\n", 7)[:6])
	tables := t.TempDir()
	if code, _, said := said(t, "endgame", "build", "--endgames", tables, "R-r"); code != cli.Holds {
		t.Fatalf("exit code %d\n%s", code, said)
	}
	player := "'" + process(t, "goalproof").Path + " aei'"
	return []string{
			"show " + won + " --svg", "show " + won + " --png", "solve " + won + " --svg", "solve " + won + " --certificate",
			"solve --variations=1 " + won + " --html", "solve --variations=1 " + won + " --annotated",
			"solve --algorithm pns " + won + " --save", "defend --win-in 1 " + lost + " --certificate",
			"verify ../../examples/win-in-2.txt --html", "review --time 1ms " + game + " --html",
			"review --time 1ms " + game + " --annotated", "mine " + game + " --html",
		}, []string{
			"compose --rounds 1 ../../examples/win-in-2.txt --save", "verify ../../examples/win-in-2.txt --certificates", "review --time 1ms " + game + " --pages",
			"experiment --time 1s --win-in 1 " + won + " --out", "learn --games 40 --nodes 1 --out", "solve " + won + " --store",
			"endgame build R-r --endgames", "endgame stats R-r --endgames " + tables + " --out",
			"match --games 1 --turns 2 --depth 1 " + player + " " + player + " --record",
		}
}

// checkWriters runs command lines that write to a place, each to another name there, and checks the exit code.
func checkWriters(t *testing.T, commands []string, name func(i int) string, want int) {
	t.Helper()
	for i, command := range commands {
		var args []string
		for j, part := range strings.Split(command, "'") {
			if j%2 == 1 {
				args = append(args, part)
			} else {
				args = append(args, strings.Fields(part)...)
			}
		}
		args = append(args, name(i))
		if code, out, errors := said(t, args...); code != want || !strings.Contains(out+errors, args[len(args)-1]) {
			t.Errorf("%v: exit code %d, want %d\n%s%s", args, code, want, out, errors)
		}
	}
}

// TestMissingDirectory writes files to a directory that is not there.
func TestMissingDirectory(t *testing.T) {
	files, _ := writers(t)
	checkWriters(t, files, func(int) string { return filepath.Join(t.TempDir(), "missing", "file") }, cli.BadInput)
}
