package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/render"
)

func showCommand(t cli.Terminal) *cobra.Command {
	f := inputFlags{finished: true}
	var as string
	cmd := &cobra.Command{
		Use:   "show INPUT...",
		Short: "Draw positions and games, and convert between notations",
		Long: `Draws positions, or the position of a game before any turn. With --as it
converts them to another notation.

See also: goalproof help formats.`,
		Example: `  goalproof show examples/win-in-2.txt
  goalproof show examples/game.turns --turn 12s
  goalproof show examples/game.turns --as turns > game.txt
  goalproof show --as short examples`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch as {
			case "board", "short", "turns":
			default:
				return fmt.Errorf("--as %s: the notations are board, short and turns", as)
			}
			in, err := f.inputs(cmd.Context(), args, t)
			if err != nil {
				return err
			}
			if as == "turns" {
				all := peek(in.all, 2, one)
				defer all.stop()
				if in.all = all.all; len(all.first) > 1 {
					return errors.New("--as turns writes one game; there are more inputs")
				}
			}
			return in.each(cmd.Context(), t, func(i int, it item) error {
				show(t, it, as, i > 0)
				return nil
			})
		},
	}
	f.register(cmd.Flags())
	cmd.Flags().StringVar(&as, "as", "board", "notation: board, short or turns")
	return cmd
}

// show writes one position or game.
func show(t cli.Terminal, it item, as string, more bool) {
	p := it.diagram.Position
	switch as {
	case "short":
		fmt.Fprintln(t.Out, p)
		return
	case "turns":
		game := it.game
		if game == nil {
			game = arimaa.NewGame(p, it.diagram.Number)
		}
		fmt.Fprint(t.Out, notation.Turns(game))
		return
	}
	if more {
		fmt.Fprintln(t.Out)
	}
	// The notes are comments, so that the output can be read again.
	fmt.Fprintf(t.Out, "# %s\n%s", it.name, render.Board(it.diagram, t.Styled))
	outcome := p.Ended(p.Side().Other())
	if it.game != nil {
		outcome = it.game.Outcome()
		if end := it.game.End(); end != "" {
			fmt.Fprintf(t.Out, "# the record ends: %v %s\n", p.Side(), end)
		}
	}
	if outcome.Over() {
		fmt.Fprintf(t.Out, "# the game is over: %v has won (%v)\n", outcome.Winner, outcome.Reason)
	}
}
