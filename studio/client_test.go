package studio_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// client asks a studio.
type client struct {
	*testing.T
	studio *studio.Server
	base   string // http://127.0.0.1:PORT
	token  string
}

// listen returns a listener on this machine, which is closed after the test.
func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	return l
}

// start starts a studio, which ends with the test.
func start(t *testing.T, o studio.Options) *client {
	t.Helper()
	c, _ := startAt(t, listen(t), o)
	return c
}

// startAt starts a studio for a listener, and returns the function that ends it. It ends with the
// test, too.
func startAt(t *testing.T, l net.Listener, o studio.Options) (c *client, end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	if o.Memory == 0 {
		o.Memory = 64 << 20
	}
	s, err := studio.New(ctx, l, o)
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	end = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(end)
	base, token, _ := strings.Cut(s.Address(), "/#")
	return &client{t, s, base, token}, end
}

// request returns a request as a script makes it.
func (c *client) request(method, path string, body any) *http.Request {
	c.Helper()
	var text []byte
	if body != nil {
		var err error
		text, err = json.Marshal(body)
		require.NoError(c, err)
	}
	r, err := http.NewRequestWithContext(c.Context(), method, c.base+path, bytes.NewReader(text))
	require.NoError(c, err)
	r.Header.Set("Authorization", "Bearer "+c.token)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

// do sends a request and returns the answer. Both are held against the document of the API.
func (c *client) do(r *http.Request) (status int, body string, header http.Header) {
	c.Helper()
	var sent bytes.Buffer
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = io.NopCloser(io.TeeReader(r.Body, &sent))
	}
	transport := &http.Transport{DisableKeepAlives: true}
	response, err := transport.RoundTrip(r)
	require.NoError(c, err)
	defer response.Body.Close()
	text, err := wholly(r.URL.Path, response.Body)
	require.NoError(c, err)
	if err := documented().checkExchange(r, sent.String(), response.StatusCode, response.Header.Get("Content-Type"), string(text)); err != nil {
		c.Errorf("%s %s is not as openapi.json has it: %v\n%.2000s", r.Method, r.URL, err, text)
	}
	return response.StatusCode, string(text), response.Header
}

// wholly reads an answer: of the stream of all events, which has no end, what there is at first.
func wholly(path string, body io.Reader) (text []byte, err error) {
	const last = "event: ready\ndata: {}\n\n"
	if path != "/api/events" {
		return io.ReadAll(body)
	}
	lines := bufio.NewReader(body)
	for err == nil && !bytes.HasSuffix(text, []byte(last)) {
		var line []byte
		line, err = lines.ReadBytes('\n')
		text = append(text, line...)
	}
	if err == io.EOF { // it was refused
		err = nil
	}
	return text, err
}

// asset returns the path of a file of the page.
func (c *client) asset(name string) string {
	c.Helper()
	_, page, _ := c.do(c.request("GET", "/", nil))
	found := regexp.MustCompile(`assets/[0-9a-f]{16}/`).FindString(page)
	if found == "" {
		c.Fatalf("the page names no files: %s", page)
	}
	return "/" + found + name
}

// ask sends a request that is to be fulfilled.
func ask[Answer any](c *client, method, path string, body any) (a Answer) {
	c.Helper()
	status, text, _ := c.do(c.request(method, path, body))
	if status != http.StatusOK {
		c.Fatalf("%s %s: %d %s", method, path, status, text)
	}
	require.NoError(c, json.Unmarshal([]byte(text), &a))
	return a
}

// refused sends a request that is to be refused, and returns why it is.
func (c *client) refused(method, path string, body any) (status int, why string) {
	c.Helper()
	status, text, _ := c.do(c.request(method, path, body))
	var a struct{ Error string }
	if err := json.Unmarshal([]byte(text), &a); err != nil || status < 400 || a.Error == "" {
		c.Fatalf("%s %s: %d %s", method, path, status, text)
	}
	return status, a.Error
}

// refusedFor sends a request that is to be refused with a status, 0: any, for a reason that has some words in it.
func (c *client) refusedFor(status int, want, method, path string, body any) {
	c.Helper()
	if got, why := c.refused(method, path, body); status != 0 && got != status || !strings.Contains(why, want) {
		c.Errorf("%s %s %+v: %d %q, want %d %q", method, path, body, got, why, status, want)
	}
}

// same compares what was wanted and what came.
func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// refuses sends requests that are to be refused, each for a reason that has its key in it.
func refuses[Body any](c *client, path string, bodies map[string]Body) {
	c.Helper()
	for want, body := range bodies {
		if status, why := c.refused("POST", path, body); status != 422 && status != 400 && status != 404 || !strings.Contains(why, want) {
			c.Errorf("%s %+v: %d %q, want %q", path, body, status, why, want)
		}
	}
}

// end follows the events of a job to its end, and returns the number of them.
func (c *client) end(id string) (job studio.Job, events int) {
	c.Helper()
	response, err := http.DefaultTransport.RoundTrip(c.request("GET", "/api/jobs/"+id+"/events", nil))
	require.NoError(c, err)
	defer response.Body.Close()
	if kind := response.Header.Get("Content-Type"); kind != "text/event-stream" {
		c.Fatalf("events are %s", kind)
	}
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			events++
			job = studio.Job{}
			require.NoError(c, json.Unmarshal([]byte(text), &job))
			require.NoError(c, documented().checkEvents("/api/jobs/{id}/events", "get", lines.Text()))
		}
	}
	if job.State == "running" || job.State == "waiting" {
		c.Fatalf("the events have ended, and the job has not: %+v", job)
	}
	return job, events
}

// task is a request for a job of any kind.
type task struct {
	Kind        string        `json:"kind"`
	Study       *studio.Study `json:"study,omitempty"`
	WinIn       int           `json:"win_in,omitempty"`
	All         bool          `json:"all,omitempty"`
	Width       int           `json:"width,omitempty"`
	Turn        string        `json:"turn,omitempty"`
	Text        string        `json:"text,omitempty"`
	Name        string        `json:"name,omitempty"`
	Describe    bool          `json:"describe,omitempty"`
	Claim       int           `json:"claim,omitempty"`
	Archive     string        `json:"archive,omitempty"`
	Certificate string        `json:"certificate,omitempty"`
	Themes      []string      `json:"themes,omitempty"`
	Unique      bool          `json:"unique,omitempty"`
	Gold        string        `json:"gold,omitempty"`
	Silver      string        `json:"silver,omitempty"`
	Control     string        `json:"clock,omitempty"`
	Unusual     bool          `json:"unusual,omitempty"`
	Algorithm   string        `json:"algorithm,omitempty"`
	Threads     int           `json:"threads,omitempty"`
	Memory      uint64        `json:"memory,omitempty"`
	Seconds     float64       `json:"seconds,omitempty"`
	Lines       int           `json:"lines,omitempty"`
	Replaces    string        `json:"replaces,omitempty"`
	Aim         string        `json:"aim,omitempty"`
	Rounds      int           `json:"rounds,omitempty"`
	Seed        uint64        `json:"seed,omitempty"`
	Nodes       uint64        `json:"nodes,omitempty"`
}

// begin puts a task into the queue.
func (c *client) begin(t task) studio.Job {
	c.Helper()
	return ask[studio.Job](c, "POST", "/api/jobs", t)
}

// ended puts a task into the queue and follows it to its end.
func (c *client) ended(t task) studio.Job {
	c.Helper()
	job, _ := c.end(c.begin(t).ID)
	return job
}

// job returns a job as it is now.
func (c *client) job(id string) studio.Job {
	c.Helper()
	return ask[studio.Job](c, "GET", "/api/jobs/"+id, nil)
}

// jobs lists the jobs, the last one first.
func (c *client) jobs() []studio.Brief {
	c.Helper()
	return ask[struct{ Jobs []studio.Brief }](c, "GET", "/api/jobs", nil).Jobs
}

// stop stops a job.
func (c *client) stop(id string) studio.Job {
	c.Helper()
	return ask[studio.Job](c, "DELETE", "/api/jobs/"+id, nil)
}

// work puts a task into the queue and returns its result.
func (c *client) work(t task) *studio.Result {
	c.Helper()
	if t.Seconds == 0 {
		t.Seconds = 300
	}
	job := c.ended(t)
	if job.State != "done" || job.Result == nil {
		c.Fatalf("%+v: %v", job, job.Error)
	}
	return job.Result
}

// until waits for a condition.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 6000 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("after a minute: not %s", what)
}
