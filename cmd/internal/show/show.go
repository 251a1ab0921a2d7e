// Package show is the command show: positions and games drawn, or written in another notation.
package show

import (
	"errors"

	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
)

// flags are the flags of the show command.
type flags struct {
	inputs  inputs.Flags
	as      string
	picture picture
}

// Command returns the command show.
func Command(t cli.Terminal) *cobra.Command {
	f := flags{inputs: inputs.Flags{Finished: true}}
	cmd := &cobra.Command{
		Use:   "show INPUT...",
		Short: "Draw positions and games, and convert between notations",
		Long: `Draws positions, or the position of a game before any turn. With --as it
converts them to another notation, and says on standard error what that leaves
out. With --svg or --png it also writes a picture, in which the squares of the
last turn have a frame.

See also: goalproof help formats.`,
		Example: `  goalproof show examples/win-in-2.txt
  goalproof show examples/game.turns --turn 12s
  goalproof show --as short examples
  goalproof show --as post examples/win-in-2.txt
  goalproof show examples/games.tsv --game random-1-7 --as annotated > 7.txt
  goalproof show examples/game.turns --turn 12s --svg board.svg --png board.png`,
		RunE: func(cmd *cobra.Command, args []string) error {
			form, err := inputs.FormNamed(f.as)
			if err != nil {
				return err
			}
			in, err := f.inputs.Read(cmd.Context(), args, t)
			if err != nil {
				return err
			}
			if err := f.picture.check(args); err != nil {
				return err
			}
			if what := f.picture.what(form); what != "" {
				all := inputs.Peek(in.All, 2, inputs.One)
				defer all.Stop()
				if in.All = all.All; len(all.First) > 1 {
					return errors.New(what + "; there are more inputs")
				}
			}
			c := inputs.Writer{Out: t.Out, Form: form}
			err = in.Each(cmd.Context(), t, false, func(_ int, it inputs.Item) error {
				if err := write(t, &c, it); err != nil {
					return inputs.Refuse(err)
				}
				return f.picture.write(t, it)
			})
			if cmd.Flags().Changed("as") {
				c.Report(t.Err, "inputs")
			}
			return err
		},
	}
	f.inputs.Register(cmd.Flags())
	cmd.Flags().StringVar(&f.as, "as", "board", "notation: "+inputs.FormNames("or"))
	f.picture.register(cmd.Flags())
	return cmd
}
