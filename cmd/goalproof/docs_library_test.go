package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/require"
)

// libraryPage returns docs/library.md.
func libraryPage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/library.md")
	require.NoError(t, err)
	return string(text)
}

// timing is what a summary says of the time.
var timing = regexp.MustCompile(`in \S+ \([0-9,]+ a second\)`)

// TestLibraryPage runs the commands of docs/library.md, those behind a $, from top to bottom, and
// compares what each prints. Those of other programs are left out where there is no such program.
func TestLibraryPage(t *testing.T) {
	page, data := libraryPage(t), published.Dir(t)
	dir := t.TempDir() // the page names ../shared
	require.NoError(t, os.Mkdir(filepath.Join(dir, "work"), 0o777))
	if err := os.Symlink(filepath.Dir(data), filepath.Join(dir, "shared")); err != nil {
		t.Skip("skipped: the page needs a symbolic link, which this system does not make: ", err)
	}
	t.Chdir(filepath.Join(dir, "work"))
	programs := regexp.MustCompile("(?s)```python\n(.*?)```").FindAllStringSubmatch(page, -1)
	if len(programs) != 1 {
		t.Fatalf("%d programs in Python", len(programs))
	}
	require.NoError(t, os.WriteFile("turns.py", []byte(programs[0][1]), 0o666))

	run, skipped := 0, map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^    \$ (.*)\n((?:    [^$\n].*\n)*)`).FindAllStringSubmatch(page, -1) {
		line, want := m[1], strings.ReplaceAll("\n"+m[2], "\n    ", "\n")[1:]
		args := words(line)
		got := ""
		if skipped["sqlite3"] && strings.Contains(line, "copy.db") {
			continue // there is no copy
		} else if args[0] == "goalproof" {
			_, out, errors := said(t, args[1:]...)
			got = errors + out
		} else if _, err := exec.LookPath(args[0]); err != nil {
			t.Logf("left out: %s: %v", line, err)
			skipped[args[0]] = true
			continue
		} else {
			out, err := exec.CommandContext(t.Context(), args[0], args[1:]...).CombinedOutput()
			if err != nil {
				t.Errorf("%s: %v", line, err)
			}
			got = strings.ReplaceAll(string(out), "\r\n", "\n")
		}
		if run++; timing.ReplaceAllString(got, "") != timing.ReplaceAllString(want, "") {
			t.Errorf("%s\nprints\n%s\nand the page has\n%s", line, got, want)
		}
	}
	if run < 6 {
		t.Errorf("%d commands in the page", run)
	}
}

// view is a table of docs/library.md: the columns of a view in their order, and what they may hold.
type view struct {
	name    string
	columns []string
	types   map[string]string
}

// documentedViews returns the tables of a page.
func documentedViews(page string) (all []view) {
	tables := regexp.MustCompile("(?m)^`([a-z]+)`.*\n\n\\| column \\| type \\| meaning \\|\n\\| --- .*\n((?:\\|.*\n)+)").FindAllStringSubmatch(page, -1)
	for _, m := range tables {
		v := view{name: m[1], types: map[string]string{}}
		for row := range strings.Lines(m[2]) {
			cells := strings.Split(row, " | ")
			names := strings.Split(strings.TrimPrefix(cells[0], "| "), ", ")
			types := strings.Split(cells[1], ", ")
			for i, name := range names {
				v.columns = append(v.columns, name)
				v.types[name] = types[min(i, len(types)-1)]
			}
		}
		all = append(all, v)
	}
	return all
}

// TestLibraryViews checks that docs/library.md names the views of a library with all their columns, in
// their order, and that they hold what it says.
func TestLibraryViews(t *testing.T) {
	documented := documentedViews(libraryPage(t))
	importExamples(t)
	put(t, "more.tsv", []string{
		"id\twusername\tbusername\twrating\tbrating\tevent\ttimecontrol\tstartts\tresult\ttermination\tmovelist",
		`7	ann	bob	1500	1600	Cup	15s	1037999824	w	g	1w Ra1 Rb6\n1b rh8 ed3\n2w Rb6n Rb7n`,
		`8										1w Ra1 Rd1 Re1 Rh1 Rh2 Ed6 Ra7\n1b ed3 rg3 df6 rg6 rb7 rh7 ra8\n44w`,
		`9										1w Rh1 Re1 Rd1 Ra1 Ra2 Ee6 Rh7\n1b ee3 rb3 dc6 rb6 rg7 ra7 rh8\n44w`,
	})
	put(t, "puzzles.tsv", []string{"position\tname\tclaim\tsolution\tauthor", "g [r          R               e      E                             ]\tone\t1\tRd7n\tann"})
	for _, args := range [][]string{{"import", "games.db", "more.tsv", "puzzles.tsv"}, {"mine", "games.db", "--source", "more.tsv"}} {
		if code, out, errors := said(t, append([]string{"library"}, args...)...); code != cli.Holds {
			t.Fatalf("%v: exit code %d\n%s%s", args, code, out, errors)
		}
	}
	if code, out, errors := said(t, "library", "review", "games.db", "--number", "1", "--nodes", "500", "--effort", "10"); code != cli.Holds {
		t.Fatalf("exit code %d\n%s%s", code, out, errors)
	}
	ask := func(statement string) (columns []string, row []any) {
		t.Helper()
		code, out, errors := said(t, "library", "sql", "games.db", statement, "--json")
		var line struct {
			Columns []string
			Row     []any
		}
		if code != cli.Holds || json.Unmarshal([]byte(out), &line) != nil {
			t.Fatalf("%s: exit code %d\n%s%s", statement, code, out, errors)
		}
		return line.Columns, line.Row
	}
	var names []string
	for _, v := range documented {
		names = append(names, v.name)
		if columns, _ := ask("SELECT * FROM " + v.name + " LIMIT 1"); !slices.Equal(columns, v.columns) {
			t.Errorf("%s: columns\n%v, documented are\n%v", v.name, columns, v.columns)
			continue
		}
		for _, column := range v.columns {
			_, row := ask("SELECT group_concat(DISTINCT typeof(" + column + ")) FROM " + v.name)
			for is := range strings.SplitSeq(row[0].(string), ",") {
				if !slices.Contains(strings.Split(v.types[column], " or "), is) {
					t.Errorf("%s.%s: %s, documented is %s", v.name, column, is, v.types[column])
				}
			}
		}
	}
	slices.Sort(names)
	if _, row := ask("SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name)"); row[0] != strings.Join(names, ",") {
		t.Errorf("views %v, documented are %v", row[0], names)
	}
}
