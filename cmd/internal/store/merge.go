package store

import (
	"context"
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/search"
	"goalproof/internal/printable"
	"goalproof/tables/store"
)

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
		Args: cli.Args(2, cli.Many, "store"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, dir := range args[1:] {
				if cli.SameFile(args[0], dir) {
					return cli.Exit(cli.BadInput, fmt.Errorf("%s and %s are one store: name another store to merge into it", args[0], dir))
				}
			}
			// The first is opened before DIR is created.
			other, err := search.ReadStore(args[1])
			if err != nil {
				return search.StoreExit(err)
			}
			s, err := search.OpenStore(args[0])
			if err != nil {
				return search.CloseStore(other, err)
			}
			err = merge(cmd.Context(), t, s, other, args[1])
			for _, dir := range args[2:] {
				if err != nil {
					break
				}
				if other, err = search.ReadStore(dir); err == nil {
					err = merge(cmd.Context(), t, s, other, dir)
				}
			}
			return search.CloseStore(s, err)
		},
	}
}

// merge adds the facts of another store, that of dir, and closes it.
func merge(ctx context.Context, t cli.Terminal, s, other *store.Store, dir string) error {
	bar := cli.Counter(t, dir, 0)
	m, err := s.Merge(ctx, other, func(facts int64) { bar.SetCurrent(facts) })
	bar.Finish()
	if err = search.CloseStore(other, err); err == nil {
		fmt.Fprintf(t.Out, "%s: %s read: %s added, %s improved, %s known before\n", dir, printable.Amount(m.Positions, "position"),
			humanize.Comma(m.Added), humanize.Comma(m.Improved), humanize.Comma(m.Positions-m.Added-m.Improved))
	}
	return err
}
