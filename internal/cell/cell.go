// Package cell makes text fit for the cells of tables that people open in a spreadsheet.
package cell

import (
	"strings"

	"goalproof/internal/printable"
)

// Text returns a printable text such that no spreadsheet takes it for a formula: one that begins with =, +, -, @ or a tab
// (or a carriage return, which is not printable) has an apostrophe before it, which spreadsheets read as "what follows is text" (OWASP, CSV Injection).
// Names are such texts; numbers are written as they are.
func Text(text string) string {
	text = printable.Text(text)
	if text != "" && strings.ContainsRune("=+-@\t", rune(text[0])) {
		return "'" + text
	}
	return text
}
