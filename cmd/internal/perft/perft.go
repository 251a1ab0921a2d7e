// Package perft is the command perft: counts of the distinct results of a turn, and of its first
// options; and counts and lists of the results of turns that do what is asked.
package perft

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"goalproof/arimaa"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/solve/report"
)

// flags are the flags of the perft command.
type flags struct {
	inputs inputs.Flags
	where  []string
	list   bool
	json   bool
}

// Command returns the command perft.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "perft INPUT...",
		Short: "Count a turn's distinct results, or those that do something",
		Long: `Counts the distinct positions after one whole turn, and the steps, pushes and
pulls at its start. Authors of other programs compare these counts with their
own. The unchanged position does not count; captures and goals do. The third
repetition is set aside.

--where counts the positions after turns that do something, by any order of
steps. One order must do all of its words:

  capture=e@f6   an enemy elephant falls on f6; or capture, capture=e,
                 capture@f6, as for solve --goal
  rabbit=7       after the turn a rabbit of the side to move is on rank 7
  win            the turn wins at once
  Rf6            after the turn a gold rabbit is on f6; or any other pattern,
                 such as Aa-h7 or !rc3 (see goalproof help library-filters)
  off=e4         the piece on e4 leaves: after the turn no piece of its kind
                 and colour is there

Each word is about the turn alone, not about the reply, nor about who wins: a
capture counts if the turn loses, and a win without a capture is no capture.
(solve --goal capture --win-in 1 --all lists the turns that win, or capture
without losing.)

A turn is essential if no order of steps that leads to its result passes by that
of a shorter turn that does all words. --list writes a turn of the fewest steps
for each position below its row, the essential ones first, marked *.

See also: goalproof help formats, json, library-filters.`,
		Example: `  goalproof perft examples/win-in-2.txt
  goalproof perft 'g [                R                                r              ]'
  goalproof perft --json examples
  goalproof perft --where capture=r --where rabbit=6 examples
  goalproof perft --where 'capture off=g3' --list examples/win-in-3.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.list && len(f.where) == 0 {
				return errors.New("--list needs --where, such as --where capture")
			}
			w, err := parseWhere(f.where)
			if err != nil {
				return err
			}
			return f.run(cmd.Context(), args, t, &w)
		},
	}
	f.inputs.Register(cmd.Flags())
	cmd.Flags().StringArrayVar(&f.where, "where", nil,
		"count the turns that do this: `words` such as capture=e@f6, rabbit=7, Rf6 or off=e4; may be given several times")
	cmd.Flags().BoolVar(&f.list, "list", false, "list the turns of --where below their counts")
	cli.JSONFlag(cmd.Flags(), &f.json, "each position")
	help.Group(cmd.Flags(), help.Question, "where")
	help.Group(cmd.Flags(), help.Output, "list", "json")
	return cmd
}

// run counts for each input.
func (f *flags) run(ctx context.Context, args []string, t cli.Terminal, w *where) error {
	in, err := f.inputs.Read(ctx, args, t)
	if err != nil {
		return err
	}
	switch {
	case f.json:
	case len(w.words) > 0:
		fmt.Fprintf(t.Out, "%10s %9s %9s  position\n", "results", "matching", "essential")
	default:
		fmt.Fprintf(t.Out, "%10s %8s %6s %7s %6s  position\n", "results", "options", "steps", "pushes", "pulls")
	}
	var g arimaa.Generator
	return in.Each(ctx, t, f.json, func(_ int, it inputs.Item) error {
		c := count(&g, it)
		if len(w.words) > 0 {
			p := it.Diagram.Position
			if err := w.check(&p.Board); err != nil {
				return inputs.Refuse(fmt.Errorf("%s: %w", it.Name, err))
			}
			if err := c.match(ctx, w, p, f.list); err != nil {
				return cli.Exit(cli.Unknown, errors.New("interrupted"))
			}
		}
		if f.json {
			return report.WriteJSON(t.Out, c)
		}
		c.write(t.Out)
		return nil
	})
}

// counts is the JSON of a position.
type counts struct {
	inputs.About
	Results   int      `json:"results"`
	Options   int      `json:"options"`
	Steps     int      `json:"steps"`
	Pushes    int      `json:"pushes"`
	Pulls     int      `json:"pulls"`
	Where     []string `json:"where"` // nil without --where
	Matching  *int     `json:"matching"`
	Essential *int     `json:"essential"`
	Turns     []turn   `json:"turns"` // nil without --list
}

// turn is the JSON of a turn that does what is asked.
type turn struct {
	Turn      string `json:"turn"`
	Essential bool   `json:"essential"`
}

func count(g *arimaa.Generator, it inputs.Item) counts {
	p := it.Diagram.Position
	c := counts{About: it.About(), Results: g.Generate(&p)}
	for _, o := range p.Options(nil) {
		c.Options++
		switch {
		case o.IsPush():
			c.Pushes++
		case o.IsPull():
			c.Pulls++
		default:
			c.Steps++
		}
	}
	return c
}

// match counts the results of turns that do what is asked, and lists their turns. The error is that
// of the context.
func (c *counts) match(ctx context.Context, w *where, p arimaa.Position, list bool) error {
	all, err := w.matches(ctx, p)
	if err != nil {
		return err
	}
	matching, essential := len(all), 0
	if list {
		c.Turns = []turn{}
	}
	for _, m := range all {
		if m.essential() {
			essential++
		}
		if list {
			c.Turns = append(c.Turns, turn{p.Notation(m.turn), m.essential()})
		}
	}
	c.Where, c.Matching, c.Essential = w.words, &matching, &essential
	return nil
}

// write prints the row of a position, and its turns below, in the column of the position: a turn has
// at most four steps and four captures, 39 characters.
func (c *counts) write(out io.Writer) {
	if c.Where == nil {
		fmt.Fprintf(out, "%10d %8d %6d %7d %6d  %s\n", c.Results, c.Options, c.Steps, c.Pushes, c.Pulls, c.File)
		return
	}
	fmt.Fprintf(out, "%10d %9d %9d  %s\n", c.Results, *c.Matching, *c.Essential, c.File)
	for _, t := range c.Turns {
		mark := " "
		if t.Essential {
			mark = "*"
		}
		fmt.Fprintf(out, "%31s %s\n", mark, t.Turn)
	}
}
