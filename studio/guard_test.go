package studio_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// TestForeign sends requests as other pages and machines would: none is answered, with the token or
// without.
func TestForeign(t *testing.T) {
	c := start(t, studio.Options{})
	port := c.base[strings.LastIndex(c.base, ":"):]
	for name, test := range map[string]struct {
		change func(*http.Request)
		page   int // status of the page
		api    int // status of the API
	}{
		"itself":           {func(*http.Request) {}, 200, 200},
		"localhost":        {func(r *http.Request) { r.Host = "localhost" + port }, 200, 200},
		"a rebound name":   {func(r *http.Request) { r.Host = "attacker.example" + port }, 403, 403},
		"another port":     {func(r *http.Request) { r.Host = "127.0.0.1:1" }, 403, 403},
		"no port":          {func(r *http.Request) { r.Host = "127.0.0.1" }, 403, 403},
		"a name before it": {func(r *http.Request) { r.Host = "x.localhost" + port }, 403, 403},
		"its own page": {func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "same-origin")
			r.Header.Set("Origin", c.base)
		}, 200, 200},
		"another page":        {func(r *http.Request) { r.Header.Set("Origin", "https://attacker.example") }, 403, 403},
		"a page of no origin": {func(r *http.Request) { r.Header.Set("Origin", "null") }, 403, 403},
		"a page by localhost": {func(r *http.Request) { r.Header.Set("Origin", "http://localhost"+port) }, 403, 403},
		"cross-site":          {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403, 403},
		"same-site":           {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }, 403, 403},
		"no token":            {func(r *http.Request) { r.Header.Del("Authorization") }, 200, 401},
		"a wrong token":       {func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+strings.Repeat("A", 26)) }, 200, 401},
		"a part of the token": {func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+c.token[:25]) }, 200, 401},
		"another scheme":      {func(r *http.Request) { r.Header.Set("Authorization", c.token) }, 200, 401},
	} {
		body := map[string]any{"study": studio.Study{Position: "g [" + strings.Repeat(" ", 63) + "R]"}}
		for path, want := range map[string]int{"/": test.page, c.asset("app.js"): test.page, "/api/jobs": test.api, "/api/view": test.api,
			"/api/training": test.api, "/api/collection": test.api} {
			r := c.request("GET", path, nil)
			if path == "/api/view" {
				r = c.request("POST", path, body)
			}
			test.change(r)
			if status, text, _ := c.do(r); status != want {
				t.Errorf("%s: %s: status %d, want %d: %.80s", name, path, status, want, text)
			}
		}
	}
}

// TestForeignEverywhere sends requests without the token and to another host to every path of the
// API, as the document has them.
func TestForeignEverywhere(t *testing.T) {
	c := start(t, studio.Options{})
	paths := map[string]bool{}
	for path, methods := range documented().Paths {
		for method := range methods {
			paths[strings.ToUpper(method)+" "+regexp.MustCompile(`{\w+}`).ReplaceAllString(path, "1")] = true
		}
	}
	if len(paths) < 51 {
		t.Errorf("only %d paths are found", len(paths))
	}
	for at := range paths {
		method, path, _ := strings.Cut(at, " ")
		for want, change := range map[int]func(*http.Request){
			401: func(r *http.Request) { r.Header.Del("Authorization") },
			403: func(r *http.Request) { r.Host = "attacker.example" },
		} {
			r := c.request(method, path, struct{}{})
			change(r)
			if status, text, _ := c.do(r); status != want {
				t.Errorf("%s: status %d, want %d: %.80s", at, status, want, text)
			}
		}
	}
}

// TestForm sends what a form of another page can send without asking: types of content other than
// JSON.
func TestForm(t *testing.T) {
	c := start(t, studio.Options{})
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""} {
		r := c.request("POST", "/api/jobs", task{Kind: "check"})
		r.Header.Set("Content-Type", kind)
		if status, text, _ := c.do(r); status != http.StatusUnsupportedMediaType {
			t.Errorf("%q: %d %s", kind, status, text)
		}
	}
}

// TestHeaders checks that every answer forbids what the page does not need.
func TestHeaders(t *testing.T) {
	c := start(t, studio.Options{})
	for _, path := range []string{"/", c.asset("app.js"), c.asset("page.css"), c.asset("board.css"), c.asset("none.js"), "/assets/none.js", "/api/jobs", "/api/none", "/none"} {
		_, _, h := c.do(c.request("GET", path, nil))
		policy := h.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"} {
			if !strings.Contains(policy, part) {
				t.Errorf("%s: the policy %q lacks %s", path, policy, part)
			}
		}
		if strings.Contains(policy, "unsafe") || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %v", path, h)
		}
	}
	_, page, _ := c.do(c.request("GET", "/", nil))
	for _, inline := range []string{"<script>", "onclick", "style=", "javascript:"} {
		if strings.Contains(page, inline) {
			t.Errorf("the page has %s in it", inline)
		}
	}
}

// TestOnce opens the address that a browser is started with: it leads to the page once.
func TestOnce(t *testing.T) {
	c := start(t, studio.Options{})
	path := strings.TrimPrefix(c.studio.Once(), c.base)
	for _, wrong := range []string{"/open/", "/open/x", path + "x"} {
		if status, text, _ := c.do(c.request("GET", wrong, nil)); status < 400 || strings.Contains(text, c.token) {
			t.Errorf("%s: %d %s", wrong, status, text)
		}
	}
	r := c.request("GET", path, nil)
	r.Header.Del("Authorization")
	if status, _, h := c.do(r); status != http.StatusSeeOther || c.base+h.Get("Location") != c.studio.Address() {
		t.Errorf("the first time: %d %v", status, h)
	}
	if status, text, h := c.do(c.request("GET", path, nil)); status != http.StatusGone || strings.Contains(text+fmt.Sprint(h), c.token) {
		t.Errorf("the second time: %d %s %v", status, text, h)
	}
}

// TestLoopback checks that a studio listens on no address that others can reach.
func TestLoopback(t *testing.T) {
	l, err := net.Listen("tcp4", "0.0.0.0:0")
	require.NoError(t, err)
	defer l.Close()
	if _, err := studio.New(t.Context(), l, studio.Options{Memory: 64 << 20}); err == nil {
		t.Error("it listens on every address")
	}
}

// secret stands in a file beside the files of the page's package.
const secret = "func (s *Server) guard"

// TestPaths puts paths that lead elsewhere into every part of a request. None reaches a file.
func TestPaths(t *testing.T) {
	c := start(t, studio.Options{})
	paths := []string{"../guard.go", "..%2fguard.go", "%2e%2e/guard.go", "%2e%2e%2fguard.go", `..\guard.go`, "..%5cguard.go", "/etc/passwd",
		"%2fetc%2fpasswd", "....//guard.go", "index.html", ".", "%00", "guard.go"}
	for _, p := range paths {
		for _, at := range []string{"/assets/" + p, c.asset(p), "/" + p, "/open/" + p, "/api/" + p, "/api/jobs/" + p, "/api/jobs/" + p + "/certificate", "/api/jobs/" + p + "/events", "/api/games/" + p, "/api/archives/" + p, "/api/archives/" + p + "/game", "/api/certificates/" + p, "/api/runs/" + p} {
			r := c.request("GET", "/", nil)
			opaque := strings.TrimPrefix(c.base, "http:") + at
			r.URL.Opaque = opaque // sent as it is
			status, text, _ := c.do(r)
			if status == http.StatusOK || strings.Contains(text, secret) || strings.Contains(text, "root:") {
				t.Errorf("%s: %d %.100s", at, status, text)
			}
		}
		study := &studio.Study{Position: p, Turns: []string{p}, Steps: p}
		good := &studio.Study{Position: "g [" + strings.Repeat(" ", 63) + "R]"}
		for path, bodies := range map[string][]any{
			"/api/view":     {map[string]any{"study": study}, map[string]any{"study": good, "show": p}},
			"/api/step":     {map[string]any{"study": good, "from": p, "to": "a2"}, map[string]any{"study": good, "from": "h1", "to": p}},
			"/api/turn":     {map[string]any{"study": good, "turn": p}},
			"/api/edit":     {map[string]any{"study": good, "side": p}, map[string]any{"study": good, "put": []any{map[string]any{"square": p, "piece": p}}}},
			"/api/forms":    {map[string]any{"study": study}},
			"/api/training": {studio.Attempt{Study: *study, WinIn: 2}},
			"/api/annotate": {map[string]any{"game": studio.Game{Position: p}}, map[string]any{"game": studio.Game{Position: good.Position, Nodes: []studio.GameNode{{Parent: -1}, {Turn: p}}}}},
			"/api/games":    {map[string]any{"name": p, "game": studio.Game{Position: good.Position, Nodes: []studio.GameNode{{Parent: -1}}}}},
			"/api/read":     {map[string]any{"text": p, "name": p}, map[string]any{"text": "", "side": p}},
			"/api/jobs": {task{Kind: p}, task{Kind: "solve", Study: study}, task{Kind: "try", Study: good, Turn: p},
				task{Kind: "solve", Study: good, Algorithm: p}, task{Kind: "check", Text: p}, task{Kind: "check", Certificate: p}},
		} {
			for _, body := range bodies {
				if _, why := c.refused("POST", path, body); strings.Contains(why, secret) {
					t.Errorf("%s %+v: %s", path, body, why)
				}
			}
		}
	}
}

// endless is a text without end, which counts what is read of it.
type endless struct{ read atomic.Int64 }

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	if e.read.Add(int64(len(b))) > 1<<30 {
		return 0, io.EOF
	}
	return len(b), nil
}

// TestLargeBody sends a gibibyte without saying how much it is. The studio stops reading soon and
// needs little memory.
func TestLargeBody(t *testing.T) {
	c := start(t, studio.Options{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, path := range []string{"/api/read", "/api/jobs", "/api/view"} {
		body := new(endless)
		r, err := http.NewRequestWithContext(t.Context(), "POST", c.base+path, body)
		require.NoError(t, err)
		r.Header = c.request("POST", path, struct{}{}).Header
		response, err := http.DefaultTransport.RoundTrip(r)
		if err == nil { // or the connection was closed before the answer was read
			if response.StatusCode != http.StatusRequestEntityTooLarge {
				t.Errorf("%s: status %d", path, response.StatusCode)
			}
			response.Body.Close()
		}
		if n := body.read.Load(); n > 64<<20 {
			t.Errorf("%s: %d bytes were taken", path, n)
		}
	}
	runtime.ReadMemStats(&after)
	if more := after.TotalAlloc - before.TotalAlloc; more > 64<<20 {
		t.Errorf("%d bytes were allocated", more)
	}
	// One that says how long it is gets its answer at once.
	r := c.request("POST", "/api/read", map[string]string{"text": strings.Repeat("x", studio.MaxBody)})
	if status, text, _ := c.do(r); status != http.StatusRequestEntityTooLarge || !strings.Contains(text, "1048576 bytes") {
		t.Errorf("%d %s", status, text)
	}
}

// TestBadBody sends bodies that are not what is asked for.
func TestBadBody(t *testing.T) {
	c := start(t, studio.Options{})
	for _, body := range []string{"", "{", "[]", `"x"`, `{"study":1}`, `{"unknown":1}`, `{} {}`, `{"study":{"position":"g","other":1}}`, "\xff", strings.Repeat("[", 1e5)} {
		for _, path := range []string{"read", "view", "step", "turn", "edit", "forms", "jobs", "training", "annotate", "games", "library/games", "library/exercises", "jobs/1/keep", "jobs/1/compare", "certificates/x/rename"} {
			r := c.request("POST", "/api/"+path, nil)
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
			r.Header.Set("Content-Type", "application/json")
			if status, text, _ := c.do(r); status != http.StatusBadRequest || !json.Valid([]byte(text)) {
				t.Errorf("%s %.20q: %d %s", path, body, status, text)
			}
		}
	}
}

// TestManyJobs begins a thousand jobs at once. As many are taken as may wait, the others are told
// so, and the studio goes on.
func TestManyJobs(t *testing.T) {
	c := start(t, studio.Options{})
	long := endlessTask
	long.Algorithm = "dfpns" // it does not stop when its tables are full, however long the requests take
	var wait sync.WaitGroup
	var taken, told atomic.Int64
	places := make(chan struct{}, 100)
	for range 1000 {
		wait.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			switch status, text, _ := c.do(c.request("POST", "/api/jobs", long)); {
			case status == http.StatusOK:
				taken.Add(1)
			case status == http.StatusTooManyRequests && strings.Contains(text, "50 jobs are waiting") && strings.Contains(text, `"busy"`):
				told.Add(1)
			default:
				t.Errorf("%d %s", status, text)
			}
		})
	}
	wait.Wait()
	if taken, told := taken.Load(), told.Load(); taken != studio.MaxWaiting+1 || taken+told != 1000 {
		t.Errorf("%d jobs were taken, %d were not", taken, told)
	}
	list := func() []studio.Brief { return c.jobs() }
	running := 0
	for _, job := range list() {
		if job.State == "running" {
			running++
		}
	}
	if running != 1 { // each takes all of the memory
		t.Errorf("%d jobs run at once", running)
	}
	for _, job := range list() {
		c.stop(job.ID)
	}
	until(t, "ended", func() bool {
		for _, job := range list() {
			if job.State == "waiting" || job.State == "running" {
				return false
			}
		}
		return true
	})
	if r := c.work(task{Kind: "solve", Study: study(t, "goal-in-1-step.txt"), WinIn: 1}); r.Verdict != "proved" {
		t.Errorf("afterwards: %+v", r)
	}
}
