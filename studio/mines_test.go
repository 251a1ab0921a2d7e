package studio_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/puzzles"
	"goalproof/solve"
	"goalproof/studio"
)

// minedText is a text of puzzles to mine: wins in two, one of them again in the mirror and one
// without a single solution, a win in one, and none.
func minedText(t *testing.T) string {
	t.Helper()
	two := study(t, "win-in-2.txt").Position
	all := []string{two, boards.Mirror(two)}
	for _, name := range []string{"zugzwang-in-2.txt", "goal-in-4-steps.txt", "no-win-in-2.txt", "win-in-2-for-silver.txt"} {
		all = append(all, study(t, name).Position)
	}
	return strings.Join(all, "\n") + "\n"
}

// minedRow is what a table of puzzles says of one.
type minedRow struct {
	Name, Position, Solution string
	Unique                   bool
	Difficulty               float64
	Themes                   []string
}

// minedBy returns the puzzles of a text that a miner finds, without those that show an idea met
// before.
func minedBy(t *testing.T, name, text string) (all []minedRow) {
	t.Helper()
	s, err := solve.New(solve.Options{Memory: 32 << 20, Threads: 1})
	require.NoError(t, err)
	m, met := puzzles.Miner{Solver: s, Turns: 2}, puzzles.Ideas{}
	for p := range puzzles.Places(notation.Parts(notation.NewLines(name, strings.NewReader(text))), new(int)) {
		require.NoError(t, p.Err)
		found, _, err := m.Look(t.Context(), p.Position)
		require.NoError(t, err)
		if found == nil {
			continue
		}
		if _, first := met.Add(p.Position, 2, found.Solution); first {
			all = append(all, minedRow{p.Name, p.Position.String(), p.Position.Notation(found.Solution), found.Solutions == 1, found.Difficulty(), found.Themes.Names()})
		}
	}
	return all
}

// puzzlesOf returns the puzzles of a job.
func puzzlesOf(c *client, id string) []studio.Verified {
	c.Helper()
	return ask[struct{ Puzzles []studio.Verified }](c, "GET", "/api/jobs/"+id+"/puzzles", nil).Puzzles
}

// rowOf returns a puzzle of a job as a row, under a name.
func rowOf(name string, p studio.Verified) minedRow {
	return minedRow{name, p.Study.Position, *p.Solution, strings.HasSuffix(p.Says, ", unique"), *p.Difficulty, p.Themes}
}

// TestMine mines a game and a list of positions: the studio finds what a miner finds, in the same
// order. What it exports is verified as a set.
func TestMine(t *testing.T) {
	game, err := os.ReadFile("../examples/game.turns")
	require.NoError(t, err)
	c := start(t, studio.Options{})
	for name, text := range map[string]string{"game.turns": string(game), "list.txt": minedText(t)} {
		job := c.ended(task{Kind: "mine", Text: text, Name: name, Seconds: 300})
		if job.State != "done" || job.Result.Verdict != "mined" || job.Mined == nil || job.Mined.Undecided+job.Mined.Unread > 0 {
			t.Fatalf("%s: %+v", name, job)
		}
		var got []minedRow
		for _, p := range puzzlesOf(c, job.ID) {
			got = append(got, rowOf(p.Label, p))
			if p.Verdict != "proved" || !*p.ClaimTrue || !*p.SolutionOK || !*p.EssentiallyUnique || *p.Least != 2 || *p.Claim != 2 || len(p.Second) > 0 {
				t.Errorf("%+v", p)
			}
		}
		want := minedBy(t, name, text)
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 || job.Mined.Puzzles != len(want) || job.Done != len(want) {
			t.Errorf("%s: %+v %s", name, job.Mined, diff)
		}
		if name == "list.txt" && (job.Mined.Again == 0 || len(want) < 2 || job.Mined.Positions != 6 || job.Mined.Games != 0) {
			t.Errorf("%+v: nothing shows an idea again, or there is one puzzle", job.Mined)
		}
		for _, form := range []string{"text", "html", "arimaa", "json"} {
			status, table, _ := c.do(c.request("GET", "/api/jobs/"+job.ID+"/export?form="+form, nil))
			if status != 200 {
				t.Fatalf("%s: %d %s", form, status, table)
			}
			switch form {
			case "text":
				verified := c.ended(task{Kind: "verify", Text: table, Seconds: 300, Describe: true})
				if says := verified.Result.Says; says != fmt.Sprintf("%d puzzles, 0 false claims.", len(want)) && says != "1 puzzle, 0 false claims." {
					t.Errorf("verified: %s", says)
				}
				var again []minedRow
				for i, p := range puzzlesOf(c, verified.ID) {
					again = append(again, rowOf(want[i].Name, p))
				}
				same(t, "verified again", want, again)
			case "json":
				same := ask[studio.Comparison](c, "POST", "/api/jobs/"+job.ID+"/compare", map[string]any{"text": table})
				if same.Compared != len(want) || len(same.Changed)+same.New+same.Gone > 0 {
					t.Errorf("%+v", same)
				}
			}
		}
	}
}

// TestMineChoice asks for puzzles by theme, for those with a single solution, and for those of an
// archive of the workspace.
func TestMineChoice(t *testing.T) {
	root := workspace(t)
	text := minedText(t)
	c := start(t, studio.Options{Workspace: root})
	all := minedBy(t, "list.txt", text)
	for _, test := range []struct {
		themes []string
		unique bool
	}{{nil, true}, {[]string{"zugzwang"}, false}, {[]string{"threat", "goal"}, false}, {[]string{"elimination", "pull"}, true}} {
		job := c.ended(task{Kind: "mine", Text: text, Name: "list.txt", WinIn: 2, Themes: test.themes,
			Unique: test.unique, Seconds: 300})
		var want, got []string
		for _, p := range all {
			has := !test.unique || p.Unique
			for _, theme := range test.themes {
				has = has && strings.Contains(strings.Join(p.Themes, " "), theme)
			}
			if has {
				want = append(want, p.Name)
			}
		}
		for _, p := range puzzlesOf(c, job.ID) {
			got = append(got, p.Label)
		}
		if diff := cmp.Diff(want, got); diff != "" || job.State != "done" {
			t.Errorf("%+v: %s %s", test, job.State, diff)
		}
	}
	game, err := os.ReadFile("../examples/game.turns")
	require.NoError(t, err)
	read := notation.Read(notation.NewLines("game", strings.NewReader(string(game))))
	for e, err := range read {
		require.NoError(t, err)
		moves := strings.ReplaceAll(strings.TrimSpace(notation.Turns(e.Game)), "\n", `\n`)
		archive := archiveHeader + "7\tann\tbob\tb\tg\t86400\t" + moves + "\n" + "8\tann\tbob\tb\tg\t86400\t1w Ra9\n"
		require.NoError(t, root.WriteFile("one game.tsv", []byte(archive), 0o666))
	}
	job := c.ended(task{Kind: "mine", Archive: "one game", Seconds: 300})
	want := minedBy(t, "7", string(game))
	var got []minedRow
	for _, p := range puzzlesOf(c, job.ID) {
		got = append(got, rowOf(p.Label, p))
	}
	if diff := cmp.Diff(want, got); diff != "" || job.State != "done" || job.Mined.Games != 1 || job.Mined.Unread != 1 {
		t.Errorf("%+v %s", job, diff)
	}
}

// TestMineStop stops a job that mines: what it has found is listed and exported.
func TestMineStop(t *testing.T) {
	c := start(t, studio.Options{})
	var text strings.Builder
	text.WriteString(study(t, "win-in-2.txt").Position + "\n")
	board := []byte("RRRRRRRRDDHHCCMErrrrrrrrddhhccme" + strings.Repeat(" ", 16))
	random := rand.New(rand.NewPCG(1, 2))
	for range 10_000 { // which take minutes
		random.Shuffle(len(board), func(i, j int) { board[i], board[j] = board[j], board[i] })
		fmt.Fprintf(&text, "g [        %s        ]\n", board)
	}
	id := c.begin(task{Kind: "mine", Text: text.String(), Seconds: 3600}).ID
	until(t, "a puzzle", func() bool { return len(puzzlesOf(c, id)) > 0 })
	if job := c.job(id); job.State != "running" || job.Mined.Puzzles == 0 || job.Mined.Positions == 0 {
		t.Errorf("%+v", job)
	}
	c.stop(id)
	job, _ := c.end(id)
	if job.State != "stopped" || job.Error == nil || !strings.Contains(*job.Error, "interrupted: ") || job.Mined.Puzzles == 0 ||
		len(puzzlesOf(c, id)) != job.Mined.Puzzles || job.Mined.Positions >= 10_000 {
		t.Errorf("%+v", job)
	}
	if status, table, _ := c.do(c.request("GET", "/api/jobs/"+id+"/export?form=text", nil)); status != 200 || strings.Count(table, "\n") != 1+job.Mined.Puzzles {
		t.Errorf("%d %s", status, table)
	}
}

// TestMineRefused refuses what cannot be mined.
func TestMineRefused(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	text := minedText(t)
	for _, test := range []struct {
		task task
		want string
	}{
		{task{}, "pasted"},
		{task{Text: "# nothing\n", Name: "bare.txt"}, "bare.txt"},
		{task{Text: "1w Ra9\n", Name: "bad.turns"}, "bad.turns:1"},
		{task{Text: text, WinIn: 1}, "win_in 1: it is 2 to"},
		{task{Text: text, WinIn: -2}, "win_in -2"},
		{task{Text: text, WinIn: 1000}, "win_in 1000"},
		{task{Text: text, Themes: []string{"beauty"}}, "is no theme; there are threat"},
		{task{Text: text, Algorithm: "pns"}, "dfpns"},
		{task{Text: text, Describe: true}, `unknown field "describe"`},
		{task{Text: text, Seconds: -1}, "seconds"},
		{task{Text: text, Memory: 1 << 40}, "memory"},
		{task{Text: text, Archive: "games"}, "a text with its name, or an archive"},
		{task{Archive: "games"}, "no archive"},
		{task{Archive: "../games"}, "letters"},
		{task{Kind: "verify", Text: text, Unique: true}, `unknown field "unique"`},
	} {
		if test.task.Kind == "" {
			test.task.Kind = "mine"
		}
		c.refusedFor(0, test.want, "POST", "/api/jobs", test.task)
	}
	if jobs := c.jobs(); len(jobs) != 0 {
		t.Errorf("%+v", jobs)
	}
}
