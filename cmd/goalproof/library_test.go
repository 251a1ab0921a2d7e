package main

import (
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/require"
)

// importExamples makes a library of the games among the examples, games.db in a new directory,
// which becomes the current one.
func importExamples(t *testing.T) {
	t.Helper()
	examples, err := filepath.Abs("../../examples")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	code, out, errors := said(t, "library", "import", "games.db", filepath.Join(examples, "games.tsv"))
	if code != cli.Holds || errors != "" {
		t.Fatalf("exit code %d\n%s%s", code, out, errors)
	}
}

// TestLibraryRefused asks a library for what cannot be: each question ends with its error.
// testdata/refused.tsv has those that are refused before a library is opened.
func TestLibraryRefused(t *testing.T) {
	importExamples(t)
	for _, c := range []struct{ line, want string }{
		{"query games.db --rating high", `"high" is no whole number; write a range as 1800..2200, 1800.. or ..2200`},
		{"query games.db --player ann --rating 1800..high", `"high" is no whole number`},
		{"query games.db --turns 40..x", `"x" is no whole number`},
		{"query games.db --puzzles --sort date", `order "date": it is one of id, difficulty`},
		{"query games.db --puzzles --difficulty hard", `"hard" is no number; write a range as 5..7.5, 5.. or ..7.5`},
		{"query games.db --puzzles --difficulty 7..5.5", `nothing is between 7 and 5.5: write the lesser one first`},
		{"mine games.db --result blue", `result "blue": it is one of gold, silver, draw, undecided, none, won, lost`},
		{"mine games.db --memory 20MiB --nodes 100000000", `--memory: a search of 100,000,000 nodes takes `},
		{"query games.db --puzzles --win-in two", `"two" is no whole number`},
		{"query games.db --date 2020-6", `date "2020-6": write a year, a month or a day, such as 2020, 2020-06 or 2020-06-30, or two with .. between`},
		{"query games.db --date 2020..now", `date "now": write a year, a month or a day`},
		{"query games.db --result blue", `result "blue": it is one of gold, silver, draw, undecided, none, won, lost`},
		{"query games.db --result won", `result "won": name the player who won`},
		{"query games.db --opponent bob", `opponent "bob": name the player, too`},
		{"query games.db --sort beauty", `order "beauty": it is one of id, date, rating, turns, event, gold, silver`},
		{"query games.db --setup RR", `setup "RR": it has not eight squares, a slash and eight squares; write the second rank, a slash and the first rank, such as DHCEMCHD/RRRRRRRR, with ? for any square`},
		{"query games.db --setup XHCEMCHD/RRRRRRRR", `setup "XHCEMCHD/RRRRRRRR": 'X' is no piece; `},
		{"query games.db --setup 'Ra1 Rb5'", `setup "Ra1 Rb5": it is the setup of neither side; `},
		{"query games.db --material EHR", `material "EHR": it has no hyphen, or more than one; write the pieces of both sides, Gold's first, such as EHR3-emr`},
		{"query games.db --material EX-e", `material "EX-e": "X" is no piece; `},
		{"query games.db --material R32-r", `material "R32-r": there are more than 31 of a kind; `},
		{"query games.db --material R99999999999999999999-r", `material "R99999999999999999999-r": a number is too large; `},
		{"query games.db --endgame EHMR-hr", `class "EHMR-hr": 6 pieces are more than 5; `},
		{"query games.db --endgame XR-r", `class "XR-r": 'X' is no piece; `},
		{"findings games.db --finding lost", `finding "lost": it is one of any, missed, first-win, delays, misses, throws-away, loses, allows, only-defence, decided`},
		{"query games.db --finding lost", `finding "lost": it is one of any, `},
		{"findings games.db --finding any --win-in 3..1", "nothing is between 3 and 1: write the lesser one first"},
		{"findings games.db --sort beauty", `order "beauty": it is one of id, `},
		{"review games.db --nodes 0", "--nodes 0: the number of nodes is at least 1"},
		{"review games.db --rating high", `"high" is no whole number`},
		{"review games.db --endgames nowhere", "--endgames: nowhere: no such file or directory"},
		{"review games.db --html page.html", "--annotated, --html and --open take one game, and there are more"},
		{"tree games.db --after RR", `setup "RR": it has not eight squares, a slash and eight squares; `},
		{"tree games.db --date soon", `date "soon": write a year, a month or a day`},
		{"stats games.db --by age", `games by "age": it is one of all, ending, event, month, opponent, player, rating, setup, side, source, turns, year`},
		{"stats games.db --svg none.svg --player nobody", "--svg: no game is found, and nothing to draw"},
		{"export games.db all.tsv --rating high", `"high" is no whole number`},
		{"export games.db nowhere/all.tsv", "nowhere/all.tsv: no such file or directory"},
		{"import games.db games.db", "games.db is the library itself: name other files to import"},

		{"sql games.db ''", "there is no statement"},
		{"sql games.db '/* SELECT 1 */'", "there is no statement"},
		{"sql games.db 'SELECT 1; -- one\nSELECT 2'", "there is more than one statement"},
		{"sql games.db 'VACUUM INTO \"copy\"'", "VACUUM is not allowed: a statement begins with SELECT, WITH, VALUES or EXPLAIN"},
		{"sql games.db '(SELECT 1)'", "a statement begins with SELECT, WITH, VALUES or EXPLAIN"},
		{"sql games.db 'WITH w AS (SELECT 1) DELETE FROM game'", "the statement does more than read: it begins with SELECT or WITH, and uses tables and functions alone"},
		{"sql games.db 'EXPLAIN DELETE FROM game'", "the statement does more than read: "},
		{"sql games.db 'SELECT * FROM pragma_user_version'", "the statement does more than read: "},
		{"sql games.db 'SELECT load_extension(\"x\")'", "load_extension"},
		{"sql games.db 'SELECT * FROM books'", "no such table: books"},
		{"sql games.db 'SELECT randomblob(10000000)'", "string or blob too big"},
	} {
		code, out, errors := said(t, append([]string{"library"}, words(c.line)...)...)
		if first, _, _ := strings.Cut(errors, "\n"); code != cli.BadInput || out != "" || !strings.HasPrefix(first, "goalproof: ") || !strings.Contains(errors, c.want) {
			t.Errorf("%s: exit code %d\n%s%s\nwant %s", c.line, code, out, errors, c.want)
		}
	}
	if left, err := filepath.Glob("[a-z]*.[tsv]*"); err != nil || len(left) > 0 {
		t.Errorf("files were written: %v, %v", left, err)
	}
}
