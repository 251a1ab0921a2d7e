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
	if err != nil {
		t.Fatal(err)
	}
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
	files, err := filepath.Glob("../internal/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	fields := 0
	for _, file := range files {
		if strings.HasSuffix(file, "/match/match.go") || strings.HasSuffix(file, "_test.go") { // match writes a file of its own
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
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

// TestExamples checks the examples of the help and of the README without running them: the commands and flags exist,
// and so do the files that they read, or an earlier example writes them.
func TestExamples(t *testing.T) {
	t.Chdir("../..")
	for _, c := range everyCommand(rootCommand(cli.Terminal{})) {
		written := map[string]bool{}
		for line := range strings.Lines(c.Example) {
			checkExample(t, strings.TrimSpace(line), written)
		}
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	written := map[string]bool{}
	for _, line := range regexp.MustCompile("(?m)^    (?:goalproof|go run) .*$").FindAllString(string(readme), -1) {
		checkExample(t, strings.TrimSpace(line), written)
	}
}

// checkExample checks a command line, and adds the files that it writes.
func checkExample(t *testing.T, line string, written map[string]bool) {
	t.Helper()
	var words []string
	var reads []string
	redirect := ""
	for _, word := range regexp.MustCompile(`'[^']*'|\S+`).FindAllString(line, -1) {
		word = strings.Trim(word, "'")
		switch {
		case redirect == ">":
			written[word], redirect = true, ""
		case redirect == "<":
			reads, redirect = append(reads, word), ""
		case word == ">" || word == "<":
			redirect = word
		default:
			words = append(words, word)
		}
	}
	if words[0] == "go" {
		reads = append(reads, words[2])
		if words[2] != "./cmd/goalproof" {
			checkFiles(t, line, reads, written)
			return
		}
		words = words[2:]
	}
	root := rootCommand(cli.Terminal{})
	root.InitDefaultHelpCmd()
	cmd, args, err := root.Find(words[1:])
	if err != nil || cmd == root {
		t.Errorf("%s: there is no such command: %v", line, err)
		return
	}
	if cmd.Name() == "help" {
		if c, _, err := root.Find(args); err != nil || c == root {
			t.Errorf("%s: there is no such topic: %v", line, err)
		}
		return
	}
	cmd.InitDefaultHelpFlag()
	flags := cmd.Flags()
	if err := flags.Parse(args); err != nil {
		t.Errorf("%s: %v", line, err)
		return
	}
	if err := cmd.ValidateArgs(flags.Args()); err != nil {
		t.Errorf("%s: %v", line, err)
	}
	use := regexp.MustCompile(`[A-Z]+`).FindAllString(cmd.Use, -1)
	for i, arg := range flags.Args() {
		switch kind := use[min(i, len(use)-1)]; {
		case kind == "ENGINE":
			options := regexp.MustCompile(` [a-z]+=\S+`)
			checkExample(t, options.ReplaceAllString(arg, ""), written)
		case kind != "CLASS" && kind != "STEP" && arg != "-" && !strings.Contains(arg, "["):
			reads = append(reads, arg)
		}
	}
	flags.Visit(func(f *pflag.Flag) {
		if f.Name == "resume" || f.Name == "openings" {
			reads = append(reads, f.Value.String())
		}
	})
	checkFiles(t, line, reads, written)
	flags.Visit(func(f *pflag.Flag) {
		if kind, _ := pflag.UnquoteUsage(f); kind == "file" || kind == "directory" {
			written[f.Value.String()] = true
		}
	})
}

// checkFiles checks that files exist or have been written by an earlier example.
func checkFiles(t *testing.T, line string, reads []string, written map[string]bool) {
	t.Helper()
	for _, file := range reads {
		if _, err := os.Stat(file); err != nil && !written[file] {
			t.Errorf("%s: there is no %s", line, file)
		}
	}
}
