package studio

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	gocmp "github.com/google/go-cmp/cmp"

	"goalproof/internal/testkit/require"
)

var update = flag.Bool("update", false, "write openapi.json anew")

// TestDocument makes the document of the API from the table of requests, their types and the
// comments at the fields of these. It is what openapi.json has, and it is OpenAPI.
//
// Its examples are in testdata/samples.json: see TestSamples.
//
//	go test ./studio -run TestDocument -update    # writes openapi.json
func TestDocument(t *testing.T) {
	d := documenter{T: t, comments: map[string]string{}, names: map[string]reflect.Type{}, both: map[reflect.Type]bool{}}
	text, err := os.ReadFile("testdata/samples.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &d.samples))
	made := d.document(new(Server).operations())
	var written bytes.Buffer
	e := json.NewEncoder(&written)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	require.NoError(t, e.Encode(made))
	if *update {
		require.NoError(t, os.WriteFile("openapi.json", written.Bytes(), 0o666))
		document = written.Bytes()
	}
	if diff := gocmp.Diff(string(document), written.String()); diff != "" {
		t.Fatalf("openapi.json is not what the code has. Run go test ./studio -run TestDocument -update\n%s", diff)
	}
	read, err := openapi3.NewLoader().LoadFromData(document)
	require.NoError(t, err)
	require.NoError(t, read.Validate(t.Context()))
}

// object is an object in JSON.
type object = map[string]any

// direction is who writes a value: a field that a client may leave out, the studio may always
// write.
type direction int

const (
	given direction = iota // by the client
	shown                  // by the studio
)

// sample is an example of a request, in testdata/samples.json.
type sample struct {
	Request, Name string
	Body, Answer  json.RawMessage
}

// documenter makes the document.
type documenter struct {
	*testing.T
	samples  []sample
	comments map[string]string // of types and of their fields, by package, type and field
	parsed   []string          // packages
	used     [2]map[reflect.Type]bool
	both     map[reflect.Type]bool // types that clients and the studio write
	names    map[string]reflect.Type
	schemas  object
}

// document returns the document. It is made again as long as it shows more types that clients and
// the studio both write.
func (d *documenter) document(operations []operation) object {
	var paths object
	for known := -1; known < len(d.both); {
		known = len(d.both)
		d.used = [2]map[reflect.Type]bool{{}, {}}
		d.schemas, paths = object{}, object{}
		d.schemas["Failure"] = d.structure(reflect.TypeFor[failure](), shown)
		for _, o := range operations {
			method, path, _ := strings.Cut(o.pattern, " ")
			if paths[path] == nil {
				paths[path] = object{}
			}
			paths[path].(object)[strings.ToLower(method)] = d.operation(&o, method, path)
		}
		for t := range d.used[given] {
			if d.used[shown][t] {
				d.both[t] = true
			}
		}
	}
	return object{
		"openapi": "3.1.0",
		"info": object{
			"title":   "goalproof studio",
			"version": "1",
			"description": "The requests that goalproof studio answers: see goalproof help studio-api. Where a request is GET, HEAD is answered too. " +
				"A field of a body that is left out, or null, is \"\", 0, false or none.",
		},
		"servers":  []any{object{"url": "/"}},
		"security": []any{object{"token": []any{}}},
		"paths":    paths,
		"components": object{
			"schemas": d.schemas,
			"responses": object{"Failure": object{"description": "An error.", "content": object{"application/json": object{
				"schema": object{"$ref": "#/components/schemas/Failure"}, "example": object{"error": "win_in: it is a whole number, such as 12"}}}}},
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer",
				"description": "The token stands behind the # of the address that goalproof studio prints."}},
		},
	}
}

func inJSON(schema object) object { return object{"application/json": object{"schema": schema}} }

// failures say what statuses mean.
var failures = map[int]string{
	http.StatusBadRequest:            "The body does not have the documented form.",
	http.StatusUnauthorized:          "The token is missing or wrong.",
	http.StatusForbidden:             "The request names another host, or comes from another page.",
	http.StatusNotFound:              "What the request is about does not exist.",
	http.StatusConflict:              "The file has another version than the request names, or the name of a new one is taken.",
	http.StatusRequestEntityTooLarge: "The body is too long.",
	http.StatusUnsupportedMediaType:  "The body is of another content type.",
	http.StatusUnprocessableEntity:   "The request means nothing, or cannot be fulfilled.",
	http.StatusTooManyRequests:       "The queue is full.",
	http.StatusInternalServerError:   "The library cannot be read.",
	http.StatusServiceUnavailable:    "It is not possible now: try again later.",
}

var inBraces = regexp.MustCompile(`{(\w+)}`)

// operation documents a request.
func (d *documenter) operation(o *operation, method, path string) object {
	id := strings.ToLower(method)
	for part := range strings.FieldsFuncSeq(strings.TrimPrefix(path, "/api/"), func(r rune) bool { return strings.ContainsRune("/{}._", r) }) {
		id += strings.ToUpper(part[:1]) + part[1:]
	}
	if o.about == "" || !strings.HasSuffix(o.about, ".") {
		d.Errorf("%s: %q is no sentence", o.pattern, o.about)
	}
	doc := object{"operationId": id, "summary": o.about}
	var parameters []any
	for _, m := range inBraces.FindAllStringSubmatch(path, -1) {
		parameters = append(parameters, object{"name": m[1], "in": "path", "required": true, "schema": object{"type": "string"}})
	}
	if o.query != nil {
		for _, f := range fieldsOf(o.query) {
			parameters = append(parameters, object{"name": f.name, "in": "query", "required": !f.optional, "description": d.comment(f.in, f.StructField.Name),
				"schema": d.schema(f.Type, given)})
		}
	}
	if parameters != nil {
		doc["parameters"] = parameters
	}
	switch {
	case o.body != nil:
		doc["requestBody"] = object{"required": true, "content": inJSON(d.schema(o.body, given))}
	case o.takes != "":
		doc["requestBody"] = object{"required": true, "content": object{o.takes: object{}}}
	}
	good := object{"description": "The answer."}
	responses := object{"200": good}
	switch {
	case o.answer != nil:
		good["content"] = inJSON(d.schema(o.answer, shown))
	case o.events != nil:
		good["description"], good["content"] = d.events(o.events)
	default:
		files := object{}
		for _, kind := range o.gives {
			files[kind] = object{}
		}
		good["description"], good["content"] = "The file.", files
	}
	doc["responses"] = responses
	d.exemplify(o.pattern, doc["requestBody"], func(s sample) json.RawMessage { return s.Body })
	d.exemplify(o.pattern, good, func(s sample) json.RawMessage { return s.Answer })
	for _, status := range o.errors() {
		if failures[status] == "" {
			d.Errorf("%s: nothing says what the status %d means", o.pattern, status)
		}
		responses[fmt.Sprint(status)] = object{"$ref": "#/components/responses/Failure", "description": failures[status]}
	}
	return doc
}

// exemplify adds the examples of a request to its body or its answer.
func (d *documenter) exemplify(request string, to any, part func(sample) json.RawMessage) {
	examples := object{}
	for _, s := range d.samples {
		if text := part(s); s.Request == request && text != nil {
			examples[cmp.Or(s.Name, "example")] = object{"value": text}
		}
	}
	if to == nil || len(examples) == 0 {
		return
	}
	for _, content := range to.(object)["content"].(object) {
		content.(object)["examples"] = examples
	}
}

// events documents a stream.
func (d *documenter) events(all []eventType) (says string, content object) {
	says = "Server-sent events, until the stream ends. The data of each is an object in JSON, in one line."
	var data []any
	for _, e := range all {
		schema := d.schema(e.data, shown)
		if e.name != "" {
			data := "is an empty object"
			if ref, ok := schema["$ref"].(string); ok {
				data = "has the schema " + strings.TrimPrefix(ref, "#/components/schemas/")
			}
			says += fmt.Sprintf(" The data of the event %s %s.", e.name, data)
		}
		if !slices.ContainsFunc(data, func(s any) bool { return reflect.DeepEqual(s, schema) }) {
			data = append(data, schema)
		}
	}
	return says, object{"text/event-stream": object{"schema": object{
		"type": "string", "contentMediaType": "application/json", "contentSchema": object{"anyOf": data}, "description": "The schema is that of the data of an event."}}}
}

// schema returns the schema of a type.
func (d *documenter) schema(t reflect.Type, who direction) object {
	if row, ok := reflect.Zero(t).Interface().(interface{ written() reflect.Type }); ok {
		return d.schema(row.written(), who)
	}
	switch t {
	case reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case reflect.TypeFor[posted](), reflect.TypeFor[any](): // the request of a job as it is shown
		return d.kinds(who)
	}
	switch t.Kind() {
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Uint32, reflect.Uint64:
		return object{"type": "integer", "minimum": 0}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Pointer:
		return nullable(d.schema(t.Elem(), who))
	case reflect.Slice:
		return object{"type": "array", "items": d.schema(t.Elem(), who)}
	case reflect.Array:
		return object{"type": "array", "items": d.schema(t.Elem(), who), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": d.schema(t.Elem(), who)}
	case reflect.Struct:
		if t.Name() == "" {
			return d.structure(t, who)
		}
		return d.component(t, who)
	}
	d.Fatalf("%v has no schema: see documenter.schema", t)
	return nil
}

// nullable returns a schema that allows null besides.
func nullable(s object) object {
	if kind, ok := s["type"].(string); ok {
		s["type"] = []string{kind, "null"}
		return s
	}
	return object{"oneOf": []any{s, object{"type": "null"}}}
}

// component returns a reference to the schema of a struct with a name.
func (d *documenter) component(t reflect.Type, who direction) object {
	name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	if other := d.names[name]; other != nil && other != t {
		pkg := filepath.Base(t.PkgPath())
		name = strings.ToUpper(pkg[:1]) + pkg[1:] + name
	}
	d.names[name] = t
	d.used[who][t] = true
	if d.both[t] && who == given {
		name += "Input"
	}
	if d.schemas[name] == nil {
		d.schemas[name] = object{} // for those that lead back to it
		d.schemas[name] = d.structure(t, who)
	}
	return object{"$ref": "#/components/schemas/" + name}
}

// structure returns the schema of a struct.
func (d *documenter) structure(t reflect.Type, who direction) object {
	properties, required := object{}, []string{}
	for _, f := range fieldsOf(t) {
		kind := f.Type
		if who == shown && f.empties && kind.Kind() == reflect.Pointer {
			kind = kind.Elem() // it is left out in place of null
		}
		s := d.schema(kind, who)
		says := renamed(d.comment(f.in, f.StructField.Name), f.StructField.Name, f.name)
		if says != "" {
			s["description"] = says
		}
		if (f.Type.Kind() == reflect.Slice || f.Type.Kind() == reflect.Map) && isNull.MatchString(says) {
			s = nullable(s)
		}
		properties[f.name] = s
		if !f.optional {
			required = append(required, f.name)
		}
	}
	s := object{"type": "object", "properties": properties, "additionalProperties": false}
	if who == shown && len(required) > 0 {
		s["required"] = required
	}
	if says := d.comment(t, ""); says != "" {
		s["description"] = renamed(says, t.Name(), strings.ToUpper(t.Name()[:1])+t.Name()[1:])
	}
	return s
}

// renamed returns a comment that begins with a name in Go with another name.
func renamed(says, from, to string) string {
	if rest, ok := strings.CutPrefix(says, from); ok && rest != "" && strings.ContainsAny(rest[:1], " :,") {
		return to + rest
	}
	return says
}

// isNull finds in the comment at a list that it may be null.
var isNull = regexp.MustCompile(`\bnull\b`)

// kinds returns the schema of a request for a job of any kind.
func (d *documenter) kinds(who direction) object {
	var all []any
	mapping := object{}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		ref := d.component(reflect.TypeOf(kinds[name]()).Elem(), who)
		schema := d.schemas[filepath.Base(ref["$ref"].(string))].(object)
		schema["properties"].(object)["kind"] = object{"const": name}
		if required, _ := schema["required"].([]string); !slices.Contains(required, "kind") {
			schema["required"] = append(required, "kind")
		}
		all = append(all, ref)
		mapping[name] = ref["$ref"]
	}
	return object{"oneOf": all, "discriminator": object{"propertyName": "kind", "mapping": mapping}}
}

// comment returns the comment at a field of a type, or at the type itself.
func (d *documenter) comment(t reflect.Type, name string) string {
	folder, ours := strings.CutPrefix(t.PkgPath(), "goalproof/")
	if !ours {
		return ""
	}
	if !slices.Contains(d.parsed, folder) {
		d.parsed = append(d.parsed, folder)
		d.parse(folder)
	}
	return d.comments[folder+" "+t.Name()+" "+name]
}

// link is a link in a comment.
var link = regexp.MustCompile(`\[\*?([\w.]+)\]`)

// parse reads the comments of a package.
func (d *documenter) parse(folder string) {
	files, err := filepath.Glob(filepath.Join("..", folder, "*.go"))
	require.NoError(d, err)
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(d, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			decl, ok := n.(*ast.GenDecl)
			if !ok {
				return true
			}
			for _, spec := range decl.Specs {
				named, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				at := folder + " " + named.Name.Name + " "
				d.note(at, decl.Doc, named.Doc)
				if fields, ok := named.Type.(*ast.StructType); ok {
					for _, f := range fields.Fields.List {
						for _, name := range f.Names {
							d.note(at+name.Name, f.Doc, f.Comment)
						}
					}
				}
			}
			return false
		})
	}
}

// note remembers the first comment that there is.
func (d *documenter) note(at string, comments ...*ast.CommentGroup) {
	for _, c := range comments {
		if text := strings.Join(strings.Fields(c.Text()), " "); text != "" && d.comments[at] == "" {
			d.comments[at] = link.ReplaceAllString(text, "$1")
		}
	}
}
