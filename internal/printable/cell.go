package printable

import (
	"strings"
)

// Cell returns a printable text such that no spreadsheet takes it for a formula: one that begins with =, +, -, @ or a tab
// (or a carriage return, which is not printable) has an apostrophe before it, which spreadsheets read as "what follows is text" (OWASP, CSV Injection).
// Names are such texts; numbers are written as they are.
func Cell(text string) string {
	text = Text(text)
	if text != "" && strings.ContainsRune("=+-@\t", rune(text[0])) {
		return "'" + text
	}
	return text
}
