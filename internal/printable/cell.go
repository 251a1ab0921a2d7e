package printable

import (
	"strings"
)

// Cell returns a printable text that no spreadsheet takes for a formula: if it begins with =, +, -,
// @ or a tab (or a carriage return, which is not printable), an apostrophe precedes it, which
// spreadsheets read as "what follows is text" (OWASP, CSV Injection). It is for names; numbers are
// written as they are.
func Cell(text string) string {
	text = Text(text)
	if text != "" && strings.ContainsRune("=+-@\t", rune(text[0])) {
		return "'" + text
	}
	return text
}
