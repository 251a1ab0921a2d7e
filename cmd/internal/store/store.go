package store

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"goalproof/answer"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/search"
	"goalproof/internal/memory"
	"goalproof/solve"
	"goalproof/tables"
	"goalproof/tables/store"
)

func Command(t cli.Terminal) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "store",
		Short: "Manage stores of proved facts",
		Long: `Manages stores of proved facts. A store is a directory in which searches keep
what they have proved (solve --store DIR): for a position, within how many turns
the side to move wins, and up to how many it does not. A crash loses no stored
fact.`,
		Example: `  goalproof solve --store facts examples/win-in-2.txt
  goalproof store info facts
  goalproof store verify facts --sample 50`,
		Args: cobra.NoArgs, // a command that is none is an error
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(infoCommand(t), verifyCommand(t), gcCommand(t), mergeCommand(t))
	return cmd
}

func infoCommand(t cli.Terminal) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info DIR",
		Short: "Count the facts of a store",
		Long: `Counts the facts of a store by distance, and gives its size on disk.

See also: goalproof help json.`,
		Example: `  goalproof solve --store facts examples/win-in-2.txt
  goalproof store info facts
  goalproof store info --json facts`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := search.OpenStore(args[0], search.StoreReading())
			if err != nil {
				return search.StoreExit(err)
			}
			i, err := s.Info()
			if err == nil {
				err = writeInfo(t.Out, args[0], i, asJSON)
			}
			return search.CloseStore(s, err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON (see goalproof help json)")
	return cmd
}

// byTurns is a number of facts.
type byTurns struct {
	Turns int   `json:"turns"`
	Facts int64 `json:"facts"`
}

func writeInfo(w io.Writer, dir string, i store.Info, asJSON bool) error {
	list := func(counts []int64, from int) []byTurns {
		all := []byTurns{}
		for n, facts := range counts {
			if facts > 0 {
				all = append(all, byTurns{n + from, facts})
			}
		}
		return all
	}
	proved, refuted := list(i.Proved[:tables.Unproved], 0), list(i.Refuted[1:], 1)
	if asJSON {
		return cli.WriteJSON(w, struct {
			Dir            string    `json:"dir"`
			Facts          int64     `json:"facts"`
			Proved         []byTurns `json:"proved"`
			Refuted        []byTurns `json:"refuted"`
			Contradictions int       `json:"contradictions"`
			Bytes          int64     `json:"bytes"`
			Schema         int       `json:"schema"`
			Keys           string    `json:"keys"`
			Rules          string    `json:"rules"`
		}{dir, i.Facts, proved, refuted, len(i.Contradictions), i.Bytes, i.Schema, i.Keys, i.Rules})
	}
	fmt.Fprintf(w, "%s: facts about %s positions, %s\n", dir, humanize.Comma(i.Facts), humanize.IBytes(uint64(i.Bytes)))
	for _, n := range proved {
		fmt.Fprintf(w, "%12s  win in %s\n", humanize.Comma(n.Facts), cli.Amount(n.Turns, "turn"))
	}
	for _, n := range refuted {
		fmt.Fprintf(w, "%12s  no win in %s\n", humanize.Comma(n.Facts), cli.Amount(n.Turns, "turn"))
	}
	fmt.Fprintf(w, "Layout %d; keys: %s; rules: %s.\n", i.Schema, i.Keys, i.Rules)
	for _, c := range i.Contradictions {
		fmt.Fprintf(w, "A contradiction was kept: %v\n", &c)
	}
	return nil
}

func verifyCommand(t cli.Terminal) *cobra.Command {
	var sample int
	var seed uint64
	var limit time.Duration
	cmd := &cobra.Command{
		Use:   "verify DIR",
		Short: "Prove a sample of a store's facts again",
		Long: `Reads every fact of a store, compares its checksum, and proves a sample of the
facts again from scratch. It also enumerates positions with few pieces by the
plain rules.`,
		Example: `  goalproof solve --store facts examples/win-in-2.txt
  goalproof store verify facts
  goalproof store verify facts --sample 1000 --time 1m`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if sample < 1 || limit <= 0 {
				return fmt.Errorf("--sample and --time must be more than zero")
			}
			s, err := search.OpenStore(args[0], search.StoreReading())
			if err != nil {
				return search.StoreExit(err)
			}
			return search.CloseStore(s, verify(cmd.Context(), t, s, solve.NewSample(sample, seed), limit))
		},
	}
	cmd.Flags().IntVar(&sample, "sample", 100, "number of facts to prove")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the sample")
	cmd.Flags().DurationVar(&limit, "time", 10*time.Second, "time for each question about a fact")
	return cmd
}

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
	confirmed, enumerated, unknown := 0, 0, 0
	for _, f := range sample.Facts {
		c, err := solver.Verify(ctx, f, limit)
		switch {
		case err != nil:
			return err
		case c.Wrong != "":
			bar.Finish()
			return cli.Exit(cli.Internal, fmt.Errorf("%v: a stored fact is wrong: %s", c.Position, c.Wrong))
		case c.Stop != answer.Finished:
			unknown++
		default:
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
	fmt.Fprintf(t.Out, "%s facts read; %d of a sample of %d proved again, %d of them enumerated as well; %d not decided in time\n",
		humanize.Comma(facts), confirmed, len(sample.Facts), enumerated, len(sample.Facts)-confirmed)
	if confirmed < len(sample.Facts) {
		return cli.Exit(cli.Unknown, nil)
	}
	return nil
}

func gcCommand(t cli.Terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "gc DIR",
		Short: "Compact a store",
		Long: `Compacts a store. The old store stays until the new one is complete, so the disk
must have room for both. An interruption leaves the old store.`,
		Example: `  goalproof solve --store facts examples/win-in-2.txt
  goalproof store gc facts`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			// Opening an empty directory for writing makes a store there.
			if entries, err := os.ReadDir(args[0]); err != nil {
				return err
			} else if len(entries) == 0 {
				return cli.Exit(cli.BadInput, fmt.Errorf("store %s is empty: there is nothing to rewrite", args[0]))
			}
			s, err := search.OpenStore(args[0], search.StoreOptions())
			if err != nil {
				return search.StoreExit(err)
			}
			before, err := s.Info()
			if err != nil {
				return search.CloseStore(s, err)
			}
			bar := cli.Counter(t, "rewriting", int(before.Facts))
			err = s.GC(cmd.Context(), func(n int64) { bar.SetCurrent(n) })
			bar.Finish()
			if err == nil {
				var after store.Info
				if after, err = s.Info(); err == nil {
					fmt.Fprintf(t.Out, "%s: facts about %s positions, %s; it was %s\n", args[0], humanize.Comma(after.Facts),
						humanize.IBytes(uint64(after.Bytes)), humanize.IBytes(uint64(before.Bytes)))
				}
			}
			return search.CloseStore(s, err)
		},
	}
}

func mergeCommand(t cli.Terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "merge DIR OTHER...",
		Short: "Add the facts of other stores to a store",
		Long: `Adds the facts of other stores, perhaps from other machines, to the store DIR,
and creates DIR if necessary. The other stores stay as they are. After an
interruption, run it again.`,
		Example: `  goalproof solve --store facts examples/win-in-2.txt
  goalproof solve --store more-facts examples/win-in-3.txt
  goalproof store merge facts more-facts`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			// The first is open before DIR is made.
			other, err := search.OpenStore(args[1], search.StoreReading())
			if err != nil {
				return search.StoreExit(err)
			}
			s, err := search.OpenStore(args[0], search.StoreOptions())
			if err != nil {
				return search.CloseStore(other, err)
			}
			err = merge(cmd.Context(), t, s, other, args[1])
			for _, dir := range args[2:] {
				if err != nil {
					break
				}
				if other, err = search.OpenStore(dir, search.StoreReading()); err == nil {
					err = merge(cmd.Context(), t, s, other, dir)
				}
			}
			return search.CloseStore(s, err)
		},
	}
}

// merge adds the facts of another store, which came from dir, and closes it.
func merge(ctx context.Context, t cli.Terminal, s, other *store.Store, dir string) error {
	bar := cli.Counter(t, dir, 0)
	n := int64(0)
	err := s.Merge(ctx, other, func(facts int64) {
		n = facts
		bar.SetCurrent(facts)
	})
	bar.Finish()
	if err = search.CloseStore(other, err); err == nil {
		fmt.Fprintf(t.Out, "%s: facts about %s positions added\n", dir, humanize.Comma(n))
	}
	return err
}
