// Package help has the help topics, and gives the usage its form.
//
// The help of a command is short: what it does, usage, examples, flags, in groups if there are
// many. Details that several commands share, or that few readers need, are help topics: a file each
// in the folder topics, whose first line is the summary in the list of topics.
package help

import (
	"embed"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
)

//go:embed topics
var topicFiles embed.FS

// Topics returns the topics as commands that do nothing, which is what cobra takes for topics.
func Topics() (topics []*cobra.Command) {
	files, err := fs.Glob(topicFiles, "topics/*.txt")
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		text, err := topicFiles.ReadFile(file)
		if err != nil {
			panic(err)
		}
		short, long, _ := strings.Cut(string(text), "\n")
		topics = append(topics, &cobra.Command{
			Use:   strings.TrimSuffix(path.Base(file), ".txt"),
			Short: short,
			Long:  strings.TrimSpace(long),
		})
	}
	return topics
}

// Command returns the command help, which shows the help of a command, a topic, or the list of
// topics.
func Command() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND or TOPIC]",
		Short: "Explain a command or a topic",
		Long:  `Shows the help of a command, or a topic. "help topics" lists the topics.`,
		Example: `  goalproof help solve
  goalproof help topics
  goalproof help formats`,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if c, rest, err := cmd.Root().Find(args); err == nil && len(rest) == 0 {
				return below(c), cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if slices.Equal(args, []string{"topics"}) {
				listCommands(cmd.OutOrStdout(), root, (*cobra.Command).IsAdditionalHelpTopicCommand)
				return nil
			}
			c, rest, err := root.Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return noHelp(c, rest[0])
			}
			c.InitDefaultHelpFlag()
			c.InitDefaultVersionFlag()
			return c.Help()
		},
	}
}

// below returns what there is help on below a command.
func below(parent *cobra.Command) (names []string) {
	for _, c := range parent.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	if !parent.HasParent() {
		names = append(names, "topics")
	}
	return names
}

// noHelp is the error of a name that is neither a command below another nor a topic.
func noHelp(parent *cobra.Command, name string) error {
	name = notation.Legible(name)
	above := "goalproof help" + strings.TrimPrefix(parent.CommandPath(), "goalproof") + " "
	if meant := cli.Near(name, below(parent)); len(meant) > 0 {
		return fmt.Errorf("there is no help on %s%s", name, cli.DidYouMean(above+strings.Join(meant, ", "+above)))
	}
	return fmt.Errorf("there is no help on %s; goalproof help topics lists the topics", name)
}

// The groups of flags, in the order of the usage.
const (
	Question = "Question"
	Game     = "Game"
	Output   = "Output"
	Search   = "Search"
	Store    = "Store"
	Cluster  = "Cluster"
	Advanced = "Advanced"
	other    = "Other"
)

var flagGroups = []string{Question, Game, Search, Output, Store, Cluster, Advanced, other}

// groupKey is the annotation of a flag that names its group.
const groupKey = "goalproof_group"

// Group puts flags that exist into a group.
func Group(flags *pflag.FlagSet, title string, names ...string) {
	for _, name := range names {
		if err := flags.SetAnnotation(name, groupKey, []string{title}); err != nil {
			panic(err)
		}
	}
}

// manyFlags is the number of flags, --help among them, from which the usage shows them in groups.
const manyFlags = 8

// usageWidth is the width to which descriptions of flags are wrapped, in columns.
const usageWidth = 80

// Usage writes the usage of a command: cobra's, with the flags in groups if there are many.
func Usage(cmd *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND\n", cmd.CommandPath())
	} else {
		fmt.Fprintf(&b, "  %s\n", cmd.UseLine())
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\nCommands:\n")
		listCommands(&b, cmd, func(c *cobra.Command) bool { return c.IsAvailableCommand() || c.Name() == "help" })
	}
	writeFlags(&b, cmd.LocalFlags())
	if cmd.HasHelpSubCommands() {
		b.WriteString("\nHelp topics:\n")
		listCommands(&b, cmd, (*cobra.Command).IsAdditionalHelpTopicCommand)
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n\"%s COMMAND --help\" explains a command.\n", cmd.CommandPath())
	}
	if cmd.HasHelpSubCommands() {
		fmt.Fprintf(&b, "\"%s help TOPIC\" shows a topic.\n", cmd.CommandPath())
	}
	_, err := io.WriteString(cmd.OutOrStderr(), b.String())
	return err
}

// listCommands lists some of the subcommands of a command.
func listCommands(w io.Writer, cmd *cobra.Command, listed func(*cobra.Command) bool) {
	for _, c := range cmd.Commands() {
		if listed(c) {
			fmt.Fprintf(w, "  %-13s %s\n", c.Name(), c.Short)
		}
	}
}

// writeFlags describes flags, in their groups if there are many.
func writeFlags(w io.Writer, flags *pflag.FlagSet) {
	groups := map[string]*pflag.FlagSet{}
	n := 0
	flags.VisitAll(func(f *pflag.Flag) {
		title := other
		if t := f.Annotations[groupKey]; t != nil {
			title = t[0]
		}
		if groups[title] == nil {
			groups[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
		}
		groups[title].AddFlag(f)
		n++
	})
	if n < manyFlags {
		fmt.Fprintf(w, "\nFlags:\n%s", flags.FlagUsagesWrapped(usageWidth))
		return
	}
	for _, title := range flagGroups {
		if g := groups[title]; g != nil {
			fmt.Fprintf(w, "\n%s flags:\n%s", title, g.FlagUsagesWrapped(usageWidth))
		}
	}
}
