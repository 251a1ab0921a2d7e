package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Schema numbers the form of the objects that commands and the studio write for programs (goalproof
// help json). It grows when a field goes, or changes its name or meaning; a field that is new
// leaves it as it is.
const Schema = 1

// WriteJSON writes an object on a line of its own. Its first field is schema.
func WriteJSON(w io.Writer, object any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(object); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, `{"schema":%d,%s`, Schema, b.Bytes()[1:]) // behind the brace
	return err
}
