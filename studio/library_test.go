package studio_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
	"goalproof/library"
	"goalproof/puzzles/describe"
	"goalproof/review"
	"goalproof/solve"
	"goalproof/studio"
)

// addText imports a text into a library.
func addText(t testing.TB, l *library.Library, source, text string) {
	t.Helper()
	im, err := l.Import()
	require.NoError(t, err)
	require.NoError(t, im.Text(context.Background(), source, notation.Parts(notation.NewLines(source, strings.NewReader(text))), func(r library.Read) {
		if r.Err != nil {
			t.Error(r.Err)
		}
	}))
	require.NoError(t, im.Close())
}

// reviewed reviews games of a library by their numbers.
func reviewed(t testing.TB, l *library.Library, games ...int64) {
	t.Helper()
	solver, err := solve.New(solve.Options{Threads: 1, Memory: 16 << 20})
	require.NoError(t, err)
	all, err := l.Reviews(library.Reviewing{WinIn: 2, Nodes: 2000, Algorithm: "dfpns"})
	require.NoError(t, err)
	for _, id := range games {
		g, err := l.Game(context.Background(), id)
		require.NoError(t, err)
		record, err := g.Record()
		require.NoError(t, err)
		r, err := review.Game(context.Background(), []*solve.Solver{solver}, record, review.Options{WinIn: 2, Limit: answer.Limit{Nodes: 2000}})
		require.NoError(t, err)
		require.NoError(t, all.Add(context.Background(), g, r))
	}
	require.NoError(t, all.Close())
}

// minedGame is a game with a puzzle, and sameIdea the same game once more, whose puzzle is no new
// idea.
const minedGame, sameIdea = 8, 12

// mined mines a game of the library.
func mined(t testing.TB, l *library.Library, game int64) {
	t.Helper()
	const nodes = 20_000
	ctx := context.Background()
	m, err := l.Mine(ctx, library.Mining{Games: library.Filter{ID: game}, WinIn: 2, Nodes: nodes})
	require.NoError(t, err)
	start := func() (*solve.Solver, error) { return solve.New(solve.Options{}.ForNodes(nodes, 1)) }
	require.NoError(t, m.Run(ctx, m.Here(2, start), func(*library.Looked) {}, func(*library.Game, []library.Found) error { return nil }))
	require.NoError(t, m.Close())
}

// annotatedGame is a game with comments, a variation and names that are no plain text.
const annotatedGame = `[Gold "<script>alert(1)</script>"]
[Silver "&lt;img src=x onerror=alert(2)&gt;"]
[Event "\"'<!--"]
[Date "2026.01.31"]

1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7
2g Ee2n Ee3n {<b>bold</b>} (2g Md2n)
2s ed7s ed6s
`

// reviewedGames are the games of the library that have a review.
var reviewedGames = []int64{1, 2, 4, minedGame, sameIdea}

// filled is a file with games, some of them reviewed, and puzzles.
var filled = sync.OnceValue(func() []byte {
	t := &testing.T{} // its directory would end with the test that asks first
	dir, err := os.MkdirTemp("", "library")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "games.db")
	l, err := library.Create(context.Background(), path)
	require.NoError(t, err)
	text, err := os.ReadFile("../examples/games.tsv")
	require.NoError(t, err)
	addText(t, l, "games.tsv", string(text))
	addText(t, l, "annotated", annotatedGame)
	puzzles, err := os.ReadFile("../examples/mined/win-in-2.tsv")
	require.NoError(t, err)
	addText(t, l, "mined.tsv", string(puzzles))
	lines := strings.SplitAfter(string(text), "\n")
	addText(t, l, "again.tsv", lines[0]+"again-"+lines[minedGame])
	reviewed(t, l, reviewedGames...)
	mined(t, l, minedGame)
	mined(t, l, sameIdea)
	require.NoError(t, l.Close())
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	return file
})

// libraryFile returns a library in a file of its own.
func libraryFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "games.db")
	require.NoError(t, os.WriteFile(path, filled(), 0o666))
	return path
}

// withLibrary starts a studio with a library, and opens it for the test, too.
func withLibrary(t *testing.T, path string) (*client, *library.Library) {
	t.Helper()
	var both [2]*library.Library
	for i := range both {
		l, err := library.Open(t.Context(), path)
		require.NoError(t, err)
		t.Cleanup(func() { l.Close() })
		both[i] = l
	}
	return start(t, studio.Options{Library: both[0]}), both[1]
}

// object is a JSON object.
type object map[string]any

// answerOf is what a question is answered with.
type answerOf struct {
	Games, Findings, Puzzles, Branches, Groups []json.RawMessage
	More, Seated                               bool
}

// flat writes rows of JSON, each in a line, whatever the order of their fields was.
func flat[Row any](t *testing.T, rows []Row) string {
	t.Helper()
	var b strings.Builder
	for _, row := range rows {
		text, err := json.Marshal(row)
		require.NoError(t, err)
		var o object
		require.NoError(t, json.Unmarshal(text, &o))
		text, err = json.Marshal(o)
		require.NoError(t, err)
		b.Write(append(text, '\n'))
	}
	return b.String()
}

// direct returns the rows that package library finds.
func direct[Value, Row any](t *testing.T, all iter.Seq2[Value, error], row func(Value) (Row, error)) (rows []Row) {
	t.Helper()
	for v, err := range all {
		require.NoError(t, err)
		r, err := row(v)
		require.NoError(t, err)
		rows = append(rows, r)
	}
	return rows
}

func gameRow(g *library.Game) (library.GameRow, error) {
	row, _, err := g.Row()
	return row, err
}

// pattern returns a pattern.
func pattern(t *testing.T, text string) *library.Pattern {
	p, err := library.ParsePattern(text)
	require.NoError(t, err)
	return p
}

// TestLibraryFilters asks for games, their number, findings and stats with filters, in JSON and
// directly.
func TestLibraryFilters(t *testing.T) {
	c, l := withLibrary(t, libraryFile(t))
	game, err := l.Game(t.Context(), 2)
	require.NoError(t, err)
	played, err := game.Played()
	require.NoError(t, err)
	at := played.Position(4)
	study := object{"position": played.Position(0).String(), "number": 2}
	var turns []string
	for i := range 4 {
		p := played.Position(i)
		turns = append(turns, p.Notation(played.Turn(i)))
	}
	study["turns"] = turns
	for _, test := range []struct {
		json   object
		filter library.Filter
		some   bool // some games are found
	}{
		{object{}, library.Filter{}, true},
		{object{"player": "<script>*"}, library.Filter{Player: "<script>*"}, true},
		{object{"player": "<script>*", "opponent": "&LT;*"}, library.Filter{Player: "<script>*", Opponent: "&lt;*"}, true},
		{object{"gold": "nobody"}, library.Filter{Gold: "nobody"}, false},
		{object{"silver": "*alert*", "event": "<!--", "date": "2025..2026-01"}, library.Filter{Silver: "*alert*", Event: "<!--", Date: library.ParseRange("2025..2026-01")}, true},
		{object{"rating": "1.."}, library.Filter{Rating: library.ParseRange("1..")}, false},
		{object{"source": "games*", "turns": "..100"}, library.Filter{Source: "games*", Turns: library.ParseRange("..100")}, true},
		{object{"name": "random-1-2"}, library.Filter{Name: "random-1-2"}, true},
		{object{"number": 3}, library.Filter{ID: 3}, true},
		{object{"result": "silver", "ending": "GOAL"}, library.Filter{Result: "silver", Ending: "goal"}, true},
		{object{"setup": "H??????H/????????", "mirrored": true}, library.Filter{Setup: "H??????H/????????", Mirrored: true}, true},
		{object{"twins": true}, library.Filter{Twins: true}, true},
		{object{"finding": "missed", "win_in": "2"}, library.Filter{Finding: "missed", WinIn: library.ParseRange("2")}, true},
		{object{"finding": "first-win", "win_in": "1..2", "gold": "*"}, library.Filter{Finding: "first-win", WinIn: library.ParseRange("1..2"), Gold: "*"}, false},
		{object{"position": at.String()}, library.Filter{Position: &at}, true},
		{object{"study": study, "exchanged": true, "mirrored": true}, library.Filter{Position: &at, Exchanged: true, Mirrored: true}, true},
		{object{"pattern": "Ra-h7 !ra-h2"}, library.Filter{Pattern: pattern(t, "Ra-h7 !ra-h2")}, true},
		{object{"pattern": "ra-h2", "exchanged": true}, library.Filter{Pattern: pattern(t, "ra-h2"), Exchanged: true}, true},
		{object{"material": "EMH2D2C2R8-emh2d2c2r8"}, library.Filter{Material: "EMH2D2C2R8-emh2d2c2r8"}, true},
		{object{"endgame": "ER-r"}, library.Filter{Class: "ER-r"}, false},
	} {
		want := direct(t, l.Games(t.Context(), &test.filter, library.Sort{}), gameRow)
		if len(want) > 0 != test.some {
			t.Errorf("%v: %d games", test.json, len(want))
		}
		got := ask[answerOf](c, "POST", "/api/library/games", object{"filter": test.json})
		same(t, fmt.Sprint(test.json), flat(t, want), flat(t, got.Games))
		if n := ask[struct{ Games int }](c, "POST", "/api/library/count", object{"filter": test.json}).Games; n != len(want) {
			t.Errorf("%v: %d games are counted, want %d", test.json, n, len(want))
		}
		findings := direct(t, l.Findings(t.Context(), &test.filter, library.Sort{}), (*library.Finding).Row)
		some := ask[answerOf](c, "POST", "/api/library/findings", object{"filter": test.json, "limit": 200})
		same(t, fmt.Sprint("findings ", test.json), flat(t, findings), flat(t, some.Findings))
		groups, err := l.Stats(t.Context(), &test.filter, "ending")
		require.NoError(t, err)
		var rows []library.GroupRow
		for i := range groups {
			rows = append(rows, groups[i].Row("ending"))
		}
		stats := ask[answerOf](c, "POST", "/api/library/stats", object{"filter": test.json, "by": "ending"})
		same(t, fmt.Sprint("stats ", test.json), flat(t, rows), flat(t, stats.Groups))
		if stats.Seated != test.filter.Seated("ending") {
			t.Errorf("%v: seated is %t", test.json, stats.Seated)
		}
	}
}

// TestLibraryPages asks for games in orders, in pages that together are all of them, and for what
// the library holds.
func TestLibraryPages(t *testing.T) {
	c, l := withLibrary(t, libraryFile(t))
	for _, by := range append(library.Orders(), "") {
		for _, falling := range []bool{false, true} {
			want := direct(t, l.Games(t.Context(), &library.Filter{}, library.Sort{By: by, Falling: falling}), gameRow)
			var got []json.RawMessage
			for more := true; more; {
				a := ask[answerOf](c, "POST", "/api/library/games", object{"sort": by, "falling": falling, "offset": len(got), "limit": 3})
				if got, more = append(got, a.Games...), a.More; more != (len(got) < len(want)) || len(a.Games) > 3 {
					t.Fatalf("%s: %d of %d, more: %t", by, len(got), len(want), more)
				}
			}
			same(t, by, flat(t, want), flat(t, got))
		}
	}
	n, err := l.Totals(t.Context())
	require.NoError(t, err)
	type totals struct {
		Name string `json:"name"`
		library.TotalsRow
	}
	same(t, "totals", totals{"games.db", n.Row()}, ask[totals](c, "GET", "/api/library", nil))
	if !ask[struct{ Library bool }](c, "GET", "/api/studio", nil).Library || n.Reviewed != len(reviewedGames) || n.Findings == 0 || n.Puzzles == 0 {
		t.Errorf("%+v", n)
	}
}

// TestLibraryGame opens games: as they were played, with their comments, and with what the last
// review found.
func TestLibraryGame(t *testing.T) {
	c, l := withLibrary(t, libraryFile(t))
	type opened struct {
		Number    int64
		Study     studio.Study
		Annotated studio.Game
		Review    *struct {
			Nodes    uint64
			Win_in   int
			Open     int
			Findings []library.FindingRow
		}
	}
	for g, err := range l.Games(t.Context(), &library.Filter{}, library.Sort{}) {
		require.NoError(t, err)
		a := ask[opened](c, "GET", fmt.Sprintf("/api/library/games/%d", g.ID), nil)
		if len(a.Study.Turns) != g.Turns || a.Number != g.ID || len(a.Annotated.Nodes) <= g.Turns {
			t.Errorf("game %d: %+v", g.ID, a)
		}
		if view := ask[studio.View](c, "POST", "/api/view", object{"study": a.Study}); len(view.Turns) != g.Turns {
			t.Errorf("game %d is shown with %d turns", g.ID, len(view.Turns))
		}
		found := direct(t, l.Findings(t.Context(), &library.Filter{ID: g.ID}, library.Sort{}), (*library.Finding).Row)
		switch {
		case a.Review == nil:
			if slices.Contains(reviewedGames, g.ID) {
				t.Errorf("game %d has no review", g.ID)
			}
		case !slices.Contains(reviewedGames, g.ID) || a.Review.Nodes != 2000 || a.Review.Win_in != 2:
			t.Errorf("game %d: %+v", g.ID, a.Review)
		default:
			same(t, "findings", flat(t, found), flat(t, a.Review.Findings))
		}
		if g.Name != "" {
			continue
		}
		// The game with comments: what looks like a script is text.
		_, body, header := c.do(c.request("GET", fmt.Sprintf("/api/library/games/%d", g.ID), nil))
		if header.Get("Content-Type") != "application/json" || strings.ContainsAny(body, "<>&") {
			t.Errorf("%s %s", header.Get("Content-Type"), body)
		}
		text := ask[struct{ Text string }](c, "POST", "/api/annotate", object{"game": a.Annotated}).Text
		if a.Annotated.Tags["Gold"] != "<script>alert(1)</script>" || !strings.Contains(text, "{<b>bold</b>}") || !strings.Contains(text, "2g Md2n\n") {
			t.Errorf("%+v\n%s", a.Annotated, text)
		}
	}
	for id, want := range map[string]string{"99": "no game 99", "0": "has a number", "-1": "has a number", "x": "has a number", "99999999999999999999": "has a number"} {
		c.refusedFor(404, want, "GET", "/api/library/games/"+id, nil)
	}
}

// TestLibraryTree asks what was played and what was set up, with what is proved.
func TestLibraryTree(t *testing.T) {
	c, l := withLibrary(t, libraryFile(t))
	type branch struct {
		Turn     *string `json:"turn"`
		Setup    *string `json:"setup"`
		Position *string `json:"position"`
		library.ScoreRow
	}
	type tree struct {
		library.ScoreRow
		Position *string  `json:"position"`
		Ended    int      `json:"ended"`
		Branches []branch `json:"branches"`
		More     bool     `json:"more"`
	}
	proved := 0
	check := func(body object, want *library.Tree, row func(b *library.Branch) branch) tree {
		t.Helper()
		got := ask[tree](c, "POST", "/api/library/tree", body)
		var rows []branch
		for i := range want.Branches {
			rows = append(rows, row(&want.Branches[i]))
		}
		same(t, fmt.Sprint(body), flat(t, rows), flat(t, got.Branches))
		same(t, fmt.Sprint(body), want.Row(), got.ScoreRow)
		if got.Ended != want.Ended || got.More {
			t.Errorf("%v: %+v", body, got)
		}
		if got.GoldProved != nil || got.SilverProved != nil {
			proved++
		}
		return got
	}
	setup := func(b *library.Branch) branch { return branch{Setup: &b.Setup, ScoreRow: b.Row()} }
	for _, f := range []library.Filter{{}, {Mirrored: true}, {Ending: "goal"}} {
		body := object{"filter": object{"mirrored": f.Mirrored, "ending": f.Ending}, "limit": 200}
		want, err := l.Setups(t.Context(), "", &f)
		require.NoError(t, err)
		body["after"] = *check(body, want, setup).Branches[0].Setup
		want, err = l.Setups(t.Context(), body["after"].(string), &f)
		require.NoError(t, err)
		check(body, want, setup)
	}
	game, err := l.Game(t.Context(), 1)
	require.NoError(t, err)
	played, err := game.Played()
	require.NoError(t, err)
	for i := range played.Len() + 1 {
		p := played.Position(i)
		want, err := l.Tree(t.Context(), &p, &library.Filter{Exchanged: true})
		require.NoError(t, err)
		check(object{"filter": object{"position": p.String(), "exchanged": true}}, want, func(b *library.Branch) branch {
			return branch{Turn: new(p.Notation(b.Turn)), Position: new(b.After.String()), ScoreRow: b.Row()}
		})
	}
	if proved == 0 {
		t.Error("nothing is proved")
	}
}

// themes reads themes.
func themes(t *testing.T, names ...string) describe.Themes {
	t.Helper()
	all, err := describe.ParseThemes(names)
	require.NoError(t, err)
	return all
}

// TestLibraryPuzzles asks for puzzles.
func TestLibraryPuzzles(t *testing.T) {
	c, l := withLibrary(t, libraryFile(t))
	all := direct(t, l.Puzzles(t.Context(), &library.PuzzleFilter{}, library.Sort{}), func(p *library.Puzzle) (*library.Puzzle, error) { return p, nil })
	for _, test := range []struct {
		json   object
		filter library.PuzzleFilter
	}{
		{object{}, library.PuzzleFilter{}},
		{object{"source": "mined*", "win_in": "2"}, library.PuzzleFilter{Source: "mined*", Claim: library.ParseRange("2")}},
		{object{"win_in": "2.."}, library.PuzzleFilter{Claim: library.ParseRange("2..")}},
		{object{"name": all[3].Name}, library.PuzzleFilter{Name: all[3].Name}},
		{object{"position": all[5].Position.String(), "mirrored": true}, library.PuzzleFilter{Position: &all[5].Position, Mirrored: true}},
		{object{"pattern": "Ra-h7"}, library.PuzzleFilter{Pattern: pattern(t, "Ra-h7")}},
		{object{"game_number": minedGame}, library.PuzzleFilter{Game: minedGame}},
		{object{"game_number": sameIdea, "all": true}, library.PuzzleFilter{Game: sameIdea, All: true}},
		{object{"unique": true}, library.PuzzleFilter{Unique: true}},
		{object{"themes": []string{"goal"}}, library.PuzzleFilter{Themes: themes(t, "goal")}},
		{object{"difficulty": "..9"}, library.PuzzleFilter{Difficulty: library.ParseRange("..9")}},
		{object{"themes": []string{"goal"}, "unique": true, "all": true, "difficulty": "1.5.."},
			library.PuzzleFilter{Themes: themes(t, "goal"), Unique: true, All: true, Difficulty: library.ParseRange("1.5..")}},
	} {
		type row struct {
			library.PuzzleRow
			Study studio.Study `json:"study"`
		}
		order := library.Sort{By: "difficulty", Falling: true}
		want := direct(t, l.Puzzles(t.Context(), &test.filter, order), func(p *library.Puzzle) (row, error) {
			return row{p.Row(), studio.Study{Position: p.Position.String(), Number: p.Number}}, nil
		})
		got := ask[answerOf](c, "POST", "/api/library/puzzles", object{"filter": test.json, "sort": "difficulty", "falling": true, "limit": 200})
		if len(want) == 0 {
			t.Errorf("%v: no puzzle", test.json)
		}
		same(t, fmt.Sprint(test.json), flat(t, want), flat(t, got.Puzzles))
	}
}

// TestLibraryExercises trains on what the library holds: sets of exercises are verified first. A
// position is in a set once, and a claim that is false becomes no exercise.
func TestLibraryExercises(t *testing.T) {
	path := libraryFile(t)
	l, err := library.Edit(t.Context(), path)
	require.NoError(t, err)
	addText(t, l, "false.tsv", "position\tclaim\tname\nRa2 rh7 ed4 g\t1\t=no win\n")
	require.NoError(t, l.Close())
	c, l := withLibrary(t, path)
	type set struct {
		Text  string
		Count int
		More  bool
	}
	wins := func(s set) (wins int) {
		job := c.ended(task{Kind: "verify", Text: s.Text, Unusual: true, Seconds: 60})
		for _, p := range ask[struct{ Puzzles []studio.Verified }](c, "GET", "/api/jobs/"+job.ID+"/puzzles?from=0", nil).Puzzles {
			if p.Verdict == "proved" && p.Least != nil && *p.Least == *p.Claim {
				wins++
			}
		}
		if job.Total != s.Count {
			t.Errorf("a set of %d has %d puzzles: %s", s.Count, job.Total, s.Text)
		}
		return wins
	}
	for kind, filter := range map[string]library.Filter{"first-win": {Finding: "first-win"}, "missed": {Finding: "missed", WinIn: library.ParseRange("2")}} {
		found := map[string]string{} // a turn that wins
		again := 0
		for f, err := range l.Findings(t.Context(), &filter, library.Sort{}) {
			require.NoError(t, err)
			row, err := f.Row()
			require.NoError(t, err)
			if found[row.Position] != "" {
				again++
			}
			found[row.Position] = *row.Better
		}
		if again == 0 {
			t.Errorf("%s: no position is found twice", kind)
		}
		s := ask[set](c, "POST", "/api/library/exercises", object{"findings": object{"finding": kind, "win_in": filter.WinIn.From}, "limit": 200})
		if n := wins(s); n != s.Count || s.Count != len(found) || n == 0 || s.More {
			t.Errorf("%s: %d wins, %d in the set, %d found", kind, n, s.Count, len(found))
		}
		for _, line := range strings.Split(strings.TrimSpace(s.Text), "\n")[1:] {
			if cells := strings.Split(line, "\t"); cells[2] != found[cells[0]] {
				t.Errorf("%s: the solution is said to be %s, and not %s", kind, cells[2], found[cells[0]])
			}
		}
	}
	s := ask[set](c, "POST", "/api/library/exercises", object{"puzzles": object{"source": "mined*", "win_in": "2"}, "limit": 2})
	if n := wins(s); n != 2 || !s.More {
		t.Errorf("%d wins of puzzles: %+v", n, s)
	}
	s = ask[set](c, "POST", "/api/library/exercises", object{"puzzles": object{"source": "false.tsv"}})
	if n := wins(s); n != 0 || s.Count != 1 {
		t.Errorf("a false claim: %+v", s)
	}
}

// TestLibraryRefused asks what means nothing.
func TestLibraryRefused(t *testing.T) {
	c, _ := withLibrary(t, libraryFile(t))
	long := strings.Repeat("x", 501)
	for want, filter := range map[string]object{
		"number: -1":                    {"number": -1},
		"player: it has more":           {"player": long},
		"rating: \"..\" bounds nothing": {"rating": ".."},
		`"x" is no whole number`:        {"rating": "x"},
		`"9x" is no whole number`:       {"turns": "1..9x"},
		"write the lesser one first":    {"turns": "9..1"},
		`date "tomorrow"`:               {"date": "tomorrow"},
		`result "maybe"`:                {"result": "maybe"},
		`opponent "bob"`:                {"opponent": "bob"},
		`finding "luck"`:                {"finding": "luck"},
		"name the finding":              {"win_in": "1"},
		"position: ":                    {"position": "nowhere"},
		"cannot be combined with":       {"position": "Ra5 rh7 ed4 g", "study": object{"position": "Ra5 rh7 ed4 g"}},
		"steps: ":                       {"study": object{"position": "Ra5 rh7 ed4 g", "steps": "Ra5n"}},
		`pattern "Xb6"`:                 {"pattern": "Xb6"},
		"pattern: it has more":          {"pattern": long},
		"at least one word":             {"pattern": " "},
		"setup":                         {"setup": "x"},
		"material":                      {"material": "x"},
		"class":                         {"endgame": "x"},
	} {
		for _, path := range []string{"games", "count", "findings", "stats"} {
			if path == "findings" && filter["win_in"] != nil {
				continue // of any finding
			}
			c.refusedFor(422, want, "POST", "/api/library/"+path, object{"filter": filter})
		}
	}
	for _, test := range []struct {
		want, path string
		body       object
	}{
		{"offset: -1", "games", object{"offset": -1}},
		{"limit: 201", "games", object{"limit": 201}},
		{"limit: -1", "puzzles", object{"limit": -1}},
		{`order "age"`, "games", object{"sort": "age"}},
		{`games by "age"`, "stats", object{"by": "age"}},
		{"win_in: ", "puzzles", object{"filter": object{"win_in": ".."}}},
		{"after: ", "tree", object{"filter": object{"position": "Ra5 rh7 ed4 g"}, "after": "RRRRRRRR/RRRRRRRR"}},
		{"leave out material", "tree", object{"filter": object{"pattern": "Eb6"}}},
		{"findings: ask for", "exercises", object{}},
		{"findings: ask for", "exercises", object{"findings": object{}, "puzzles": object{}}},
		{"finding: \"\"", "exercises", object{"findings": object{}}},
		{"finding: \"allows\"", "exercises", object{"findings": object{"finding": "allows"}}},
		{`order "date"`, "exercises", object{"puzzles": object{}, "sort": "date"}},
		{"themes: ", "puzzles", object{"filter": object{"themes": []string{"beauty"}}}},
		{"difficulty: ", "puzzles", object{"filter": object{"difficulty": ".."}}},
	} {
		c.refusedFor(422, test.want, "POST", "/api/library/"+test.path, test.body)
	}
	status, text, _ := c.do(c.request("POST", "/api/library/games", object{"filter": object{"position": "Ra5 rh7 ed4"}}))
	if status != 422 || !strings.Contains(text, `"no_side"`) {
		t.Errorf("a position without a side: %d %s", status, text)
	}
	for body, want := range map[string]string{
		`{"filter":{"sql":"SELECT 1"}}`:   `filter has the unknown field "sql"; it takes player, `,
		`{"filter":{"rating":1800}}`:      "filter.rating: it is a text",
		`{"filter":[]}`:                   "filter: it is an object",
		`{"limit":1e9}`:                   "limit: it is a whole number",
		`{"statement":"DROP TABLE game"}`: `the body has the unknown field "statement"; POST /api/library/games takes filter, sort, falling, offset, limit`,
	} {
		c.refusedFor(400, want, "POST", "/api/library/games", rawJSON(body))
	}
}

// libraryRequests are all requests about a library.
var libraryRequests = map[string][]string{"GET": {"", "/games/1"}, "POST": {"/games", "/count", "/findings", "/puzzles", "/tree", "/stats", "/exercises"}}

// TestNoLibrary asks a studio that has no library.
func TestNoLibrary(t *testing.T) {
	c := start(t, studio.Options{})
	for method, paths := range libraryRequests {
		for _, path := range paths {
			var body any
			if method == "POST" {
				body = object{}
			}
			c.refusedFor(404, "no library", method, "/api/library"+path, body)
		}
	}
	if ask[struct{ Library bool }](c, "GET", "/api/studio", nil).Library {
		t.Error("the studio says that it has a library")
	}
}

// TestLibraryWritten asks while games are imported and reviewed: every answer is that of one
// moment, and what was said to be there stays.
func TestLibraryWritten(t *testing.T) {
	path := libraryFile(t)
	c, _ := withLibrary(t, path)
	writer, err := library.Edit(t.Context(), path)
	require.NoError(t, err)
	defer writer.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 20 {
			addText(t, writer, fmt.Sprint("more", i), strings.ReplaceAll(annotatedGame, "alert(1)", fmt.Sprintf("alert(%d)", 10+i)))
			if i == 10 {
				reviewed(t, writer, 5)
			}
		}
	}()
	last := 0
	for writing := true; writing; {
		select {
		case <-done:
			writing = false
		default:
		}
		a := ask[answerOf](c, "POST", "/api/library/games", object{"limit": 200})
		n := ask[struct{ Games int }](c, "POST", "/api/library/count", object{}).Games
		if len(a.Games) < last || n < len(a.Games) {
			t.Errorf("%d games, then %d are listed, and %d counted", last, len(a.Games), n)
		}
		last = n
		ask[answerOf](c, "POST", "/api/library/findings", object{"filter": object{"finding": "any"}, "limit": 200})
	}
	if last != sameIdea+20 {
		t.Errorf("%d games at the end", last)
	}
}

// TestLibraryDamaged asks a library whose file is damaged while it is open.
func TestLibraryDamaged(t *testing.T) {
	path := libraryFile(t)
	c, _ := withLibrary(t, path)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for i := 4096; i < len(text); i++ {
		text[i] = 0xff
	}
	require.NoError(t, os.WriteFile(path, text, 0o666))
	status, why := c.refused("POST", "/api/library/findings", object{"filter": object{"finding": "any"}})
	if status != http.StatusInternalServerError || !strings.Contains(why, "damaged") {
		t.Errorf("%d %s", status, why)
	}
}
