package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"goalproof/answer"
)

// Amount says how many there are of something, such as "1 turn" or "2 turns".
func Amount(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

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
