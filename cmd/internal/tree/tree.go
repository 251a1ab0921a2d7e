// Package tree is the command tree: the nodes of a saved search.
package tree

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/arimaa/render"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/files"
	"goalproof/internal/memory"
	"goalproof/internal/printable"
	"goalproof/pns"
	"goalproof/solve/report"
)

// flags are the flags of the tree command.
type flags struct {
	as     string
	memory string
	json   bool
}

// Command returns the command tree.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "tree FILE [STEP...]",
		Short: "Walk through a saved search",
		Long: `Shows a node of a search saved by solve --algorithm pns --save, or by solve
--cluster --save: its position, its proof and disproof numbers, and its
children. Steps lead from the root to other nodes; "pass" ends a turn early.

See also: goalproof help search, json.`,
		Example: `  goalproof solve --algorithm pns --save search.pns examples/win-in-3.txt
  goalproof tree search.pns
  goalproof tree search.pns Rg3e
  goalproof tree search.pns --as board Rg3e > position.txt`,
		Args: cli.Args(1, cli.Many, "file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.as != "" && f.as != "board" && f.as != "short":
				return fmt.Errorf("--as %s: the notations are board and short", f.as)
			case f.as != "" && f.json:
				return errors.New("--as and --json exclude each other")
			}
			words := strings.Fields(strings.Join(args[1:], " "))
			source := t.Source(cmd.Context())
			bytes, err := memory.Budget(f.memory)
			if err != nil {
				return err
			}
			if done, err := f.ofJobs(t, source, args[0], words); done || err != nil {
				return err
			}
			g, err := openGraph(source, args[0], bytes)
			if err != nil {
				return cli.Unreadable(err)
			}
			at, err := g.root.Walk(words)
			if err != nil {
				return cli.Exit(cli.BadInput, fmt.Errorf("%s: %w", args[0], err))
			}
			position := at.Position()
			switch {
			case f.json:
				for _, r := range g.rows(at) {
					if err := report.WriteJSON(t.Out, r); err != nil {
						return err
					}
				}
			case f.as == "short":
				fmt.Fprintln(t.Out, position)
			case f.as == "board":
				fmt.Fprint(t.Out, render.Board(notation.Diagram{Position: position, Number: g.number(at)}, t.Styled))
			default:
				g.write(t, at)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&f.as, "as", "", "write only the position: board or short")
	cli.MemoryFlag(cmd.Flags(), &f.memory, "memory for the graph, for example 512MiB")
	cli.JSONFlag(cmd.Flags(), &f.json, "each node")
	return cmd
}

// graph is a saved search.
type graph struct {
	question pns.Question
	root     pns.Node
	onPath   map[pns.Node]bool // to the most-proving node
}

// openGraph reads a saved search. The error names the file.
func openGraph(source *files.Source, path string, memory uint64) (*graph, error) {
	file, err := source.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	s, err := pns.New(memory)
	if err != nil {
		return nil, err
	}
	g := &graph{onPath: map[pns.Node]bool{}}
	if g.question, err = s.Load(file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if g.root, err = s.Root(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for n, ok := g.root, true; ok; n, ok = n.Best() {
		g.onPath[n] = true
	}
	return g, nil
}

// number returns the number of the turn that a node belongs to.
func (g *graph) number(n pns.Node) int {
	number := cmp.Or(g.question.Number, arimaa.FirstTurn)
	if g.question.Game != nil {
		number = g.question.Game.Number(g.question.Game.Len())
	}
	played := g.question.N - n.Turns() // whole turns of the attacker before this one
	if !n.Attacks() && g.question.Position.Side() == arimaa.Gold {
		played-- // his last one has the same number
	}
	return number + played
}

// row is the JSON of a node.
type row struct {
	Step        *string `json:"step"`
	Type        string  `json:"type"`
	Proof       *uint32 `json:"proof"`
	Disproof    *uint32 `json:"disproof"`
	Verdict     string  `json:"verdict"`
	Turns       int     `json:"turns"`
	Size        int     `json:"size"`
	Best        bool    `json:"best"`
	MostProving bool    `json:"most_proving"`
	Position    string  `json:"position"`
	StepsLeft   int     `json:"steps_left"`
}

// rows returns a node and its children.
func (g *graph) rows(at pns.Node) []row {
	best, ok := at.Best()
	all := []row{g.row(at)}
	for _, c := range at.Children() {
		r := g.row(c)
		step := "pass"
		if !c.Begins() {
			position := at.Position()
			step = position.Notation(arimaa.Turn{}.WithOption(c.Option()))
		}
		r.Step, r.Best = &step, ok && c == best
		all = append(all, r)
	}
	return all
}

func (g *graph) row(n pns.Node) row {
	position := n.Position()
	r := row{
		Type: "AND", Verdict: n.Verdict().String(), Turns: n.Turns(), Size: n.Size(), MostProving: g.onPath[n],
		Position: position.String(), StepsLeft: position.StepsLeft(),
	}
	if n.Attacks() {
		r.Type = "OR"
	}
	pn, dn := n.Numbers()
	if pn != pns.Infinity {
		r.Proof = &pn
	}
	if dn != pns.Infinity {
		r.Disproof = &dn
	}
	return r
}

// write shows a node and its children to a person.
func (g *graph) write(t cli.Terminal, at pns.Node) {
	position := at.Position()
	fmt.Fprint(t.Out, render.Board(notation.Diagram{Position: position, Number: g.number(at)}, t.Styled))
	rows := g.rows(at)
	node := rows[0]
	fmt.Fprintf(t.Out, "\n%s to move, %s left in the turn. A win in %d for %v, %s left: %s.\n\n", position.Side(), printable.Amount(node.StepsLeft, "step"),
		g.question.N, g.question.Position.Side(), printable.Amount(node.Turns, "turn"), node.Verdict)
	line := func(columns ...any) {
		fmt.Fprintln(t.Out, strings.TrimRight(fmt.Sprintf("%-22s %-4s %10s %10s %14s %s", columns...), " "))
	}
	line("step", "type", "proof", "disproof", "size", "")
	for i, r := range rows {
		step, mark := "(this node)", ""
		if i > 0 {
			step = *r.Step
			switch {
			case r.Best && r.MostProving:
				mark = "**"
			case r.Best:
				mark = "*"
			}
		}
		line(step, r.Type, number(r.Proof), number(r.Disproof), humanize.Comma(int64(r.Size)), mark)
	}
	if at.Open() && at.Verdict() == answer.Unknown {
		fmt.Fprintln(t.Out, "(The search has yet to list the options here.)")
	}
}

// number writes a proof or disproof number; nil is infinite.
func number(n *uint32) string {
	if n == nil {
		return "inf"
	}
	return humanize.Comma(int64(*n))
}
