package studio_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// branchy is a game with comments and variations, one of them within another.
func branchy() studio.Game {
	return studio.Game{Position: "Ra4 Eb2 rh5 eg7 g", Number: 7, Tags: map[string]string{"Gold": "ann <b>", "Silver": "bob"}, Nodes: []studio.GameNode{
		{Parent: -1, Comment: "the first position"},
		{Parent: 0, Turn: "Ra4n Ra5n", Sign: "!", Comment: "<img src=x>"},
		{Parent: 1, Turn: "rh5s"},
		{Parent: 2, Turn: "Ra6n Ra7n", Comment: "wins"},
		{Parent: 1, Turn: "eg7s", Sign: "?!"},
		{Parent: 4, Turn: "Eb2n"},
		{Parent: 4, Turn: "Eb2e", Comment: "deeper"},
		{Parent: 0, Turn: "Eb2n"},
	}}
}

// keptGame is a game of the workspace.
type keptGame struct {
	Name, Version string
	Game          *studio.Game `json:",omitempty"`
}

// canonical is how the studio writes the position of a game.
func canonical(c *client, g studio.Game) studio.Game {
	g.Position = viewOf(c, "view", map[string]any{"study": studio.Study{Position: g.Position}}).Study.Position
	return g
}

// TestAnnotate writes a game, which is read again as the same: by the studio, from the workspace,
// and as a text.
func TestAnnotate(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	g := canonical(c, branchy())
	text := ask[struct{ Text string }](c, "POST", "/api/annotate", map[string]any{"game": g}).Text
	for _, want := range []string{"[Gold \"ann <b>\"]\n", "{the first position}\n1g Eb2 Ra4\n", "7g Ra4n Ra5n ! {<img src=x>}\n(\n7g Eb2n\n)\n7s rh5s\n(\n7s eg7s ?!\n8g Eb2n\n(\n8g Eb2e {deeper}\n)\n)\n8g Ra6n Ra7n {wins}\n1-0\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	type answer struct {
		Found []struct {
			Study     studio.Study
			Annotated *studio.Game
		}
	}
	found := ask[answer](c, "POST", "/api/read", map[string]any{"text": text}).Found
	if len(found) != 1 || found[0].Annotated == nil || len(found[0].Study.Turns) != 3 {
		t.Fatalf("read: %+v", found)
	}
	want := g
	want.Tags = map[string]string{"Gold": "ann <b>", "Silver": "bob", "Result": "1-0"}
	want.Nodes = slices.Clone(g.Nodes)
	same(t, "read again", &want, found[0].Annotated)

	saved := ask[keptGame](c, "POST", "/api/games", map[string]any{"name": "my game", "game": g})
	other := start(t, studio.Options{Workspace: root})
	loaded := ask[keptGame](other, "GET", "/api/games/my%20game", nil)
	same(t, "loaded", keptGame{"my game", saved.Version, &want}, loaded)
	if file, err := os.ReadFile(filepath.Join(root.Name(), "my game.game")); err != nil || string(file) != text {
		t.Errorf("the file holds %q, %v", file, err)
	}
	// Whoever has seen the file as it is replaces it, and nobody else.
	g.Nodes[0].Comment = "another comment"
	again := ask[keptGame](other, "POST", "/api/games", map[string]any{"name": "my game", "version": loaded.Version, "game": g})
	for version, want := range map[string]string{"": "choose another name", saved.Version: "changed elsewhere", "x": "changed elsewhere"} {
		c.refusedFor(0, want, "POST", "/api/games", map[string]any{"name": "my game", "version": version, "game": g})
	}
	c.refusedFor(0, "changed elsewhere", "POST", "/api/games", map[string]any{"name": "none", "version": again.Version, "game": g})
	list := func() (names []string) {
		for _, g := range ask[struct{ Games []keptGame }](c, "GET", "/api/games", nil).Games {
			names = append(names, g.Name)
		}
		return names
	}
	if got := list(); !slices.Equal(got, []string{"my game"}) {
		t.Errorf("listed: %q", got)
	}
	ask[struct{}](c, "DELETE", "/api/games/my%20game", nil)
	if status, why := c.refused("DELETE", "/api/games/my%20game", nil); status != 404 || len(list()) > 0 {
		t.Errorf("removed twice: %d %s, %q", status, why, list())
	}
}

// TestAnnotateRepetition plays variations with the history of their own lines: a third repetition
// of the main line is none in a variation.
func TestAnnotateRepetition(t *testing.T) {
	c := start(t, studio.Options{})
	turns := []string{"Ea2n", "eh7s", "Ea3s", "eh6n", "Ea2n", "eh7s", "Ea3s"}
	g := studio.Game{Position: "Rh1 Ea2 ra8 eh7 g", Number: 2, Nodes: []studio.GameNode{{Parent: -1}}}
	for i, turn := range turns {
		g.Nodes = append(g.Nodes, studio.GameNode{Parent: i, Turn: turn})
	}
	forbidden, allowed := g, g
	forbidden.Nodes = append(slices.Clone(g.Nodes), studio.GameNode{Parent: 7, Turn: "eh6n"})
	for _, want := range []string{"node 8: turn 5s: ", "third occurrence"} {
		c.refusedFor(422, want, "POST", "/api/annotate", map[string]any{"game": forbidden})
	}
	// The same position after the same last turns, in a variation that left the line before: it has
	// occurred once less.
	allowed.Nodes = append(slices.Clone(g.Nodes), studio.GameNode{Parent: 1, Turn: "eh7w"}, studio.GameNode{Parent: 8, Turn: "Ea3s"}, studio.GameNode{Parent: 9, Turn: "eg7e"},
		studio.GameNode{Parent: 10, Turn: "Ea2n"}, studio.GameNode{Parent: 11, Turn: "eh7s"}, studio.GameNode{Parent: 12, Turn: "Ea3s"}, studio.GameNode{Parent: 13, Turn: "eh6n"})
	if _, why := c.refused("POST", "/api/annotate", map[string]any{"game": allowed}); !strings.Contains(why, "node 14: ") {
		t.Error(why) // g [...] stood at the beginning, after turn 3s and now
	}
	allowed.Nodes = allowed.Nodes[:14]
	ask[struct{ Text string }](c, "POST", "/api/annotate", map[string]any{"game": allowed})
}

// TestAnnotateRefused sends games that are none, and names that lead elsewhere.
func TestAnnotateRefused(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	for want, change := range map[string]func(*studio.Game){
		"position: ":         func(g *studio.Game) { g.Position = "x" },
		"nodes: the first":   func(g *studio.Game) { g.Nodes = nil },
		"has the parent -1":  func(g *studio.Game) { g.Nodes[0].Parent = 0 },
		"no turn":            func(g *studio.Game) { g.Nodes[0].Turn = "Ra4n" },
		"node 2: parent 2":   func(g *studio.Game) { g.Nodes[2].Parent = 2 },
		"node 3: parent -1":  func(g *studio.Game) { g.Nodes[3].Parent = -1 },
		"node 2: turn 7s: ":  func(g *studio.Game) { g.Nodes[2].Turn = "rh6s" },
		"node 5: turn 8g":    func(g *studio.Game) { g.Nodes[5].Turn = "takeback" },
		"no step in it":      func(g *studio.Game) { g.Nodes[5].Turn = "" },
		"node 1: sign \"<\"": func(g *studio.Game) { g.Nodes[1].Sign = "<" },
		"lie at most 100 deep": func(g *studio.Game) {
			g.Nodes = g.Nodes[:1]
			for i := range 102 {
				from, to := []string{"Eb2n", "eg7n"}[i%2], []string{"Eb2e", "eg7e"}[i%2]
				if i%4 > 1 {
					from, to = []string{"Ec2n", "eh7n"}[i%2], []string{"Ec2w", "eh7w"}[i%2]
				}
				at := max(0, 2*i)
				g.Nodes = append(g.Nodes, studio.GameNode{Parent: at, Turn: from}, studio.GameNode{Parent: at, Turn: to})
			}
		},
	} {
		g := branchy()
		change(&g)
		for path, body := range map[string]any{"/api/annotate": map[string]any{"game": g}, "/api/games": map[string]any{"name": "x", "game": g}} {
			c.refusedFor(422, want, "POST", path, body)
		}
	}
	if err := os.Symlink("../outside", filepath.Join(root.Name(), "link.game")); err != nil {
		t.Log(err)
	}
	for name, want := range map[string]string{"link": "no plain file", "..%2fx": "begins with a letter"} { // see TestSavedRefused
		c.refusedFor(422, want, "POST", "/api/games", map[string]any{"name": name, "game": branchy()})
		c.refusedFor(422, want, "GET", "/api/games/"+name, nil)
		c.refusedFor(422, want, "DELETE", "/api/games/"+name, nil)
	}
	broken := map[string]string{"broken": "[Gold \"x\"]\n1g Ra1\n2g Ra9n\n", "empty": "", "long": strings.Repeat(" ", notation.MaxEntry+1)}
	for name, text := range broken {
		require.NoError(t, root.WriteFile(name+".game", []byte(text), 0o666))
		c.refusedFor(0, name+".game:", "GET", "/api/games/"+name, nil)
	}
	without := start(t, studio.Options{})
	for _, request := range []string{"GET /api/games", "GET /api/games/x", "DELETE /api/games/x"} {
		method, path, _ := strings.Cut(request, " ")
		without.refusedFor(0, "--workspace", method, path, nil)
	}
}

// TestSaveTogether saves a game from many windows at once: one of them makes the file, and after
// each change one goes on.
func TestSaveTogether(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	version := ""
	for round := range 3 {
		var wait sync.WaitGroup
		var mu sync.Mutex
		next, won := "", 0
		for i := range 10 {
			wait.Go(func() {
				g := branchy()
				g.Nodes[0].Comment = fmt.Sprint(round, " ", i)
				status, text, _ := c.do(c.request("POST", "/api/games", map[string]any{"name": "shared", "version": version, "game": g}))
				if status == 200 {
					mu.Lock()
					defer mu.Unlock()
					won++
					_, rest, _ := strings.Cut(text, `"version":"`)
					next, _, _ = strings.Cut(rest, `"`)
				}
			})
		}
		wait.Wait()
		if version = next; won != 1 || ask[keptGame](c, "GET", "/api/games/shared", nil).Version != version {
			t.Errorf("%d windows have saved the same game", won)
		}
	}
}

// TestReviewAnnotated asks for what a review has found, as a game.
func TestReviewAnnotated(t *testing.T) {
	c := start(t, studio.Options{})
	job := c.ended(task{Kind: "review", Study: &game, WinIn: 2, Seconds: 60})
	g := ask[studio.Game](c, "GET", "/api/jobs/"+job.ID+"/annotated", nil)
	if len(g.Nodes) < 4 || g.Nodes[1].Turn != "Ra4n Ra5n" || g.Nodes[1].Comment == "" || g.Nodes[0].Comment == "" || len(g.Tags) == 0 {
		t.Errorf("%+v", g)
	}
	ask[struct{ Text string }](c, "POST", "/api/annotate", map[string]any{"game": g})
	if m := job.Result.Missed; m == nil || m.Gold+m.Silver > 3 {
		t.Errorf("missed: %+v", m)
	}
	other := c.work(task{Kind: "solve", Study: &studio.Study{Position: game.Position}, WinIn: 1})
	if other.Missed != nil {
		t.Error("a solver misses no wins")
	}
	for id, want := range map[string]int{"none": 404, job.ID[:len(job.ID)-1] + "2": 404} {
		c.refusedFor(want, "", "GET", "/api/jobs/"+id+"/annotated", nil)
	}
}

// TestListedGames reads what the list says about games, before and after a change, and of more
// games than one list plays through.
func TestListedGames(t *testing.T) {
	type facts struct {
		Name, Gold, Silver, Result, Date, Last string
		Turns                                  int
	}
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	list := func() []facts { return ask[struct{ Games []facts }](c, "GET", "/api/games", nil).Games }
	g := branchy()
	g.Tags = map[string]string{"Gold": "Ann", "Silver": "Bob", "Result": "1-0", "Date": "2026-01-02"}
	kept := c.saveGame(map[string]any{"name": "a", "game": g})
	played := ask[studio.View](c, "POST", "/api/view", map[string]any{"study": studio.Study{Position: g.Position, Number: g.Number, Turns: mainLine(g)}})
	got := list()
	if len(got) != 1 || got[0] != (facts{"a", "Ann", "Bob", "1-0", "2026-01-02", got[0].Last, len(mainLine(g))}) {
		t.Errorf("listed: %+v", got)
	}
	shown := ask[studio.View](c, "POST", "/api/view", map[string]any{"study": studio.Study{Position: got[0].Last}})
	if shown.Squares != played.Squares || shown.Side != played.Side {
		t.Errorf("the last position is %q, listed %q", played.Squares, got[0].Last)
	}
	g.Tags["Gold"] = "Eve"
	c.saveGame(map[string]any{"name": "a", "version": kept.Version, "game": g})
	require.NoError(t, root.WriteFile("broken.game", []byte("none"), 0o666))
	if got := list(); len(got) != 2 || got[0].Gold != "Eve" || got[1] != (facts{Name: "broken"}) {
		t.Errorf("listed after a change: %+v", got)
	}
	g.Nodes[0].Comment = strings.Repeat("words ", 60_000)
	kept = c.saveGame(map[string]any{"name": "long 0", "game": g})
	text, err := root.ReadFile("long 0.game")
	require.NoError(t, err)
	for i := 1; i < 30; i++ {
		require.NoError(t, root.WriteFile(fmt.Sprintf("long %d.game", i), text, 0o666))
	}
	unread := func() (n int) {
		for _, f := range list() {
			if f.Name != "broken" && f.Last == "" {
				n++
			}
		}
		return n
	}
	if first := unread(); first == 0 {
		t.Error("one list has played through all games")
	}
	for range 3 {
		unread()
	}
	if n := unread(); n != 0 {
		t.Errorf("%d games were never played through", n)
	}
}

// mainLine returns the turns of the main line of a game.
func mainLine(g studio.Game) (turns []string) {
	for at := 0; ; {
		next := slices.IndexFunc(g.Nodes, func(n studio.GameNode) bool { return n.Parent == at })
		if next < 0 {
			return turns
		}
		turns, at = append(turns, g.Nodes[next].Turn), next
	}
}
