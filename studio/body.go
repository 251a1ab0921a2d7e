package studio

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"goalproof/arimaa/notation"
)

// decode reads the body of a request, one JSON value without unknown fields. It refuses other
// content types, which foreign pages could send without asking.
func decode(r *http.Request, to any) (status int, err error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return http.StatusUnsupportedMediaType, errors.New("the body is not application/json")
	}
	text, err := io.ReadAll(r.Body)
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		return http.StatusRequestEntityTooLarge, tooLarge(long.Limit)
	case err != nil:
		return http.StatusBadRequest, errors.New("the body did not arrive in time, or the connection broke")
	}
	if err := strictly(text, to, r.Method+" "+r.URL.Path); err != nil {
		return http.StatusBadRequest, err
	}
	return 0, nil
}

const noObject = "the body is no object in JSON, such as {}"

// strictly reads one JSON value without unknown fields. What the value is for stands in errors.
func strictly(text []byte, to any, what string) error {
	if string(bytes.TrimSpace(text)) == "null" {
		return errors.New(noObject)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return misread(text, reflect.TypeOf(to), what, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("the body is more than one JSON value")
	}
	return nil
}

// misread says why a text could not be read as a type, in words for people who know JSON and not
// Go. The error is that of package encoding/json, or of a type that reads itself, which is in words
// already.
func misread(text []byte, t reflect.Type, what string, err error) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return fmt.Errorf("the body is empty: %s takes an object in JSON, such as {}", what)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	var syntax *json.SyntaxError
	switch e := d.Decode(&value); {
	case errors.As(e, &syntax):
		return fmt.Errorf("the body is not JSON: it breaks the rules at byte %d", syntax.Offset)
	case e != nil:
		return errors.New("the body is not JSON: it breaks off")
	}
	if says := mismatch(value, t, "", what); says != "" {
		return errors.New(says)
	}
	return err
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// mismatch says how a JSON value differs from what a type is read from; "" if it does not. At is
// the place of the value in the body, "" for the body itself.
func mismatch(value any, t reflect.Type, at, what string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case value == nil || reflect.PointerTo(t).Implements(unmarshaler):
		return "" // null changes nothing, and the other says itself what is wrong
	case !fits(value, t) && at == "":
		return noObject
	case !fits(value, t):
		return at + ": it is " + wanted(t)
	}
	switch v := value.(type) {
	case []any:
		for i, element := range v {
			if says := mismatch(element, t.Elem(), fmt.Sprintf("%s[%d]", at, i), what); says != "" {
				return says
			}
		}
	case map[string]any:
		if t.Kind() == reflect.Struct {
			return mismatchedFields(v, t, at, what)
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if says := mismatch(v[key], t.Elem(), below(at, key), what); says != "" {
				return says
			}
		}
	}
	return ""
}

// mismatchedFields is mismatch for an object that is read into a struct.
func mismatchedFields(object map[string]any, t reflect.Type, at, what string) string {
	unknown := maps.Clone(object)
	var names []string
	for _, f := range fieldsOf(t) {
		names = append(names, f.name)
		for key, value := range object {
			if !strings.EqualFold(key, f.name) { // as package encoding/json compares them
				continue
			}
			if says := mismatch(value, f.Type, below(at, f.name), what); says != "" {
				return says
			}
			delete(unknown, key)
		}
	}
	if len(unknown) == 0 {
		return ""
	}
	first, takes := quoted(slices.Sorted(maps.Keys(unknown))[0]), cmp.Or(strings.Join(names, ", "), "none")
	if at == "" {
		return fmt.Sprintf("the body has the unknown field %s; %s takes %s", first, what, takes)
	}
	return fmt.Sprintf("%s has the unknown field %s; it takes %s", at, first, takes)
}

// below returns the place of a field.
func below(at, field string) string {
	if at == "" {
		return field
	}
	return at + "." + notation.Legible(field)
}

// fits reports whether a value in JSON is of the kind that a type is read from.
func fits(value any, t reflect.Type) bool {
	switch v := value.(type) {
	case map[string]any:
		return t.Kind() == reflect.Struct || t.Kind() == reflect.Map
	case []any:
		return t.Kind() == reflect.Slice
	case json.Number:
		return fitting(v.String(), t)
	case string:
		return t.Kind() == reflect.String
	case bool:
		return t.Kind() == reflect.Bool
	}
	return false
}

// quoted quotes a text from a request, and shortens a long one.
func quoted(text string) string { return fmt.Sprintf("%.60q", notation.Legible(text)) }

// fitting reports whether a number in JSON is one of a type.
func fitting(number string, t reflect.Type) bool {
	var err error
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		_, err = strconv.ParseInt(number, 10, t.Bits())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		_, err = strconv.ParseUint(number, 10, t.Bits())
	case reflect.Float32, reflect.Float64:
		_, err = strconv.ParseFloat(number, t.Bits())
	default:
		return false
	}
	return err == nil
}

// wanted says from what in JSON a type is read.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number, such as 12"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number, 0 or more, such as 12"
	case reflect.Float32, reflect.Float64:
		return "a number, such as 1.5"
	case reflect.String:
		return "a text"
	case reflect.Slice, reflect.Array:
		return "a list"
	}
	return "an object"
}

// field is a field of an object in JSON.
type field struct {
	reflect.StructField
	name     string
	in       reflect.Type // the struct that declares it
	optional bool         // it may be left out: where it is empty, or what embeds it is nil
	empties  bool         // it is left out where it is empty
	depth    int          // of embedding
}

// fieldsOf returns the fields of a struct in JSON, in the order in which they are declared. Of
// fields of one name, the least deeply embedded one counts, as in package encoding/json.
func fieldsOf(t reflect.Type) []field {
	var all []field
	var collect func(t reflect.Type, depth int, optional bool)
	collect = func(t reflect.Type, depth int, optional bool) {
		for f := range t.Fields() {
			name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			switch {
			case f.Anonymous && name == "" && inner.Kind() == reflect.Struct:
				collect(inner, depth+1, optional || inner != f.Type)
			case f.IsExported() && name != "" && name != "-":
				empties := strings.Contains(rest, "omitempty") || strings.Contains(rest, "omitzero")
				all = append(all, field{f, name, t, optional || empties, empties, depth})
			}
		}
	}
	collect(t, 0, false)
	least := map[string]int{}
	for _, f := range all {
		if depth, met := least[f.name]; !met || f.depth < depth {
			least[f.name] = f.depth
		}
	}
	return slices.DeleteFunc(all, func(f field) bool { return f.depth > least[f.name] })
}

// inWords is an error in words for a person: without the names of Go's packages and types, and
// without paths of this machine.
func inWords(err error) string {
	text := notation.Explain(err)
	say := func(e error, words string) { text = strings.ReplaceAll(text, e.Error(), words) }
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		say(e, filepath.Base(e.Path)+": "+e.Err.Error())
	}
	if e := (*os.LinkError)(nil); errors.As(err, &e) {
		say(e, filepath.Base(e.New)+": "+e.Err.Error())
	}
	if e := (*strconv.NumError)(nil); errors.As(err, &e) {
		say(e, quoted(e.Num)+" is no number that is possible here")
	}
	if e := (*json.SyntaxError)(nil); errors.As(err, &e) {
		say(e, fmt.Sprintf("it is not JSON, at byte %d", e.Offset))
	}
	if e := (*json.UnmarshalTypeError)(nil); errors.As(err, &e) {
		say(e, strings.TrimPrefix(e.Field+": it is "+wanted(e.Type), ": "))
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		say(io.ErrUnexpectedEOF, "it breaks off")
	}
	return text
}
