package joblevel

import (
	"fmt"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/tables"
)

// Node is a position in a graph, at the start of a turn.
type Node struct {
	g     *Graph
	after bool // a turn that is no node by itself: it was refuted as one of many, or nobody has asked
	node
	turn int // then: its number
}

// Root returns the position that the graph is about.
func (g *Graph) Root() Node { return Node{g: g} }

// Attacks reports whether the attacker is to move.
func (n Node) Attacks() bool { return !n.and && !n.after }

// Position returns the position.
func (n Node) Position() arimaa.Position {
	if n.Attacks() {
		return n.g.ors[n.i].position
	}
	if n.and {
		return n.g.ands[n.i].position
	}
	p := n.g.ors[n.i].position
	n.g.generator.Generate(&p)
	return n.g.generator.Position(n.turn, p.Side())
}

// Turns returns how many turns the attacker has left.
func (n Node) Turns() int {
	switch {
	case n.and:
		return int(n.g.ands[n.i].n)
	case n.after:
		return int(n.g.ors[n.i].n) - 1
	}
	return int(n.g.ors[n.i].n)
}

// Verdict says whether the attacker wins within the turns that he has left.
func (n Node) Verdict() answer.Verdict {
	if n.after {
		if n.g.ors[n.i].first[n.turn] == refuted {
			return answer.Disproved
		}
		return answer.Unknown
	}
	return n.g.at(n.node).verdict
}

// Numbers returns the proof and the disproof number. [Infinity] is that of what cannot be.
func (n Node) Numbers() (proof, disproof uint64) {
	switch {
	case n.after && n.Verdict() == answer.Disproved:
		return tables.Infinity, 0
	case n.after:
		return 1, 1
	}
	x := n.g.at(n.node)
	return x.pn, x.dn
}

// Infinity is a proof number or disproof number of a solved node.
const Infinity = tables.Infinity

// Child is what a turn leads to.
type Child struct {
	Turn arimaa.Turn
	Node
}

// Children returns the turns that are nodes of the graph. Rest counts the others, by verdict:
// nothing more is known of them.
func (n Node) Children() (all []Child, rest map[answer.Verdict]int) {
	rest = map[answer.Verdict]int{}
	switch {
	case n.after:
	case n.and:
		a := &n.g.ands[n.i]
		for j, i := range a.index {
			t, _, _ := a.position.Decode(a.replies[j])
			all = append(all, Child{t, Node{g: n.g, node: node{i: i}}})
		}
		rest[answer.Unknown] = len(a.replies) - a.tried
	default:
		o := &n.g.ors[n.i]
		n.g.generator.Generate(&o.position)
		for _, k := range o.hard {
			all = append(all, Child{n.g.generator.Turn(n.g.ands[k].number), Node{g: n.g, node: node{true, k}}})
		}
		rest[answer.Unknown] = o.open
		rest[answer.Disproved] = len(o.first) - o.open - len(o.hard)
	}
	return all, rest
}

// Win returns a turn with which the attacker, to move, wins; ok is false if he is not known to.
func (n Node) Win() (t arimaa.Turn, ok bool) {
	if !n.Attacks() || n.Verdict() != answer.Proved {
		return t, false
	}
	p := n.g.ors[n.i].position
	t, _, ok = p.Decode(n.g.ors[n.i].win)
	return t, ok
}

// Walk goes on by turns, each of which is a text of steps. The error says which of them is not
// legal, or leads to what is not in the graph.
func (n Node) Walk(turns []string) (Node, error) {
	for _, text := range turns {
		if n.after {
			return n, fmt.Errorf("%s: the turn before is no node of the graph, so nothing is known here", text)
		}
		game := arimaa.NewGame(n.Position(), arimaa.FirstTurn)
		if err := notation.Play(game, text); err != nil {
			return n, err
		}
		next, ok := n.to(game.Last())
		if !ok {
			return n, fmt.Errorf("%s: this turn is not in the graph", text)
		}
		n = next
	}
	return n, nil
}

// to returns the node that a turn leads to.
func (n Node) to(p arimaa.Position) (Node, bool) {
	children, _ := n.Children()
	for _, c := range children {
		if c.Position() == p {
			return c.Node, true
		}
	}
	if !n.Attacks() {
		return n, false
	}
	o := &n.g.ors[n.i]
	for i := range n.g.generator.Generate(&o.position) {
		if i < len(o.first) && n.g.generator.Position(i, o.position.Side()) == p {
			return Node{g: n.g, after: true, node: n.node, turn: i}, true
		}
	}
	return n, false
}
