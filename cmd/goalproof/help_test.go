package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"goalproof/internal/testkit/require"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/cmd/internal/cli"
)

// everyCommand returns the commands below a command, without the topics.
func everyCommand(cmd *cobra.Command) (all []*cobra.Command) {
	for _, c := range cmd.Commands() {
		if !c.IsAdditionalHelpTopicCommand() {
			all = append(append(all, c), everyCommand(c)...)
		}
	}
	return all
}

// TestHelp checks the form of all help texts: a summary, then usage, examples and flags, in groups if there are many.
func TestHelp(t *testing.T) {
	root := rootCommand(cli.Terminal{})
	narrow := func(name, text string) {
		for line := range strings.Lines(text) {
			if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > 80 {
				t.Errorf("%s: the line has more than 80 columns: %s", name, line)
			}
		}
	}
	topics := map[string]bool{}
	for _, c := range root.Commands() {
		if c.IsAdditionalHelpTopicCommand() {
			topics[c.Name()] = true
			narrow(c.Name(), c.Long)
			if c.Short == "" || c.Long == "" {
				t.Errorf("help %s: there is no text", c.Name())
			}
		}
	}
	seen := map[string]bool{}
	for _, c := range everyCommand(root) {
		name := c.CommandPath()
		narrow(name, c.Long)
		narrow(name, "  xxxxxxxxxxxxx "+c.Short)
		text := c.UsageString()
		last := -1
		for _, part := range []string{"Usage:\n", "Examples:\n", "lags:\n"} {
			i := strings.Index(text, part)
			if i <= last && (part != "lags:\n" || c.LocalFlags().HasFlags()) {
				t.Errorf("%s: %q is missing or out of place:\n%s", name, part, text)
			}
			last = i
		}
		if n := strings.Count(c.Example, "\n") + 1; n < 2 || n > 6 {
			t.Errorf("%s: %d examples", name, n)
		}
		summary, _, _ := strings.Cut(c.Long, "\n\n")
		if n := strings.Count(summary, "\n") + 1; n > 5 {
			t.Errorf("%s: the summary has %d lines", name, n)
		}
		if also := regexp.MustCompile(`See also: goalproof help ([^.]*)\.`).FindStringSubmatch(c.Long); also != nil {
			for _, topic := range regexp.MustCompile(`[a-z-]+`).FindAllString(strings.Split(also[1], " (")[0], -1) {
				if seen[topic] = true; !topics[topic] {
					t.Errorf("%s: there is no topic %s", name, topic)
				}
			}
		}
		if _, others, _ := strings.Cut(text, "\nOther flags:\n"); strings.Count(others, " --") > 1 { // --help
			t.Errorf("%s: some flags are in no group:\n%s", name, others)
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if strings.Count(text, "--"+f.Name+" ") == 0 {
				t.Errorf("%s: --%s is not in the usage:\n%s", name, f.Name, text)
			}
		})
	}
	if !maps.Equal(seen, topics) {
		t.Errorf("commands refer to the topics %v; there are %v", slices.Sorted(maps.Keys(seen)), slices.Sorted(maps.Keys(topics)))
	}
}

// TestHelpJSON checks that every command with --json has a section in the topic, and every field that the commands
// write stands there.
func TestHelpJSON(t *testing.T) {
	root := rootCommand(cli.Terminal{})
	topic, _, err := root.Find([]string{"json"})
	require.NoError(t, err)
	text := topic.Long
	for _, c := range everyCommand(root) {
		name := strings.TrimPrefix(c.CommandPath(), "goalproof ")
		if c.Flags().Lookup("json") != nil && !strings.Contains(text, "\n"+name+" (") {
			t.Errorf("%s has no section", name)
		}
	}
	words := map[string]bool{}
	for _, word := range regexp.MustCompile(`[a-z_]+`).FindAllString(text, -1) {
		words[word] = true
	}
	var files []string
	for _, written := range []string{"../internal/*/*.go", "../../solve/report/*.go", "../../puzzles/record.go", "../../library/rows.go", "../../cluster/subjects.go"} {
		some, err := filepath.Glob(written)
		if err != nil || len(some) == 0 {
			t.Fatalf("%s: %d files, %v", written, len(some), err)
		}
		files = append(files, some...)
	}
	fields := 0
	for _, file := range files {
		if strings.HasSuffix(file, "/match/match.go") || strings.HasSuffix(file, "_test.go") { // match writes a file of its own
			continue
		}
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, field := range regexp.MustCompile(`json:"([a-z_]+)`).FindAllSubmatch(source, -1) {
			fields++
			if !words[string(field[1])] {
				t.Errorf("%s: the field %s is not documented", file, field[1])
			}
		}
	}
	if fields < 100 {
		t.Errorf("%d fields found", fields)
	}
}
