package endgame

import (
	"errors"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/printable"
	"goalproof/tables/endgame"
)

// verifyFlags are the flags of the verify command.
type verifyFlags struct {
	flags
	sample, referee int
	seed            uint64
}

func verifyCommand(t cli.Terminal) *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify [CLASS...]",
		Short: "Check every value against those of the positions one turn later",
		Long: `Checks every value of a table against the values of the positions one turn
later. The default is all tables that exist. The turns come from code that takes
no part in building tables.

It also checks some positions by the slow rules of package referee, reads all of
each file and compares its checksums.

See also: goalproof endgame --help, about classes.`,
		Example: `  goalproof endgame verify R-r RR-r
  goalproof endgame verify --sample 10000
  goalproof endgame verify --sample 100000 --referee 1000`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.sample < 0 || f.referee < 0 {
				return errors.New("--sample and --referee are 0 or more")
			}
			ts, classes, err := f.openClasses(args)
			if err != nil {
				return err
			}
			defer ts.Close()
			var code cli.Code
			for _, c := range classes {
				start := time.Now()
				o := endgame.VerifyOptions{Threads: f.threads, Sample: f.sample, Referee: f.referee, Seed: f.seed}
				if cli.IsTerminal(t.Err) {
					o.Progress = func(n, of int) {
						fmt.Fprintf(cli.Raw(t.Err), "\r\033[K%v: %s of %s boards", c, humanize.Comma(int64(n)), humanize.Comma(int64(of)))
					}
				}
				v, err := ts.Verify(cmd.Context(), c, o)
				if cli.IsTerminal(t.Err) {
					fmt.Fprint(cli.Raw(t.Err), "\r\033[K")
				}
				if err != nil {
					return exitOf(err)
				}
				fmt.Fprintf(t.Out, "%-7v %s, %s also by the slow rules: %s wrong (%s)\n", c, printable.Amount(int64(v.Positions), "position"),
					humanize.Comma(int64(v.Referee)), humanize.Comma(int64(v.Wrong)), cli.Took(time.Since(start)))
				for _, w := range v.Examples {
					fmt.Fprintf(t.Out, "  %v\n", w)
				}
				if v.Wrong > 0 {
					code = code.Worse(cli.Fails)
				}
			}
			return code.Finish()
		},
	}
	f.Register(cmd.Flags())
	f.registerThreads(cmd.Flags())
	cmd.Flags().IntVar(&f.sample, "sample", 0, "number of boards of each class, drawn at random (0: all)")
	cmd.Flags().IntVar(&f.referee, "referee", 100, "number of positions of each class that the slow rules check as well")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the sample")
	return cmd
}
