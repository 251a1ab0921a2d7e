package studio_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

var inBraces = regexp.MustCompile(`{\w+}`)

// TestCompressed asks for a long answer as browsers do: it comes compressed, and is the same. Short
// answers and events are not compressed.
func TestCompressed(t *testing.T) {
	c := start(t, studio.Options{})
	get := func(path, accepts string) (text string, compressed bool) {
		r := c.request("GET", path, nil)
		r.Header.Set("Accept-Encoding", accepts)
		a, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer a.Body.Close()
		if a.Header.Get("Content-Type") == "text/event-stream" {
			return "", a.Header.Get("Content-Encoding") != ""
		}
		body := io.Reader(a.Body)
		if compressed = a.Header.Get("Content-Encoding") == "gzip"; compressed {
			body, err = gzip.NewReader(body)
			require.NoError(t, err)
		}
		found, err := io.ReadAll(body)
		require.NoError(t, err)
		return string(found), compressed
	}
	plain, was := get("/api/collection", "identity")
	text, is := get("/api/collection", "gzip, deflate, br, zstd")
	if was || !is || text != plain {
		t.Errorf("compressed where nothing was accepted: %t, with gzip: %t; %d and %d bytes", was, is, len(plain), len(text))
	}
	for _, path := range []string{"/api/training", "/api/events"} {
		if _, is := get(path, "gzip"); is {
			t.Errorf("%s is compressed", path)
		}
	}
}

// TestMethods sends requests of every method to every path of the API, and to the page and its
// files. A method that is not for the path is refused with those that are.
func TestMethods(t *testing.T) {
	c := start(t, studio.Options{})
	allowed := map[string][]string{"/": {"GET"}, "/assets/studio.js": {"GET"}, "/pages/x": {"GET"}, "/open/x": {"GET"}}
	for path, methods := range documented().Paths {
		for method := range methods {
			path := inBraces.ReplaceAllString(path, "1")
			allowed[path] = append(allowed[path], strings.ToUpper(method))
		}
	}
	for path, methods := range allowed {
		if slices.Contains(methods, "GET") {
			methods = append(methods, "HEAD")
		}
		slices.Sort(methods)
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO"} {
			if slices.Contains(methods, method) {
				continue
			}
			status, text, h := c.do(c.request(method, path, nil))
			want := strings.Join(methods, ", ")
			if status != http.StatusMethodNotAllowed || h.Get("Allow") != want {
				t.Errorf("%s %s: %d, Allow: %s, want %s", method, path, status, h.Get("Allow"), want)
			}
			if method != "HEAD" && !strings.Contains(text, fmt.Sprintf(`{"error":"\"%s\" is not for this path, which takes %s"`, method, want)) {
				t.Errorf("%s %s: %s", method, path, text)
			}
		}
	}
	for _, path := range []string{"/api", "/api/", "/api/none", "/api/jobs/1/none", "/none", "/assets"} {
		for _, method := range []string{"GET", "POST"} {
			if status, text, _ := c.do(c.request(method, path, nil)); status != http.StatusNotFound || !strings.Contains(text, `{"error":"`) {
				t.Errorf("%s %s: %d %s", method, path, status, text)
			}
		}
	}
}

// TestHead asks for headers alone, of every path that is read. The status is that of GET, and the
// answer ends, even that of a stream of events about a search that runs.
func TestHead(t *testing.T) {
	c := start(t, studio.Options{})
	job := c.begin(endlessTask)
	defer c.stop(job.ID)
	paths := []string{"/", c.asset("app.js"), "/assets/none.js", "/none"}
	for path, methods := range documented().Paths {
		if _, ok := methods["get"]; ok {
			paths = append(paths, inBraces.ReplaceAllString(path, job.ID), inBraces.ReplaceAllString(path, "none"))
		}
	}
	for _, path := range paths {
		status, text, h := c.do(c.request("HEAD", path, nil))
		if text != "" {
			t.Errorf("%s: %s", path, text)
		}
		if strings.HasSuffix(path, "/events") { // GET goes on
			if want := map[bool]int{true: 200, false: 404}[path == "/api/events" || strings.HasPrefix(path, "/api/jobs/"+job.ID)]; status != want {
				t.Errorf("%s: %d", path, status)
			} else if kind := h.Get("Content-Type"); want == 200 && kind != "text/event-stream" {
				t.Errorf("%s: %s", path, kind)
			}
			continue
		}
		if want, _, wanted := c.do(c.request("GET", path, nil)); status != want || h.Get("Content-Type") != wanted.Get("Content-Type") {
			t.Errorf("%s: HEAD %d %s, GET %d", path, status, h.Get("Content-Type"), want)
		}
	}
}

// TestScheme writes the scheme of the token in several ways.
func TestScheme(t *testing.T) {
	c := start(t, studio.Options{})
	for _, scheme := range []string{"Bearer", "bearer", "BEARER", "bEaReR"} {
		r := c.request("GET", "/api/jobs", nil)
		r.Header.Set("Authorization", scheme+" "+c.token)
		if status, text, _ := c.do(r); status != http.StatusOK {
			t.Errorf("%s: %d %s", scheme, status, text)
		}
	}
	for _, wrong := range []string{"", "Bearer", "Bearer ", "Basic " + c.token, c.token, "Bearer" + c.token, "Bearer  " + c.token, "Bearer " + strings.ToLower(c.token)} {
		r := c.request("GET", "/api/jobs", nil)
		r.Header.Set("Authorization", wrong)
		if status, text, h := c.do(r); status != http.StatusUnauthorized || h.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%q: %d %s", wrong, status, text)
		}
	}
}

// foreign finds words of Go, of its packages and of this machine in an error.
var foreign = regexp.MustCompile(`json:|Go |\bstruct\b|strconv|\*|studio\.|library\.|unmarshal|\b(u?int|float)(8|16|32|64)?\b|\bbool\b|\bstring\b|\bnil\b|` +
	`\bmap\b|\bslice\b|reflect|runtime|syscall|invalid character|EOF|%!|0x[0-9a-f]{6}|/tmp|/root|\.go\b`)

// wrongs are values of all types in JSON, and texts that are not JSON.
var wrongs = []string{`1`, `-1.5`, `1e400`, `123456789012345678901234567890`, `"x"`, `"\u0000<b>"`, `true`, `null`, `[]`, `["x"]`, `[null]`, `{"x":1}`, `nul`}

// TestWrongTypes puts values of wrong types into each field of each body of the API, also into
// those within fields, and sends bodies that are no object. Each is refused with a text that names
// the field, if it is not accepted, and no text has a word of Go in it.
func TestWrongTypes(t *testing.T) {
	c := start(t, studio.Options{Memory: 64 << 20, Workspace: workspace(t)})
	post := func(path, body string) (int, string) {
		r := c.request("POST", path, nil)
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Type", "application/json")
		status, text, _ := c.do(r)
		var a struct{ Error string }
		if err := json.Unmarshal([]byte(text), &a); err != nil || status >= 400 && a.Error == "" {
			t.Errorf("%s %s: %s", path, body, text)
		}
		if status >= 400 && foreign.MatchString(a.Error) {
			t.Errorf("%s %.300s: %d %q has %q", path, body, status, a.Error, foreign.FindString(a.Error))
		}
		if strings.HasPrefix(path, "/api/jobs") && status == 200 {
			var job studio.Job
			if json.Unmarshal([]byte(text), &job) == nil {
				c.stop(job.ID)
			}
		}
		return status, a.Error
	}
	text, err := os.ReadFile("openapi.json")
	require.NoError(t, err)
	var document schemas
	require.NoError(t, json.Unmarshal(text, &document))
	fields := 0
	for _, s := range samples(t) {
		method, path, _ := strings.Cut(s.Request, " ")
		if method != "POST" || s.Body == nil {
			continue
		}
		path = inBraces.ReplaceAllString(path, "1")
		for _, text := range append(wrongs, "", " ", "{", `{} {}`, `{"a":1,}`, `{"kind":"solve"`, strings.Repeat("[", 20_000), "\xff") {
			post(path, text)
		}
		if status, why := post(path, with(t, s.Body, []string{"unheard <of>"}, `1`)); status != 400 || !strings.Contains(why, `the body has the unknown field "unheard <of>"; `) {
			t.Errorf("%s: %d %s", path, status, why)
		}
		var kind struct{ Kind string }
		require.NoError(t, json.Unmarshal(s.Body, &kind))
		for _, at := range document.places(document.body(s.Request, kind.Kind)) {
			fields++
			for _, value := range wrongs {
				status, why := post(path, with(t, s.Body, at, value))
				name := strings.TrimSuffix(strings.Join(at, "."), "."+element)
				if status == 400 && !strings.Contains(why, name[strings.LastIndex(name, ".")+1:]) && !strings.Contains(why, "the body is not JSON") {
					t.Errorf("%s: %s = %s: the error does not name it: %s", path, name, value, why)
				}
			}
		}
	}
	for path, want := range map[string]string{
		"/api/jobs/1/puzzles?from=x":                        `from: it is a whole number, such as 12, not "x"`,
		"/api/jobs/1/puzzles?from=99999999999999999999":     `from: it is a whole number, such as 12, not "99999999999999999999"`,
		"/api/jobs/1/puzzles?from=-1":                       "from -1: it is 0 or more",
		"/api/jobs/1/export":                                `form "": it is text, html, arimaa or json`,
		"/api/jobs/1/export?form=%00":                       `form "�": it is text, html, arimaa or json`,
		"/api/archives/x/game?header=1&offset=1":            "bytes: it is missing behind the path",
		"/api/archives/x/game?header=1.5&offset=1&bytes=1":  `header: it is a whole number, such as 12, not "1.5"`,
		"/api/archives/x/game?header=01&offset=1&bytes=1":   `header: it is a whole number, such as 12, not "01"`,
		"/api/archives/%2e%2e/game?header=1&offset=1&bytes": "bytes: it is missing behind the path",
	} {
		c.refusedFor(0, want, "GET", path, nil)
	}
	if fields < 150 {
		t.Errorf("only %d fields", fields)
	}
}

// schemas finds schemas in the document.
type schemas map[string]any

// body returns the schema of the body of a request, of a kind if it is one for a job.
func (s schemas) body(request, kind string) map[string]any {
	method, path, _ := strings.Cut(request, " ")
	schema := s.at("paths", path, strings.ToLower(method), "requestBody", "content", "application/json", "schema")
	if d, ok := schema["discriminator"].(map[string]any); ok {
		return s.resolved(map[string]any{"$ref": d["mapping"].(map[string]any)[kind]})
	}
	return s.resolved(schema)
}

func (s schemas) at(keys ...string) map[string]any {
	at := map[string]any(s)
	for _, key := range keys {
		at = at[key].(map[string]any)
	}
	return at
}

// resolved follows a reference, and leaves out that a value may be null.
func (s schemas) resolved(schema map[string]any) map[string]any {
	if either, ok := schema["oneOf"].([]any); ok {
		return s.resolved(either[0].(map[string]any))
	}
	if ref, ok := schema["$ref"].(string); ok {
		return s.at("components", "schemas", strings.TrimPrefix(ref, "#/components/schemas/"))
	}
	return schema
}

// element stands in a place for the elements of a list.
const element = "[]"

// places returns the places of all fields of a schema, and of those within them.
func (s schemas) places(schema map[string]any, at ...string) (all [][]string) {
	schema = s.resolved(schema)
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		place := append(slices.Clone(at), name)
		all = append(append(all, place), s.places(properties[name].(map[string]any), place...)...)
	}
	if items, ok := schema["items"].(map[string]any); ok {
		place := append(slices.Clone(at), element)
		all = append(append(all, place), s.places(items, place...)...)
	}
	if _, ok := schema["additionalProperties"].(map[string]any); ok {
		all = append(all, append(slices.Clone(at), "a name"))
	}
	return all
}

// with returns a text in JSON with a text put at a place, which may not be JSON.
func with(t *testing.T, body json.RawMessage, at []string, value string) string {
	t.Helper()
	const here = "here it is"
	var put func(in any, at []string) any
	put = func(in any, at []string) any {
		if len(at) == 0 {
			return here
		}
		if at[0] == element {
			list, _ := in.([]any)
			if len(list) == 0 {
				list = []any{nil}
			}
			list[0] = put(list[0], at[1:])
			return list
		}
		fields, _ := in.(map[string]any)
		if fields == nil {
			fields = map[string]any{}
		}
		fields[at[0]] = put(fields[at[0]], at[1:])
		return fields
	}
	var whole any
	require.NoError(t, json.Unmarshal(body, &whole))
	text, err := json.Marshal(put(whole, at))
	require.NoError(t, err)
	return strings.Replace(string(text), `"`+here+`"`, value, 1)
}
