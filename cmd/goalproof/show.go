package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"goalproof/arimaa"
	"goalproof/render"
)

func showCommand(t terminal) *cobra.Command {
	f := inputFlags{finished: true}
	var as string
	cmd := &cobra.Command{
		Use:   "show INPUT...",
		Short: "Draw a position or a game at any turn, and convert between notations",
		Long: `Show draws positions, and the position of a game before any turn, or writes them in
another notation.

` + inputHelp + `

The notations of --as:
  board  the board, as other programs read it too (long form); the default
  short  g [64 squares], what the command setposition of the engine interface takes
  turns  a list of turns: the pieces as set up, then the turns of the game up to --turn

` + exitCodes,
		Example: `  goalproof show examples/win-in-2.txt
  goalproof show examples/game.turns --turn 12s
  goalproof show archive.tsv --game 669124 --as turns > game.txt
  goalproof show --as short examples`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch as {
			case "board", "short", "turns":
			default:
				return fmt.Errorf("--as %s: the notations are board, short and turns", as)
			}
			items, err := f.inputs(cmd.Context(), args, t)
			if err != nil {
				return err
			}
			if as == "turns" && len(items) > 1 {
				return fmt.Errorf("--as turns writes one game; there are %d inputs", len(items))
			}
			var code status
			for i, it := range items {
				if cmd.Context().Err() != nil {
					return code.worse(exitUnknown).finish()
				}
				if it.err != nil {
					fmt.Fprintf(t.err, "goalproof: %v\n", it.err)
					code = code.worse(exitBadInput)
					continue
				}
				show(t, it, as, i > 0)
			}
			return code.finish()
		},
	}
	f.register(cmd.Flags())
	cmd.Flags().StringVar(&as, "as", "board", "notation: board, short or turns")
	return cmd
}

// show writes one position or game.
func show(t terminal, it item, as string, more bool) {
	p := it.diagram.Position
	switch as {
	case "short":
		fmt.Fprintln(t.out, p)
		return
	case "turns":
		game := it.game
		if game == nil {
			game = arimaa.NewGame(p, it.diagram.Number)
		}
		fmt.Fprint(t.out, game.Turns())
		return
	}
	if more {
		fmt.Fprintln(t.out)
	}
	// The notes are comments, so that the output can be read again.
	fmt.Fprintf(t.out, "# %s\n%s", it.name, render.Board(it.diagram, t.styled))
	outcome := p.Ended(p.Side().Other())
	if it.game != nil {
		outcome = it.game.Outcome()
		if end := it.game.End(); end != "" {
			fmt.Fprintf(t.out, "# the record ends: %v %s\n", p.Side(), end)
		}
	}
	if outcome.Over() {
		fmt.Fprintf(t.out, "# the game is over: %v has won (%v)\n", outcome.Winner, outcome.Reason)
	}
}
