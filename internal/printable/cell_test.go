package printable

import "testing"

func TestCell(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "omar": "omar", "a=b": "a=b", "'quoted": "'quoted", "669124": "669124", "é": "é",
		"=HYPERLINK(1)": "'=HYPERLINK(1)", "+1": "'+1", "-x": "'-x", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "\r=1": `\u000d=1`, "a\x1b[2J\u202e": `a\u001b[2J\u202e`,
	} {
		if got := Cell(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
