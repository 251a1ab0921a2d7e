// Package pns is best-first proof-number search (Allis 1994; Majerech 2012, chapter
// 3) for "win in N", on an explicit graph that a person can walk through step by step.
//
// # The graph
//
// The attacker's nodes are OR nodes, the defender's AND nodes. A node is a point in a
// turn between two options: edges are single steps, and pushes and pulls as one
// (Majerech 2012, sections 3.3.1 and 3.3.2), and a pass edge ends the turn. The pass
// edge does not use up steps one by one as Majerech's lambda vertices do, so a turn
// appears once and not once for each step it leaves unused.
//
// Every node belongs to a turn. Inside a turn a position is one node, with one
// parent, and it is kept with the most steps left of all the paths that reach it. A
// later path with no more steps left is a cross-link: it is not stored at all. When
// a path with more steps left is found, the node moves under the new parent and is
// expanded again with the steps it has now. The turn is thus a tree that holds each
// distinct position once, with every way to go on from it, and the sum over the tree
// counts each distinct result of the turn once. A step order counts for nothing, as it
// should (Majerech's sums counted a turn once for each order).
//
// Why that is right: the value of a turn's first node is the OR (or AND) over the
// pass edges of all the positions that the turn can reach. Each such position is in
// the tree, below the first node. A node inside a turn stands for the pass edges of
// its own subtree, so "disproved" there (for the attacker) says "nothing more in this
// subtree", not "no win after these steps": we call it exhausted. "Proved" there means
// what it says.
//
// # Leaves
//
// A pass edge is judged when its node is made (immediate evaluation). The end-of-turn
// table comes first. An attacker's turn is won when package goal finds a win in it, and
// lost when that was his last one and it does not. A defender's turn is lost for the
// attacker when the defender can win in it. With one attacker's turn left after it, a few
// replies are tried on the spot, those that refuted other turns before; most quiet turns
// fall to the first. A reply is met first by the turns that won before, replayed. All
// of these are exact in the direction in which they are used. What is not decided
// becomes a node of its own.
//
// The search stops making nodes for a turn as soon as one decides it.
//
// # Order
//
// Among nodes with the same number the one with the best static score comes first:
// captures, dislodged pieces and advanced rabbits (Majerech 2012, section 4.3.1).
//
// # Repetition
//
// Without a game history the third-repetition rule is set aside. With one, every turn
// that ends is counted against the game and the line that leads to it, and a forbidden
// turn is no edge. Nodes of different turns are never merged, so a node has one line
// and the count is exact. Row 6 of the end-of-turn table follows: a defender without an
// edge has lost. See repetition.go.
package pns
