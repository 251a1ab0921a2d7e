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
// The end-of-turn table comes first. An attacker's turn is won when package goal finds a
// win in it, and lost when that was his last one and it does not. A defender's turn is
// lost for the attacker when the defender can win in it. With one attacker's turn left after
// it, a few replies are tried on the spot, those that refuted other turns before; most
// quiet turns fall to the first. A reply is met first by the turns that won before: such a turn wins again
// where the few squares that it leans on are as they were (threat.go). All of these are exact in
// the direction in which they are used. What is not decided becomes a node of its own.
//
// A pass edge is judged when its node would be made (immediate evaluation), or when the
// search first comes to it (delayed evaluation; Allis 1994). Delayed evaluation makes more
// nodes a second, and takes more nodes and more time.
//
// The search stops making nodes for a turn as soon as one decides it. A turn that was
// solved by search goes into a proof table ([tables.Table]), where it is found again when
// another line leads to it, or when the collector has deleted it; that can be in searches for three
// turns or more.
//
// # Order and numbers
//
// Among nodes with the same number the one that comes first in the list of its parent is
// looked at first: killers, the options that decided other nodes of the level (Majerech 2012,
// section 4.3.2), then the best static score: captures, dislodged pieces and advanced
// rabbits (section 4.3.1).
//
// A turn begins with the numbers 1 and 1, or with an estimate ([Start]); a node inside
// a turn counts 1 for the options that it has not listed. With dynamic widening
// (Yoshizoe 2008) only the first few open children of a node count, for sums and for the
// choice of the next node; when one is solved the next takes its place. Solved
// is a flag that looks at all children, so none of this decides anything.
//
// # Memory
//
// A node takes 64 bytes in a slab, 32-bit numbers in place of pointers, and its share of an
// index of the boards of each turn. When the nodes have come to the high mark the collector
// deletes solved turns, and then drops open ones, those first that the search is
// farthest from coming to, down to the low mark; see [Parameters]. A turn that is dropped
// keeps its numbers and is searched again when it is the most-proving one. It may then
// have to be searched more than once, but each solved turn stays in the proof table, so time and
// not memory is the limit. Only the turns on the way to the most-proving node must
// fit.
//
// A search can be saved when it ends or while it runs ([Solver.Save], [Solver.SaveEvery]), go on later
// ([Solver.Load]), and be walked through ([Node]).
//
// # The store
//
// Facts about the attacker's turns that took some work also go to a [tables.Store], if there is one, as
// soon as they are found, and his turns that nothing else decides are looked up there when their
// nodes would be made; see store.go.
//
// # Options
//
// Those of APNS, the program of Majerech 2012 (appendix A.2.2), and what stands for
// them in the command goalproof solve:
//
//	APNS                          goalproof                        here
//	-a algorithm                  --algorithm
//	-t seconds                    --time                           the context
//	-p file                       an input
//	-s tree                       --resume                         Load, Continue
//	-d tree                       --save                           Save, SaveFile
//	-r transposition table size   --memory: the graph takes what   New
//	                              the proof table leaves; there
//	                              is no other table of numbers
//	-o proof table size           --memory: an eighth, at most     New
//	                              32 MiB
//	-k killers a level            --killers, 2                     Parameters.Killers
//	-G, -g gc high and low        --gc-high, --gc-low              Parameters.High, Low
//	(none)                        --store                          UseStore
//	(none)                        --save-every                     SaveEvery
//	-Q, -q quiet                  --quiet, and the exit code
//	-w print best move            always
//	epsilon of df-PN              --epsilon, of dfpns              dfpns.Options.Epsilon
//	(immediate alone)             --evaluation                     Parameters.Evaluation
//	(1 and 1 alone)               --start-numbers                  Parameters.Start
//	(none)                        --widening                       Parameters.Widening
//
// The 101 published wins in two by some of them, all decided, on one core:
//
//	                        nodes, millions   seconds
//	default                       12.8           5.4
//	no killers                    18.5           7.2
//	one killer                    15.7           6.3
//	four killers                  12.9           5.3
//	start numbers: distance       13.0           5.6
//	start numbers: mobility       13.4           5.8
//
// # Repetition
//
// Without a game history the third-repetition rule is set aside. With one, every turn
// that ends is counted against the game and the line that leads to it, and a forbidden
// turn is no edge. Nodes of different turns are never merged, so a node has one line
// and the count is exact. Row 6 of the end-of-turn table follows: a defender without an
// edge has lost. See repetition.go.
package pns
