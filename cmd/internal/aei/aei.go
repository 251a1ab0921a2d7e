// Package aei is the command aei: the engine plays over the Arimaa Engine Interface.
package aei

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"goalproof/aei"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/search"
	"goalproof/cmd/internal/version"
)

// flags are the flags of the aei command.
type flags struct {
	engine  search.EngineFlags
	without string
}

// Command returns the command aei.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "aei",
		Short: "Play over the Arimaa Engine Interface",
		Long: `Plays over the Arimaa Engine Interface, version 1, for graphical clients and
match programs. It reads messages from standard input and answers on standard
output.

See also: goalproof help engine.`,
		Example: `  goalproof aei
  goalproof aei --threads 1 --memory 512MiB`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			defer f.engine.Close(t)
			settings, err := f.engine.Settings()
			if err != nil {
				return err
			}
			settings.Without = f.without
			c := aei.Config{
				Version:  version.Read().Version,
				Settings: settings,
				Check:    search.CheckEngine,
				New:      f.engine.NewEngine,
				Random:   rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())),
			}
			if err := c.Check(c.Settings); err != nil {
				return err
			}
			err = aei.Serve(cmd.Context(), t.In, t.Out, c)
			switch {
			case errors.Is(err, context.Canceled):
				return cli.Exit(cli.Unknown, errors.New("interrupted"))
			case errors.Is(err, aei.ErrUnknownMessage):
				return cli.Exit(cli.BadInput, err)
			case err != nil:
				return cli.Exit(cli.Internal, err)
			}
			return nil
		},
	}
	f.engine.Register(cmd.Flags())
	cmd.Flags().StringVar(&f.without, "without", "", "parts of the engine to switch off and weights to change, for example null-move,frame=0.5")
	return cmd
}
