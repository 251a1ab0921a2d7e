package studio_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
	"goalproof/pns"
	"goalproof/studio"
)

// node is a node of a search as the studio shows it.
type node struct {
	Tree     studio.Tree
	Path     []string
	Node     row
	Children []row
	View     studio.View
}

type row struct {
	Step, Type, Verdict string
	Proof, Disproof     *uint32
	Turns, Size         int
	Best                bool
	MostProving         bool `json:"most_proving"`
}

func nodeAt(c *client, id string, path []string) node {
	c.Helper()
	return ask[node](c, "POST", "/api/trees/"+id+"/node", map[string]any{"path": path})
}

// TestTree steps through a search and compares nodes with those of package pns, which has made the
// same steps.
func TestTree(t *testing.T) {
	c := start(t, studio.Options{})
	s := study(t, "win-in-2.txt")
	tree := ask[studio.Tree](c, "POST", "/api/trees", map[string]any{"study": s, "win_in": 2})
	if tree.State != "paused" || tree.Nodes != 1 {
		t.Fatalf("at first: %+v", tree)
	}
	position, err := notation.ParsePosition(s.Position)
	require.NoError(t, err)
	solver, err := pns.New(16 << 20)
	require.NoError(t, err)
	solver.Begin(pns.Question{Position: position, N: 2})
	random := rand.New(rand.NewPCG(5, 6))
	walked := 0
	for tree.State == "paused" {
		n := 1 + random.IntN(30)
		tree = ask[studio.Tree](c, "POST", "/api/trees/"+tree.ID+"/step", map[string]any{"expansions": n})
		r := solver.Advance(n)
		if (tree.State == "decided") != (r.Verdict != answer.Unknown) || tree.Nodes != solver.Nodes() {
			t.Fatalf("%+v, want %+v", tree, r)
		}
		root, err := solver.Root()
		require.NoError(t, err)
		var path []string
		for at := root; ; walked++ {
			got := nodeAt(c, tree.ID, path)
			reached := at.Position()
			if got.View.Squares != letters(&reached.Board) || got.View.Left != reached.StepsLeft() || got.View.Side != reached.Side().String() {
				t.Fatalf("%v: the board shows %+v, want %v", path, got.View.Study, reached)
			}
			if got.Node.Size != at.Size() || got.Node.Turns != at.Turns() || (got.Node.Type == "OR") != at.Attacks() || len(got.Children) != len(at.Children()) {
				t.Fatalf("%v: %+v", path, got.Node)
			}
			best, ok := at.Best()
			if !ok {
				break
			}
			marked := -1
			for i, child := range at.Children() {
				pn, dn := child.Numbers()
				k := got.Children[i]
				if k.Proof != nil && *k.Proof != pn || k.Disproof != nil && *k.Disproof != dn || (k.Proof == nil) != (pn == pns.Infinity) || k.Size != child.Size() {
					t.Fatalf("%v: child %+v, want %d and %d", path, k, pn, dn)
				}
				if k.Best != (child == best) || k.Best && !k.MostProving {
					t.Fatalf("%v: child %+v", path, k)
				}
				if k.Best {
					marked = i
				}
			}
			path, at = append(path, got.Children[marked].Step), best
		}
	}
	if tree.Verdict != "proved" || walked < 20 {
		t.Errorf("%+v after %d nodes were looked at", tree, walked)
	}
	if again := ask[studio.Tree](c, "POST", "/api/trees/"+tree.ID+"/step", map[string]any{"expansions": 1}); again.Nodes != tree.Nodes {
		t.Errorf("a decided search goes on: %+v", again)
	}
	if _, why := c.refused("POST", "/api/trees/"+tree.ID+"/node", map[string]any{"path": []string{"Ra1s"}}); why == "" {
		t.Error("an illegal path")
	}
}

// TestTreeRuns lets a search run, looks at it meanwhile, pauses it, and lets it go on.
func TestTreeRuns(t *testing.T) {
	c := start(t, studio.Options{})
	tree := ask[studio.Tree](c, "POST", "/api/trees", map[string]any{"study": endlessTask.Study, "win_in": 3, "memory": 16 << 20})
	path := "/api/trees/" + tree.ID
	var nodes uint64
	for range 3 {
		if got := ask[studio.Tree](c, "POST", path+"/run", struct{}{}); got.State != "running" {
			t.Fatalf("it does not run: %+v", got)
		}
		until(t, "growing", func() bool { return nodeAt(c, tree.ID, nil).Tree.Nodes > nodes+100 })
		// A step is refused, unless the search has just become full, and so has ended.
		status, answer, _ := c.do(c.request("POST", path+"/step", map[string]any{"expansions": 1}))
		if full := status == 200 && strings.Contains(answer, `"state":"full"`); !full && (status != 422 || !strings.Contains(answer, "pause")) {
			t.Errorf("a step of a search that runs: %d %s", status, answer)
		}
		got := ask[studio.Tree](c, "POST", path+"/pause", struct{}{})
		if got.State != "paused" && got.State != "full" {
			t.Fatalf("paused: %+v", got)
		}
		if nodes = got.Nodes; nodeAt(c, tree.ID, nil).Tree.Nodes != nodes {
			t.Error("a search that is paused goes on")
		}
		if got.State == "full" {
			break
		}
	}
	// The events end with the last state.
	ask[studio.Tree](c, "POST", path+"/run", struct{}{})
	_, text, _ := c.do(c.request("GET", path+"/events", nil))
	events := strings.Split(strings.TrimSpace(text), "\n\n")
	var last studio.Tree
	if err := json.Unmarshal([]byte(strings.TrimPrefix(events[len(events)-1], "data: ")), &last); err != nil || last.State != "full" || last.Nodes < nodes {
		t.Errorf("%v: the last event is %+v", err, last)
	}
	ask[studio.Tree](c, "DELETE", path, nil)
	c.refusedFor(404, "no such search", "GET", path, nil)
}

// TestTreeMemory grows more trees than there is memory for. Those that were looked at last stay,
// one that runs is not dropped, and jobs come before those that are paused.
func TestTreeMemory(t *testing.T) {
	c := start(t, studio.Options{})
	grow := func(mib int) studio.Tree {
		return ask[studio.Tree](c, "POST", "/api/trees", map[string]any{"study": study(t, "win-in-2.txt"), "win_in": 2, "memory": mib << 20})
	}
	kept := func(trees ...studio.Tree) (all []bool) {
		for _, tree := range trees {
			status, _, _ := c.do(c.request("GET", "/api/trees/"+tree.ID, nil))
			all = append(all, status == 200)
		}
		return all
	}
	a, b, d := grow(20), grow(20), grow(20)
	nodeAt(c, a.ID, nil)
	e := grow(20)
	same(t, "after a fourth tree", []bool{true, false, true, true}, kept(a, b, d, e))
	if r := c.work(task{Kind: "solve", Study: study(t, "win-in-2.txt"), Memory: 64 << 20}); r.Verdict != "proved" {
		t.Errorf("%+v", r)
	}
	same(t, "after a job that takes all memory", []bool{false, false, false}, kept(a, d, e))
	job := c.begin(endlessTask)
	c.refusedFor(503, "jobs that run", "POST", "/api/trees", map[string]any{"study": endlessTask.Study, "win_in": 2})
	c.stop(job.ID)
	c.end(job.ID)
	running := ask[studio.Tree](c, "POST", "/api/trees", map[string]any{"study": endlessTask.Study, "win_in": 3, "memory": 60 << 20})
	ask[studio.Tree](c, "POST", "/api/trees/"+running.ID+"/run", struct{}{})
	c.refusedFor(503, "", "POST", "/api/trees", map[string]any{"study": endlessTask.Study, "win_in": 3, "memory": 60 << 20})
	if got := ask[studio.Tree](c, "POST", "/api/trees/"+running.ID+"/pause", struct{}{}); got.Nodes < 2 {
		t.Errorf("it did not run: %+v", got)
	}
	refuses(c, "/api/trees", map[string]map[string]any{
		"no study": {"win_in": 1}, "win_in 0": {"study": endlessTask.Study}, "bytes": {"study": endlessTask.Study, "win_in": 1, "memory": 5},
		"position": {"study": studio.Study{Position: "x"}, "win_in": 1},
	})
}
