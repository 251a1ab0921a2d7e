package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/require"
)

// reviewFlags are those of the reviews that tests make. Wins in two are found with so few nodes.
var reviewFlags = []string{"--nodes", "150", "--effort", "2", "--memory", "128MiB"}

// reviewing runs library review.
func reviewing(t *testing.T, path string, args ...string) (out, errors string) {
	t.Helper()
	return holds(t, slices.Concat([]string{"library", "review", path}, reviewFlags, args)...)
}

// holds runs a command line whose exit code must be 0.
func holds(t *testing.T, args ...string) (out, errors string) {
	t.Helper()
	code, out, errors := said(t, args...)
	if code != cli.Holds {
		t.Fatalf("%v: exit code %d\n%s%s", args, code, out, errors)
	}
	return out, errors
}

// someGames writes an archive of published games, the last one without its end, and returns its
// name.
func someGames(t *testing.T) string {
	t.Helper()
	rows := strings.Split(published.Read(t, "games/archive-2026.tsv"), "\n")
	names := strings.Split(rows[0], "\t")
	row := func(id string) string {
		i := slices.IndexFunc(rows, func(row string) bool { return strings.HasPrefix(row, id+"\t") })
		if i < 0 {
			t.Fatalf("there is no game %s", id)
		}
		return rows[i]
	}
	last := strings.Split(row("669253"), "\t")
	for i, name := range names {
		switch name {
		case "movelist":
			last[i] = strings.Join(strings.Split(last[i], `\n`)[:12], `\n`)
		case "result", "termination":
			last[i] = ""
		}
	}
	return put(t, filepath.Join(t.TempDir(), "some.tsv"), []string{rows[0], row("669237"), row("669239"), strings.Join(last, "\t")})
}

// tookJSON matches what differs from one review to another.
var tookJSON = regexp.MustCompile(`"seconds":[0-9.e-]+`)

// filesIn returns what the files in a directory hold, by their names.
func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		all[e.Name()] = string(data)
	}
	return all
}

// TestLibraryReview writes reviews of a library in all forms, those that it makes and those that it
// has: they are the ones that review writes of the same games.
func TestLibraryReview(t *testing.T) {
	dir, file := t.TempDir(), someGames(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	library, exported := at("games.db"), at("exported.tsv")
	holds(t, "library", "import", library, file)
	out, _ := holds(t, "library", "query", "--as", "archive", library)
	require.NoError(t, os.WriteFile(exported, []byte(out), 0o666))
	plainly := func(args ...string) string {
		t.Helper()
		out, _ := holds(t, slices.Concat([]string{"review"}, reviewFlags, args)...)
		return tookJSON.ReplaceAllString(out, "")
	}
	same := func(what, got, want string) {
		t.Helper()
		if got = tookJSON.ReplaceAllString(got, ""); got != want || want == "" {
			t.Errorf("%s:\n%s\nreview writes\n%s", what, got, want)
		}
	}
	want := plainly("--pages", at("pages"), "--certificates", at("proofs"), exported)
	for _, how := range []string{"made", "kept"} {
		out, errors := reviewing(t, library, "--text", "--pages", at("pages-"+how), "--certificates", at("proofs-"+how))
		same("--text, "+how, out, want)
		if count := map[string]string{"made": "3 games reviewed, 0 before", "kept": "0 games reviewed, 3 before"}[how]; !strings.Contains(errors, count) {
			t.Errorf("%s: %s", how, errors)
		}
		for _, kind := range []string{"pages", "proofs"} {
			got, want := filesIn(t, at(kind+"-"+how)), filesIn(t, at(kind))
			if len(got) != len(want) || len(want) < 3 {
				t.Errorf("%s, %s: %d files, want %d", kind, how, len(got), len(want))
			}
			for name, text := range want {
				if got[name] != strings.ReplaceAll(text, exported, library) {
					t.Errorf("%s, %s: %s differs", kind, how, name)
				}
			}
		}
	}
	forms := []string{"--json", "--csv", "--summary"}
	if underRace {
		forms = forms[:1] // the others take as long again, and share no more
	}
	for _, form := range forms {
		want := plainly(form, file)
		out, _ := reviewing(t, library, form)
		same(form+", kept", out, want)
		if form == "--json" {
			other := at("other.db")
			holds(t, "library", "import", other, file)
			out, _ = reviewing(t, other, form)
			same("--json, made", out, want)
			sameFindings(t, library, want)
		}
	}
	const id = "669237"
	plainly("--game", id, "--annotated", at("annotated"), "--html", at("html"), file)
	reviewing(t, library, "--number", "1", "--annotated", at("annotated-kept"), "--html", at("html-kept"))
	other := at("third.db")
	holds(t, "library", "import", other, file)
	reviewing(t, other, "--game", id, "--annotated", at("annotated-made"), "--html", at("html-made"))
	files := filesIn(t, at(""))
	for _, name := range []string{"annotated", "html"} {
		for _, how := range []string{"-kept", "-made"} {
			if files[name] == "" || files[name+how] != files[name] {
				t.Errorf("%s%s differs", name, how)
			}
		}
	}
	holds(t, "check", at("proofs-kept"))
	holds(t, "library", "verify", library)
	if summary, _ := reviewing(t, library, "--player", "nobody"); summary != "" {
		t.Errorf("no game, and\n%s", summary)
	}
}

// sameFindings compares the findings of a library with what reviews say as JSON.
func sameFindings(t *testing.T, path, reviews string) {
	t.Helper()
	type bounds struct {
		Verdict string
		Within  *int
	}
	type turn struct {
		Turn, Position string
		Played, Mark   *string
		Win            bounds
		Gives          *int
		WinningTurn    *string `json:"winning_turn"`
		Saving         []struct{ Turn string }
		Stops          *struct {
			Holding, Undecided int
			Simplest           *string
		}
	}
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	side := func(t *turn) string { return map[byte]string{'g': "gold", 's': "silver"}[t.Turn[len(t.Turn)-1]] }
	kinds := map[string]string{"delays": "delays", "misses": "misses", "throws away": "throws-away", "loses": "loses", "allows": "allows"}
	met := map[string]int{}
	var want []string
	for line := range strings.Lines(reviews) {
		var g struct {
			Game, Gold, Silver string
			Decided            *struct {
				Turn, By  string
				TurnsLeft int `json:"turns_left"`
			}
			Turns []turn
		}
		line = strings.Replace(strings.Replace(line, ",}", "}", 1), ",,", ",", 1) // where the seconds were
		require.NoError(t, json.Unmarshal([]byte(line), &g))
		won := false
		for i := range g.Turns {
			at, found := &g.Turns[i], []string(nil)
			add := func(kind, side string, turns int, better string) {
				met[kind]++
				player := map[string]string{"gold": g.Gold, "silver": g.Silver}[side]
				found = append(found, fmt.Sprint(kind, "|", g.Game, "|", i, "|", at.Turn, "|", side, "|", player, "|", turns, "|", text(at.Played), "|", better, "|", at.Position))
			}
			if at.Win.Verdict == "proved" && *at.Win.Within > 0 && !won {
				won = true
				add("first-win", side(at), *at.Win.Within, text(at.WinningTurn))
			}
			switch kind := kinds[text(at.Mark)]; {
			case kind == "delays" || kind == "misses" || kind == "throws-away":
				add(kind, side(at), *at.Win.Within, text(at.WinningTurn))
			case kind != "" && len(at.Saving) > 0:
				add(kind, side(at), *at.Gives, at.Saving[0].Turn)
			case kind != "":
				add(kind, side(at), *at.Gives, "")
			}
			if s := at.Stops; s != nil && s.Holding == 1 && s.Undecided == 0 {
				add("only-defence", side(at), *at.Gives, text(s.Simplest))
			}
			if d := g.Decided; d != nil && d.Turn == at.Turn {
				add("decided", d.By, d.TurnsLeft, "")
			}
			slices.Sort(found) // by the kind
			want = append(want, found...)
		}
	}
	var got []string
	out, _ := holds(t, "library", "findings", "--json", path)
	for line := range strings.Lines(out) {
		var f struct {
			Game, Turn, Finding, Side, Position string
			At, Turns                           int
			Player, Played, Better              *string
		}
		require.NoError(t, json.Unmarshal([]byte(line), &f))
		got = append(got, fmt.Sprint(f.Finding, "|", f.Game, "|", f.At, "|", f.Turn, "|", f.Side, "|", text(f.Player), "|", f.Turns, "|", text(f.Played), "|", text(f.Better), "|", f.Position))
	}
	if !slices.Equal(got, want) || len(met) < 5 {
		t.Errorf("the findings are\n%s\nand those of the reviews\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	t.Log(met)
	rows, _ := holds(t, "library", "findings", "--csv", path)
	if n := strings.Count(rows, "\n"); n != len(want)+1 {
		t.Errorf("%d rows of a table for %d findings", n, len(want))
	}
	count := 0
	for kind := range met {
		out, _ := holds(t, "library", "findings", "--json", "--finding", kind, path)
		if n := strings.Count(out, "\n"); n != met[kind] {
			t.Errorf("%d findings %s, want %d", n, kind, met[kind])
		}
		n, err := strconv.Atoi(strings.TrimSpace(func() string { out, _ := holds(t, "library", "query", "--count", "--finding", kind, path); return out }()))
		require.NoError(t, err)
		count += n
	}
	if count < len(met) {
		t.Errorf("games are found %d times by their findings of %d kinds", count, len(met))
	}
}

// TestLibraryReviewOf reviews games that are not as most are.
func TestLibraryReviewOf(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	const short = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n" +
		"1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7\n2g Ee2n {good} Ee3n (2g Md2n {better})\n2s ed7s\n"
	file := put(t, at("games.txt"), []string{
		"[Gold \"ann\"]\n\n" + short, "[Gold \"ann\"]\n\n" + short, // the same twice
		"[Gold \"bob\"]\n\n1g Ra1\n", // no turns
		"[Gold \"cho\"]\n[Silver \"dan\"]\n\n" + strings.Replace(short, "{good} ", "", 1) + "3g resigns\n",
	})
	library := at("games.db")
	code, _, errors := said(t, "library", "import", library, file)
	n := countedIn(t, library)
	t.Logf("exit code %d, %d games: %s", code, n, errors)
	out, errors := reviewing(t, library, "--text", "--pages", at("pages"), "--certificates", at("proofs"))
	if !strings.Contains(out, "1: ann") || !strings.Contains(errors, fmt.Sprintf("goalproof: %d games reviewed, 0 before", n)) {
		t.Errorf("%s%s", out, errors)
	}
	if pages := filesIn(t, at("pages")); len(pages) != n+1 || pages["1.html"] == "" {
		t.Errorf("%d pages of %d games", len(pages), n)
	}
	again, _ := reviewing(t, library, "--text")
	if again != out {
		t.Errorf("kept:\n%s\nmade:\n%s", again, out)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--number", "99"}, cli.Holds, "no game is found"},
		{[]string{"--html", at("page")}, cli.BadInput, "--annotated, --html and --open take one game, and there are more"},
		{[]string{"--number", "1", "--html", library}, cli.BadInput, library},
		{[]string{"--number", "1", "--annotated", library}, cli.BadInput, library},
		{[]string{"--rating", "high"}, cli.BadInput, `"high" is no whole number`},
		{[]string{"--pages", library}, cli.BadInput, library},
	} {
		code, out, errors := said(t, slices.Concat([]string{"library", "review", library}, reviewFlags, c.args)...)
		if code != c.code || out != "" || !strings.Contains(errors, c.want) {
			t.Errorf("%v: exit code %d\n%s%s", c.args, code, out, errors)
		}
	}
	holds(t, "library", "verify", library)
	same := put(t, at("same.tsv"), []string{"id\twusername\tbusername\tmovelist", "7\tann\tbob\t" + `1w Ra1 Ee2\n1b ra8 ee7\n2w Ee2n\n`, "7\tbob\tann\t" + `1w Ra1 Ee2\n1b ra8 ee7\n2w Ee2n\n`})
	other := at("other.db")
	holds(t, "library", "import", other, same)
	refuses(t, cli.BadInput, []string{"--certificates: two games are named 7"}, "library", "review", other, "--nodes", "300", "--memory", "128MiB", "--certificates", at("two"))
}

// countedIn returns the number of games of a library.
func countedIn(t *testing.T, path string) int {
	t.Helper()
	out, _ := holds(t, "library", "query", "--count", path)
	n, err := strconv.Atoi(strings.TrimSpace(out))
	require.NoError(t, err)
	return n
}
