package endgame

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/jobs"
	"goalproof/internal/memory"
	"goalproof/tables/endgame"
)

// buildFlags are the flags of the build command.
type buildFlags struct {
	flags
	jobs   jobs.Flags
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

With --cluster, workers build the classes, each with one thread; a class that is
cut short is begun again. This machine may have to build one, too, within
--memory. The tables are in the directory when all of them are there.

See also: goalproof endgame --help, about classes; goalproof help clusters.`,
		Example: `  goalproof endgame build
  goalproof endgame build --endgames tables ER-er
  goalproof endgame build --endgames tables --memory 8GiB DCR-dr`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(f.check(), f.jobs.CheckAlone()); err != nil {
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
			o := endgame.BuildOptions{
				Dir: f.dir, Threads: f.threads, Memory: limit, Again: f.again,
				Checkpoints: 2 * time.Minute, Progress: buildProgress(t),
			}
			if f.jobs.Given() {
				return exitOf(f.elsewhere(cmd.Context(), classes, o))
			}
			return exitOf(endgame.Build(cmd.Context(), classes, o))
		},
	}
	f.Register(cmd.Flags())
	f.registerThreads(cmd.Flags())
	cli.MemoryFlag(cmd.Flags(), &f.memory, "memory for the whole process, for example 8GiB")
	cmd.Flags().BoolVar(&f.again, "again", false, "build tables that exist again, too, from the beginning")
	help.Group(cmd.Flags(), help.Search, "threads", "memory", "again")
	f.jobs.Register(cmd.Flags(), t)
	return cmd
}

// elsewhere has the tables built by a cluster.
func (f *buildFlags) elsewhere(ctx context.Context, classes []endgame.Class, o endgame.BuildOptions) error {
	missing, err := endgame.Missing(classes, o)
	if err != nil {
		return err
	}
	e := jobs.Endgames{Dir: o.Dir, Progress: o.Progress}
	return e.Build(ctx, &f.jobs, missing)
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
