// Command goalproof proves things about Arimaa positions. See goalproof --help.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"goalproof/cmd/internal/aei"
	"goalproof/cmd/internal/analyze"
	"goalproof/cmd/internal/bench"
	"goalproof/cmd/internal/check"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/cluster"
	"goalproof/cmd/internal/compose"
	"goalproof/cmd/internal/defend"
	"goalproof/cmd/internal/endgame"
	"goalproof/cmd/internal/evaluate"
	"goalproof/cmd/internal/experiment"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/learn"
	"goalproof/cmd/internal/legal"
	"goalproof/cmd/internal/library"
	"goalproof/cmd/internal/match"
	"goalproof/cmd/internal/mine"
	"goalproof/cmd/internal/perft"
	"goalproof/cmd/internal/play"
	"goalproof/cmd/internal/puzzles"
	"goalproof/cmd/internal/review"
	"goalproof/cmd/internal/serve"
	"goalproof/cmd/internal/show"
	"goalproof/cmd/internal/solve"
	"goalproof/cmd/internal/store"
	"goalproof/cmd/internal/studio"
	"goalproof/cmd/internal/train"
	"goalproof/cmd/internal/tree"
	"goalproof/cmd/internal/verify"
	"goalproof/cmd/internal/version"
	"goalproof/cmd/internal/work"
	"goalproof/internal/interrupt"
)

func main() {
	catchLog()
	code := run(interrupt.Context(), os.Args[1:], cli.Standard())
	os.Exit(code)
}

// catchLog has whatever is logged end the program.
func catchLog() {
	log.SetFlags(0)
	log.SetOutput(lastWords{})
}

// lastWords ends the program with what is logged. Badger, the database of stores, logs before it
// ends a program over damaged files, but with an exit code that would mean a disproof.
type lastWords struct{}

func (lastWords) Write(text []byte) (int, error) {
	fmt.Fprintf(os.Stderr, "goalproof: internal error in the store: %s\n", strings.Join(strings.Fields(string(text)), " "))
	os.Exit(cli.Internal)
	return len(text), nil
}

// run runs one command line and returns its exit code.
func run(ctx context.Context, args []string, t cli.Terminal) int {
	return cli.Run(ctx, args, t, rootCommand)
}

// rootCommand returns the program with all its commands and help topics.
func rootCommand(t cli.Terminal) *cobra.Command {
	root := &cobra.Command{
		Use:   "goalproof",
		Short: "Prove things about Arimaa positions",
		Long: `goalproof proves things about Arimaa positions: that a side wins in N turns
whatever the opponent does, or that it does not.`,
		Example: `  goalproof solve examples/win-in-2.txt
  goalproof show examples/win-in-2.txt --as short
  goalproof perft examples/win-in-2.txt
  goalproof bench`,
	}
	root.Version = cli.ReadBuild().Version // adds --version
	root.SetVersionTemplate(cli.ReadBuild().String())
	root.SetUsageFunc(help.Usage)
	root.AddCommand(
		aei.Command(t), analyze.Command(t), bench.Command(t), check.Command(t), cluster.Command(t), compose.Command(t), defend.Command(t),
		endgame.Command(t), evaluate.Command(t), experiment.Command(t), learn.Command(t), legal.Command(t), library.Command(t), match.Command(t),
		mine.Command(t), perft.Command(t), play.Command(t), puzzles.Command(t), review.Command(t), serve.Command(t), show.Command(t), solve.Command(t), store.Command(t),
		studio.Command(t), train.Command(t), tree.Command(t), verify.Command(t), version.Command(t), work.Command(t),
	)
	root.AddCommand(help.Topics()...)
	root.AddCommand(experiment.GridTopic(), play.PromptTopic())
	root.SetHelpCommand(help.Command())
	cli.Group(root)
	return root
}
