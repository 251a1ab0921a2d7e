//go:build stress

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/boards"
)

// part writes the n-th part of a long text, from 0: a position or a game.
type part func(w io.Writer, n int)

func positionPart(w io.Writer, _ int) { fmt.Fprintf(w, "%s\t%s\n", quickWin, fill) }

func shortPart(w io.Writer, _ int) { fmt.Fprintln(w, quickWin) }

func gamePart(w io.Writer, n int) {
	if n == 0 {
		io.WriteString(w, quickHeader)
	}
	fmt.Fprintf(w, quickRow+"\t%s\n", n, fill)
}

func shortGamePart(w io.Writer, n int) {
	if n == 0 {
		io.WriteString(w, quickHeader)
	}
	fmt.Fprintf(w, quickRow+"\t\n", n)
}

// What the readers read beside quickWin: a game of one turn in a row of an archive.
const (
	filler      = 32_000 // bytes behind a position or a game
	quickRow    = `%d	1w Ra6 Ee1\n1b ec8 rh7\n2w Ee1n`
	quickHeader = "id\tmovelist\tevent\n"
)

var fill = strings.Repeat("x", filler)

// readers are commands with what they read in the tests below. They do as little as they can besides.
var readers = []struct {
	args []string
	part part // long ones, most of which is only read
	many part // short ones
}{
	{[]string{"solve", "--quiet", "--win-in", "1"}, positionPart, shortPart},
	{[]string{"verify", "--win-in", "1", "--claim", "1"}, positionPart, shortPart},
	{[]string{"mine"}, gamePart, shortGamePart},
	{[]string{"review", "--csv", "--win-in", "1", "--effort", "0"}, gamePart, shortGamePart},
}

// checkPeak checks that a command took no more memory than it was given, and 15 %.
func checkPeak(t *testing.T, what string, peak int64) {
	t.Helper()
	t.Logf("--memory %d MiB, %s: %d MiB", budget, what, peak>>20)
	if peak > budget<<20*115/100 {
		t.Errorf("--memory %d MiB, %s: %d MiB at the most", budget, what, peak>>20)
	}
}

// TestMemoryOfInput measures what commands take that read files larger than the memory they have: one of few long lines, and
// one of many short ones.
func TestMemoryOfInput(t *testing.T) {
	needsMemory(t)
	size, many := 80<<20, 5_000 // bytes; parts
	if boards.Deep {
		size, many = 256<<20, 50_000
	}
	for _, r := range readers {
		long, short := filepath.Join(t.TempDir(), "long.tsv"), filepath.Join(t.TempDir(), "short.tsv")
		writeParts(t, long, r.part, size/filler)
		writeParts(t, short, r.many, many)
		t.Run(r.args[0], func(t *testing.T) {
			checkPeak(t, fmt.Sprintf("%d MiB", size>>20), peakOf(t, cli.Holds, withBudget(r.args, long)...))
			checkPeak(t, fmt.Sprintf("%d lines", many), peakOf(t, cli.Holds, withBudget(r.args, short)...))
		})
		os.Remove(long) // room for the next
	}
}

// writeParts writes a file.
func writeParts(t *testing.T, path string, p part, parts int) {
	t.Helper()
	file, err := os.Create(path)
	require.NoError(t, err)
	var b bytes.Buffer
	for n := range parts {
		p(&b, n)
		if b.Len() > 1<<20 || n == parts-1 {
			if _, err := b.WriteTo(file); err != nil {
				t.Fatal(err)
			}
		}
	}
	require.NoError(t, file.Close())
}

// TestEndlessInput has commands read what never ends: there is an error that names the limit, or, of what is sound, one answer after
// the other until the first interruption, in the memory that they have.
func TestEndlessInput(t *testing.T) {
	needsMemory(t)
	repeat := func(text string) part { return func(w io.Writer, _ int) { io.WriteString(w, text) } }
	zeros := "/dev/zero"
	if _, err := os.Stat(zeros); err != nil {
		t.Skip(err)
	}
	everyReader := everyReader
	positions := [][]string{{"solve", "--quiet", "--win-in", "1"}, {"mine"}, {"verify", "--win-in", "1"}, {"show"}, {"perft"}, {"evaluate", "--json"}}
	games := [][]string{{"review", "--csv", "--win-in", "1", "--effort", "0"}, {"mine"}, {"verify", "--win-in", "1"}}
	if !boards.Deep {
		everyReader, positions, games = everyReader[:5], positions[:2], games[:1]
	}
	const (
		line  = ":1: the line is longer than 1048576 bytes"
		blank = ":1048577: there are more than 1048576 bytes of blank lines and comments"
	)
	for _, test := range []struct {
		name string
		part part
		args [][]string
		want string // in the error; "": it is sound
	}{
		{"blank lines", repeat(strings.Repeat("\n", 1000)), everyReader, blank},
		{"a line", repeat(strings.Repeat("1w Ra1 ", 100)), everyReader, line},
		{"zeros", nil, everyReader, line},
		{"positions", shortPart, positions, ""},
		{"positions", shortPart, [][]string{{"experiment", "--out", "DIR"}}, "an experiment takes 50000 positions at most"},
		{"positions", shortPart, [][]string{{"match", "a", "b", "--openings"}}, "the openings have more than 100000 positions"},
		{"positions", shortPart, [][]string{{"play"}}, "holds several positions"},
		{"games", shortGamePart, games, ""},
		{"games", shortGamePart, [][]string{{"solve"}, {"analyze"}, {"show"}}, "holds more than 1000 games"},
		{"turns", repeat("1w Ra1\n1b ra8\n1b takeback\n"), [][]string{{"solve"}, {"mine"}, {"review"}, {"play"}}, ":1: the game is longer than 1048576 bytes"},
	} {
		for _, args := range test.args {
			t.Run(args[0]+" "+test.name, func(t *testing.T) {
				t.Parallel()
				input := "/dev/stdin"
				if test.part == nil {
					input = zeros
				}
				args := withBudget(args, input)
				newDirectory(t, args)
				checkEndless(t, test.part, args, test.want)
			})
		}
	}
}

// checkEndless runs a command with an endless text on standard input.
func checkEndless(t *testing.T, text part, args []string, want string) {
	t.Helper()
	dir := t.TempDir()
	cmd := process(t, "goalproof-measured", args...)
	cmd.Env = append(os.Environ(), peakFile+"="+filepath.Join(dir, "peak"))
	var errs bytes.Buffer
	if cmd.Stderr = &errs; want != "" { // else there are answers without end
		cmd.Stdout = &errs
	}
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	if text != nil {
		go func() {
			var b bytes.Buffer
			for n := 0; ; n++ {
				if text(&b, n); b.Len() > 1<<16 {
					if _, err := b.WriteTo(in); err != nil {
						return // the command has ended
					}
				}
			}
		}()
	}
	code := cli.BadInput
	if want == "" {
		code = cli.Unknown
		time.Sleep(time.Second)
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
	}
	kill := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer kill.Stop()
	_ = cmd.Wait() // its exit code is checked
	if got := cmd.ProcessState.ExitCode(); got != code || !strings.Contains(errs.String(), want) {
		t.Fatalf("exit code %d, want %d\n%.2000s", got, code, errs.String())
	}
	if args[0] != "match" { // it has no limit of its own
		checkPeak(t, "without end", peakIn(t, filepath.Join(dir, "peak")))
	}
}
