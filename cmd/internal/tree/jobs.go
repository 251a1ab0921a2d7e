package tree

import (
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/printable"
	"goalproof/joblevel"
)

// turnsOf divides words into turns, each of which ends with "pass" or has four steps.
func turnsOf(words []string) (turns []string) {
	var turn []string
	steps := 0
	end := func() {
		if len(turn) > 0 {
			turns = append(turns, strings.Join(turn, " "))
		}
		turn, steps = nil, 0
	}
	for _, w := range words {
		capture := len(w) == 4 && strings.HasSuffix(w, "x")
		if w == "pass" || steps == arimaa.StepsPerTurn && !capture {
			end()
		}
		if w == "pass" {
			continue
		}
		if turn = append(turn, w); !capture {
			steps++
		}
	}
	end()
	return turns
}

// openJobs reads a search that a cluster has made, and returns the node that turns lead to.
func openJobs(file io.Reader, _ uint64, words []string) (*shown, error) {
	g, err := joblevel.Read(file)
	if err != nil {
		return nil, err
	}
	at, err := g.Root().Walk(turnsOf(words))
	if err != nil {
		return nil, err
	}
	rows := jobRows(at)
	return &shown{
		board: notation.Diagram{Position: at.Position()}, rows: rows,
		write: func(t cli.Terminal) { writeJobs(t, g, at, rows) },
	}, nil
}

// jobRows returns a node and its children.
func jobRows(at joblevel.Node) []row {
	all := []row{jobRow(at)}
	position := at.Position()
	children, _ := at.Children()
	best := bestOf(at, children)
	for i, c := range children {
		r := jobRow(c.Node)
		r.Step, r.Best = new(position.Notation(c.Turn)), i == best
		all = append(all, r)
	}
	return all
}

// bestOf returns which of the children of an open node the search goes to, by its number; -1 if it
// goes to none of them.
func bestOf(at joblevel.Node, children []joblevel.Child) int {
	best, least := -1, uint64(joblevel.Infinity)
	if at.Verdict() != answer.Unknown {
		return best
	}
	for i, c := range children {
		n, dn := c.Numbers()
		if !at.Attacks() {
			n = dn
		}
		if n < least {
			best, least = i, n
		}
	}
	return best
}

func jobRow(n joblevel.Node) row {
	position := n.Position()
	r := row{Type: "AND", Verdict: n.Verdict().String(), Turns: n.Turns(), Position: position.String(), StepsLeft: position.StepsLeft()}
	if n.Attacks() {
		r.Type = "OR"
	}
	children, _ := n.Children()
	r.Size = 1 + len(children)
	finite := func(x uint64) *uint32 {
		if x >= joblevel.Infinity {
			return nil
		}
		return new(uint32(x))
	}
	pn, dn := n.Numbers()
	r.Proof, r.Disproof = finite(pn), finite(dn)
	return r
}

// writeJobs shows a node and its children to a person.
func writeJobs(t cli.Terminal, g *joblevel.Graph, at joblevel.Node, rows []row) {
	position := at.Position()
	root := g.Root().Position()
	fmt.Fprintf(t.Out, "\n%s to move. A win in %d for %v, %s left: %s.\n\n", position.Side(), g.Turns(), root.Side(), printable.Amount(at.Turns(), "turn"), at.Verdict())
	if win, ok := at.Win(); ok {
		fmt.Fprintf(t.Out, "It wins with %s.\n\n", position.Notation(win))
	}
	for _, r := range rows {
		turn, mark := "(this node)", ""
		if r.Step != nil {
			turn = *r.Step
		}
		if r.Best {
			mark = "*"
		}
		fmt.Fprintln(t.Out, strings.TrimRight(fmt.Sprintf("%-28s %-4s %10s %10s  %-9s %s", turn, r.Type, number(r.Proof), number(r.Disproof), r.Verdict, mark), " "))
	}
	_, rest := at.Children()
	for _, v := range []answer.Verdict{answer.Disproved, answer.Unknown} {
		if n := rest[v]; n > 0 {
			fmt.Fprintf(t.Out, "and %s: %s\n", others(n), map[answer.Verdict]string{answer.Disproved: "refuted", answer.Unknown: "not decided"}[v])
		}
	}
}

func others(n int) string {
	if n == 1 {
		return "one other turn"
	}
	return humanize.Comma(int64(n)) + " other turns"
}
