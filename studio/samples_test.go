package studio_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/require"
	"goalproof/library"
	"goalproof/puzzles/training"
	"goalproof/studio"
)

// sample is an example of a request, in the file of the examples. The answers in it are recorded.
// In its body VERSION stands for the version of the file that was listed, kept or imported last.
type sample struct {
	Request string          `json:"request"`        // method and path, as the document has them
	Name    string          `json:"name,omitempty"` // of the example, if the request has others
	Path    string          `json:"path,omitempty"` // if it is another one; JOB and TREE stand for the last of them
	Body    json.RawMessage `json:"body,omitempty"`
	Answer  json.RawMessage `json:"answer,omitempty"`
}

const (
	samplesFile = "testdata/samples.json"
	importing   = "POST /api/archives/{name}"
)

// samples reads the file.
func samples(t *testing.T) (all []*sample) {
	t.Helper()
	text, err := os.ReadFile(samplesFile)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &all))
	return all
}

// TestSamples sends the requests of the document that are examples, one after the other, to a
// studio with a workspace and a library. All are accepted. Their answers are held against the
// document, and so are those that have been recorded.
//
//	go test ./studio -run 'TestDocument|TestSamples' -count 2 -update # records them, and writes the document
func TestSamples(t *testing.T) {
	all := samples(t)
	root := workspace(t)
	games, err := os.ReadFile("../examples/games.tsv")
	require.NoError(t, err)
	require.NoError(t, root.WriteFile("games.tsv", games, 0o666))
	tries(t, root, training.Attempt{Position: study(t, "win-in-2.txt").Position, WinIn: 2, Difficulty: new(5.1)}, time.Now().AddDate(0, 0, -20), false, true, false)
	l, err := library.Open(t.Context(), libraryFile(t))
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	c := start(t, studio.Options{Workspace: root, Library: l, Memory: 512 << 20, Version: "v1.0.0"})

	header := bytes.IndexByte(games, '\n') + 1
	stands := map[string]string{"HEADER": fmt.Sprint(header), "BYTES": fmt.Sprint(bytes.IndexByte(games[header:], '\n') + 1)}
	recording := flag.Lookup("update").Value.String() == "true"
	met := map[string]bool{}
	for _, s := range all {
		met[s.Request] = true
		status, answer, kind := c.sample(s, stands, string(games))
		switch {
		case status != http.StatusOK:
			t.Errorf("%s %s: %d %s", s.Request, s.Name, status, answer)
			continue
		case strings.HasSuffix(s.Request, "/certificate"):
			stands["CERTIFICATE"] = answer
		case strings.HasSuffix(s.Request, "/export"):
			stands["EARLIER"] = answer
		case s.Request == "GET /api/saved", s.Request == "GET /api/games", strings.HasSuffix(s.Request, "/keep"), s.Request == importing:
			stands["VERSION"] = version.FindStringSubmatch(answer)[1]
		case s.Request == "POST /api/jobs", s.Request == "POST /api/trees":
			var begun struct{ ID string }
			require.NoError(t, json.Unmarshal([]byte(answer), &begun))
			stands[map[string]string{"POST /api/jobs": "JOB", "POST /api/trees": "TREE"}[s.Request]] = begun.ID
		}
		if !recording {
			s.check(t, kind)
		}
		s.record(t, answer, kind)
	}
	for path, methods := range documented().Paths {
		for method := range methods {
			if request := strings.ToUpper(method) + " " + path; !met[request] && path != "/api/openapi.json" {
				t.Errorf("%s has no example in %s", request, samplesFile)
			}
		}
	}
	if recording {
		text, err := json.MarshalIndent(all, "", "  ")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(samplesFile, append(text, '\n'), 0o666))
	}
}

// sample sends an example, with what stands for names in it. A person's turn in a game is sent
// until the game waits for it.
func (c *client) sample(s *sample, stands map[string]string, archive string) (status int, answer, kind string) {
	c.Helper()
	method, path, _ := strings.Cut(s.Request, " ")
	var names []string
	for name, value := range stands {
		text, err := json.Marshal(value)
		require.NoError(c, err)
		names = append(names, name, strings.Trim(string(text), `"`))
	}
	put := strings.NewReplacer(names...).Replace
	send := func() {
		r := c.request(method, put(cmp.Or(s.Path, path)), nil)
		switch {
		case path == "/api/archive", s.Request == importing:
			r = c.sendTo(put(cmp.Or(s.Path, path)), strings.NewReader(archive))
		case s.Body != nil:
			r = c.request(method, put(cmp.Or(s.Path, path)), json.RawMessage(put(string(s.Body))))
		}
		var h http.Header
		status, answer, h = c.do(r)
		kind = h.Get("Content-Type")
	}
	until(c.T, s.Request, func() bool {
		send()
		return status == http.StatusOK || !strings.HasSuffix(path, "/turn")
	})
	return status, answer, kind
}

// check holds the recorded answer against the document.
func (s *sample) check(t *testing.T, kind string) {
	method, path, _ := strings.Cut(s.Request, " ")
	text := string(s.Answer)
	switch kind {
	case "text/event-stream":
		require.NoError(t, json.Unmarshal(s.Answer, &text))
	case "application/json":
	default:
		return
	}
	method = strings.ToLower(method)
	o := documented().Paths[path][method]
	if err := documented().checkAnswer(path, method, &o, http.StatusOK, kind, text); err != nil {
		t.Errorf("%s %s: what is recorded is out of date: see TestSamples: %v", s.Request, s.Name, err)
	}
}

// record keeps the answer, if it is no file, in a form that differs little from run to run.
func (s *sample) record(t *testing.T, answer, kind string) {
	switch kind {
	case "text/event-stream":
		events := strings.SplitAfter(strings.TrimSuffix(answer, "event: ready\ndata: {}\n\n"), "\n\n")
		name, data, _ := strings.Cut(strings.TrimSpace(events[len(events)-2]), "data: ")
		text, err := json.Marshal(name + "data: " + string(steady(t, data)) + "\n\n")
		require.NoError(t, err)
		s.Answer = text
	case "application/json":
		s.Answer = steady(t, answer)
	}
}

// steady returns a text in JSON without what differs from run to run: times, sizes, ids and names
// that are random. Of lists of objects it keeps two.
func steady(t *testing.T, text string) json.RawMessage {
	var value any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	require.NoError(t, d.Decode(&value))
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	require.NoError(t, e.Encode(steadied("", value)))
	return bytes.TrimSpace(b.Bytes())
}

// numbers and texts are the values of fields that differ from run to run.
var (
	numbers = map[string]json.Number{"seconds": "0.25", "nodes": "1000", "threads": "2", "reserve": "600", "positions": "8", "turn": "600"}
	texts   = map[string]string{"changed": "2026-01-02T15:04:05Z", "page": "/pages/NAME", "svg": "<svg></svg>", "studio": "kqzvbm"}
	ids     = regexp.MustCompile(`^[a-z]{6}-`)
	version = regexp.MustCompile(`"version":"([0-9a-f]+)"`)
)

func steadied(field string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key := range v {
			v[key] = steadied(key, v[key])
		}
	case []any:
		if len(v) > 2 {
			if _, ok := v[0].(map[string]any); ok {
				v = v[:2]
			}
		}
		for i := range v {
			v[i] = steadied("", v[i])
		}
		return v
	case json.Number:
		return cmp.Or(numbers[field], v)
	case string:
		if text, ok := texts[field]; ok && v != "" {
			return cmp.Or(text, v)
		}
		if version.MatchString(fmt.Sprintf(`"%s":"%s"`, field, v)) {
			return "3f8c93b8452edc38"
		}
		return ids.ReplaceAllString(v, "kqzvbm-")
	}
	return value
}
