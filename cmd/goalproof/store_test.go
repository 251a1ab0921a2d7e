package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/search"
	"goalproof/solve"
	"goalproof/tables"
	"goalproof/tables/store"
)

// restless is a position about which a search stores facts all the time.
const restless = "g [       r  E   rR   r                 e          rrR    RRR      ]"

// process prepares a process of its own that runs a command of this program.
func process(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	// testscript.Main runs a command when the program is called by its name.
	link := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.Symlink(exe, link))
	return exec.CommandContext(t.Context(), link, args...)
}

// said runs a command line in this process, with [little] memory.
func said(t *testing.T, args ...string) (code int, out, errors string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(t.Context(), little(args), cli.Terminal{In: os.Stdin, Out: &o, Err: &e})
	return code, o.String(), e.String()
}

// counted is a number of facts about a number of turns.
type counted struct {
	Turns int
	Facts int64
}

// infoOf is what store info --json says, without what depends on the directory and the disk.
type infoOf struct {
	Facts           int64
	Proved, Refuted []counted
	Contradictions  int
	Layout          int
	Keys, Rules     string
}

func info(t *testing.T, dir string) (i infoOf) {
	t.Helper()
	code, out, errors := said(t, "store", "info", "--json", dir)
	if code != cli.Holds {
		t.Fatalf("store info: exit code %d\n%s", code, errors)
	}
	if err := json.Unmarshal([]byte(out), &i); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	return i
}

// fact is a fact about a position in short form.
type fact struct {
	position string
	tables.Fact
}

// makeStore makes a store that has facts.
func makeStore(t *testing.T, o store.Options, facts ...fact) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "store")
	s, err := store.Open(dir, o)
	require.NoError(t, err)
	for _, f := range facts {
		p, err := notation.ParsePosition(f.position)
		if err == nil {
			err = s.Put(p.AppendPacked(nil), f.Fact)
		}
		require.NoError(t, err)
	}
	require.NoError(t, s.Close())
	return dir
}

// refuses checks that a command line ends with an exit code, says nothing on its output, and
// one line of errors with some words, above the usage of a flag and where the help is.
func refuses(t *testing.T, want int, words []string, args ...string) {
	t.Helper()
	code, out, errors := said(t, args...)
	lines := strings.Split(strings.TrimSuffix(errors, "\n"), "\n")
	for len(lines) > 1 && (strings.HasPrefix(lines[len(lines)-1], "See goalproof ") || strings.HasPrefix(lines[len(lines)-1], "--")) {
		lines = lines[:len(lines)-1]
	}
	if code != want || out != "" || len(lines) != 1 {
		t.Errorf("%v: exit code %d, want %d\n%s%s", args, code, want, out, errors)
	}
	for _, w := range words {
		if !strings.Contains(errors, w) {
			t.Errorf("%v: it does not say %q\n%s", args, w, errors)
		}
	}
}

// commandsOn are command lines that read a store; all of them must refuse one that is not right.
func commandsOn(t *testing.T, dir string) [][]string {
	return [][]string{
		{"store", "info", dir}, {"store", "verify", dir}, {"store", "gc", dir}, {"store", "merge", dir, makeStore(t, search.StoreOptions())},
		{"store", "merge", filepath.Join(t.TempDir(), "new"), dir}, {"solve", "--store", dir, restless},
	}
}

// TestStoreMerged merges stores of two searches: the result is the same in any order, by way of a
// third store, and repeated.
func TestStoreMerged(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	done := func(args ...string) {
		t.Helper()
		if code, _, errors := said(t, args...); code != cli.Holds && code != cli.Fails {
			t.Fatalf("%v: exit code %d\n%s", args, code, errors)
		}
	}
	done("solve", "--win-in", "3", "--store", at("a"), restless)
	done("solve", "--store", at("b"), "../../examples/win-in-3.txt")
	done("solve", "--win-in", "2", "--store", at("c"), restless)
	done("store", "merge", at("ab"), at("a"), at("b"))
	done("store", "merge", at("ba"), at("b"), at("a"), at("b"), at("c"))
	done("store", "merge", at("copy"), at("ba"))
	done("store", "gc", at("copy"))
	want := info(t, at("a"))
	b := info(t, at("b"))
	want.Facts += b.Facts // they have no position in common
	for _, name := range []string{"ab", "ba", "copy"} {
		got := info(t, at(name))
		if got.Facts != want.Facts || !reflect.DeepEqual(got, info(t, at("ab"))) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if c := info(t, at("c")); c.Facts != 1 || want.Facts < 50 {
		t.Errorf("%d and %d facts: too few to say much", c.Facts, want.Facts)
	}
}

// TestStoreInUse holds a store while other processes want it.
func TestStoreInUse(t *testing.T) {
	dir := makeStore(t, search.StoreOptions(), fact{restless, tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: 2}})
	s, err := store.Open(dir, search.StoreOptions())
	require.NoError(t, err)
	defer s.Close()
	for _, args := range commandsOn(t, dir) {
		cmd := process(t, "goalproof", args...)
		out, _ := cmd.CombinedOutput() // its exit code is checked
		want := "goalproof: store " + dir + " is in use: close the other program, or use another directory\n"
		if cmd.ProcessState.ExitCode() != cli.BadInput || string(out) != want {
			t.Errorf("%v: exit code %d\n%s", args, cmd.ProcessState.ExitCode(), out)
		}
	}
}

// TestStoreVersions opens stores of other versions.
func TestStoreVersions(t *testing.T) {
	for word, o := range map[string]store.Options{
		"key version packed position 0, and this program wants " + solve.StoreKeys: {Keys: "packed position 0", Rules: solve.StoreRules},
		"rules version as of 2002, and this program wants " + solve.StoreRules:     {Keys: solve.StoreKeys, Rules: "as of 2002"},
	} {
		dir := makeStore(t, o)
		for _, args := range commandsOn(t, dir) {
			refuses(t, cli.BadInput, []string{"store " + dir + " has ", word, "use another directory, or the program that wrote it"}, args...)
		}
	}
}

// TestStoreDamaged shortens, changes and removes each file of a store: every command names the
// file and says what to do.
func TestStoreDamaged(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "whole")
	if code, _, errors := said(t, "solve", "--win-in", "3", "--store", whole, restless); code != cli.Fails {
		t.Fatalf("exit code %d\n%s", code, errors)
	}
	if code, _, errors := said(t, "store", "gc", whole); code != cli.Holds {
		t.Fatalf("exit code %d\n%s", code, errors)
	}
	files, err := filepath.Glob(filepath.Join(whole, "badger", "*"))
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	damages := map[string]func(path string, data []byte) error{
		"shorter": func(path string, data []byte) error { return os.Truncate(path, int64(len(data)/2)) },
		"changed": func(path string, data []byte) error {
			data[len(data)/2] ^= 0x10
			return os.WriteFile(path, data, 0o666)
		},
		"missing": func(path string, _ []byte) error { return os.Remove(path) },
	}
	cases := 0
	for _, file := range append(files, filepath.Join(whole, "STORE")) {
		name, err := filepath.Rel(whole, file)
		require.NoError(t, err)
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		if len(data) == 0 {
			continue
		}
		for what, damage := range damages {
			words := []string{name, "damaged", "continue with an earlier copy of the directory, or with another one"}
			if name == "STORE" && what == "missing" {
				words = []string{"is not a store"}
			}
			dir := filepath.Join(t.TempDir(), "damaged")
			require.NoError(t, os.CopyFS(dir, os.DirFS(whole)))
			require.NoError(t, damage(filepath.Join(dir, name), bytes.Clone(data)))
			for _, args := range commandsOn(t, dir) {
				refuses(t, cli.BadInput, append(words, dir), args...)
			}
			cases++
		}
	}
	if cases < 15 {
		t.Errorf("%d cases, with the files %v", cases, files)
	}
}

// runLogs is a program in which Badger finds its state impossible.
func runLogs() {
	catchLog()
	log.Fatalf("%+v", errors.New("Assert failed"))
}

// TestStoreLogs has the program end as Badger ends it: with one line, and an exit code that says nothing about a position.
func TestStoreLogs(t *testing.T) {
	cmd := process(t, "goalproof-logs")
	out, _ := cmd.CombinedOutput() // its exit code is checked
	want := "goalproof: internal error in the store: Assert failed\n"
	if cmd.ProcessState.ExitCode() != cli.Internal || string(out) != want {
		t.Errorf("exit code %d\n%s", cmd.ProcessState.ExitCode(), out)
	}
}

// TestStoreNameless gives the flag no name: that is not the same as not to give it.
func TestStoreNameless(t *testing.T) {
	for _, command := range []string{"solve", "verify", "mine", "review"} {
		refuses(t, cli.BadInput, []string{`--store "": name a directory`}, command, "--store", "", "../../examples/win-in-2.txt")
	}
}

// TestStoreContradicted merges stores that deny each other: the merge ends with the exit code of
// a contradiction, both facts are kept, and what was stored stays.
func TestStoreContradicted(t *testing.T) {
	right := fact{restless, tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: 3}}
	wrong := fact{restless, tables.Fact{ProvedWithin: 2, RefutedUpTo: 1}}
	a, b := makeStore(t, search.StoreOptions(), right), makeStore(t, search.StoreOptions(), wrong)
	refuses(t, cli.Internal, []string{"contradiction", "is known as refuted up to 3", "found to be proved within 2, refuted up to 1", a}, "store", "merge", a, b)
	want := infoOf{Facts: 1, Proved: []counted{}, Refuted: []counted{{3, 1}}, Contradictions: 1, Layout: store.Schema, Keys: solve.StoreKeys, Rules: solve.StoreRules}
	if got := info(t, a); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if code, out, _ := said(t, "store", "info", a); code != cli.Holds || !strings.Contains(out, "\nA contradiction was kept: contradiction: ") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if got := info(t, b); got.Contradictions != 0 || got.Facts != 1 {
		t.Errorf("the other store: %+v", got)
	}
}

// TestStoreWrongFact puts a fact into a store that is not true: verify names it. A search that
// finds out about it ends with an error, and with none it does not.
func TestStoreWrongFact(t *testing.T) {
	for _, f := range []tables.Fact{{ProvedWithin: 2}, {ProvedWithin: 3, Turn: 1}} {
		dir := makeStore(t, search.StoreOptions(), fact{restless, f})
		refuses(t, cli.Internal, []string{restless + ": a stored fact is wrong: stored: " + f.String()}, "store", "verify", dir)
		code, out, errors := said(t, "solve", "--quiet", "--win-in", "3", "--store", dir, restless)
		if code != cli.Internal || out != "" || !strings.Contains(errors, f.String()) {
			t.Errorf("solve with %v: exit code %d\n%s%s", f, code, out, errors)
		}
	}
	dir := makeStore(t, search.StoreOptions(), fact{restless, tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: 2}})
	if code, out, errors := said(t, "store", "verify", dir); code != cli.Holds {
		t.Errorf("exit code %d\n%s%s", code, out, errors)
	}
}

// TestStoreCancelled interrupts the commands that may take long.
func TestStoreCancelled(t *testing.T) {
	dir := makeStore(t, search.StoreOptions(), fact{restless, tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: 2}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{
		{"store", "verify", dir}, {"store", "gc", dir}, {"store", "merge", filepath.Join(t.TempDir(), "new"), dir},
	} {
		var out, errors bytes.Buffer
		code := run(ctx, args, cli.Terminal{In: os.Stdin, Out: &out, Err: &errors})
		if code != cli.Unknown || errors.String() != "goalproof: interrupted\n" || out.Len() > 0 {
			t.Errorf("%v: exit code %d\n%s%s", args, code, out.String(), errors.String())
		}
	}
	if got := info(t, dir); got.Facts != 1 {
		t.Errorf("%+v", got)
	}
}
