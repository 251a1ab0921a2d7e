package main

import (
	"encoding/json"
	"fmt"
	"io"
)

// amount says how many there are of something, such as "1 turn" or "2 turns".
func amount(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// writeJSON writes a value as JSON on a line of its own.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
