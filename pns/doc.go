// Package pns is best-first proof-number search (Allis 1994; Majerech 2012, chapter 3) for "win in
// N", on an explicit graph that a person can walk through step by step.
//
// # Where things are
//
//   - search.go: questions, and the steps of the search: descend to the most-proving node, expand,
//     back up. node.go and index.go: the graph in memory. order.go: the order of options.
//   - evaluate.go and threat.go: leaves. aims.go: other aims than the win. endgames.go and
//     store.go: facts known before the search. repetition.go: the third repetition.
//   - collect.go: the garbage collector. save.go: saved searches. view.go: the walk through a
//     graph.
//   - parameters.go: parameters, and initial numbers.
//
// # The graph
//
// The attacker's nodes are OR nodes, the defender's AND nodes. A node is a point in a turn between
// two options. Edges are single steps, pushes and pulls, each as one edge (Majerech 2012, sections
// 3.3.1 and 3.3.2), and a pass edge, which ends the turn. A pass edge does not use up steps one by
// one as Majerech's lambda vertices do, so a turn appears once and not once for each step that it
// leaves unused.
//
// Every node belongs to a turn. Inside a turn a position is one node, with one parent, and it keeps
// the most steps left of all the paths that reach it. A later path with no more steps left is a
// cross-link, which is not stored at all. When the search finds a path with more steps left, the
// node moves under the new parent and is expanded again with the steps that it has now. The turn is
// thus a tree that holds each distinct position once, with every option from it, and the sum over
// the tree counts each distinct result of the turn once, whatever the number of step orders
// (Majerech's sums counted a turn once for each order).
//
// Why that is right: the value of a turn's first node is the OR (or AND) over the pass edges of all
// the positions that the turn can reach. Each such position is in the tree, below the first node. A
// node inside a turn stands for the pass edges of its own subtree, so "disproved" there (for the
// attacker) means that the subtree holds no win, not that there is none after these steps: the node
// is exhausted. "Proved" means proved.
//
// # Leaves
//
// The end-of-turn table comes first. A turn of the attacker is proved if package goal finds a win
// in it, and disproved if it was his last one and goal finds none. A turn of the defender is
// disproved if he can win in it. If the attacker has one turn left after it, the search tries a few
// replies on the spot, first the killers, which refuted other turns; most quiet turns fall to the
// first. After a reply it first tries recent winning turns: such a turn wins again if nothing in
// its relevance zone has changed (threat.go). Each of these tests is used only in the direction in
// which it is exact. An undecided turn becomes a node of its own.
//
// A pass edge is evaluated when its node would be made (immediate evaluation), or when the search
// first comes to it (delayed evaluation; Allis 1994). Delayed evaluation makes more nodes a second,
// but takes more nodes and more time.
//
// The search stops making nodes for a turn as soon as one decides it. A turn that was solved by
// search goes into a proof table ([tables.Table]), where the search finds it again if another line
// leads to it, or if the collector has deleted it. Both happen only in searches for three turns or
// more.
//
// # Other aims
//
// A question may be about another aim than the win ([goal.Aim]; aims.go). The graph is the same,
// but the options of the defender that give up what is to be captured are no edges. A node inside
// his turn then stands for all ways to its position without such an option. A position that cannot
// be reached without one has no node: there the attacker has reached the aim, unless the defender
// has won. Whether he can win is asked before each turn of his is searched. The third repetition is
// set aside.
//
// # Order and numbers
//
// Among children with the same number the search takes the first one in the list: killers, the
// options that decided other nodes of the level (Majerech 2012, section 4.3.2), then the best
// static score, for captures, dislodged pieces and advanced rabbits (section 4.3.1).
//
// A turn begins with the numbers 1 and 1, or with an estimate ([Start]); a node inside a turn
// counts 1 for its unlisted options. With dynamic widening (Yoshizoe 2008) only the first few open
// children of a node count, for sums and for the choice of the next node; when one is solved the
// next takes its place. "Solved" is a flag that depends on all children, so none of this affects a
// verdict.
//
// # Memory
//
// A node takes 64 bytes in a slab, with 32-bit numbers in place of pointers, and its share of an
// index of the boards of each turn. When the number of nodes reaches the high mark, the collector
// deletes solved turns and then drops open ones, the least-proving first, down to the low mark; see
// [Parameters]. A dropped turn keeps its numbers, and the search expands it again when it leads to
// the most-proving node. It may search a turn more than once, but each solved turn stays in the
// proof table, so time and not memory is the limit. Only the path to the most-proving node must
// fit.
//
// A search can be saved when it ends or while it runs ([Solver.Save], [Solver.SaveEvery]), resumed
// ([Solver.Load]), and walked through ([Node]).
//
// # The store
//
// The answer and facts about the attacker's turns that took some work also go to a [tables.Store],
// if there is one, as soon as they are found. The search looks up his undecided turns there before
// it makes their nodes; see store.go.
//
// # Parameters
//
// See [Parameters]. They change the nodes and time of a search, never its verdict. The command
// goalproof solve has a flag for each; docs/performance.md compares the flags with those of APNS
// (Majerech 2012), and the default with other parameters.
//
// # Repetition
//
// Without a game history the third-repetition rule is set aside. With one, every turn that ends is
// counted against the game and the line that leads to it, and a forbidden turn is no edge. Nodes of
// different turns are never merged, so a node has one line and the count is exact. Row 6 of the
// end-of-turn table follows from that: a defender without an edge has lost. See repetition.go.
package pns
