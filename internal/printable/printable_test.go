package printable

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"goalproof/internal/testkit/require"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"two lines\n\tand a tab\n": "two lines\n\tand a tab\n",
		"Zażółć gęślą jaźń, 碁, \ufffd": "Zażółć gęślą jaźń, 碁, \ufffd",
		"\x1b]0;title\a":            `\u001b]0;title\u0007`,
		"one\rtwo\x00\x7f":          `one\u000dtwo\u0000\u007f`,
		"\u009b31m":                 `\u009b31m`,
		"a\xffb\xc3":                `a\xffb\xc3`,
		"\u202egpj.exe\u2066\u200f": `\u202egpj.exe\u2066\u200f`,
		"a\u2028b":                  `a\u2028b`,
	} {
		if got := Text(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("\x1b[2J\xff\u202e")
	f.Fuzz(func(t *testing.T, text string) {
		safe := Text(text)
		if !utf8.ValidString(safe) || Text(safe) != safe || strings.ContainsFunc(safe, func(r rune) bool {
			return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
		}) {
			t.Errorf("%q becomes %q", text, safe)
		}
		written, err := json.Marshal(text)
		require.NoError(t, err)
		var before, after string
		require.NoError(t, json.Unmarshal(written, &before))
		if err := json.Unmarshal([]byte(Text(string(written))), &after); err != nil || after != before {
			t.Errorf("JSON of %q means %q (%v)", before, after, err)
		}
	})
}
