// Package dfpns is the fast solver: depth-first proof-number search (df-pn, Nagai 2002) over turn
// boundaries, on tables, with all cores.
//
// # Where things are
//
//   - solver.go: questions, results, the passes of a search, workers. loss.go, many.go, all.go and
//     listing.go: the other questions.
//   - search.go: mid, the recursive search, and descend, its loop over children. expand.go and
//     threats.go: how the children of a node are made. queue.go: the selection of a child.
//   - numbers.go: proof and disproof numbers, outcomes. memory.go: the tables and the store.
//   - two.go and points.go: wins in two. aims.go: other aims than the win. endgames.go: endgame
//     tables.
//
// # The tree
//
// A position before a turn of the attacker is an OR node, one before a turn of the defender an AND
// node. A turn is generated as a unit: a node has one child for each distinct result of a turn
// ([arimaa.Generator]). Every node carries n, the number of turns that the attacker has left, so
// nothing repeats below it, and a result for a position and n holds wherever they occur. The search
// leaves parts of the tree out:
//
//   - Package goal decides a win in 1.
//   - A win in 2 is decided as a whole (two.go). For each turn of the attacker,
//     [goal.Detector.Defence] looks for one reply that leaves him no win. It first tries the
//     replies that refuted earlier turns, since they refute most others. It searches only replies
//     that change something in the relevance zone of a threat. Points within the turn that are calm
//     ([goal.Calm]) are left out, with all that follows from them: from there the attacker needs
//     more steps for a win than he has in two turns, and the defender has a reply that keeps it so.
//   - From 3 on, mid searches under thresholds of the proof and disproof numbers (Nagai 2002;
//     Majerech 2012, section 3.2): it selects the attacker's turn with the least proof number, and
//     the reply with the least disproof number. [goal.Detector.Defences] leaves out replies that
//     lose to a win in 1. The threshold of the best child exceeds the number of the second-best
//     child by the factor epsilon, a quarter, so that the search does not switch between the two
//     all the time (the 1+epsilon rule, Pawlewicz and Lew 2007).
//
// Turns that threaten to win at once start with a low proof number, quiet ones with a high one
// (heuristic initialisation, Nagai and Imai 2002): the search comes to quiet turns last, but it
// comes to all of them, so a "no" is complete. Zugzwang needs no rule of its own: the unchanged
// board is not among the replies.
//
// The search tries killers before anything else (Akl and Newborn 1977): a reply that lately refuted
// another attack is tried alone, before the replies are listed; a turn that won after another reply
// is tried before all other turns. The workers share the replies (the killers of [Tables]): after
// the same ones turns lead to the same boards, which one of them has refuted for all. After the
// killers come a few other replies, and only if these do not hold are all of them listed, thousands
// after a quiet turn.
//
// # Points within turns
//
// To disprove a win in three the search must disprove a win in two after each turn of the attacker,
// of which there are thousands, and a reply. Mostly the same few replies will do. The boards that
// the attacker can then reach with his second turn are largely the same too, since steps of the
// first turn may as well be made in the second. So when a win in two has been disproved, a table
// records every point within that turn with the number of steps left there (points.go): no board
// within that many steps of the point forces a win. A single board that forces none is recorded as
// soon as that is known, with 0 steps. Both are true of the board, whatever came before. The next
// win in two leaves such points out, with all that follows from them (transpositions across turns,
// Majerech 2012, section 7.1). Calm points are entered too.
//
// # Threats
//
// A win in many turns is nearly always one in which each turn of the attacker threatens to win at
// once. So from N = 3 on, passes over the threat tree alternate with passes over the full tree
// (threats.go; lambda search, Thomsen 2000; for mates in shogi Seo, Iida and Uiterwijk 2001,
// Kishimoto 2010). The threat tree has the same nodes with fewer children: at an OR node the turns
// of [goal.Detector.ThreatTurns], at an AND node all defences. The same mid searches both. An OR
// node with two turns left belongs to the full tree, because deciding it there mostly takes no
// longer.
//
//   - A proved node is a fact: the defender has no reply outside the tree that leaves no win in
//     one. It goes into the proof table with the number of turns that its proof takes, and the full
//     search finds it there.
//   - A disproved node says that threats do not win within n, and nothing more. It goes into a
//     table of its own, which the full search never reads, with the greatest n for which this is
//     known: if the attacker has run out of threats on every path, for all n.
//   - What the full search knows holds in the threat tree: where there is no win within n, threats
//     do not win within n.
//
// Before the threats of an OR node are listed, turns that won at other nodes are replayed there,
// and so are those that won after each reply (simulation, Kawano 1996): siblings mostly fall to the
// same turns.
//
// A question may also be answered by a longer win ([Question].Longest). Then it is known that the
// attacker wins, but not in how few turns. Or it ends with the threats ([Question].Threats), where
// a quick "perhaps not" is worth more than a slow "no".
//
// # Losses
//
// Whether the side to move loses within N turns of its opponent, whatever it plays, is the same
// search from an AND node ([Solver.Loss]).
//
// # Other aims
//
// A question may be about another aim than the win ([goal.Aim]; aims.go): whether the attacker
// reaches it within n turns. Such questions are layered by n as wins are, and a result for a
// position and n holds wherever they occur, so the tree, the thresholds and the tables are the
// same. A fact about one aim says nothing about another, so the keys of the tables contain the
// aim ([goal.Aim.Key]), and stores and endgame tables, which know of wins alone, are left out. So
// are all arguments that hold of wins alone: the relevance zone of a threat, the list of defences,
// the win in 2 and the threat tree. Every turn and every reply is looked at, except for replies
// that give up what is to be captured: with them the aim is reached unless the defender wins, and
// whether he can win is asked first. A recent turn answers a reply only if it is played there and
// captures.
//
// A node is a position, as for wins. Whether a reply leaves a rabbit on the rank where one stood
// depends on the board before the reply, which is the AND node itself. Earlier captures decide
// nothing, since the first one reaches the aim.
//
// # Tables and workers
//
// The numbers of a node's children stand in its frame while mid is in it, so the search makes
// progress whatever the table forgets. When mid leaves a node, its result goes into a
// [tables.Table]. The workers all search from the root and share that table. A worker prefers
// children that no other worker is in (Kaneko 2010), and takes over the results of others before it
// enters a child. Solvers with different questions may share them, too ([Tables]).
//
// The table also does the work of a garbage collector, which Majerech (2012, section 4.4) needs for
// the graph of best-first search. Only the tables last, and their sizes are fixed. A solved node
// leaves its fact, and nothing below it is needed. Numbers with the least work behind them are
// replaced first ([tables.Greater]): they are the cheapest to find again. So a search runs in the
// same memory for as long as it takes, and needs no marks as in package pns.
//
// What is proved or disproved is true of the position, so verdicts, distances and lists of
// solutions depend neither on the number of workers nor on the sizes of the tables.
//
// With a [tables.Store], the answer and facts about positions with the attacker to move that took
// some work also go there, and the search looks up an OR node there when it first visits it and the
// table has no answer. A stored fact counts like a fact of this search. A stored fact that is
// impossible or contradicted by the search ends the search with an error.
//
// # Repetition
//
// The search sets the third repetition aside. A proof stands under that rule as well, from an empty
// history: take for each position in it the least n with which it is proved. After a turn and a
// reply that n is less, so no position with the attacker to move occurs twice. Nor does a position
// with the defender to move: its own least n is one less than that of the position before the
// attacker's turn. A "no" means that there is no win in the sense in which the rule is set aside.
// The same holds of other aims: nothing in the argument depends on what is reached.
package dfpns
