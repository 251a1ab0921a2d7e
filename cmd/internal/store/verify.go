package store

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"goalproof/answer"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/search"
	"goalproof/internal/memory"
	"goalproof/internal/printable"
	"goalproof/solve"
	"goalproof/tables"
	"goalproof/tables/store"
)

// verifyFlags are the flags of the verify command.
type verifyFlags struct {
	sample int
	seed   uint64
	time   time.Duration
}

func verifyCommand(t cli.Terminal) *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify DIR",
		Short: "Prove a sample of a store's facts again",
		Long: `Reads every fact of a store, compares its checksum, and proves a sample of the
facts again from scratch. It also enumerates positions with few pieces by the
plain rules. Lost facts are an error. A store whose writer was killed is first
recovered; other commands that only read refuse it.`,
		Example: `  goalproof solve --store facts examples/win-in-2.txt
  goalproof store verify facts
  goalproof store verify facts --sample 1000 --time 1m`,
		Args: cli.Args(1, 1, "store"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.sample < 1 || f.time <= 0 {
				return fmt.Errorf("--sample and --time must be more than zero")
			}
			s, err := search.ReadStore(args[0])
			if errors.Is(err, store.ErrNotClosed) {
				s, err = search.OpenStore(args[0]) // which recovers it
			}
			if err != nil {
				return search.StoreExit(err)
			}
			return search.CloseStore(s, verify(cmd.Context(), t, s, solve.NewSample(f.sample, f.seed), f.time))
		},
	}
	cmd.Flags().IntVar(&f.sample, "sample", 100, "number of facts to prove")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the sample")
	cmd.Flags().DurationVar(&f.time, "time", 10*time.Second, "time for each question about a fact")
	return cmd
}

// verify proves a sample of the facts of a store again.
func verify(ctx context.Context, t cli.Terminal, s *store.Store, sample *solve.Sample, limit time.Duration) error {
	read := cli.Counter(t, "reading", 0)
	facts := int64(0)
	err := s.All(ctx, func(key []byte, f tables.Fact) error {
		sample.Add(key, f)
		if facts++; facts%1000 == 0 {
			read.SetCurrent(facts)
		}
		return nil
	})
	read.Finish()
	if err != nil {
		return err
	}
	budget, err := memory.Budget("")
	if err != nil {
		return err
	}
	solver, err := solve.New(solve.Options{Memory: min(budget, memory.Sample), Threads: runtime.GOMAXPROCS(0)})
	if err != nil {
		return err
	}
	bar := cli.Counter(t, "proving", len(sample.Facts))
	defer bar.Finish()
	confirmed, enumerated := 0, 0
	for _, f := range sample.Facts {
		c, err := solver.Verify(ctx, f, limit)
		switch {
		case err != nil:
			return err
		case c.Wrong != "":
			bar.Finish()
			return cli.Exit(cli.Internal, fmt.Errorf("%v: a stored fact is wrong: %s", c.Position, c.Wrong))
		case c.Stop == answer.Finished:
			confirmed++
		}
		if c.Referee {
			enumerated++
		}
		if ctx.Err() != nil {
			break
		}
		bar.Increment()
	}
	bar.Finish()
	fmt.Fprintf(t.Out, "%s read; %d of a sample of %d proved again, %d of them enumerated as well; %d not decided in time\n",
		printable.Amount(facts, "fact"), confirmed, len(sample.Facts), enumerated, len(sample.Facts)-confirmed)
	if confirmed < len(sample.Facts) {
		return cli.Exit(cli.Unknown, nil)
	}
	return nil
}
