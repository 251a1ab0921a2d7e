// Package library is the command library with its subcommands, which fill a library of games and
// puzzles, find puzzles in its games, and ask it.
package library

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
	"goalproof/library"
)

// Command returns the command library.
func Command(t cli.Terminal) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "library",
		Short: "Keep games and puzzles in one file, and ask it",
		Long: `Keeps games and puzzles in one file, a SQLite database that other programs can
read, too (docs/library.md), and answers questions about them: who played what,
where a position, some pieces or a pattern occurred, what was played next, who
missed a win, which puzzles the games hold.

While one process imports or reviews, others can read. The file must not lie on
a network file system.

See also: goalproof help library-filters, formats, json.`,
		Example: `  goalproof library import games.db examples/games.tsv
  goalproof library query games.db --ending goal --limit 3
  goalproof library tree games.db
  goalproof library sql games.db 'SELECT result, count(*) FROM games GROUP BY 1'`,
	}
	cmd.AddCommand(importCommand(t), reviewCommand(t), mineCommand(t), queryCommand(t), findingsCommand(t), treeCommand(t),
		exportCommand(t), statsCommand(t), sqlCommand(t), infoCommand(t), verifyCommand(t))
	cli.Group(cmd)
	return cmd
}

// interrupted is what a command says that can go on.
const interrupted = "goalproof: interrupted: run the command again for the rest"

// exitOf gives an error about a library its exit code.
func exitOf(err error) error {
	switch {
	case err == nil || errors.As(err, new(*cli.ExitError)) || errors.As(err, new(*library.FilterError)):
		return err
	case errors.Is(err, context.Canceled):
		return cli.Exit(cli.Unknown, errors.New("interrupted"))
	}
	return cli.Exit(cli.CodeOf(err, cli.BadInput), err)
}

// with opens a library for reading, and closes it.
func with(ctx context.Context, path string, use func(*library.Library) error) error {
	l, err := library.Open(ctx, path)
	if err != nil {
		return exitOf(err)
	}
	err = use(l)
	if closing := l.Close(); err == nil {
		err = closing
	}
	return exitOf(err)
}
