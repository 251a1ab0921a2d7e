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

// Node is a node of the graph after a search or [Solver.Load], for display. It is valid until the next
// search. It comes from [Solver.Root]; the zero Node is none.
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

// Attacks tells whether the attacker is to move: an OR node. Else it is an AND node.
func (n Node) Attacks() bool { return !n.node().is(defends) }

// Begins tells whether a turn begins with the node: a pass edge leads to it, or it is the root.
func (n Node) Begins() bool { return n.node().turn == n.r }

// Option returns the step, push or pull that leads to the node; zero where a turn begins.
func (n Node) Option() arimaa.Option { return n.node().option }

// Turns returns how many turns the attacker has left, this one included if it is his.
func (n Node) Turns() int { return int(n.node().turns) }

// Numbers returns the proof number and the disproof number. Of a solved node one is 0 and the
// other one stands for infinity.
func (n Node) Numbers() (pn, dn uint32) { return n.node().pn, n.node().dn }

// Infinity is the number of a node that is solved the other way.
const Infinity = tables.Infinity

// Verdict tells whether the node is solved. Inside a turn the verdict against the side to
// move only means that the node is exhausted.
func (n Node) Verdict() answer.Verdict {
	switch k := n.node(); {
	case k.is(proved):
		return answer.Proved
	case k.is(disproved):
		return answer.Disproved
	}
	return answer.Unknown
}

// Open tells whether options of the node are still to be listed.
func (n Node) Open() bool { return n.node().leaf() }

// Size returns the number of nodes of the subtree, the node included.
func (n Node) Size() int {
	size := 1
	for c := n.node().child; c != 0; c = n.s.slab.at(c).sibling {
		size += Node{n.s, c}.Size()
	}
	return size
}

// Children returns the children in the order in which the search prefers them. If the turn may
// end at the node and the result is open, one of them begins the next turn.
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

// Walk follows words from a node: steps as in records, with or without captures, and "pass", which ends
// a turn before its fourth step. The steps of a turn may come in any legal order, because each
// position of a turn is one node. The words may end in the middle of a turn.
// The error names the word that leads nowhere: it is illegal, or the search has not been there.
func (n Node) Walk(words []string) (Node, error) {
	st := arimaa.NewState(n.Position())
	turn := n.node().turn
	arrive := func(word string) error {
		r := n.s.index.find(&n.s.slab, turn, &st.Board, st.PiecesKey())
		if r == 0 {
			return fmt.Errorf("%s: the search has no node there", word)
		}
		n.r = r
		return nil
	}
	// A capture, such as hc3x, follows from its step.
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return len(w) == 4 && strings.HasSuffix(w, "x") })
	for i, word := range words {
		if ended := word == "pass"; ended || st.StepsLeft() == 0 {
			if err := arrive(word); err != nil {
				return n, err
			}
			next := Node{}
			for _, c := range n.Children() {
				if c.Begins() {
					next = c
				}
			}
			if next.r == 0 {
				return n, fmt.Errorf("%s: no turn is searched there, because the turn before it is decided", word)
			}
			n, turn, st = next, next.r, arimaa.NewState(next.Position())
			if ended {
				continue
			}
		}
		step, err := notation.ParseStep(word)
		if err == nil {
			_, err = st.Play(step)
		}
		if err != nil {
			return n, fmt.Errorf("%s: %w", word, err)
		}
		if err := st.MayEnd(); i == len(words)-1 && err != nil && !errors.Is(err, arimaa.ErrNotChanged) {
			return n, fmt.Errorf("%s: %w", word, err)
		}
	}
	if len(words) == 0 {
		return n, nil
	}
	err := arrive(words[len(words)-1])
	return n, err
}
