package endgame

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"goalproof/arimaa"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
	"goalproof/solve/report"
	"goalproof/tables/endgame"
)

// showFlags are the flags of the show command.
type showFlags struct {
	flags
	inputs inputs.Flags
	json   bool
}

func showCommand(t cli.Terminal) *cobra.Command {
	f := showFlags{flags: flags{threads: 1}}
	cmd := &cobra.Command{
		Use:   "show INPUT...",
		Short: "Show the value of a position and of all its turns",
		Long: `Shows the value of a position for the side to move, and lists its turns with
their values, the best first. Turns with the same result are listed once. A turn
after which the opponent loses in N is a win in N+1.

See also: goalproof help formats, json.`,
		Example: `  goalproof endgame show 'g [        r                                                 R     ]'
  goalproof endgame show --json 's [  r                                                        RR   ]'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			items, err := f.inputs.Read(cmd.Context(), args, t)
			if err != nil {
				return err
			}
			ts, err := f.open()
			if err != nil {
				return err
			}
			defer ts.Close()
			var code cli.Code
			err = items.Each(cmd.Context(), t, f.json, func(i int, it inputs.Item) error {
				known, err := f.show(t, ts, it, i > 0)
				if !known {
					code = code.Worse(cli.Unknown)
				}
				return exitOf(err)
			})
			if err != nil {
				return err
			}
			return code.Finish()
		},
	}
	f.inputs.Register(cmd.Flags())
	f.Register(cmd.Flags())
	cli.JSONFlag(cmd.Flags(), &f.json, "each position")
	return cmd
}

// shown is the answer about a position.
type shown struct {
	inputs.About
	Value string      `json:"value"`
	Turns []shownTurn `json:"turns"`
}

type shownTurn struct {
	Turn  string `json:"turn"`
	Value string `json:"value"`
	over  bool   // it ends the game
}

// show shows a position, behind an empty line if there was one before; known is false if no table
// has it.
func (f *showFlags) show(t cli.Terminal, ts *endgame.Tables, it inputs.Item, more bool) (known bool, err error) {
	p := it.Diagram.Position
	v, known := ts.Probe(&p.Board, p.Side())
	if err := ts.Err(); err != nil {
		return false, err
	}
	s := shown{About: it.About(), Value: v.String()}
	if known {
		turns, err := ts.Turns(&p)
		if err != nil {
			return false, err
		}
		for _, turn := range turns {
			s.Turns = append(s.Turns, shownTurn{p.Notation(turn.Turn), turn.Value.String(), turn.Over})
		}
	} else {
		s.Value = "unknown"
	}
	if f.json {
		return known, report.WriteJSON(t.Out, s)
	}
	it.Head(t, more)
	if !known {
		fmt.Fprintf(t.Out, "Unknown: %s.\n", whyUnknown(&p.Board, p.Side()))
		return false, nil
	}
	fmt.Fprintf(t.Out, "%s to move: %s.\n\n", p.Side(), s.Value)
	for _, turn := range s.Turns {
		at := ""
		if turn.over {
			at = ", at once"
		}
		fmt.Fprintf(t.Out, "%-20s %s\n", turn.Value+at, turn.Turn)
	}
	return true, nil
}

// whyUnknown says why no table has the board.
func whyUnknown(b *arimaa.Board, side arimaa.Side) string {
	var pieces [2]strings.Builder
	for s := arimaa.Gold; s <= arimaa.Silver; s++ {
		for k := arimaa.Elephant; k >= arimaa.Rabbit; k-- {
			for range b.Pieces(s, k).Len() {
				pieces[s].WriteByte(arimaa.NewPiece(s, k).Letter())
			}
		}
	}
	switch n := b.Occupied().Len(); {
	case b.Ended(side.Other()).Over():
		return "the game is over"
	case b.Undefended() != 0:
		return "a piece stands undefended on a trap"
	case n > endgame.MaxPieces:
		return fmt.Sprintf("%d pieces are more than %d", n, endgame.MaxPieces)
	}
	c, err := endgame.ParseClass(pieces[0].String() + "-" + pieces[1].String())
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("there is no table of %v; goalproof endgame build %v makes it", c, c)
}
