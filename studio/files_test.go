package studio_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// fileEvent is what the stream of all events says about a file of the workspace.
type fileEvent struct{ Kind, Name, Version string }

// files opens the stream of all events, and returns the events about files, and the data of those
// about trees, as they come.
func (c *client) files() (<-chan fileEvent, <-chan string) {
	c.Helper()
	response, err := http.DefaultTransport.RoundTrip(c.request("GET", "/api/events", nil))
	require.NoError(c, err)
	c.Cleanup(func() { response.Body.Close() })
	found, trees, ready := make(chan fileEvent, 100), make(chan string, 100), make(chan struct{})
	go func() {
		defer close(found)
		defer close(trees)
		event := ""
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				if event = name; name == "ready" {
					close(ready)
				}
			}
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			var f fileEvent
			switch {
			case ok && event == "tree":
				trees <- data
			case ok && event == "file" && json.Unmarshal([]byte(data), &f) == nil:
				found <- f
			}
		}
	}()
	<-ready
	return found, trees
}

// TestFileEvents changes files of the workspace in every way: each window hears which file has
// which version then.
func TestFileEvents(t *testing.T) {
	c := start(t, studio.Options{Workspace: workspace(t)})
	one, trees := c.files()
	other, _ := c.files()
	hears := func(want ...fileEvent) {
		t.Helper()
		for _, w := range want {
			for _, stream := range []<-chan fileEvent{one, other} {
				got := <-stream
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
	until(t, "the tree with its new name", func() bool { return strings.Contains(<-trees, `"saved":"mine"`) })
	ask[struct{}](c, "DELETE", "/api/saved/mine", nil)
	hears(fileEvent{"saved", "mine", ""})

	ask[settings](c, "POST", "/api/settings", map[string]any{"sounds": true})
	hears(fileEvent{"settings", "settings", "any"})
	ask[studio.Training](c, "POST", "/api/training", studio.Attempt{Study: studio.Study{Position: "Ra4 rh5 g"}, WinIn: 1, Solved: true})
	hears(fileEvent{"training", "training", "any"})
}
