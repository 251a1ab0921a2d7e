package cli

import (
	"strings"
	"testing"
)

// TestCommandLine writes command lines that a shell reads back.
func TestCommandLine(t *testing.T) {
	for want, args := range map[string][]string{
		"goalproof verify --time=1s a/b.txt -":            {"verify", "--time=1s", "a/b.txt", "-"},
		`goalproof solve 'g [  R ]' '' '$HOME' 'it'\''s'`: {"solve", "g [  R ]", "", "$HOME", "it's"},
	} {
		if got := commandLine(args); got != want {
			t.Errorf("%s is written as %s, want %s", strings.Join(args, "|"), got, want)
		}
	}
}
