package pns

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/tables"
)

// Node is a node of the graph after a search or [Solver.Load], for display. It is valid until the
// next search. It comes from [Solver.Root]; the zero Node is none.
type Node struct {
	s *Solver
	r ref
}

// Root returns the root of the graph of the last search.
func (s *Solver) Root() (Node, error) {
	if s.root == 0 {
		return Node{}, errors.New("there is no graph")
	}
	return Node{s, s.root}, nil
}

func (n Node) node() *node { return n.s.slab.at(n.r) }

// Position returns the position of the node, with the steps left in the turn.
func (n Node) Position() arimaa.Position { return n.s.position(n.node()) }

// Attacks reports whether the attacker is to move: whether it is an OR node.
func (n Node) Attacks() bool { return !n.node().is(defends) }

// Begins reports whether a turn begins with the node: a pass edge leads to it, or it is the root.
func (n Node) Begins() bool { return n.node().turn == n.r }

// Option returns the step, push or pull that leads to the node; zero where a turn begins.
func (n Node) Option() arimaa.Option { return n.node().option }

// Turns returns how many turns the attacker has left, this one included if it is his.
func (n Node) Turns() int { return int(n.node().turns) }

// Numbers returns the proof number and the disproof number. Of a solved node one is 0 and the other
// one stands for infinity.
func (n Node) Numbers() (pn, dn uint32) { return n.node().pn, n.node().dn }

// Infinity is the number of a node that is solved the other way.
const Infinity = tables.Infinity

// Verdict returns the verdict on the node, unknown if it is not solved. Inside a turn the verdict
// against the side to move only means that the node is exhausted.
func (n Node) Verdict() answer.Verdict {
	switch k := n.node(); {
	case k.is(proved):
		return answer.Proved
	case k.is(disproved):
		return answer.Disproved
	}
	return answer.Unknown
}

// Open reports whether options of the node are still to be listed.
func (n Node) Open() bool { return n.node().leaf() }

// Size returns the number of nodes of the subtree, the node included.
func (n Node) Size() int {
	size := 1
	for c := n.node().child; c != 0; c = n.s.slab.at(c).sibling {
		size += Node{n.s, c}.Size()
	}
	return size
}

// Children returns the children in the order in which the search prefers them. If the turn may end
// at the node and the result is open, one of them begins the next turn.
func (n Node) Children() (all []Node) {
	for c := n.node().child; c != 0; c = n.s.slab.at(c).sibling {
		all = append(all, Node{n.s, c})
	}
	return all
}

// Best returns the best child: the one that the search would descend to or, of a solved node, one
// that solves it. ok is false if there is none.
func (n Node) Best() (best Node, ok bool) {
	k := n.node()
	if k.solved() {
		for _, c := range n.Children() {
			if c.node().is(k.good()) {
				return c, true
			}
		}
		return Node{}, false
	}
	r := n.s.bestChild(k)
	return Node{n.s, r}, r != 0
}

// Walk follows words from a node: steps as in records, with or without captures, and "pass", which
// ends a turn before its fourth step. The steps of a turn may come in any legal order, because each
// position of a turn is one node. The words may end in the middle of a turn. The error names the
// word that leads nowhere: it is illegal, or the search has not been there.
func (n Node) Walk(words []string) (Node, error) {
	// A capture, such as hc3x, follows from its step.
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return len(w) == 4 && strings.HasSuffix(w, "x") })
	w := walker{at: n, turn: n.node().turn, state: arimaa.NewState(n.Position())}
	for _, word := range words {
		if err := w.take(word); err != nil {
			return w.at, err
		}
	}
	if len(words) == 0 {
		return n, nil
	}
	last := words[len(words)-1]
	if err := w.state.MayEnd(); last != pass && err != nil && !errors.Is(err, arimaa.ErrNotChanged) {
		return w.at, fmt.Errorf("%s: %w", last, err)
	}
	err := w.arrive(last)
	return w.at, err
}

// pass is the word that ends a turn.
const pass = "pass"

// walker follows words through the graph.
type walker struct {
	at    Node // as far as it has looked nodes up
	turn  ref  // the first node of the turn that is being played
	state arimaa.State
}

// take plays a word. A step after the fourth one of a turn begins the next.
func (w *walker) take(word string) error {
	if word == pass || w.state.StepsLeft() == 0 {
		if err := w.endTurn(word); err != nil || word == pass {
			return err
		}
	}
	step, err := notation.ParseStep(word)
	if err == nil {
		_, err = w.state.Play(step)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", word, err)
	}
	return nil
}

// arrive looks up the node of the state.
func (w *walker) arrive(word string) error {
	s := w.at.s
	r := s.index.find(&s.slab, w.turn, &w.state.Board, w.state.PiecesKey())
	if r == 0 {
		return fmt.Errorf("%s: the search has no node there", word)
	}
	w.at.r = r
	return nil
}

// endTurn goes to the first node of the next turn.
func (w *walker) endTurn(word string) error {
	if err := w.arrive(word); err != nil {
		return err
	}
	for _, c := range w.at.Children() {
		if c.Begins() {
			w.at, w.turn, w.state = c, c.r, arimaa.NewState(c.Position())
			return nil
		}
	}
	return fmt.Errorf("%s: no turn is searched there, because the turn before it is decided", word)
}
