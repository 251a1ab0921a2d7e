package cli

import (
	"encoding/json"
	"io"

	"goalproof/answer"
)

// WriteJSON writes a value as JSON on a line of its own.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// VerdictName is the verdict in JSON.
func VerdictName(v answer.Verdict) string {
	switch v {
	case answer.Proved:
		return "win"
	case answer.Disproved:
		return "no-win"
	}
	return "unknown"
}
