package studio_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// workspace returns the directory of a workspace.
func workspace(t *testing.T) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	return root
}

// savedList is the answer to GET /api/saved.
type savedList struct {
	Searches []struct {
		Name  string
		Bytes int64
	}
}

// TestSavedSearch saves a search in the middle, goes on, loads it in another studio, and comes to
// the same end there. With other parameters it comes to the same verdict.
func TestSavedSearch(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	s := study(t, "win-in-2.txt")
	s.Number = 44
	post := func(c *client, id, what string, body any) studio.Tree {
		t.Helper()
		return ask[studio.Tree](c, "POST", "/api/trees/"+id+"/"+what, body)
	}
	finish := func(c *client, tree studio.Tree) studio.Tree {
		t.Helper()
		for tree.State == "paused" {
			tree = post(c, tree.ID, "step", map[string]any{"expansions": 1000})
		}
		return tree
	}
	tree := ask[studio.Tree](c, "POST", "/api/trees", map[string]any{"study": s, "win_in": 2, "parameters": studio.Parameters{Killers: 3}})
	tree = post(c, tree.ID, "step", map[string]any{"expansions": 50})
	half := post(c, tree.ID, "save", map[string]any{"name": "half a search"})
	if half.Saved != "half a search" || half.State != "paused" {
		t.Fatalf("saved: %+v", half)
	}
	before := nodeAt(c, tree.ID, nil)
	end := finish(c, tree)
	if end.Verdict != "proved" || end.Nodes <= half.Nodes {
		t.Fatalf("at the end: %+v", end)
	}

	other := start(t, studio.Options{Workspace: root})
	list := ask[savedList](other, "GET", "/api/saved", nil)
	if len(list.Searches) != 1 || list.Searches[0].Name != "half a search" || list.Searches[0].Bytes < 100 {
		t.Errorf("saved: %+v", list)
	}
	loaded := ask[studio.Tree](other, "POST", "/api/trees", map[string]any{"saved": "half a search"})
	want := half
	want.ID = loaded.ID
	same(t, "loaded", want, loaded)
	same(t, "the children of the root", before.Children, nodeAt(other, loaded.ID, nil).Children)
	if got := finish(other, loaded); got.Verdict != "proved" {
		t.Errorf("the loaded search ends: %+v", got)
	}
	for _, p := range []studio.Parameters{{Widening: 3}, {Evaluation: "delayed", Start: "mobility"}, {Start: "distance", High: 50_000, Low: 20_000}} {
		tuned := ask[studio.Tree](other, "POST", "/api/trees", map[string]any{"saved": "half a search", "parameters": p})
		if got := finish(other, tuned); got.Verdict != "proved" || got.Parameters.Widening != p.Widening || got.Parameters.High != p.High {
			t.Errorf("%+v: %+v", p, got)
		}
		// The same parameters in the middle of a search that was not saved.
		begun := ask[studio.Tree](other, "POST", "/api/trees", map[string]any{"study": s, "win_in": 2})
		post(other, begun.ID, "step", map[string]any{"expansions": 50})
		if got := finish(other, post(other, begun.ID, "tune", p)); got.Verdict != "proved" || got.Parameters.Killers != p.Killers {
			t.Errorf("tuned to %+v: %+v", p, got)
		}
	}
	// A decided search is saved, too; and only the search that was saved under a name replaces the
	// file.
	if got := post(c, tree.ID, "save", map[string]any{"name": "half a search"}); got.State != "decided" {
		t.Errorf("saved again: %+v", got)
	}
	if got := ask[studio.Tree](other, "POST", "/api/trees", map[string]any{"saved": "half a search"}); got.State != "decided" || got.Verdict != "proved" {
		t.Errorf("loaded at the end: %+v", got)
	}
	ask[struct{}](other, "DELETE", "/api/saved/half%20a%20search", nil)
	if list := ask[savedList](c, "GET", "/api/saved", nil); len(list.Searches) > 0 {
		t.Errorf("deleted: %+v", list)
	}
	post(c, tree.ID, "save", map[string]any{"name": "half a search"})
	fresh := ask[studio.Tree](other, "POST", "/api/trees", map[string]any{"study": s, "win_in": 2})
	other.refusedFor(422, "choose another name", "POST", "/api/trees/"+fresh.ID+"/save", map[string]any{"name": "half a search"})
}

// TestSavedRefused asks for what must not be saved or loaded: nothing outside of the workspace is
// read or written.
func TestSavedRefused(t *testing.T) {
	root := workspace(t)
	inside := filepath.Join(root.Name(), "inside")
	require.NoError(t, os.Mkdir(inside, 0o777))
	nested, err := os.OpenRoot(inside)
	require.NoError(t, err)
	defer nested.Close()
	c := start(t, studio.Options{Workspace: nested})
	tree := ask[studio.Tree](c, "POST", "/api/trees", map[string]any{"study": study(t, "win-in-2.txt"), "win_in": 2})
	ask[studio.Tree](c, "POST", "/api/trees/"+tree.ID+"/save", map[string]any{"name": "fine"})
	outside, err := os.ReadFile(filepath.Join(inside, "fine.pns"))
	require.NoError(t, err)
	write := func(name string, text []byte) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(root.Name(), name), text, 0o666))
	}
	write("outside.pns", outside)
	write("inside/broken.pns", outside[:len(outside)/2])
	write("inside/empty.pns", nil)
	write("inside/ .pns", nil)
	damaged := append([]byte{}, outside...)
	damaged[len(damaged)-40] ^= 1
	write("inside/damaged.pns", damaged)
	if err := os.Symlink("../outside.pns", filepath.Join(inside, "link.pns")); err != nil {
		t.Log(err) // where links need a permission
	}
	require.NoError(t, os.Mkdir(filepath.Join(inside, "directory.pns"), 0o777))
	for _, name := range []string{"../outside", "..", ".", "", "/outside", "inside/../fine", "a/b", `..\outside`, "fine\x00", ".hidden", "é",
		"C:fine", strings.Repeat("a", 65), "<img src=x>", filepath.Join(root.Name(), "outside")} {
		c.refusedFor(422, "begins with a letter", "POST", "/api/trees/"+tree.ID+"/save", map[string]any{"name": name})
		if name == "" {
			continue // no saved search is asked for
		}
		c.refusedFor(422, "begins with a letter", "POST", "/api/trees", map[string]any{"saved": name})
	}
	for _, name := range []string{"..%2foutside", "link", "directory", "none", ".hidden", "%00"} {
		if status, why := c.refused("DELETE", "/api/saved/"+name, nil); status != 422 && status != 404 {
			t.Errorf("delete %s: %d %s", name, status, why)
		}
	}
	for name, want := range map[string]string{"none": "no search of this name", "broken": "broken.pns: the saved search is damaged", "empty": "empty.pns: ",
		"damaged": "damaged.pns: ", "link": "no plain file", "directory": "no plain file"} {
		c.refusedFor(0, want, "POST", "/api/trees", map[string]any{"saved": name})
	}
	for _, name := range []string{"link", "directory"} {
		c.refusedFor(0, "no plain file", "POST", "/api/trees/"+tree.ID+"/save", map[string]any{"name": name})
	}
	if got, err := os.ReadFile(filepath.Join(root.Name(), "outside.pns")); err != nil || string(got) != string(outside) {
		t.Errorf("outside: %v", err)
	}
	var names []string
	for _, s := range ask[savedList](c, "GET", "/api/saved", nil).Searches {
		names = append(names, s.Name)
	}
	same(t, "listed", []string{"broken", "damaged", "empty", "fine"}, names)
	for _, test := range []struct {
		path string
		body map[string]any
		want string
	}{
		{"", map[string]any{"saved": "fine", "win_in": 2}, "its own study"},
		{"", map[string]any{"saved": "fine", "memory": 5}, "bytes"},
		{"", map[string]any{"saved": "fine", "parameters": studio.Parameters{Evaluation: "../x"}}, "one of delayed, immediate"},
		{"/" + tree.ID + "/tune", map[string]any{"start_numbers": "../x"}, "one of distance, mobility, one"},
		{"/" + tree.ID + "/tune", map[string]any{"killers": 9}, "killers"},
		{"/" + tree.ID + "/tune", map[string]any{"widening": -1}, "widening"},
		{"/" + tree.ID + "/tune", map[string]any{"gc_low": 5}, "collector"},
		{"/..%2Fx/tune", map[string]any{}, "no such search"},
	} {
		c.refusedFor(0, test.want, "POST", "/api/trees"+test.path, test.body)
	}
	without := start(t, studio.Options{Memory: 1 << 30}) // more than the search that runs fills before the next request
	tree = ask[studio.Tree](without, "POST", "/api/trees", map[string]any{"study": study(t, "win-in-2.txt"), "win_in": 2})
	for path, body := range map[string]any{"POST /api/trees": map[string]any{"saved": "fine"}, "POST /api/trees/" + tree.ID + "/save": map[string]any{"name": "fine"}, "GET /api/saved": nil} {
		method, path, _ := strings.Cut(path, " ")
		without.refusedFor(0, "--workspace", method, path, body)
	}
	running := ask[studio.Tree](without, "POST", "/api/trees", map[string]any{"study": endlessTask.Study, "win_in": 3})
	ask[studio.Tree](without, "POST", "/api/trees/"+running.ID+"/run", struct{}{})
	without.refusedFor(0, "pause it first", "POST", "/api/trees/"+running.ID+"/tune", map[string]any{})
}
