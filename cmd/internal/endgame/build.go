package endgame

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/memory"
	"goalproof/tables/endgame"
)

// buildFlags are the flags of the build command.
type buildFlags struct {
	flags
	memory string
	again  bool
}

func buildCommand(t cli.Terminal) *cobra.Command {
	var f buildFlags
	cmd := &cobra.Command{
		Use:   "build [CLASS...]",
		Short: "Build tables",
		Long: `Builds the tables of classes, and first those of the smaller classes that they
need. The default is all classes with two to four pieces. It keeps tables that
exist. After an interruption the same command continues with the class that it
was building: every two minutes the state of a long build is saved beside the
tables, with the extension .checkpoint.

See also: goalproof endgame --help, about classes.`,
		Example: `  goalproof endgame build
  goalproof endgame build --endgames tables ER-er
  goalproof endgame build --endgames tables --memory 8GiB DCR-dr`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			classes, err := parseClasses(args, 4)
			if err != nil {
				return err
			}
			limit, err := memory.Budget(f.memory)
			if err != nil {
				return err
			}
			memory.Limit(limit)
			fmt.Fprintf(t.Out, "Tables in %s\n", f.dir)
			return exitOf(endgame.Build(cmd.Context(), classes, endgame.BuildOptions{
				Dir: f.dir, Threads: f.threads, Memory: limit, Again: f.again,
				Checkpoints: 2 * time.Minute, Progress: buildProgress(t),
			}))
		},
	}
	f.Register(cmd.Flags())
	f.registerThreads(cmd.Flags())
	cli.MemoryFlag(cmd.Flags(), &f.memory, "memory for the whole process, for example 8GiB")
	cmd.Flags().BoolVar(&f.again, "again", false, "build tables that exist again, too, from the beginning")
	return cmd
}

// buildProgress writes a line for each class, with progress on a terminal.
func buildProgress(t cli.Terminal) func(endgame.Progress) {
	terminal := cli.IsTerminal(t.Err)
	return func(p endgame.Progress) {
		switch {
		case p.Discarded != nil:
			fmt.Fprintf(t.Err, "goalproof: %v: it is built from the beginning: %v\n", p.Class, p.Discarded)
		case p.Kept:
			fmt.Fprintf(t.Out, "%-7v is there: %s\n", p.Class, humanize.IBytes(uint64(p.Size)))
		case p.Done:
			if terminal {
				fmt.Fprint(cli.Raw(t.Err), "\r\033[K")
			}
			fmt.Fprintf(t.Out, "%-7v %s in %s\n", p.Class, humanize.IBytes(uint64(p.Size)), cli.Took(p.Took))
		case terminal:
			fmt.Fprintf(cli.Raw(t.Err), "\r\033[K%v: wins in %d", p.Class, p.N)
		}
	}
}
