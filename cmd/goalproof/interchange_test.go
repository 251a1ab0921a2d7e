package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/boards"
)

// writes runs a command and puts what it writes to standard output into a file.
func writes(t *testing.T, path string, args ...string) {
	t.Helper()
	code, out, errs := said(t, args...)
	if code == cli.BadInput || code == cli.Internal || out == "" {
		t.Fatalf("%v: exit code %d\n%s%s", args, code, out, errs)
	}
	require.NoError(t, os.WriteFile(path, []byte(out), 0o666))
}

// positionReaders are the commands that take positions, without the file, each quick.
var positionReaders = [][]string{
	{"solve", "--quiet", "--win-in", "1"}, {"verify", "--win-in", "1", "--unusual"}, {"mine", "--nodes", "1000"}, {"show", "--as", "short"}, {"perft"}, {"evaluate"},
	{"analyze", "--depth", "1"}, {"experiment", "--win-in", "1", "--threads", "1", "--grid", "memory=1MiB", "--out", "DIR"}, {"endgame", "show"}, {"play", "--side", "both"},
}

// TestInterchange has every command that takes positions read what each command writes about positions: the notations
// of show, the table of mine, the text of arimaa.com, and each form of JSON. All of them see the same
// position. (Each file is read by one of the commands; by all, with the tag large.)
func TestInterchange(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	const puzzle, game = "../../examples/win-in-2.txt", "../../examples/game.turns"
	shown := func(args ...string) string {
		code, out, errs := said(t, append([]string{"show", "--as", "short"}, args...)...)
		if code != cli.Holds {
			t.Fatalf("show %v: exit code %d\n%s", args, code, errs)
		}
		return out
	}
	at := []string{"--turn", "24s", game}
	inPuzzle, inGame := shown(puzzle), shown(at...)

	want := map[string]string{} // file: its position
	write := func(name, position string, args ...string) {
		writes(t, path(name), args...)
		want[name] = position
	}
	as := regexp.MustCompile(`--as string +notation: ([a-z0-9, ]+?) (?:or|and) ([a-z0-9]+)`)
	_, usage, _ := said(t, "show", "--help")
	forms := as.FindStringSubmatch(strings.Join(strings.Fields(usage), " "))
	if forms == nil {
		t.Fatalf("the notations of show are not in its usage:\n%s", usage)
	}
	for _, form := range append(strings.Split(forms[1], ", "), forms[2]) {
		write("puzzle-"+form+".txt", inPuzzle, "show", "--as", form, puzzle)
		write("game-"+form+".txt", inGame, append([]string{"show", "--as", form}, at...)...)
	}
	for _, command := range [][]string{
		{"solve", "--win-in", "2"}, {"perft"}, {"evaluate"}, {"endgame", "show"}, {"analyze", "--depth", "1"},
	} {
		args := append(append([]string{}, command...), "--json")
		write("puzzle-"+command[0]+".json", inPuzzle, append(args, puzzle)...)
		write("game-"+command[0]+".json", inGame, append(args, at...)...)
	}
	write("verify.json", inPuzzle, "verify", "--json", "--claim", "2", puzzle)
	write("mine.tsv", inPuzzle, "mine", "--time", "1m", puzzle)
	write("mine.json", inPuzzle, "mine", "--time", "1m", "--json", puzzle)
	for _, args := range [][]string{
		{"solve", "--quiet", "--algorithm", "pns", "--win-in", "2", "--save", path("search"), puzzle},
		{"solve", "--quiet", "--certificate", path("proof"), puzzle},
		{"mine", "--time", "1m", "--as", "arimaa", "--out", path("arimaa"), puzzle},
	} {
		if code, out, errs := said(t, args...); code != cli.Holds {
			t.Fatalf("%v: exit code %d\n%s%s", args, code, out, errs)
		}
	}
	write("check.json", inPuzzle, "check", "--json", path("proof"))
	if code, out, _ := said(t, "tree", "--json", path("search")); code != cli.Holds {
		t.Error("tree fails")
	} else if err := os.WriteFile(path("tree.json"), []byte(strings.SplitAfter(out, "\n")[0]), 0o666); err != nil { // inside a turn there is no position
		t.Fatal(err)
	}
	want["tree.json"] = inPuzzle

	names := slices.Sorted(maps.Keys(want))
	for i, name := range names {
		if got := shown(path(name)); got != want[name] {
			t.Errorf("show %s: %s, want %s", name, got, want[name])
		}
		for k, args := range positionReaders {
			if !boards.Large && (i+k)%len(positionReaders) > 0 {
				continue
			}
			args = withBudget(args, path(name))
			newDirectory(t, args)
			code, out, errs := said(t, args...)
			if code == cli.BadInput || code == cli.Internal || strings.Contains(out, "error") && args[0] != "verify" {
				t.Errorf("%v: exit code %d\n%s%s", args, code, out, errs)
			}
		}
	}
	// A game comes with its history, so that the answer is the same.
	for _, name := range names {
		if !strings.HasPrefix(name, "game-") || !strings.HasSuffix(name, ".json") {
			continue
		}
		if code, out, _ := said(t, "solve", "--json", path(name)); code != cli.Holds || !strings.Contains(out, `"repetition":"counted"`) {
			t.Errorf("%s: exit code %d, %s", name, code, out)
		}
	}
}

// TestReviewedGames reads the JSON of review as games.
func TestReviewedGames(t *testing.T) {
	const game = "../../examples/game.turns"
	path := filepath.Join(t.TempDir(), "review.json")
	writes(t, path, "review", "--json", "--effort", "0", "--win-in", "1", game)
	for _, args := range [][]string{{"show", "--turn", "12s"}, {"solve", "--turn", "24s"}, {"review", "--summary", "--win-in", "1", "--effort", "0"}, {"perft", "--turn", "3g"}} {
		code, out, errs := said(t, append(args, game)...)
		again, out2, errs2 := said(t, append(args, path)...)
		if again != code || bytes.Contains([]byte(errs2), []byte("goalproof:")) {
			t.Errorf("%v: exit codes %d and %d\n%s%s\n%s%s", args, code, again, out, errs, out2, errs2)
		}
	}
}

// TestSpreadJSON tells what to do with JSON as other programs lay it out, once and not line by line.
func TestSpreadJSON(t *testing.T) {
	const object = `{"position":"` + quickWin + `"}`
	pretty := strings.NewReplacer("{", "{\n  ", "}", "\n}").Replace(object)
	path := filepath.Join(t.TempDir(), "spread.json")
	for _, text := range []string{pretty, "\ufeff" + pretty, "[" + object + "]", "[\n" + object + ",\n" + object + "\n]\n", "[ " + object + ",\n"} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		for _, args := range positionReaders {
			if args[0] == "experiment" {
				continue
			}
			code, out, errs := said(t, append(slices.Clone(args), path)...)
			said := errs + out // verify writes what it could not read into its table
			if code != cli.BadInput || strings.Count(said, "write one object a line") != 1 || strings.Contains(said, quickWin) {
				t.Errorf("%v of %s: exit code %d\n%s%s", args, text, code, out, errs)
			}
		}
	}
}

// TestBrokenJSON names the line and the field that is missing or wrong.
func TestBrokenJSON(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines.json")
	const good = `{"position":"` + quickWin + `"}` + "\n"
	for _, test := range []struct{ line, want string }{
		{`{"name":"x"}`, `there is no position: the field "position" is missing or null`},
		{`{"game":1,"turns":12,"gold":"A"}`, `there is no position: the field "position" is missing or null`},
		{`{"position":null}`, `there is no position: the field "position" is missing or null`},
		{`{"position":5}`, `the field "position" has the wrong type: 5`},
		{`{"position":"g [r]"}`, `the field "position": the brackets hold 1 squares, not 64`},
		{`{"position":`, `this is no object in JSON: `},
		{`[]`, `this is no object in JSON: `},
		{`{"position":"` + quickWin + `","steps_left":2}`, `the field "steps_left" is 2: the position is inside a turn`},
		{`{"position":"` + quickWin + `","history":"1w Ra1\n1b rh8\n"}`, `the field "history" does not lead to the position`},
		{`{"position":"` + quickWin + `","history":"nonsense"}`, `the field "history": `},
		{`{"position":"` + quickWin + `","claim":-1}`, `the field "claim" is -1: it is a number of turns`},
		{`{"game":"7","turns":[]}`, `the field "turns" holds no turns of a game`},
		{`{"game":"7","turns":[{"turn":"2g","position":"` + quickWin + `","played":"Ra6s"}]}`, `the field "turns", number 1: `},
	} {
		require.NoError(t, os.WriteFile(path, []byte(good+test.line+"\n"+good), 0o666))
		code, out, errs := said(t, "show", "--as", "short", path)
		if code != cli.BadInput || !strings.Contains(errs, "lines.json:2") || !strings.Contains(errs, test.want) || strings.Count(out, quickWin) != 2 {
			t.Errorf("%s: exit code %d\n%s%s", test.line, code, out, errs)
		}
	}
}
