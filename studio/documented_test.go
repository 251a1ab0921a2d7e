package studio_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// documented is the document of the API, against which the client of these tests holds what it
// sends and receives.
var documented = sync.OnceValue(func() *contract {
	text, err := os.ReadFile("openapi.json")
	if err != nil {
		panic(err)
	}
	return newContract(text)
})

// contract is a document of the API.
type contract struct {
	Paths    map[string]map[string]operation `json:"paths"`
	routes   *http.ServeMux
	mu       sync.Mutex // of the compiler
	compiler *jsonschema.Compiler
}

// operation is the documentation of a request.
type operation struct {
	Parameters  []struct{ Name, In string }
	RequestBody struct{ Content map[string]media }
	Responses   map[string]struct {
		Ref     string `json:"$ref"`
		Content map[string]media
	}
}

// media is the documentation of a text of a content type.
type media struct {
	Schema  json.RawMessage
	Example json.RawMessage
}

// resource is the address under which the schemas of the document are compiled.
const resource = "studio:openapi.json"

// newContract reads a document.
func newContract(text []byte) *contract {
	c := &contract{routes: http.NewServeMux(), compiler: jsonschema.NewCompiler()}
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err == nil {
		err = json.Unmarshal(text, c)
	}
	if err == nil {
		c.compiler.AssertFormat()
		c.compiler.DefaultDraft(jsonschema.Draft2020)
		err = c.compiler.AddResource(resource, whole)
	}
	if err != nil {
		panic(err)
	}
	for path, methods := range c.Paths {
		for method := range methods {
			c.routes.HandleFunc(strings.ToUpper(method)+" "+path, func(http.ResponseWriter, *http.Request) {})
		}
	}
	return c
}

// pointer returns a JSON pointer into the document.
func pointer(parts ...string) string {
	at := "#"
	for _, p := range parts {
		at += "/" + strings.NewReplacer("~", "~0", "/", "~1", "%", "%25", "{", "%7B", "}", "%7D", ";", "%3B", " ", "%20").Replace(p)
	}
	return at
}

// check returns how a text in JSON differs from the schema at a place of the document.
func (c *contract) check(at, text string) error {
	c.mu.Lock()
	schema, err := c.compiler.Compile(resource + at)
	c.mu.Unlock()
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// checkBody returns how a body that was accepted differs from the document.
func (c *contract) checkBody(path, method string, o *operation, kind, body string) error {
	if kind == "" && body == "" && len(o.RequestBody.Content) == 0 {
		return nil
	}
	if _, ok := o.RequestBody.Content[kind]; !ok {
		return fmt.Errorf("a body of the type %q is not documented", kind)
	}
	if kind != "application/json" {
		return nil
	}
	var value any
	if err := json.Unmarshal([]byte(body), &value); err != nil {
		return err
	}
	text, err := json.Marshal(withoutNull(value))
	if err != nil {
		return err
	}
	return c.check(pointer("paths", path, method, "requestBody", "content", kind, "schema"), string(text))
}

// withoutNull leaves fields out that are null: in a body that means the same, as the document says
// in words.
func withoutNull(value any) any {
	switch v := value.(type) {
	case map[string]any:
		maps.DeleteFunc(v, func(_ string, field any) bool { return field == nil })
		for key := range v {
			v[key] = withoutNull(v[key])
		}
	case []any:
		for i := range v {
			v[i] = withoutNull(v[i])
		}
	}
	return value
}

// checkAnswer returns how an answer differs from the document.
func (c *contract) checkAnswer(path, method string, o *operation, status int, kind, body string) error {
	answer, ok := o.Responses[fmt.Sprint(status)]
	if !ok {
		return fmt.Errorf("the status %d is not documented", status)
	}
	if answer.Ref != "" {
		return c.check(pointer("components", "responses", "Failure", "content", "application/json", "schema"), body)
	}
	content, ok := answer.Content[kind]
	switch {
	case !ok:
		return fmt.Errorf("an answer of the type %q is not documented", kind)
	case kind == "text/event-stream":
		return c.checkEvents(path, method, body)
	case content.Schema == nil: // a file
		return nil
	}
	return c.check(pointer("paths", path, method, "responses", fmt.Sprint(status), "content", kind, "schema"), body)
}

// checkEvents returns how the data of server-sent events differ from the document.
func (c *contract) checkEvents(path, method, body string) error {
	for line := range strings.Lines(body) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			at := pointer("paths", path, method, "responses", "200", "content", "text/event-stream", "schema", "contentSchema")
			if err := c.check(at, data); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkExchange returns how a request and its answer differ from the document. What was not
// accepted may be any request.
func (c *contract) checkExchange(r *http.Request, sent string, status int, kind, body string) error {
	_, pattern := c.routes.Handler(r)
	method, path, ok := strings.Cut(pattern, " ")
	if !ok || !strings.HasPrefix(r.URL.Path, "/api/") {
		if strings.HasPrefix(r.URL.Path, "/api/") && status < 400 {
			return fmt.Errorf("the path is not documented")
		}
		return nil
	}
	method = strings.ToLower(method)
	o := c.Paths[path][method]
	if status == http.StatusOK {
		if err := c.checkBody(path, method, &o, r.Header.Get("Content-Type"), sent); err != nil {
			return fmt.Errorf("the body: %w", err)
		}
		for name := range r.URL.Query() {
			if !strings.Contains(fmt.Sprint(o.Parameters), "{"+name+" query}") {
				return fmt.Errorf("the parameter %s is not documented", name)
			}
		}
	}
	if r.Method == http.MethodHead {
		return nil
	}
	if err := c.checkAnswer(path, method, &o, status, kind, body); err != nil {
		return fmt.Errorf("the answer: %w", err)
	}
	return nil
}

// TestUndocumented shows that what is not in the document fails: a path, a method, a parameter, a
// field of a body or of an answer, a field that is missing, a status and a content type.
func TestUndocumented(t *testing.T) {
	c := start(t, studio.Options{})
	status, whole, _ := c.do(c.request("GET", "/api/openapi.json", nil))
	if status != http.StatusOK {
		t.Fatal(whole)
	}
	r := c.request("POST", "/api/forms", map[string]any{"study": studio.Study{Position: endlessTask.Study.Position}})
	sent, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	r.Body = io.NopCloser(bytes.NewReader(sent))
	status, answer, h := c.do(r)
	if status != http.StatusOK {
		t.Fatal(answer)
	}
	check := func(document string, r *http.Request, status int, kind, answer string) error {
		return newContract([]byte(document)).checkExchange(r, string(sent), status, kind, answer)
	}
	kind := h.Get("Content-Type")
	if err := check(whole, r, 200, kind, answer); err != nil {
		t.Fatalf("as it is: %v", err)
	}
	for name, err := range map[string]error{
		"a path":                check(strings.ReplaceAll(whole, `"/api/forms"`, `"/api/shapes"`), r, 200, kind, answer),
		"a method":              check(whole, c.request("PUT", "/api/forms", nil), 200, kind, answer),
		"a parameter":           check(whole, c.request("GET", "/api/jobs?from=1", nil), 200, kind, `{"jobs":[]}`),
		"a field of a body":     check(strings.ReplaceAll(whole, `"position": {`, `"place": {`), r, 200, kind, answer),
		"a field of an answer":  check(whole, r, 200, kind, strings.Replace(answer, `{"forms"`, `{"more":1,"forms"`, 1)),
		"a field that is gone":  check(whole, r, 200, kind, strings.Replace(answer, `"about"`, `"text"`, 1)),
		"a value of a type":     check(whole, r, 200, kind, strings.Replace(answer, `"about":"`, `"about":1,"text":"`, 1)),
		"a status":              check(whole, r, 418, kind, answer),
		"a content type":        check(whole, r, 200, "text/plain", answer),
		"a field of an error":   check(whole, r, 422, kind, `{"error":"x","why":"y"}`),
		"an error without text": check(whole, r, 422, kind, `{}`),
	} {
		if err == nil {
			t.Errorf("%s that is not in the document passes", name)
		}
	}
}
