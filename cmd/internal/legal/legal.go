// Package legal is the command legal: can a position have come from a game, and how?
package legal

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/retro"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/search"
	"goalproof/internal/printable"
	"goalproof/solve/report"
)

// flags are the flags of the legal command.
type flags struct {
	inputs inputs.Flags
	search search.Flags // the limits alone
	back   int
	json   bool
}

// usualNodes is the default of --nodes: a few seconds.
const usualNodes = 1_000_000

// Command returns the command legal.
func Command(t cli.Terminal) *cobra.Command {
	f := flags{inputs: inputs.Flags{Any: true}}
	cmd := &cobra.Command{
		Use:   "legal INPUT...",
		Short: "Ask whether a position can have come from a game, and how",
		Long: `Takes turns back: is there a legal last turn of the side that is not to move,
and a turn before it? A position is

  possible    if so many turns can be taken back, or fewer to the setups. The
              line is shown.
  impossible  if no game leads to it: too many pieces, an undefended piece on a
              trap, or no last turn. All ways have then been tried.
  open        if a limit was reached before.

A line from the setups is a whole game. Any other line does not prove that there
is one: it only shows how the last turns can have been. The history of a game is
not asked, only the position.

See also: goalproof help formats, json, exit-codes.`,
		Example: `  goalproof legal examples/win-in-2.txt
  goalproof legal --back 5 '2g rrrrrrrr/hdcemcdh/8/8/8/4E3/HDCM1CDH/RRRRRRRR'
  goalproof legal --json examples`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(search.CheckTurns(cmd.Flags(), "back", 1), f.search.CheckLimits()); err != nil {
				return err
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	f.inputs.Register(cmd.Flags())
	cmd.Flags().IntVar(&f.back, "back", 2, "take back at most this many turns")
	f.search.RegisterLimits(cmd.Flags(), answer.Limit{Nodes: usualNodes}, "each position")
	cli.JSONFlag(cmd.Flags(), &f.json, "each position")
	help.Group(cmd.Flags(), help.Question, "back")
	return cmd
}

func (f *flags) run(ctx context.Context, args []string, t cli.Terminal) error {
	in, err := f.inputs.Read(ctx, args, t)
	if err != nil {
		return err
	}
	var code cli.Code
	err = in.Each(ctx, t, f.json, func(i int, it inputs.Item) error {
		r, err := f.ask(ctx, it, t)
		if err != nil {
			return inputs.Refuse(err)
		}
		code = code.Worse(map[retro.Verdict]cli.Code{retro.Possible: cli.Holds, retro.Impossible: cli.Fails, retro.Open: cli.Unknown}[r.Verdict])
		if f.json {
			return report.WriteJSON(t.Out, r.object())
		}
		it.Head(t, i > 0)
		r.write(t)
		return nil
	})
	if err != nil {
		return err
	}
	return code.Finish()
}

// result is the answer about a position.
type result struct {
	inputs.Item
	retro.Answer
}

// ask answers the question about a position, with a progress bar on a terminal.
func (f *flags) ask(ctx context.Context, it inputs.Item, t cli.Terminal) (*result, error) {
	ctx, cancel := f.search.Limit().Start(ctx)
	defer cancel()
	bar := cli.Counter(t, it.Name+": taking turns back", 0)
	defer bar.Finish()
	a, err := retro.Trace(ctx, it.Diagram.Position, f.back)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", it.Name, err)
	}
	f.search.ReportCut(t, it.Name, answer.Cut(ctx))
	return &result{it, a}, nil
}

// over is how the game has ended at the position, if it has. In the setup it has not begun.
func (r *result) over() (o arimaa.Outcome) {
	if r.Verdict == retro.Possible && len(r.Line) == 0 {
		return o
	}
	p := &r.Diagram.Position
	return p.Ended(p.Side().Other())
}

// write writes the answer for a person.
func (r *result) write(t cli.Terminal) {
	fmt.Fprintln(t.Out, r.sentence())
	if o := r.over(); o.Over() {
		fmt.Fprintf(t.Out, "The game is over here: %v has won (%v).\n", o.Winner, o.Reason)
	}
	if len(r.Line) == 0 {
		return
	}
	fmt.Fprintln(t.Out)
	for _, ply := range r.Line {
		fmt.Fprintf(t.Out, "  %v\n     %s\n", ply.Before, ply.Before.Notation(ply.Turn))
	}
	fmt.Fprintln(t.Out)
	switch {
	case r.Verdict == retro.Impossible:
		fmt.Fprintln(t.Out, "The line begins with a position that no game leads to.")
	case r.Whole():
		fmt.Fprintf(t.Out, "The line begins with %v: it is a whole game.\n", r.Setup)
	default:
		fmt.Fprintln(t.Out, "The line does not prove that a whole game leads here.")
	}
}

// sentence says the verdict in a sentence.
func (r *result) sentence() string {
	traced := printable.Amount(len(r.Line), "turn")
	switch {
	case r.Verdict == retro.Impossible:
		return fmt.Sprintf("Impossible: %s.", strings.ReplaceAll(r.Reason(r.Diagram.Position.Side()), "\n", "; "))
	case r.Verdict == retro.Open && len(r.Line) == 0:
		return fmt.Sprintf("Open: no last turn was found before the limit (%v).", r.Stop)
	case r.Verdict == retro.Open:
		return fmt.Sprintf("Open: %s can be taken back; further back, the limit was reached (%v).", traced, r.Stop)
	case len(r.Line) == 0:
		return fmt.Sprintf("Possible: it can be %v.", r.Setup)
	}
	return fmt.Sprintf("Possible: %s can be taken back.", traced)
}

// object is the JSON of a position.
type object struct {
	inputs.About
	Side    string  `json:"side"`
	Verdict string  `json:"verdict"`
	Reason  *string `json:"reason"`
	Over    bool    `json:"over"`
	Setup   *string `json:"setup"`
	Line    []ply   `json:"line"`
	Stopped *string `json:"stopped"`
	Nodes   uint64  `json:"nodes"`
}

// ply is a turn of the line and the position before it.
type ply struct {
	Position string `json:"position"`
	Turn     string `json:"turn"`
}

func (r *result) object() object {
	side := r.Diagram.Position.Side()
	o := object{About: r.About(), Side: side.String(), Verdict: r.Verdict.String(), Over: r.over().Over(), Line: []ply{}, Nodes: r.Nodes}
	for text, to := range map[string]**string{r.Reason(side): &o.Reason, r.Setup.String(): &o.Setup} {
		if text != "" {
			*to = new(text)
		}
	}
	if r.Stop != answer.Finished {
		o.Stopped = new(r.Stop.String())
	}
	for _, p := range r.Line {
		o.Line = append(o.Line, ply{p.Before.String(), p.Before.Notation(p.Turn)})
	}
	return o
}
