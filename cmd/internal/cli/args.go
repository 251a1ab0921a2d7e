package cli

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"goalproof/arimaa/notation"
	"goalproof/internal/printable"
)

// Many is a number of arguments without a limit.
const Many = 1 << 20

// Args checks that a command has from least to most arguments. The word for one of them is what,
// such as "file".
func Args(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch name, n := shortName(cmd), len(args); {
		case n >= least && n <= most:
			return nil
		case least == most:
			return fmt.Errorf("%s takes %s (%d given)", name, inWords(least, what), n)
		case n < least:
			return fmt.Errorf("%s needs at least %s (%d given)", name, inWords(least, what), n)
		default:
			return fmt.Errorf("%s takes at most %s (%d given)", name, inWords(most, what), n)
		}
	}
}

// NoArgs checks that a command has no arguments.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no arguments: leave out %s", shortName(cmd), shellWords(args))
	}
	return nil
}

// shortName is a command without the name of the program.
func shortName(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// inWords returns a number of things, small numbers in words.
func inWords(n int, what string) string {
	switch n {
	case 1:
		return "one " + what
	case 2:
		return "two " + what + "s"
	}
	return printable.Amount(n, what)
}

// Group makes a command that only has subcommands show its help. An argument that is none of them
// is an error.
func Group(cmd *cobra.Command) {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		advice := ""
		if names := Near(args[0], available(cmd)); !cmd.HasParent() && looksLikeInput(args[0]) {
			advice = DidYouMean("goalproof solve " + shellWords(args))
		} else if len(names) > 0 {
			advice = DidYouMean(cmd.CommandPath() + " " + strings.Join(names, ", "+cmd.CommandPath()+" "))
		}
		return fmt.Errorf("there is no command %s%s", shellWords(args[:1]), advice)
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

// looksLikeInput reports whether an argument is the name of a file or a position, not a command
// that was misspelt.
func looksLikeInput(arg string) bool {
	_, err := os.Stat(arg)
	return err == nil || arg == "-" || strings.ContainsAny(arg, "./\\[\n")
}

// available returns the names of the subcommands of a command.
func available(cmd *cobra.Command) (names []string) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			names = append(names, c.Name())
		}
	}
	return names
}

// Near returns the names that a misspelt one may mean. Cobra finds them, as if they were commands.
func Near(name string, names []string) []string {
	if len(name) < 3 {
		return nil // it is near to every short name
	}
	group := cobra.Command{SuggestionsMinimumDistance: 2}
	for _, n := range names {
		group.AddCommand(&cobra.Command{Use: n, Run: func(*cobra.Command, []string) {}})
	}
	return group.SuggestionsFor(name)
}

// DidYouMean returns advice to be appended to the text of an error.
func DidYouMean(what string) string { return "; did you mean: " + what }

// shellWords writes arguments as one types them, without what controls a terminal.
func shellWords(args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = Quoted(notation.Legible(arg))
	}
	return strings.Join(words, " ")
}

// commandLine writes a command line as a shell reads it.
func commandLine(args []string) string {
	line := "goalproof"
	for _, arg := range args {
		line += " " + Quoted(arg)
	}
	return line
}

// plainWord matches a word that a shell takes as it is.
var plainWord = regexp.MustCompile(`^[\pL\pN\x{FFFD}_@%+=:,./-]+$`)

// Quoted writes an argument as a shell reads it.
func Quoted(arg string) string {
	if plainWord.MatchString(arg) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
