package notation_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"github.com/google/go-cmp/cmp"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/published"
)

func TestReadArchive(t *testing.T) {
	records, err := notation.ReadArchive("a.tsv", written(`
⌂# two games, with a comment and a blank line, CRLF¶
wusername→id→busername→event→result→termination→movelist¶
ann→7→bob→cup→w→g→1w Ra7 Ea1\n1b rh8\n2w Ra7n\n2b ¶
¶
# the second one has no moves and no result
→8→→→→→
`))
	require.NoError(t, err)
	var got []string
	for _, r := range records {
		got = append(got, fmt.Sprintf("%s: %q against %q, %q by %q", r.ID, r.Gold, r.Silver, r.Result, r.Termination))
	}
	want := []string{`7: "ann" against "bob", "w" by "g"`, `8: "" against "", "" by ""`}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("rows (- want, + got):\n%s", d)
	}
	g, err := records[0].Game()
	require.NoError(t, err)
	if got, want := notation.Turns(g), "1w Ra7 Ea1\n1b rh8\n2w Ra7n\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	g, err = records[1].Game()
	checkParseError(t, g, err, "a.tsv:6: game 8: there is no turn in it")
}

// TestDetails reads rows with few columns, and details beside the games, whatever stands between
// the rows.
func TestDetails(t *testing.T) {
	records, err := notation.ReadArchive("", "\ufeffid\twrating\ttimecontrol\tstartts\tmovelist\r\n# a comment\n"+
		"1\t1500\t4/4\t86399\t1w\r\n\n2\t\t\t0\t1w\n3\t\t\tx\t1w\n4\t\t\t99999999999999\t1w\n")
	require.NoError(t, err)
	var got []notation.Details
	for i, r := range records {
		if r.ID != fmt.Sprint(i+1) || r.Gold != "" || r.Result != "" || r.Termination != "" {
			t.Errorf("%+v", r)
		}
		got = append(got, r.Details)
	}
	want := []notation.Details{{GoldRating: "1500", TimeControl: "4/4", Date: "1970-01-01"}, {}, {}, {}}
	if !slices.Equal(got, want) {
		t.Errorf("details %+v, want %+v", got, want)
	}
}

func TestArchiveErrors(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", "a.tsv:1: there is no header"},
		{"comments alone", "# a\n\n", "a.tsv:1: there is no header"},
		{"no moves", "# a\nid\tevent\n", `a.tsv:2:1: the header has no column "movelist"`},
		{"no name", "event\tmovelist\n", `a.tsv:1:1: the header has no column "id"`},
		{"a column too few", "id\tmovelist\tevent\n1\t\tcup\n2\t\n", "a.tsv:3:1: the row has 2 columns, the header 3"},
		{"a column too many", "id\tmovelist\n1\t\tcup\n", "a.tsv:2:1: the row has 3 columns, the header 2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			records, err := notation.ReadArchive("a.tsv", test.text)
			checkParseError(t, records, err, test.want)
		})
	}
}

// TestRecordErrors checks that an error in the moves names the row, the game, the turn and the
// reason, and that the rows behind it are read.
func TestRecordErrors(t *testing.T) {
	records, err := notation.ReadArchive("a.tsv", written(`
id→movelist
1→1w Ea1 Rd2\n1b ra5\n2w Ea1n Ea2s\n2b
2→1w Ea1 Rd2\n1b ra5\n\n2w Rd2s
3→1w Ea1 Rd2\n1b ra5\n2b
`))
	require.NoError(t, err)
	for i, want := range []string{
		"a.tsv:2: game 1: turn 2w: a turn must change the board",
		"a.tsv:3: game 2: turn 2w: Rd2s: a rabbit does not step backward",
		"",
	} {
		g, err := records[i].Game()
		if want == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		checkParseError(t, g, err, want)
		if got := errors.Is(err, arimaa.ErrNotChanged); got != (i == 0) {
			t.Errorf("game %s: errors.Is(ErrNotChanged) is %v", records[i].ID, got)
		}
	}
}

// terminations tells which endings of the archive the board decides, and how.
var terminations = map[string][]arimaa.Reason{
	"g": {arimaa.Goal, arimaa.OpponentGoal},
	"e": {arimaa.Elimination, arimaa.OwnElimination},
	"m": {arimaa.Immobilisation},
}

// forbidden are the published games with a turn that the rules of today forbid, by the row of the
// older archive: in both a frozen piece completes a push.
var forbidden = []string{
	"games/archive-2002.tsv:10: game 55: turn 22w: Cg3n: frozen",
	"games/archive-2002.tsv:16: game 32: turn 15w: Dd4n: frozen",
}

// TestPublishedGames replays every game of both published archives. Where the record says that the
// board decided it, the board agrees; where it says that something else did, nobody has won by the
// board.
func TestPublishedGames(t *testing.T) {
	var failed []string
	for name, rows := range map[string]int{"games/archive-2026.tsv": 73, "games/archive-2002.tsv": 32} {
		records, err := notation.ReadArchive(name, published.Read(t, name))
		require.NoError(t, err)
		if len(records) != rows {
			t.Errorf("%s: %d games, want %d", name, len(records), rows)
		}
		if want := (notation.Details{"1500", "1516", "4/4/100/4/0", "Casual game", "2002-11-22"}); rows == 32 && records[0].Details != want {
			t.Errorf("%s: the first game has details %+v, want %+v", name, records[0].Details, want)
		}
		for _, r := range records {
			g, err := r.Game()
			if err != nil {
				t.Log(err)
				failed = append(failed, illegal(err))
				continue
			}
			checkResult(t, r, g)
			checkTurns(t, g)
		}
	}
	slices.Sort(failed)
	if d := cmp.Diff(forbidden, failed); d != "" {
		t.Errorf("games that are not replayed (- want, + got):\n%s", d)
	}
}

// illegal shortens the error of a frozen piece.
func illegal(err error) string {
	text := err.Error()
	if i := strings.LastIndex(text, ": "); strings.Contains(text[i:], "frozen") {
		return text[:i] + ": frozen"
	}
	return text
}

// checkResult compares the result of a record with the board.
func checkResult(t *testing.T, r *notation.Record, g *arimaa.Game) {
	winner := map[string]arimaa.Side{"w": arimaa.Gold, "b": arimaa.Silver}[r.Result]
	reasons, byBoard := terminations[r.Termination]
	o := g.Outcome()
	if o.Over() != byBoard {
		t.Errorf("game %s, termination %s: the board says %v", r.ID, r.Termination, o.Reason)
	}
	if !byBoard {
		return
	}
	if !slices.Contains(reasons, o.Reason) || o.Winner != winner || r.Result == "" {
		t.Errorf("game %s: %s has won by %s, the board says %v by %v", r.ID, r.Result, r.Termination, o.Winner, o.Reason)
	}
}
