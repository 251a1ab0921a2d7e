package studio_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// fileEvent is what the stream of all events says about a file of the workspace.
type fileEvent struct{ Kind, Name, Version string }

// fileWatcher takes the events of a stream about files, and remembers the data of those about
// trees.
type fileWatcher struct {
	*testing.T
	events <-chan happening
	trees  []string
}

// next takes an event of a stream, and returns the file that it is about, if it is about one.
func (w *fileWatcher) next() (f fileEvent, ok bool) {
	w.Helper()
	h, open := <-w.events
	switch {
	case !open:
		w.Fatal("the stream has ended")
	case h.name == "tree":
		w.trees = append(w.trees, h.data)
	case h.name == "file":
		require.NoError(w, json.Unmarshal([]byte(h.data), &f))
		return f, true
	}
	return f, false
}

// file takes the next event about a file.
func (w *fileWatcher) file() fileEvent {
	w.Helper()
	for {
		if f, ok := w.next(); ok {
			return f
		}
	}
}

// TestFileEvents changes files of the workspace in every way: each window hears which file has
// which version then.
func TestFileEvents(t *testing.T) {
	c := start(t, studio.Options{Workspace: workspace(t)})
	var all [2]*fileWatcher
	for i := range all {
		w, _ := c.watch()
		all[i] = &fileWatcher{T: t, events: w.events}
	}
	hears := func(want ...fileEvent) {
		t.Helper()
		for _, w := range want {
			for _, stream := range all {
				got := stream.file()
				if w.Version == "any" && got.Version != "" {
					w.Version = got.Version
				}
				same(t, "heard", w, got)
			}
		}
	}
	g := branchy()
	kept := c.saveGame(map[string]any{"suggest": "Ann against Bob", "game": g})
	hears(fileEvent{"games", "Ann against Bob", kept.Version})
	g.Nodes[0].Comment = "another comment"
	kept = c.saveGame(map[string]any{"name": kept.Name, "version": kept.Version, "game": g})
	hears(fileEvent{"games", "Ann against Bob", kept.Version})
	ask[keptGame](c, "POST", "/api/games/Ann%20against%20Bob/rename", map[string]any{"to": "mine", "version": kept.Version})
	hears(fileEvent{"games", "Ann against Bob", ""}, fileEvent{"games", "mine", kept.Version})
	c.isChanged("/api/games", map[string]any{"name": "mine", "version": "x", "game": g}) // which nobody hears
	ask[struct{}](c, "DELETE", "/api/games/mine", nil)
	hears(fileEvent{"games", "mine", ""})

	tree := ask[studio.Tree](c, "POST", "/api/trees", map[string]any{"study": study(t, "win-in-2.txt"), "win_in": 2})
	ask[studio.Tree](c, "POST", "/api/trees/"+tree.ID+"/save", map[string]any{"name": "a search"})
	version := ask[struct{ Searches []keptGame }](c, "GET", "/api/saved", nil).Searches[0].Version
	hears(fileEvent{"saved", "a search", version})
	ask[keptGame](c, "POST", "/api/saved/a%20search/rename", map[string]any{"to": "mine", "version": version})
	hears(fileEvent{"saved", "a search", ""}, fileEvent{"saved", "mine", version})
	for renamed := false; !renamed; {
		renamed = slices.ContainsFunc(all[0].trees, func(tree string) bool { return strings.Contains(tree, `"saved":"mine"`) })
		if !renamed {
			all[0].next()
		}
	}
	ask[struct{}](c, "DELETE", "/api/saved/mine", nil)
	hears(fileEvent{"saved", "mine", ""})

	certificate := c.ended(task{Kind: "certificate", Study: study(t, "goal-in-1-step.txt"), WinIn: 1}).ID
	run := c.ended(task{Kind: "verify", Text: study(t, "goal-in-1-step.txt").Position, Claim: 1}).ID
	for id, kind := range map[string]string{certificate: "certificates", run: "runs"} {
		made := c.keep(id, map[string]any{"suggest": "first"})
		hears(fileEvent{kind, "first", made.Version})
		c.nameTaken("/api/jobs/"+id+"/keep", kind[:len(kind)-1], map[string]any{"name": "first"}) // which nobody hears
		ask[keptGame](c, "POST", "/api/"+kind+"/first/rename", map[string]any{"to": "second", "version": made.Version})
		hears(fileEvent{kind, "first", ""}, fileEvent{kind, "second", made.Version})
		ask[struct{}](c, "DELETE", "/api/"+kind+"/second", nil)
		hears(fileEvent{kind, "second", ""})
	}
	version = c.imports("games", archiveOf(3)).Version
	hears(fileEvent{"archives", "games", version})
	ask[keptGame](c, "POST", "/api/archives/games/rename", map[string]any{"to": "mine", "version": version})
	hears(fileEvent{"archives", "games", ""}, fileEvent{"archives", "mine", version})
	ask[struct{}](c, "DELETE", "/api/archives/mine", nil)
	hears(fileEvent{"archives", "mine", ""})

	ask[settings](c, "POST", "/api/settings", map[string]any{"sounds": true})
	hears(fileEvent{"settings", "settings", "any"})
	ask[studio.Training](c, "POST", "/api/training", studio.Attempt{Study: studio.Study{Position: "Ra4 rh5 g"}, WinIn: 1, Solved: true})
	hears(fileEvent{"training", "training", "any"})
}
