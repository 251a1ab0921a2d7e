package library

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"goalproof/arimaa"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/internal/printable"
	"goalproof/library"
	"goalproof/solve/report"
)

// growing is the command library tree.
type growing struct {
	filters
	after        string
	depth, limit int
	json         bool
	t            cli.Terminal
	list         list
}

func treeCommand(t cli.Terminal) *cobra.Command {
	f := growing{t: t}
	cmd := &cobra.Command{
		Use:   "tree LIBRARY",
		Short: "Show what was played from a position, and with what result",
		Long: `Shows the turns that were played from a position in the games for which the
other flags hold: how often, how many percent Gold and Silver won, the mean
rating of those who played it, when it was played last, and in how many turns a
side wins by the review of such a game, if one proves that.

Turns that lead to the same position are one; a game counts once, with the first
such position. Without a position it shows how Gold set up, with --after how
Silver did then.

See also: goalproof help library-filters, json.`,
		Example: `  goalproof library import games.db examples/games.tsv
  goalproof library tree games.db --limit 5
  goalproof library tree games.db --position examples/game.turns --turn 2g --depth 2`,
		Args: needsLibrary,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.depth < 1:
				return fmt.Errorf("--depth %d: it is at least 1", f.depth)
			case f.limit < 0:
				return fmt.Errorf("--limit %d: it is 0 for all, or more", f.limit)
			case f.position != "" && f.after != "":
				return errors.New("--position and --after exclude each other")
			case f.position == "" && f.depth > 1:
				return errors.New("--depth needs --position")
			case f.position == "" && f.Exchanged:
				return errors.New("--exchanged needs --position")
			}
			if f.json && !cmd.Flags().Changed("limit") {
				f.limit = 0
			}
			if err := f.filters.read(cmd, t); err != nil {
				return err
			}
			return with(cmd.Context(), args[0], func(l *library.Library) error { return f.run(cmd.Context(), l) })
		},
	}
	flags := cmd.Flags()
	f.filters.register(flags, false)
	f.filters.registerFindings(flags, "games with this finding of a review")
	flags.StringVar(&f.after, "after", "", "how Silver set up after this `setup` of Gold")
	flags.IntVar(&f.depth, "depth", 1, "number of turns one behind the other")
	flags.IntVar(&f.limit, "limit", 20, "at most so many turns after a position; 0 is all, as with --json")
	cli.JSONFlag(flags, &f.json, "each turn")
	help.Group(flags, help.Question, "after")
	help.Group(flags, help.Output, "depth", "limit", "json")
	return cmd
}

// run writes the tree.
func (f *growing) run(ctx context.Context, l *library.Library) error {
	tree, err := f.grow(ctx, l, f.Position)
	if err != nil {
		return err
	}
	if err := f.unreviewed(ctx, l, f.t, tree.Games); err != nil {
		return err
	}
	f.list.right = []bool{true, true, true, true, false, false, false}
	f.list.add("games", "gold", "silver", "rating", "last", "proved", map[bool]string{true: "turn", false: "setup"}[f.Position != nil])
	f.list.add(append(score(&tree.Score), "all")...)
	if err := f.branches(ctx, l, f.Position, tree, nil); err != nil {
		return err
	}
	if f.json {
		return nil
	}
	if tree.Games == 0 {
		fmt.Fprintln(f.t.Out, "No game has it.")
		return nil
	}
	f.withoutProofs()
	f.list.write(f.t.Out)
	return nil
}

// provedColumn is the number of the column of proofs.
const provedColumn = 5

// withoutProofs takes the column of proofs out of the table if nothing is proved.
func (f *growing) withoutProofs() {
	for _, row := range f.list.rows[1:] {
		if row[provedColumn] != "" {
			return
		}
	}
	for i, row := range f.list.rows {
		f.list.rows[i] = slices.Delete(row, provedColumn, provedColumn+1)
	}
}

// grow returns what was played from a position, or without one what was set up.
func (f *growing) grow(ctx context.Context, l *library.Library, p *arimaa.Position) (*library.Tree, error) {
	if p == nil {
		return l.Setups(ctx, f.after, &f.Filter)
	}
	return l.Tree(ctx, p, &f.Filter)
}

// branches adds the turns of a tree after a line of turns.
func (f *growing) branches(ctx context.Context, l *library.Library, p *arimaa.Position, tree *library.Tree, line []string) error {
	indent := strings.Repeat("  ", len(line))
	for i := range tree.Branches {
		b := &tree.Branches[i]
		if f.limit > 0 && i == f.limit {
			f.others(tree.Branches[i:], indent)
			break
		}
		name := b.Setup
		if p != nil {
			name = p.Notation(b.Turn)
		}
		to := append(line[:len(line):len(line)], name)
		if f.json {
			if err := f.writeJSON(b, p, to); err != nil {
				return err
			}
		}
		f.list.add(append(score(&b.Score), indent+name)...)
		if p == nil || len(to) == f.depth {
			continue
		}
		next, err := f.grow(ctx, l, &b.After)
		if err != nil {
			return err
		}
		if err := f.branches(ctx, l, &b.After, next, to); err != nil {
			return err
		}
	}
	if tree.Ended > 0 && !f.json {
		f.list.add(strconv.Itoa(tree.Ended), "", "", "", "", "", indent+"no further turn")
	}
	return nil
}

// others adds a row for turns that are not shown.
func (f *growing) others(branches []library.Branch, indent string) {
	games := 0
	for _, b := range branches {
		games += b.Games
	}
	f.list.add(strconv.Itoa(games), "", "", "", "", "", indent+fmt.Sprintf("%d others", len(branches)))
}

// score returns the first cells of a row.
func score(s *library.Score) []string {
	percent := func(n int) string { return fmt.Sprintf("%.0f%%", 100*float64(n)/float64(max(s.Games, 1))) }
	rating := "-"
	if r := s.Rating(); r > 0 {
		rating = strconv.Itoa(r)
	}
	return []string{strconv.Itoa(s.Games), percent(s.Gold), percent(s.Silver), rating, dash(s.To), proofs(s)}
}

// proofs says which side a review has proved to win, "" for none.
func proofs(s *library.Score) string {
	var all []string
	for side, p := range s.Proofs {
		switch name := arimaa.Side(side).String(); {
		case p.Games > 0 && p.Turns == 0:
			all = append(all, name+" has won")
		case p.Games > 0:
			all = append(all, name+" in "+turnsOf(p.Turns, p.Exact))
		}
		if p.Games > 0 && p.Games < s.Games { // a proof holds with the history of its game
			all[len(all)-1] += fmt.Sprintf(" (%s)", printable.Amount(p.Games, "game"))
		}
	}
	return strings.Join(all, ", ")
}

// writeJSON writes a line for a turn or a setup.
func (f *growing) writeJSON(b *library.Branch, p *arimaa.Position, line []string) error {
	var position, setup *string
	if p == nil {
		setup, line = &b.Setup, nil
	} else {
		position = new(b.After.String())
	}
	return report.WriteJSON(f.t.Out, struct {
		Line  []string `json:"line"`
		Setup *string  `json:"setup"`
		library.ScoreRow
		Position *string `json:"position"`
	}{line, setup, b.Row(), position})
}
