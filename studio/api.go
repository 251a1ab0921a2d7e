package studio

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"
)

// operation is a request of the API. The table of them is what is served, and what openapi.json
// documents: TestDocument makes that file from it.
type operation struct {
	pattern string // method and path
	about   string // what it does, in a sentence
	action
}

// action is how a request is answered. The types are those of JSON; nil stands for none.
type action struct {
	serve    http.HandlerFunc
	body     reflect.Type
	query    reflect.Type // a struct with a field for each parameter behind the path
	answer   reflect.Type
	events   []eventType // in place of an answer
	takes    string      // the content type of a body that is not JSON
	gives    []string    // the content types of an answer that is not JSON
	statuses []int       // of errors, besides those that follow from the rest
}

// eventType is a server-sent event with its data. Its name may be "".
type eventType struct {
	name string
	data reflect.Type
}

// eventOf is an event with data of a type.
func eventOf[Data any](name string) eventType { return eventType{name, reflect.TypeFor[Data]()} }

// handle answers a request with a JSON body. An error of act is one of the request.
func handle[Request, Answer any](act func(Request) (Answer, error)) action {
	return answering(func(_ http.ResponseWriter, _ *http.Request, request Request) (Answer, error) { return act(request) })
}

// handleAbout is handle for a request whose path says what it is about ([subject]).
func handleAbout[Request, Answer any](act func(subject string, request Request) (Answer, error)) action {
	return answering(func(_ http.ResponseWriter, r *http.Request, request Request) (Answer, error) {
		return act(subject(r), request)
	})
}

// answering is handle for what needs the request itself, besides its body.
func answering[Request, Answer any](act func(http.ResponseWriter, *http.Request, Request) (Answer, error)) action {
	return action{body: reflect.TypeFor[Request](), answer: reflect.TypeFor[Answer](), serve: func(w http.ResponseWriter, r *http.Request) {
		var request Request
		if status, err := decode(r, &request); err != nil {
			refuse(w, status, err)
			return
		}
		found, err := act(w, r, request)
		answered(w, found, err)
	}}
}

// get answers a request without a body.
func get[Answer any](find func(subject string) (Answer, error)) action {
	return getting(func(_ http.ResponseWriter, r *http.Request, _ struct{}) (Answer, error) { return find(subject(r)) })
}

// getting is get for what needs the request itself, or its parameters: the fields of Query.
func getting[Query, Answer any](find func(http.ResponseWriter, *http.Request, Query) (Answer, error)) action {
	a := file(func(w http.ResponseWriter, r *http.Request, q Query) {
		found, err := find(w, r, q)
		answered(w, found, err)
	})
	a.answer = reflect.TypeFor[Answer]()
	return a
}

// file answers with a file of one of the content types.
func file[Query any](serve func(http.ResponseWriter, *http.Request, Query), types ...string) action {
	return action{query: reflect.TypeFor[Query](), gives: types, serve: func(w http.ResponseWriter, r *http.Request) {
		q, err := queried[Query](r)
		if err != nil {
			refuse(w, statusOf(err), err)
			return
		}
		serve(w, r, q)
	}}
}

// upload answers a request whose body is an archive.
func upload[Answer any](receive func(*http.Request) (Answer, error)) action {
	const takes = "application/octet-stream"
	return action{takes: takes, answer: reflect.TypeFor[Answer](), serve: func(w http.ResponseWriter, r *http.Request) {
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != takes {
			refuse(w, http.StatusUnsupportedMediaType, errors.New("the body is not "+takes))
			return
		}
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(archiveTime))
		found, err := receive(r)
		takeRest(r) // before a long answer: both sides could wait for each other
		var long *http.MaxBytesError
		if errors.As(err, &long) {
			refuse(w, http.StatusRequestEntityTooLarge, tooLarge(long.Limit))
			return
		}
		answered(w, found, err)
	}}
}

// streaming answers with server-sent events. A request for the header alone (HEAD) ends at once.
func streaming(serve http.HandlerFunc, events ...eventType) action {
	return action{events: events, statuses: []int{http.StatusServiceUnavailable}, serve: func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			ctx, end := context.WithCancel(r.Context())
			end()
			r = r.WithContext(ctx)
		}
		serve(w, r)
	}}
}

// failing adds statuses of errors.
func (a action) failing(statuses ...int) action {
	a.statuses = append(slices.Clone(a.statuses), statuses...)
	return a
}

// errors returns the statuses of all errors of an operation, in order.
func (o *operation) errors() []int {
	all := append([]int{http.StatusUnauthorized, http.StatusForbidden}, o.statuses...)
	if o.body != nil {
		all = append(all, http.StatusBadRequest)
	}
	if o.body != nil || o.takes != "" {
		all = append(all, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity)
	}
	if strings.Contains(o.pattern, "{") {
		all = append(all, http.StatusNotFound)
	}
	if o.query != nil && o.query.NumField() > 0 {
		all = append(all, http.StatusUnprocessableEntity)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// subject returns what the path of a request is about: the id of a job or search, the name of a
// file, or "".
func subject(r *http.Request) string { return cmp.Or(r.PathValue("id"), r.PathValue("name")) }

// queried reads the parameters behind the path into the fields of a struct, which are texts and
// numbers.
func queried[Query any](r *http.Request) (q Query, err error) {
	given := map[string]any{}
	for _, f := range fieldsOf(reflect.TypeFor[Query]()) {
		text := r.URL.Query().Get(f.name)
		switch {
		case f.Type.Kind() == reflect.String:
			given[f.name] = text
		case text != "" && !(fitting(text, f.Type) && json.Valid([]byte(text))):
			return q, fmt.Errorf("%s: it is %s, not %s", f.name, wanted(f.Type), quoted(text))
		case text != "":
			given[f.name] = json.RawMessage(text)
		case !f.optional:
			return q, fmt.Errorf("%s: it is missing behind the path, as in %s?%s=1", f.name, r.URL.Path, f.name)
		}
	}
	text, err := json.Marshal(given)
	if err != nil {
		return q, err
	}
	return q, strictly(text, &q, r.Method+" "+r.URL.Path)
}

// document is the document of the API, OpenAPI 3.1.
//
//go:embed openapi.json
var document []byte

// documented answers with the document.
func documented(w http.ResponseWriter, _ *http.Request, _ struct{}) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(document) // the client may have disconnected
}

// serveAll registers the operations, and refuses all other requests.
func serveAll(m *http.ServeMux, operations []operation) http.Handler {
	for _, o := range operations {
		serve := o.serve
		if strings.HasPrefix(o.pattern, "GET ") && o.events == nil {
			serve = compressed(serve)
		}
		m.HandleFunc(o.pattern, serve)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, pattern := m.Handler(r)
		if pattern != "" {
			m.ServeHTTP(w, r)
			return
		}
		var said onlyHeader
		h.ServeHTTP(&said, r)
		switch allowed := said.Header().Get("Allow"); {
		case allowed != "":
			w.Header().Set("Allow", allowed)
			refuse(w, http.StatusMethodNotAllowed, fmt.Errorf("%s is not for this path, which takes %s", quoted(r.Method), allowed))
		case strings.HasPrefix(r.URL.Path, "/api/"):
			refuse(w, http.StatusNotFound, fmt.Errorf("the API has no path %s: GET /api/openapi.json lists them", quoted(r.URL.Path)))
		default:
			refuse(w, http.StatusNotFound, fmt.Errorf("there is no page %s: the studio's is /", quoted(r.URL.Path)))
		}
	})
}

// onlyHeader takes an answer and keeps its header alone.
type onlyHeader struct{ header http.Header }

// Header returns the header.
func (o *onlyHeader) Header() http.Header {
	if o.header == nil {
		o.header = http.Header{}
	}
	return o.header
}

// Write drops a text.
func (o *onlyHeader) Write(b []byte) (int, error) { return len(b), nil }

// WriteHeader does nothing.
func (o *onlyHeader) WriteHeader(int) {}

// encoded is a row of an answer, which has been written already.
type encoded[Row any] json.RawMessage

// MarshalJSON returns the row.
func (e encoded[Row]) MarshalJSON() ([]byte, error) { return e, nil }

// written is the type of the row.
func (encoded[Row]) written() reflect.Type { return reflect.TypeFor[Row]() }
