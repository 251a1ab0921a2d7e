package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/solve"
)

// TestOptionsOfAPNS checks that the flags in the table for users of that program are there under these names.
func TestOptionsOfAPNS(t *testing.T) {
	text, err := os.ReadFile("../../docs/performance.md")
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(text), "## pns: the options of APNS")
	table, _, _ = strings.Cut(table, "\n## ")
	names := regexp.MustCompile(`--([a-z][a-z-]+)`).FindAllStringSubmatch(table, -1)
	flags := solve.Command(cli.Terminal{}).Flags()
	for _, name := range names {
		if flags.Lookup(name[1]) == nil {
			t.Errorf("solve has no flag --%s", name[1])
		}
	}
	if len(names) < 12 {
		t.Errorf("only %d flags in the table", len(names))
	}
}
