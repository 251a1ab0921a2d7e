package main

import (
	"database/sql"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/require"
	"goalproof/tables/store"

	_ "modernc.org/sqlite"
)

// exampleGames is an archive to import.
const exampleGames = "../../examples/games.tsv"

// onLibrary are command lines that a library must be right for.
func onLibrary(t *testing.T, path string) [][]string {
	return [][]string{
		{"library", "import", path, exampleGames}, {"library", "query", path}, {"library", "query", "--count", path}, {"library", "tree", path},
		{"library", "sql", path, "SELECT count(*) FROM games"}, {"library", "info", path}, {"library", "verify", path},
		{"library", "export", path, filepath.Join(t.TempDir(), "out.tsv")}, {"library", "findings", path}, {"library", "findings", "--csv", path},
		{"library", "review", "--nodes", "10", "--effort", "0", "--memory", "128MiB", path},
	}
}

// imported makes a library of the examples.
func imported(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "games.db")
	if code, _, errors := said(t, "library", "import", path, exampleGames); code != cli.Holds {
		t.Fatalf("exit code %d\n%s", code, errors)
	}
	return path
}

// statement runs a statement that writes, as another program might.
func statement(t *testing.T, path, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec(text)
	require.NoError(t, err)
}

// contentsOf returns what a file or a directory holds.
func contentsOf(t *testing.T, path string) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, filepath.WalkDir(path, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		b.WriteString(name + "\n")
		if e.IsDir() {
			return nil
		}
		data, err := os.ReadFile(name)
		b.Write(data)
		return err
	}))
	return b.String()
}

// TestNoLibrary names files that are no libraries, or those of another program: all commands say so, and
// leave them as they are.
func TestNoLibrary(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	put(t, at("text"), []string{"a text"})
	put(t, at("long"), make([]string, 5_000))
	require.NoError(t, os.Mkdir(at("directory"), 0o777))
	statement(t, at("other"), "CREATE TABLE game (id); INSERT INTO game VALUES (1)")
	s, err := store.Open(at("store"), store.Options{})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	newer, constants := imported(t), imported(t)
	statement(t, newer, "PRAGMA user_version = 99")
	statement(t, constants, "UPDATE about SET value = '99' WHERE name = 'keys'")
	cut := imported(t)
	require.NoError(t, os.Truncate(cut, 50_000))
	for path, want := range map[string]string{
		at("text"): "it is no library", at("long"): "it is no library", at("directory"): "it is no library", at("other"): "it is no library",
		at("store"): "it is no library", newer: "made by a newer version", constants: "made by a newer version", cut: "it is damaged",
	} {
		before := contentsOf(t, path)
		for _, args := range append(onLibrary(t, path), []string{"studio", "--no-open", "--library", path}) {
			refuses(t, cli.BadInput, []string{path + ": ", want}, args...)
		}
		if contentsOf(t, path) != before {
			t.Errorf("%s has changed", path)
		}
	}
}

// TestEmptyLibrary takes an empty file as a new library where games are imported, and nowhere else.
func TestEmptyLibrary(t *testing.T) {
	path := filepath.Join(t.TempDir(), "empty")
	require.NoError(t, os.WriteFile(path, nil, 0o666))
	for _, args := range onLibrary(t, path)[1:] {
		refuses(t, cli.BadInput, []string{path + ": it is no library: it is empty", "goalproof library import"}, args...)
	}
	if code, out, errors := said(t, "library", "import", path, exampleGames); code != cli.Holds || !strings.Contains(out, "10 games added") {
		t.Errorf("exit code %d\n%s%s", code, out, errors)
	}
	if code, out, errors := said(t, "library", "verify", path); code != cli.Holds || !strings.Contains(out, "10 games") {
		t.Errorf("exit code %d\n%s%s", code, out, errors)
	}
}

// TestRudeLibrary gives players, events, ids and files rude names, and prints them in all forms.
func TestRudeLibrary(t *testing.T) {
	dir := t.TempDir()
	const columns = "id\twusername\tbusername\tevent\tmovelist\n"
	file := filepath.Join(dir, rude+".tsv")
	row := strings.Join([]string{rude, rude, rude + "2", rude, `1w Rb1 Ee2\n1b ra8 eh8\n2w Rb1n Rb2n Rb3n Rb4n\n2b ra8s\n3w Rb5n Rb6n Rb7n\n`}, "\t")
	if err := os.WriteFile(file, []byte(columns+row+"\n"), 0o666); err != nil {
		t.Skip("skipped: this file system has no files with such names: ", err)
	}
	library := filepath.Join(dir, rude+".db")
	for _, args := range [][]string{
		{"import", library, file}, {"import", "--json", library, file}, {"import", library, file + rude}, {"info", library}, {"verify", library},
		{"query", library}, {"query", "--json", library}, {"query", "--csv", library}, {"query", "--as", "archive", library}, {"query", "--as", "annotated", library},
		{"query", "--as", "board", library}, {"query", "--result", rude, library}, {"sql", library, "SELECT * FROM games"}, {"sql", "--csv", library, "SELECT * FROM games"},
		{"sql", "--json", library, "SELECT * FROM players"}, {"sql", library, "SELECT \"" + rude + "\""}, {"sql", library, "SELECT 1 AS \"" + rude + "\""},
		{"export", library, filepath.Join(dir, rude+".out")}, {"review", library, "--nodes", "10", "--effort", "0", "--memory", "128MiB", "--summary"}, {"review", library, "--nodes", "10", "--effort", "0", "--memory", "128MiB", "--text"},
		{"review", library, "--nodes", "10", "--effort", "0", "--memory", "128MiB", "--json"}, {"findings", library}, {"findings", library, "--json"}, {"findings", library, "--csv"},
		{"review", library, "--nodes", "10", "--effort", "0", "--memory", "128MiB", "--summary", "--pages", filepath.Join(dir, rude)}, {"findings", library, "--finding", rude},
	} {
		_, out, errors := said(t, append([]string{"library"}, args...)...)
		checkPrintable(t, strings.Join(args, " "), out+errors)
	}
}
