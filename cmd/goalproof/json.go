package main

import (
	"encoding/json"
	"io"
)

// writeJSON writes a value as JSON on a line of its own.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
