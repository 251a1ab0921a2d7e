// Package joblevel is proof-number search whose leaves are jobs of seconds, answered elsewhere
// (job-level proof-number search: Wu, Lin, Lin, Huang, Sun and Chen 2013). A [Graph] decides
// whether the attacker wins within n turns: it says what to ask next ([Graph.Next]) and takes
// answers in any order ([Graph.Take]). Package dfpns answers ([Answer]).
//
// # The graph
//
// An OR node is a position with the attacker to move and a number of turns that he has left, an AND
// node what one of his turns leads to. Positions that are reached in several ways, with as many
// turns left, are one node. There are two kinds of questions, both about an OR node:
//
//   - as a whole: does the attacker win within n? It is asked once, of a new node. If the answer is
//     open, the node is expanded. (The root is expanded at once, so that many can begin.)
//   - about a range of its first turns: which of them keep the win? The answer goes as far as its
//     effort lasts, and names turns that took long. To refute a win, all turns must be refuted,
//     thousands of them, and mostly by the same replies: a range is the unit in which one worker
//     learns that.
//
// A turn that took long becomes an AND node. With two turns left after it, it is asked about alone,
// each time with more effort, as long as that is not too much. Otherwise it is expanded: its replies
// become OR nodes, one at a time, those first that have refuted other turns.
//
// # Selection
//
// The next question is found from the root, by the least proof number at an OR node and the least
// disproof number at an AND node, as in package pns, but among the nodes below which something is
// left to ask: questions that are out are no reason to wait. A subtree counts for more the more
// questions about it are out (virtual loss). A first turn that was not asked about counts one. A
// reply that was not tried counts for more the more of its siblings were, so that the first ones
// are followed up before all have been tried.
//
// # What workers share
//
// A win in three is refuted by a few replies that answer thousands of turns; after them these lead to
// the same boards. So an answer names the replies that refuted lately, and the next questions do
// ([Killers]): two searchers who try different ones look at different boards, and each does what the
// other has done, too. Such a reply says where to look; if it is a bad one, that takes time. What was
// found at the boards does not travel: millions of entries a minute, of which one false one would
// make the answers of all workers false.
//
// # Why it is right
//
// A node is solved by an answer about it, or by its children: the root's verdict is no truer than
// the answers. Numbers, order and effort decide how long it takes, and nothing else. The graph is a
// function of the answers: taken again, in any order, they give the same verdicts. So it can be
// saved as its answers ([Graph.Write]), and an answer that proves false can be taken back
// ([Graph.Retract]).
package joblevel
