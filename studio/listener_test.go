package studio

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"goalproof/internal/testkit/require"
)

// slowClient takes a stream only as fast as the test does.
type slowClient struct {
	header http.Header
	writes chan string
}

func (c *slowClient) Header() http.Header { return c.header }

func (*slowClient) WriteHeader(int) {}

func (*slowClient) FlushError() error { return nil }

// Write waits until the test takes the text.
func (c *slowClient) Write(b []byte) (int, error) {
	c.writes <- string(b)
	return len(b), nil
}

// slow opens a stream of all events. The channel gets each event when it is taken, and is closed
// when the stream has ended. Only the studio can end it.
func slow(s *Server) <-chan string {
	c := &slowClient{http.Header{}, make(chan string)}
	r := httptest.NewRequest("GET", "/api/events", nil)
	go func() {
		defer close(c.writes)
		s.allEvents(c, r.WithContext(context.Background()))
	}()
	return c.writes
}

// named takes events up to one of a name, and returns their data by name.
func named(t *testing.T, events <-chan string, last string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for text := range events {
		name, data, _ := strings.Cut(strings.TrimPrefix(text, "event: "), "\ndata: ")
		all[name] = append(all[name], strings.TrimSpace(data))
		if name == last {
			return all
		}
	}
	t.Fatalf("the stream has ended before %s", last)
	return nil
}

// TestSlowClient changes a lot while a client takes nothing. It gets the latest state of each
// thing, once. Its stream ends with the studio.
func TestSlowClient(t *testing.T) {
	s := newTestStudio(t)
	q := s.queue
	s.changedFile("games", "before", "1") // nobody listens
	first, second := slow(s), slow(s)
	named(t, first, "ready")
	named(t, second, "ready")
	for i := range 1000 {
		s.changedFile("games", "one", fmt.Sprint(i))
	}
	s.changedFile("saved", "one", "7")
	s.changedFile("games", "one", "")
	a := act(t, q, "solve", 64, nil)
	b := act(t, q, "solve", 64, nil)
	a.ends(t, q)
	eventually(t, "running", func() bool { return states(t, q, b) == running })
	b.ends(t, q)
	eventually(t, "idle", func() bool { return consistent(t, q) == 0 })
	s.changedFile("training", "training", "8")
	for i, events := range []<-chan string{first, second} {
		// What was under way when the client stopped taking it is the past: at most one look.
		var jobs, files []string
		for !strings.Contains(strings.Join(files, " "), "training") {
			for name, data := range named(t, events, "file") {
				if name == "job" {
					jobs = append(jobs, data...)
				} else {
					files = append(files, data...)
				}
			}
		}
		if len(files) > 4 || len(jobs) > 4 {
			t.Errorf("%d: %d events about files, %d about jobs: %q, %q", i, len(files), len(jobs), files, jobs)
		}
		last := files[max(0, len(files)-3):]
		want := []string{`{"kind":"saved","name":"one","version":"7"}`, `{"kind":"games","name":"one","version":""}`,
			`{"kind":"training","name":"training","version":"8"}`}
		if diff := cmp.Diff(want, last); diff != "" {
			t.Errorf("%d: files: %s", i, diff)
		}
		for _, id := range []string{a.ID, b.ID} {
			latest := ""
			for _, j := range jobs {
				if strings.Contains(j, id) {
					latest = j
				}
			}
			if !strings.Contains(latest, `"state":"done","says":"It has ended."`) {
				t.Errorf("%d: %s: %s", i, id, latest)
			}
		}
	}
	q.mu.Lock()
	listeners := len(q.listeners)
	q.mu.Unlock()
	if listeners != 2 {
		t.Errorf("%d listeners", listeners)
	}
}

// TestStreamsEnd ends the studio: its streams end, whatever their clients do, and nobody listens.
func TestStreamsEnd(t *testing.T) {
	s := newTestStudio(t)
	ctx, end := context.WithCancel(t.Context())
	s.ctx = ctx
	events := slow(s)
	named(t, events, "ready")
	end()
	for text := range events {
		t.Errorf("%q", text)
	}
	if len(s.queue.listeners) != 0 || len(s.streams) != 0 {
		t.Errorf("%d listeners, %d streams", len(s.queue.listeners), len(s.streams))
	}
}

// TestHeartbeat waits for comments in the stream of a studio in which nothing happens.
func TestHeartbeat(t *testing.T) {
	s := newTestStudio(t)
	s.heartbeat = time.Millisecond
	events := slow(s)
	named(t, events, "ready")
	for range 3 {
		if got := <-events; got != ":\n\n" {
			t.Errorf("%q", got)
		}
	}
}

// TestNews tells a listener of jobs at given times: what has changed, a job that runs not too
// often, and what is gone.
func TestNews(t *testing.T) {
	l := &listener{told: map[string]told{}}
	at := func(ms int) time.Time { return time.Unix(0, 0).Add(time.Duration(ms) * time.Millisecond) }
	for i, step := range []struct {
		ms      int
		entries []entry
		want    string
	}{
		{0, []entry{{event{"job", 1}, "a", waiting}, {event{"tree", 1}, "b", running}}, "job 1, tree 1"},
		{1, []entry{{event{"job", 1}, "a", waiting}, {event{"tree", 2}, "b", running}}, ""},
		{2, []entry{{event{"job", 2}, "a", waiting}, {event{"tree", 3}, "b", running}}, "job 2"},
		{3, []entry{{event{"job", 3}, "a", running}, {event{"tree", 3}, "b", running}}, "job 3"},
		{202, []entry{{event{"job", 4}, "a", running}, {event{"tree", 4}, "b", running}}, "tree 4"},
		{203, []entry{{event{"job", 5}, "a", running}, {event{"tree", 5}, "b", running}}, "job 5"},
		{500, []entry{{event{"job", 5}, "a", running}, {event{"tree", 4}, "b", running}}, ""},
		{501, []entry{{event{"job", 6}, "a", done}, {event{"tree", 6}, "b", paused}}, "job 6, tree 6"},
		{502, []entry{{event{}, "a", done}, {event{"tree", 6}, "b", paused}}, ""},
		{503, []entry{{event{}, "a", done}}, "gone b"},
		{504, nil, "gone a"},
		{505, nil, ""},
	} {
		var got []string
		for _, e := range l.news(step.entries, at(step.ms)) {
			if of, ok := e.data.(goneEvent); ok {
				got = append(got, e.name+" "+of.ID)
			} else {
				got = append(got, fmt.Sprintf("%s %s", e.name, e.data))
			}
		}
		if got := strings.Join(got, ", "); got != step.want {
			t.Errorf("%d: %q, want %q", i, got, step.want)
		}
	}
}

// TestIdle looks at a studio with jobs and trees that do not run: a stream waits for the bell
// alone.
func TestIdle(t *testing.T) {
	s := newTestStudio(t)
	q := s.queue
	l, leave := q.listen()
	defer leave()
	busy := func() bool {
		_, _, _, busy := l.look()
		return busy
	}
	rung := func(bell <-chan struct{}) bool {
		select {
		case <-bell:
			return true
		default:
			return false
		}
	}
	a := act(t, q, "solve", 8, nil)
	if !busy() {
		t.Error("a job runs")
	}
	a.ends(t, q)
	tree, err := s.startTree(treeTask{position: position{Study: &Study{Position: "Ra4 Eb2 rh5 eg7 g"}}, WinIn: 1, Memory: 8 << 20})
	require.NoError(t, err)
	if busy() {
		t.Error("nothing runs")
	}
	_, _, bell, _ := l.look()
	_, _, _ = q.look(a.ID)
	q.list()
	if rung(bell) {
		t.Error("the bell rings when jobs are looked at")
	}
	q.used()
	if !rung(bell) {
		t.Error("the bell does not ring when a tree is used")
	}
	tr, err := q.tree(tree.ID)
	require.NoError(t, err)
	if _, err := s.run(tr); err != nil {
		t.Fatal(err)
	}
	eventually(t, "decided", func() bool { return !busy() })
}
