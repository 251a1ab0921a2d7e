package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
)

// TestOddInput gives every command that reads positions or games something else: each refuses it with one of the places where
// something is wrong, and why.
func TestOddInput(t *testing.T) {
	dir := t.TempDir()
	board := "2g\r\n +-----------------+\r\n8|                 |\r\n"
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", `^%:1: there is no position in it`},
		{"NUL in the first line", "g [\x00", `^%:1: this is not a text: it holds binary data`},
		{"NUL in a later line", board + "7|\x00\r\n", `^%:4: this is not a text: it holds binary data`},
		{"UTF-16", "\xff\xfeg\x00 \x00[\x00", `^%:1: the text is in UTF-16: save it in UTF-8`},
		{"invalid UTF-8", "2g\n8| \xe9\n", `^%:1: the text is not in UTF-8: save it in that encoding`},
		{"a cut board with CRLF", board, `^%:3:21: the board has 1 of 8 ranks`},
		{"gigantic numbers", "1" + strings.Repeat("0", 1000) + "g\n8| r\n", `^%:2:5: the board has 1 of 8 ranks`},
		{"a gigantic turn", "1w Ra1\n1b ra8\n99999999999999999999999w Ra1n\n", `^%:3:1: a turn begins with its number and side.* not "9+w"`},
		{"a gigantic rank", "2g\n" + strings.Repeat("8", 1000) + "| r\n", `^%:2:\d+: `},
		{"a gigantic word", "1w Ra1\n1b ra8\n2w " + strings.Repeat("R", 10_000) + "\n", `^%:3:4: turn 2w: .*R \.\.\. R.* is not a step such as Ee2n`},
		{"a long line", strings.Repeat("r", 2<<20), `^%:1: the line is longer than 1048576 bytes`},
		{"prose", "To whom it may concern:\n\nhello\n", `^%:1:1: a position begins with a line such as 47g`},
	} {
		path := filepath.Join(dir, strings.ReplaceAll(test.name, " ", "-")+".txt")
		require.NoError(t, os.WriteFile(path, []byte(test.text), 0o666))
		want := regexp.MustCompile("(?m)" + strings.Replace(test.want, "^%", "(^goalproof: |  )"+regexp.QuoteMeta(path), 1))
		for _, args := range everyReader {
			checkOdd(t, withBudget(args, path), test.name, want)
		}
	}
	path := t.TempDir()
	for _, args := range everyReader {
		checkOdd(t, withBudget(args, path), "a directory", regexp.MustCompile("this is a directory, not a file|there is no .txt (or .tsv )?file in this directory"))
	}
}

// checkOdd runs a command that must refuse its input with a fitting error.
func checkOdd(t *testing.T, args []string, what string, want *regexp.Regexp) {
	t.Helper()
	newDirectory(t, args)
	code, out, errs := said(t, args...)
	text := errs
	if args[0] == "verify" {
		text = out // its table has the errors, too
	}
	if code != cli.BadInput || !want.MatchString(text) || len(text) > 3000 {
		t.Errorf("%s, %s: exit code %d, want %v\n%.3000s", args[0], what, code, want, text)
	}
}

// everyReader is the commands that read positions or games, without the file.
var everyReader = [][]string{
	{"solve"}, {"verify"}, {"mine"}, {"review"}, {"match", "a", "b", "--openings"},
	{"show"}, {"perft"}, {"evaluate"}, {"analyze"}, {"experiment", "--out", "DIR"}, {"play"},
}

// TestOwnOutput has a command write to the file that it reads, which need not end.
func TestOwnOutput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "positions.txt")
	require.NoError(t, os.WriteFile(path, []byte(quickWin+"\n"), 0o666))
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	defer file.Close()
	for _, arg := range []string{path, filepath.Dir(path)} {
		var errs bytes.Buffer
		code := run(t.Context(), []string{"show", "--as", "short", arg}, cli.Terminal{In: os.Stdin, Out: file, Err: &errs})
		if code != cli.BadInput || !strings.Contains(errs.String(), "the output goes to this file") {
			t.Errorf("exit code %d\n%s", code, errs.String())
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != quickWin+"\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// newDirectory puts the name of a directory in place of DIR.
func newDirectory(t *testing.T, args []string) {
	t.Helper()
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "DIR", filepath.Join(t.TempDir(), "new"))
	}
}

// budget is the memory that commands have in tests of what they read, in MiB.
const budget = 64

// withBudget is a command line with that memory, if the command has such a limit.
func withBudget(args []string, inputs ...string) []string {
	all := slices.Clone(args)
	switch args[0] {
	case "solve", "verify", "mine", "review", "analyze", "play":
		all = append(all, "--threads", "2", "--memory", fmt.Sprintf("%dMiB", budget))
	}
	return append(all, inputs...)
}

// quickWin is a win in one.
const quickWin = "g [                R                                r              ]"
