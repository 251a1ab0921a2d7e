package studio_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// happening is an event of the stream of all events.
type happening struct{ name, data string }

// listen opens a stream of all events and returns its events as they arrive. The channel is closed
// at its end.
func (c *client) listen() <-chan happening {
	c.Helper()
	response, err := http.DefaultTransport.RoundTrip(c.request("GET", "/api/events", nil))
	require.NoError(c, err)
	if kind := response.Header.Get("Content-Type"); response.StatusCode != 200 || kind != "text/event-stream" {
		c.Fatalf("%d %s", response.StatusCode, kind)
	}
	all := make(chan happening)
	go func() {
		defer close(all)
		defer response.Body.Close()
		var h happening
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			switch name, data, _ := strings.Cut(lines.Text(), ": "); name {
			case "event":
				h.name = data
			case "data":
				select {
				case all <- happening{h.name, data}:
				case <-c.Context().Done():
					return
				}
			}
		}
	}()
	return all
}

// watcher knows what a stream has told.
type watcher struct {
	*testing.T
	events <-chan happening
	count  map[string]int // events, by name and id
	jobs   map[string]studio.Brief
	trees  map[string]studio.Tree
}

// watch opens a stream and takes what there is at first. It returns the names of these events.
func (c *client) watch() (w *watcher, names []string) {
	c.Helper()
	w = &watcher{c.T, c.listen(), map[string]int{}, map[string]studio.Brief{}, map[string]studio.Tree{}}
	for len(names) == 0 || names[len(names)-1] != "ready" {
		names = append(names, w.next().name)
	}
	return w, names
}

// next takes an event.
func (w *watcher) next() happening {
	w.Helper()
	var h happening
	select {
	case event, ok := <-w.events:
		if h = event; !ok {
			w.Fatal("the stream has ended")
		}
	case <-time.After(time.Minute):
		w.Fatalf("no event for a minute; known: %+v, %+v", w.jobs, w.trees)
	}
	var of struct{ ID string }
	require.NoError(w, json.Unmarshal([]byte(h.data), &of))
	w.count[h.name+" "+of.ID]++
	switch h.name {
	case "job":
		var b studio.Brief
		require.NoError(w, json.Unmarshal([]byte(h.data), &b))
		w.jobs[b.ID] = b
	case "tree":
		var t studio.Tree
		require.NoError(w, json.Unmarshal([]byte(h.data), &t))
		w.trees[t.ID] = t
	case "gone":
		delete(w.jobs, of.ID)
		delete(w.trees, of.ID)
	}
	return h
}

// until takes events until a condition holds.
func (w *watcher) until(holds func() bool) {
	w.Helper()
	for !holds() {
		w.next()
	}
}

// TestEventsAtFirst opens a stream in a studio with jobs and trees. It begins with all of them.
func TestEventsAtFirst(t *testing.T) {
	c := start(t, studio.Options{})
	if _, names := c.watch(); strings.Join(names, " ") != "studio ready" {
		t.Errorf("an empty studio: %q", names)
	}
	c.work(task{Kind: "solve", Study: study(t, "goal-in-1-step.txt"), WinIn: 1, Memory: 1 << 20})
	tree := ask[studio.Tree](c, "POST", "/api/trees", map[string]any{"study": study(t, "win-in-2.txt"), "win_in": 2, "memory": 1 << 20})
	c.begin(task{Kind: "check", Text: "goalproof certificate 4\nclaim 1\ngoal rabbit=2\n1 g [            r                      E                    R       ] Ra1n\n"})
	jobs := c.jobs()
	c.end(jobs[0].ID)
	jobs = c.jobs()
	events := c.listen()
	want := []happening{{"studio", ""}, {"job", ""}, {"job", ""}, {"tree", ""}, {"ready", "{}"}}
	for i, want := range want {
		got := <-events
		if got.name != want.name || want.data != "" && got.data != want.data {
			t.Fatalf("event %d: %+v, want %+v", i, got, want)
		}
		switch i {
		case 0:
			_, text, _ := c.do(c.request("GET", "/api/studio", nil))
			same(t, "the studio", strings.TrimSpace(text), got.data)
		case 1, 2:
			var b studio.Brief
			require.NoError(t, json.Unmarshal([]byte(got.data), &b))
			same(t, "a job", jobs[2-i], b)
		case 3:
			var shown studio.Tree
			require.NoError(t, json.Unmarshal([]byte(got.data), &shown))
			same(t, "the tree", tree, shown)
		}
	}
}

// TestEvents follows a job that runs and six that wait in one stream: each change of a job arrives,
// what does not change is not told again, and what is forgotten is gone.
func TestEvents(t *testing.T) {
	c := start(t, studio.Options{})
	w, _ := c.watch()
	endless := endlessTask
	endless.Algorithm, endless.Threads = "dfpns", 1 // it does not stop when its tables are full
	first := c.begin(endless)
	var waiting []studio.Job
	for range 6 {
		waiting = append(waiting, c.begin(endless))
	}
	last := waiting[5].ID
	w.until(func() bool {
		return w.jobs[last].State == "waiting" && w.jobs[first.ID].Nodes > 0 && w.count["job "+first.ID] > 3
	})
	for i, j := range waiting {
		want := "its turn: solve (" + waiting[0].ID + ") is first"
		if i == 0 {
			want = "memory: solve (" + first.ID + ") has it"
		}
		if got := w.jobs[j.ID]; got.State != "waiting" || got.WaitsFor != want || got.Position != endlessTask.Study.Position || got.Kind != "solve" {
			t.Errorf("%d: %+v, want %q", i, got, want)
		}
		if n := w.count["job "+j.ID]; n != 1 {
			t.Errorf("%d: it was told %d times", i, n)
		}
	}
	c.stop(first.ID)
	w.until(func() bool { return w.jobs[first.ID].State == "done" && w.jobs[waiting[0].ID].State == "running" })
	if got := w.jobs[first.ID]; got.Says == "" || got.Says != c.job(first.ID).Result.Says || got.WaitsFor != "" {
		t.Errorf("%+v", got)
	}
	if got := w.jobs[waiting[0].ID].WaitsFor; got != "" {
		t.Errorf("a job that runs waits for %q", got)
	}
	for _, j := range slices.Backward(waiting) { // none of those that wait begins meanwhile
		c.stop(j.ID)
	}
	w.until(func() bool {
		return strings.Contains("done stopped", w.jobs[waiting[0].ID].State) && w.jobs[last].State == "stopped"
	})
	if got := w.jobs[last].Says; got != "stopped before it began" {
		t.Error(got)
	}

	// Jobs that have ended are forgotten when there are 200 newer ones.
	blocks := c.begin(endless)
	for range 200 {
		c.stop(c.begin(endless).ID)
	}
	w.until(func() bool { return w.count["gone "+last] == 1 })
	if w.count["gone "+first.ID] != 1 || w.count["gone "+blocks.ID] != 0 || w.jobs[last].ID != "" {
		t.Errorf("gone: %v", w.count)
	}
	c.refusedFor(404, "no such job", "GET", "/api/jobs/"+last, nil)
	w.until(func() bool { return len(w.jobs) == 201 })
	for _, b := range c.jobs() {
		if b.ID != blocks.ID {
			same(t, "known from the stream", b, w.jobs[b.ID])
		}
	}
	c.stop(blocks.ID)
}

// TestEventsOfTrees follows a tree: what requests change, what it does while it runs, and its end.
func TestEventsOfTrees(t *testing.T) {
	c := start(t, studio.Options{})
	w, _ := c.watch()
	id := ask[studio.Tree](c, "POST", "/api/trees", map[string]any{"study": endlessTask.Study, "win_in": 3, "memory": 8 << 20}).ID
	w.until(func() bool { return w.trees[id].State == "paused" })
	ask[studio.Tree](c, "POST", "/api/trees/"+id+"/step", map[string]any{"expansions": 5})
	w.until(func() bool { return w.trees[id].Nodes > 1 })
	ask[studio.Tree](c, "POST", "/api/trees/"+id+"/run", struct{}{})
	w.until(func() bool { return w.trees[id].State == "full" })
	same(t, "at its end", ask[studio.Tree](c, "GET", "/api/trees/"+id, nil), w.trees[id])
	if w.count["tree "+id] < 3 {
		t.Errorf("it was told %d times", w.count["tree "+id])
	}
	other := ask[studio.Tree](c, "POST", "/api/trees", map[string]any{"study": endlessTask.Study, "win_in": 3, "memory": 8 << 20}).ID
	w.until(func() bool { return w.trees[other].ID != "" })
	ask[studio.Tree](c, "DELETE", "/api/trees/"+id, nil)
	w.until(func() bool { return w.count["gone "+id] == 1 })
	endless := endlessTask
	endless.Algorithm, endless.Threads = "dfpns", 1 // it does not stop when its tables are full
	job := c.begin(endless)                         // which takes the memory of the tree that does not run
	w.until(func() bool { return w.count["gone "+other] == 1 && w.jobs[job.ID].State == "running" })
	c.stop(job.ID)
}

// TestManyStreams opens as many streams as may be, and one more when the first has been closed.
func TestManyStreams(t *testing.T) {
	c := start(t, studio.Options{})
	ctx, leave := context.WithCancel(t.Context())
	var first []*http.Response
	for range 64 {
		response, err := http.DefaultTransport.RoundTrip(c.request("GET", "/api/events", nil).WithContext(ctx))
		require.NoError(t, err)
		defer response.Body.Close()
		first = append(first, response)
	}
	job := c.begin(task{Kind: "solve", Study: study(t, "goal-in-1-step.txt"), WinIn: 1}).ID
	for _, path := range []string{"/api/events", "/api/jobs/" + job + "/events"} {
		c.refusedFor(503, "64 streams of events are open", "GET", path, nil)
	}
	leave()
	for _, response := range first {
		_, _ = io.Copy(io.Discard, response.Body)
	}
	until(t, "places", func() bool {
		status, _, _ := c.do(c.request("GET", "/api/jobs/"+job+"/events", nil))
		return status == 200
	})
}

// TestOtherStudio asks a studio for the jobs and trees of another one, which had as many.
func TestOtherStudio(t *testing.T) {
	var ids, letters [2]string
	var clients [2]*client
	for i := range 2 {
		c := start(t, studio.Options{})
		clients[i] = c
		letters[i] = ask[struct{ Studio string }](c, "GET", "/api/studio", nil).Studio
		ids[i] = c.ended(task{Kind: "solve", Study: study(t, "goal-in-1-step.txt"), WinIn: 1}).ID
		tree := ask[studio.Tree](c, "POST", "/api/trees", map[string]any{"study": study(t, "win-in-2.txt"), "win_in": 2})
		if ids[i] != letters[i]+"-1" || tree.ID != letters[i]+"-2" || len(letters[i]) != 6 || strings.Trim(letters[i], "abcdefghijklmnopqrstuvwxyz") != "" {
			t.Errorf("%s: %s, %s", letters[i], ids[i], tree.ID)
		}
	}
	if letters[0] == letters[1] {
		t.Error("two studios have the same letters")
	}
	for i, c := range clients {
		for _, id := range []string{ids[1-i], "1", letters[i] + "-01", letters[i], letters[i] + "-"} {
			for _, path := range []string{"", "/events", "/certificate", "/variations", "/puzzles", "/annotated"} {
				c.refusedFor(404, "no such job", "GET", "/api/jobs/"+id+path, nil)
			}
			c.refusedFor(404, "no such job", "DELETE", "/api/jobs/"+id, nil)
		}
		for _, id := range []string{letters[1-i] + "-2", "2"} {
			c.refusedFor(404, "no such search", "GET", "/api/trees/"+id, nil)
			c.refusedFor(404, "no such search", "GET", "/api/trees/"+id+"/events", nil)
		}
		ask[studio.Job](c, "GET", "/api/jobs/"+ids[i], nil)
	}
}

// TestBriefs lists jobs of all kinds with what they are about.
func TestBriefs(t *testing.T) {
	c := start(t, studio.Options{})
	two := study(t, "win-in-2.txt")
	turned := viewOf(c, "turn", map[string]any{"study": two, "turn": "Ed6n Ed7w"})
	for _, test := range []struct {
		task            task
		position, label string
	}{
		{task{Kind: "solve", Study: &turned.Study, WinIn: 1}, "", ""},
		{task{Kind: "try", Study: two, Turn: " Ed6n  Ed7w"}, two.Position, "Ed6n Ed7w"},
		{task{Kind: "certificate", Study: two}, two.Position, ""},
		{task{Kind: "variations", Study: two}, two.Position, ""},
		{task{Kind: "check", Text: "goalproof certificate 4\nclaim 1\ngoal rabbit=2\n1 g [            r                      E                    R       ] Ra1n\n"}, "", ""},
		{task{Kind: "verify", Text: two.Position, Name: "a <b>set</b>.txt"}, "", "a <b>set</b>.txt"},
		{task{Kind: "mine", Text: two.Position, Name: strings.Repeat("long ", 1000)}, "", strings.Repeat("long ", 50) + " ... " + strings.Repeat("long ", 50)},
		{task{Kind: "review", Study: &game, Name: "race", WinIn: 1}, "", "race"},
		{task{Kind: "play", Study: two, Seconds: 0.1}, two.Position, ""},
		{task{Kind: "game", Study: two, Gold: "you", Silver: "goalproof", Control: "0/0///0/0.5s"}, two.Position, "you against goalproof"},
	} {
		job := c.ended(test.task)
		if job.State != "done" {
			t.Fatalf("%+v", job)
		}
		got := c.jobs()[0]
		same(t, test.task.Kind, job.Brief, got)
		if test.task.Kind == "solve" || test.task.Kind == "review" { // with turns
			after := *test.task.Study
			after.Turns = append([]string{}, after.Turns...)
			test.position = lastPosition(c, &after)
		}
		if got.Kind != test.task.Kind || got.Position != test.position || got.Label != test.label || got.Says != job.Result.Says || got.WaitsFor != "" {
			t.Errorf("%+v, want %q, %q", got, test.position, test.label)
		}
		if (got.Missed != nil) != (test.task.Kind == "review") {
			t.Errorf("%s: missed %+v", test.task.Kind, got.Missed)
		}
		_, text, _ := c.do(c.request("GET", "/api/jobs", nil))
		if strings.Contains(text, `"request"`) || strings.Contains(text, `"result"`) || strings.Contains(text, `"solutions"`) {
			t.Errorf("%s: the list is not light: %.300s", test.task.Kind, text)
		}
	}
}

// lastPosition returns the position after the turns of a study, in one line.
func lastPosition(c *client, s *studio.Study) string {
	c.Helper()
	v := viewOf(c, "view", map[string]any{"study": s})
	rows := ""
	for rank := 7; rank >= 0; rank-- {
		rows += v.Squares[8*rank : 8*rank+8]
	}
	return fmt.Sprintf("%c [%s]", v.Side[0], rows)
}
