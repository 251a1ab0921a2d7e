package studio_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// notices are what a studio says about files that were damaged.
func (c *client) notices() []string {
	c.Helper()
	return ask[struct{ Notices []string }](c, "GET", "/api/studio", nil).Notices
}

// TestDamaged starts studios with files that are no training and no settings. They begin anew, say
// so, and keep each file under another name.
func TestDamaged(t *testing.T) {
	for file, texts := range map[string]map[string]string{
		"training.json": {
			"":                                     "it is not JSON, at byte ",
			"[":                                    "it is not JSON, at byte ",
			"null":                                 "version 0",
			`{"streak":0,"best":0,"exercises":[]}`: "version 0 of the training",
			`{"version":"<b>"}`:                    "version: it is a whole number",
			`{"version":1,"streak":[],"best":0,"exercises":[]}`:                                                               "streak: it is a whole number",
			`{"version":1,"streak":2,"best":1,"exercises":[]}`:                                                                "do not agree",
			`{"version":1,"streak":0,"best":1}`:                                                                               "do not agree",
			`{"version":1,"streak":0,"best":1,"exercises":[{"position":"g","win_in":1,"tries":1,"solved":2,"clean":0}]}`:      "exercise 1",
			`{"version":1,"streak":0,"best":1,"exercises":[` + strings.Repeat(`{"win_in":1},`, 5000) + `{"win_in":1}]}`:       "do not agree",
			`{"version":1,"streak":0,"best":0,"exercises":[]}` + strings.Repeat(" ", 4<<20):                                   "more than 4194304 bytes",
			`{"version":1,"streak":0,"best":0,"exercises":[]} {"version":1,"streak":0,"best":0,"exercises":[],"more":"text"}`: "it is not JSON, at byte ",
		},
		"settings.json": {
			"x":                              "it is not JSON, at byte ",
			`{"version":0}`:                  "version 0 of the settings",
			`{"version":1,"theme":"<b>"}`:    `theme "<b>"`,
			`{"version":1,"width":11}`:       "width 11",
			`{"version":1,"animate":"true"}`: "animate: it is true or false",
		},
	} {
		for text, want := range texts {
			root := workspace(t)
			for n, aside := range []string{file + ".damaged", file + ".damaged-2", file + ".damaged-3"} {
				require.NoError(t, root.WriteFile(file, []byte(text), 0o666))
				var said bytes.Buffer
				c := start(t, studio.Options{Workspace: root, Log: log.New(&said, "", 0)})
				notices := c.notices()
				if len(notices) != 1 || !strings.HasPrefix(notices[0], file+" of the workspace is damaged: ") || !strings.Contains(notices[0], want) ||
					!strings.Contains(notices[0], "renamed to "+aside+", and a new one begins.") || said.String() != notices[0]+"\n" {
					t.Errorf("%.80s: notices %q, %q, want %q", text, notices, said.String(), want)
				}
				if _, err := root.Lstat(file); !os.IsNotExist(err) {
					t.Errorf("%.80s: the file is there: %v", text, err)
				}
				for _, name := range []string{file + ".damaged", file + ".damaged-2", file + ".damaged-3"}[:n+1] {
					if kept, err := root.ReadFile(name); err != nil || string(kept) != text {
						t.Errorf("%.80s: %s has %d bytes, %v", text, name, len(kept), err)
					}
				}
				if got := ask[studio.Training](c, "GET", "/api/training", nil); got.Version != 2 || got.Best != 0 || len(got.Exercises) > 0 {
					t.Errorf("%.80s: %+v", text, got)
				}
				same(t, "settings", defaults(), ask[settings](c, "GET", "/api/settings", nil))
			}
			if notices := start(t, studio.Options{Workspace: root}).notices(); notices == nil || len(notices) > 0 {
				t.Errorf("%.80s: afterwards: %q", text, notices)
			}
		}
	}
}

// TestNewer starts studios with files that a newer program has written, and with directories in
// their place: they end with an error, and leave the files as they are.
func TestNewer(t *testing.T) {
	for _, file := range []string{"training.json", "settings.json"} {
		root := workspace(t)
		path := filepath.Join(root.Name(), file)
		refuses := func(want string) {
			t.Helper()
			if _, err := studio.New(context.Background(), listen(t), studio.Options{Memory: 64 << 20, Workspace: root}); err == nil ||
				!strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), path+": ") {
				t.Errorf("%s: %v, want %q", file, err, want)
			}
		}
		const text = `{"version":3,"streak":"another type","theme":[]}`
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		refuses("a newer goalproof has written it, in version 3 ")
		if kept, err := os.ReadFile(path); err != nil || string(kept) != text {
			t.Errorf("the file holds %q, %v", kept, err)
		}
		require.NoError(t, os.Remove(path))
		require.NoError(t, os.Mkdir(path, 0o777))
		refuses("it is no plain file")
	}
}

// saveGame saves a game and returns its name and version.
func (c *client) saveGame(body map[string]any) keptGame {
	c.Helper()
	return ask[keptGame](c, "POST", "/api/games", body)
}

// isChanged sends a request about a version that the file no longer has: it must be refused.
func (c *client) isChanged(path string, body any) {
	c.Helper()
	if status, text, _ := c.do(c.request("POST", path, body)); status != 409 || !strings.Contains(text, `"code":"changed"`) ||
		!strings.Contains(text, "has been changed elsewhere since it was loaded here") {
		c.Errorf("%s %+v: %d %s", path, body, status, text)
	}
}

// listedGames returns the games of the workspace with their versions.
func listedGames(c *client) map[string]string {
	c.Helper()
	all := map[string]string{}
	for _, g := range ask[struct{ Games []keptGame }](c, "GET", "/api/games", nil).Games {
		all[g.Name] = g.Version
	}
	return all
}

// TestNamed saves games without a name: the studio makes one of what is suggested, and replaces
// none.
func TestNamed(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	long := strings.Repeat("long ", 20)
	for _, test := range []struct{ suggest, want string }{
		{"Ann against Bob", "Ann against Bob"}, {"Ann against Bob", "Ann against Bob 2"}, {"  Ann\tagainst\nBob!", "Ann against Bob 3"},
		{"", "Game"}, {"../../../etc/passwd", "etc passwd"}, {"<img src=x onerror='alert(1)'>", "img src x onerror alert 1"}, {"\x00\xff", "Game 2"}, {"-_ _-", "Game 3"},
		{"Position.game", "Position game"}, {"-r", "r"}, {"Žižka (1420)", "i ka 1420"}, {long, strings.TrimSpace(long[:58])}, {long, strings.TrimSpace(long[:58]) + " 2"},
	} {
		kept := c.saveGame(map[string]any{"name": "", "suggest": test.suggest, "game": branchy()})
		if kept.Name != test.want || kept.Version == "" {
			t.Errorf("%q: %+v, want %q", test.suggest, kept, test.want)
		}
		if loaded := ask[keptGame](c, "GET", "/api/games/"+strings.ReplaceAll(kept.Name, " ", "%20"), nil); loaded.Version != kept.Version {
			t.Errorf("%q: %+v", test.suggest, loaded)
		}
	}
	// It is saved on as one types, by the name and the version that came back.
	g := branchy()
	kept := c.saveGame(map[string]any{"suggest": "Typed", "game": g})
	for i := range 5 {
		g.Nodes[0].Comment = strings.Repeat("x", i+1)
		next := c.saveGame(map[string]any{"name": kept.Name, "suggest": "Other", "version": kept.Version, "game": g})
		if next.Name != "Typed" || next.Version == kept.Version {
			t.Errorf("%+v after %+v", next, kept)
		}
		kept = next
	}
	c.refusedFor(422, "name \"\"", "POST", "/api/games", map[string]any{"version": kept.Version, "game": g})
	// What is no file of a game has its name, too.
	require.NoError(t, root.Mkdir("Taken.game", 0o777))
	if kept := c.saveGame(map[string]any{"suggest": "Taken", "game": g}); kept.Name != "Taken 2" {
		t.Errorf("%+v", kept)
	}
	// Many windows at once: each has a name of its own.
	before := len(listedGames(c))
	var wait sync.WaitGroup
	for range 10 {
		wait.Go(func() {
			if status, text, _ := c.do(c.request("POST", "/api/games", map[string]any{"suggest": "Together", "game": branchy()})); status != 200 {
				t.Errorf("%d %s", status, text)
			}
		})
	}
	wait.Wait()
	if n := len(listedGames(c)); n != before+10 {
		t.Errorf("%d games, there were %d", n, before)
	}
	without := start(t, studio.Options{})
	without.refusedFor(422, "--workspace", "POST", "/api/games", map[string]any{"game": g})
}

// TestVersions compares the versions that the list of games has with those of the games, while they
// change in every way.
func TestVersions(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	g := branchy()
	check := func(what string) map[string]string {
		t.Helper()
		all := listedGames(c)
		for name, version := range all {
			if got := ask[keptGame](c, "GET", "/api/games/"+name, nil).Version; got != version || version == "" {
				t.Errorf("%s: %s has version %q, and is listed with %q", what, name, got, version)
			}
		}
		return all
	}
	a := c.saveGame(map[string]any{"name": "a", "game": g})
	g.Nodes[0].Comment = "another"
	b := c.saveGame(map[string]any{"name": "b", "game": g})
	want := map[string]string{"a": a.Version, "b": b.Version}
	same(t, "listed", want, check("saved"))
	same(t, "listed again", want, check("saved"))
	c.isChanged("/api/games", map[string]any{"name": "a", "version": b.Version, "game": g})
	c.isChanged("/api/games", map[string]any{"name": "none", "version": b.Version, "game": g})
	c.refusedFor(422, `another game has been saved as "a"`, "POST", "/api/games", map[string]any{"name": "a", "game": g})
	text, err := root.ReadFile("b.game")
	require.NoError(t, err)
	require.NoError(t, root.WriteFile("a.game", text, 0o666)) // as another program does
	same(t, "written elsewhere", map[string]string{"a": b.Version, "b": b.Version}, check("written elsewhere"))
	c.isChanged("/api/games", map[string]any{"name": "a", "version": a.Version, "game": g})
	c.isChanged("/api/games/a/rename", map[string]any{"to": "c", "version": a.Version})
	ask[struct{}](c, "DELETE", "/api/games/b", nil)
	c.isChanged("/api/games", map[string]any{"name": "b", "version": b.Version, "game": g})
	same(t, "deleted", map[string]string{"a": b.Version}, check("deleted"))
	// A file that is too long to be a game is listed, too.
	require.NoError(t, root.WriteFile("long.game", bytes.Repeat([]byte(" "), 2<<20), 0o666))
	if v := listedGames(c)["long"]; v == "" {
		t.Error("a long file has no version")
	}
}

// TestRename gives games and searches other names.
func TestRename(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	a := c.saveGame(map[string]any{"name": "a", "game": branchy()})
	c.saveGame(map[string]any{"name": "taken", "game": branchy()})
	rename := func(to string) keptGame {
		t.Helper()
		return ask[keptGame](c, "POST", "/api/games/a/rename", map[string]any{"to": to, "version": a.Version})
	}
	text, err := root.ReadFile("a.game")
	require.NoError(t, err)
	c.refusedFor(422, `another game has been saved as "taken"`, "POST", "/api/games/a/rename", map[string]any{"to": "taken", "version": a.Version})
	c.refusedFor(422, "to: name", "POST", "/api/games/a/rename", map[string]any{"to": "../b", "version": a.Version})
	c.refusedFor(422, "to: name", "POST", "/api/games/a/rename", map[string]any{"version": a.Version})
	c.refusedFor(404, "no game of this name", "POST", "/api/games/none/rename", map[string]any{"to": "b", "version": a.Version})
	c.isChanged("/api/games/a/rename", map[string]any{"to": "b"})
	same(t, "the same name", keptGame{Name: "a", Version: a.Version}, rename("a"))
	same(t, "renamed", keptGame{Name: "another name", Version: a.Version}, rename("another name"))
	if now, err := root.ReadFile("another name.game"); err != nil || !bytes.Equal(now, text) {
		t.Errorf("%q, %v", now, err)
	}
	if got := listedGames(c); len(got) != 2 || got["another name"] != a.Version {
		t.Errorf("listed: %v", got)
	}

	tree := ask[studio.Tree](c, "POST", "/api/trees", map[string]any{"study": study(t, "win-in-2.txt"), "win_in": 2})
	save := func(name string) {
		t.Helper()
		if got := ask[studio.Tree](c, "POST", "/api/trees/"+tree.ID+"/save", map[string]any{"name": name}); got.Saved != name {
			t.Errorf("saved as %q: %+v", name, got)
		}
	}
	save("a search")
	list := func() (names, versions []string) {
		for _, g := range ask[struct{ Searches []keptGame }](c, "GET", "/api/saved", nil).Searches {
			names, versions = append(names, g.Name), append(versions, g.Version)
		}
		return names, versions
	}
	_, versions := list()
	c.isChanged("/api/saved/a%20search/rename", map[string]any{"to": "mine", "version": a.Version})
	ask[struct{}](c, "POST", "/api/saved/a%20search/rename", map[string]any{"to": "mine", "version": versions[0]})
	if names, now := list(); !slices.Equal(names, []string{"mine"}) || !slices.Equal(now, versions) {
		t.Errorf("listed: %q %q, was %q", names, now, versions)
	}
	if got := ask[studio.Tree](c, "GET", "/api/trees/"+tree.ID, nil); got.Saved != "mine" {
		t.Errorf("the search has the name %q", got.Saved)
	}
	save("mine") // it knows its file
}

// TestSavedElsewhere saves a search that another window has loaded and saved meanwhile.
func TestSavedElsewhere(t *testing.T) {
	c := start(t, studio.Options{Workspace: workspace(t)})
	post := func(id, what string, body any) studio.Tree {
		t.Helper()
		return ask[studio.Tree](c, "POST", "/api/trees/"+id+"/"+what, body)
	}
	mine := map[string]any{"name": "mine"}
	one := ask[studio.Tree](c, "POST", "/api/trees", map[string]any{"study": study(t, "win-in-2.txt"), "win_in": 2})
	post(one.ID, "save", mine)
	other := ask[studio.Tree](c, "POST", "/api/trees", map[string]any{"saved": "mine"})
	post(one.ID, "step", map[string]any{"expansions": 5})
	post(one.ID, "save", mine)
	c.isChanged("/api/trees/"+other.ID+"/save", mine)
	loaded := ask[studio.Tree](c, "POST", "/api/trees", map[string]any{"saved": "mine"})
	post(loaded.ID, "step", map[string]any{"expansions": 5})
	post(loaded.ID, "save", mine)
	c.isChanged("/api/trees/"+one.ID+"/save", mine)
	post(one.ID, "save", map[string]any{"name": "another"})
}

// TestManyGames saves games in a workspace that has as many as it may have, or as large ones: the
// error says what to delete.
func TestManyGames(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	g := branchy()
	for i := range 9_999 {
		require.NoError(t, root.WriteFile(fmt.Sprintf("%d.game", i), nil, 0o666))
	}
	kept := c.saveGame(map[string]any{"suggest": "the last one", "game": g})
	require.NoError(t, root.Chtimes("4321.game", time.Now(), time.Now().Add(-time.Hour)))
	const full = `the workspace has 10,000 games, and the studio adds no more: delete some of them first, such as "4321", which was changed longest ago`
	c.refusedFor(422, full, "POST", "/api/games", map[string]any{"name": "one more", "game": g})
	c.refusedFor(422, full, "POST", "/api/games", map[string]any{"suggest": "one more", "game": g})
	g.Nodes[0].Comment = "a longer comment than before"
	c.saveGame(map[string]any{"name": kept.Name, "version": kept.Version, "game": g})
	ask[struct{}](c, "DELETE", "/api/games/4321", nil)
	c.saveGame(map[string]any{"name": "one more", "game": g})
	type answer struct {
		Games []keptGame
		More  bool
	}
	if got := ask[answer](c, "GET", "/api/games", nil); len(got.Games) != 10_000 || got.More {
		t.Errorf("%d games are listed, more: %v", len(got.Games), got.More)
	}
	require.NoError(t, root.WriteFile("from elsewhere.game", nil, 0o666))
	if got := ask[answer](c, "GET", "/api/games", nil); len(got.Games) != 10_000 || !got.More {
		t.Errorf("%d games are listed, more: %v", len(got.Games), got.More)
	}
}

// TestLargeGames saves games in a workspace with a file of almost a gibibyte.
func TestLargeGames(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	g := branchy()
	kept := c.saveGame(map[string]any{"name": "mine", "game": g})
	info, err := root.Stat("mine.game")
	require.NoError(t, err)
	f, err := root.Create("large.game")
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, f.Truncate(1<<30-info.Size())) // which takes no room on the disk
	shorter := branchy()
	shorter.Nodes = shorter.Nodes[:1]
	g.Nodes[0].Comment += " and more"
	c.refusedFor(422, "more than 1,073,741,824 bytes: delete some", "POST", "/api/games", map[string]any{"name": "mine", "version": kept.Version, "game": g})
	c.refusedFor(422, "more than 1,073,741,824 bytes: delete some", "POST", "/api/games", map[string]any{"name": "new", "game": shorter})
	kept = c.saveGame(map[string]any{"name": "mine", "version": kept.Version, "game": shorter})
	require.NoError(t, f.Truncate(1<<31))
	c.saveGame(map[string]any{"name": "mine", "version": kept.Version, "game": shorter}) // no more than it was
	require.NoError(t, f.Truncate(1<<29))
	c.saveGame(map[string]any{"name": "new", "game": g})
}

// TestVersionsOfArchives lists an archive before and after a change.
func TestVersionsOfArchives(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	list := func() keptGame {
		t.Helper()
		all := ask[struct{ Archives []keptGame }](c, "GET", "/api/archives", nil).Archives
		if len(all) != 1 || all[0].Name != "old" || !regexp.MustCompile(`^[0-9a-f]{16}$`).MatchString(all[0].Version) {
			t.Fatalf("%+v", all)
		}
		return all[0]
	}
	require.NoError(t, root.WriteFile("old.tsv", []byte("id\tmovelist\n"), 0o666))
	before := list()
	same(t, "listed again", before, list())
	require.NoError(t, root.WriteFile("old.tsv", []byte("id\tmovelist\n1\t1g Ra1\n"), 0o666))
	if list() == before {
		t.Error("a change does not change the version")
	}
}
