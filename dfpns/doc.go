// Package dfpns is the fast solver: depth-first proof-number search over turn
// boundaries, on tables, with all cores.
//
// # The tree
//
// A position before a turn of the attacker is an OR node, one before a turn of the
// defender an AND node. A turn is taken as a unit: a node has one child for each distinct
// result of a turn ([arimaa.Generator]). Every node carries n, the turns that the
// attacker has left, so nothing repeats below it, and what is found out about a position and n
// holds wherever they are met. Not all of the tree is searched:
//
//   - A win in 1 is a matter of package goal.
//   - A win in 2 is decided as a whole (two.go). For each turn of the attacker,
//     [goal.Detector.Holds] looks for one reply that leaves him no win; it tries what
//     refuted the turns before, which refutes most, and searches only replies that
//     change something that a threat leans on.
//   - From 3 on, thresholds of proof and disproof numbers (Nagai 2002; Majerech 2012, section
//     3.2) control what is searched: among an attacker's turns those that are least work to
//     prove, among replies those that are least work to refute the attack with. Replies
//     that lose to a win in 1 are left out with the help of [goal.Detector.Defences].
//     The threshold of the best child exceeds the second best number by epsilon, a quarter, which
//     keeps the search from going to and fro (Pawlewicz and Lew 2007).
//
// Turns that threaten to win at once start with a low proof number, quiet ones with a
// high one: they are searched last and all the same, so a "no" is complete. Zugzwang needs no
// rule of its own: the unchanged board is not among the replies.
//
// A reply that refuted another attack lately is tried alone, before the replies are
// listed. A turn that won after another reply is tried before all others.
//
// # Tables and workers
//
// The numbers of a node's children stand in its frame while it is searched, so the
// search makes progress whatever the table forgets. What is found out about a
// node goes into a [tables.Table] when it is left. The workers all search from the
// root and share that table. A worker prefers children that no other worker is in, and
// takes over what others have found out before it enters one.
//
// That table is also the garbage collector. Majerech (2012, section 4.4) needs one for the graph of
// best-first search; here nothing lasts but the two tables, whose sizes are fixed. Of a solved node the fact
// is kept and nothing below it is needed; among numbers those with the least work behind them are
// replaced first ([tables.Greater]), which are the cheapest to find again. So a search goes on in the same
// memory for as long as it takes, and there are no marks to set as in package pns.
//
// What is proved or refuted is true of the position, so verdicts, distances and
// the lists of solutions depend neither on the number of workers nor on the size of the
// table.
//
// With a [tables.Store], facts about positions with the attacker to move that took some work also
// go there, and an OR node that the table does not answer is looked up there when it is first
// visited. A stored fact counts like one of this search: one that cannot be true of the position, or
// that what is found out contradicts, ends the search with an error.
//
// # Repetition
//
// The third repetition is set aside. A proof stands under that rule as well, from an
// empty history: take for each position in it the least n with which it is proved. After
// a turn and a reply that n is less, so no position is met twice; nor is one after the attacker's
// turn, whose own least n is one less than that of the position before it. A "no" means that there
// is no win in the sense in which the rule is set aside.
package dfpns
