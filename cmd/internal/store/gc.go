package store

import (
	"fmt"
	"os"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/search"
	"goalproof/internal/printable"
	"goalproof/tables/store"
)

func gcCommand(t cli.Terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "gc DIR",
		Short: "Compact a store",
		Long: `Compacts a store, and counts its facts: lost facts are an error. The disk must
have room for a copy of the store. If the program is killed the store is as good
as before.`,
		Example: `  goalproof solve --store facts examples/win-in-2.txt
  goalproof store gc facts`,
		Args: cli.Args(1, 1, "store"),
		RunE: func(cmd *cobra.Command, args []string) error {
			// Opening an empty directory for writing makes a store there.
			if entries, err := os.ReadDir(args[0]); err != nil {
				return err
			} else if len(entries) == 0 {
				return cli.Exit(cli.BadInput, fmt.Errorf("store %s is empty: there is nothing to rewrite", args[0]))
			}
			s, err := search.OpenStore(args[0])
			if err != nil {
				return search.StoreExit(err)
			}
			before, err := s.Info()
			if err != nil {
				return search.CloseStore(s, err)
			}
			if err = s.GC(cmd.Context()); err == nil {
				var after store.Info
				if after, err = s.Info(); err == nil {
					fmt.Fprintf(t.Out, "%s: facts about %s, %s; it was %s\n", args[0], printable.Amount(after.Facts, "position"),
						humanize.IBytes(uint64(after.Bytes)), humanize.IBytes(uint64(before.Bytes)))
				}
			}
			return search.CloseStore(s, err)
		},
	}
}
