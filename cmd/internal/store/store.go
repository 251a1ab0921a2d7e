// Package store is the command store with its subcommands, which manage stores of proved facts.
package store

import (
	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
)

// Command returns the command store.
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
	}
	cmd.AddCommand(infoCommand(t), verifyCommand(t), gcCommand(t), mergeCommand(t))
	cli.Group(cmd)
	return cmd
}
