package match

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestParseCommand checks how a command line is split into words and options.
func TestParseCommand(t *testing.T) {
	for text, want := range map[string]Command{
		"bot":         {Args: []string{"bot"}},
		"  bot  aei ": {Args: []string{"bot", "aei"}},
		"goalproof aei --memory=64MiB hash=20 threads=1": {
			Args:    []string{"goalproof", "aei", "--memory=64MiB"},
			Options: []Option{{"hash", "20"}, {"threads", "1"}},
		},
		`"/my bots/a" "x y=z" ""`: {Args: []string{"/my bots/a"}, Options: []Option{{"x y", "z"}}},
		"a=b book=":               {Args: []string{"a=b"}, Options: []Option{{"book", ""}}},
	} {
		got, err := ParseCommand(text)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%q: %v\n%s", text, err, d)
		}
	}
	for _, text := range []string{"", "  ", `"bot`, `bo"t`, "bot hash=20 aei", "bot\naei"} {
		if got, err := ParseCommand(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}
