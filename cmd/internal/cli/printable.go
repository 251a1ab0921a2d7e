package cli

import (
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"goalproof/internal/printable"
)

// colours matches the escape sequences that this program sends to terminals for boards and
// verdicts. They hide nothing, so they do no harm in names either.
var colours = regexp.MustCompile(`\x1b\[(?:0|1|22|3[1-3]|9[36])(?:;(?:0|1|22|3[1-3]|9[36]))*m`)

// printed returns a text as it is printed. A styled text keeps its colours.
func printed(text string, styled bool) string {
	if !styled {
		return printable.Text(text)
	}
	var b strings.Builder
	from := 0
	for _, at := range colours.FindAllStringIndex(text, -1) {
		b.WriteString(printable.Text(text[from:at[0]]) + text[at[0]:at[1]])
		from = at[1]
	}
	return b.String() + printable.Text(text[from:])
}

// complete returns the length of the whole characters in a text: a buffered writer may cut one in
// two.
func complete(text []byte) int {
	for i := len(text) - 1; i >= 0 && i > len(text)-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				return i
			}
			break
		}
	}
	return len(text)
}

// Raw returns a writer to standard error for text that moves the cursor, such as a progress bar.
// Names in it must be printable already.
func Raw(w io.Writer) io.Writer {
	if m, ok := w.(*messages); ok {
		return rawMessages{m}
	}
	return w
}

type rawMessages struct{ *messages }

func (m rawMessages) Write(b []byte) (int, error) {
	m.answers.settle()
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.Writer.Write(b)
}
