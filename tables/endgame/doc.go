// Package endgame holds the exact values of all positions with few pieces, found by retrograde
// analysis (Thompson 1986): for every position and side to move a win in N turns, a loss in N
// turns, or neither. N counts the winner's own turns, as everywhere in this program; in the terms
// of Haworth (2015) it is a depth to mate. The third repetition is set aside, so "neither" means
// that nobody can force a win as long as it is set aside. A win stands under that rule as well (see
// package dfpns).
//
// [Open] opens tables, [Tables.Probe] looks positions up, [Build] makes tables, and [Tables.Verify]
// checks them.
//
// # How it is organised
//
//   - class.go: material up to relative strength.
//   - geometry.go, options.go, reduced.go: the boards of a class while it is built; steps, forward
//     and backward; captures.
//   - retrograde.go, winning.go, losing.go: the analysis, its sweeps for wins and for losses;
//     rest.go: the rest of a turn after a capture; checkpoint.go: saving and resuming the analysis.
//   - layout.go, file.go, tables.go: how positions are numbered in a table, its file, looking
//     things up.
//   - build.go, verify.go, stats.go, turns.go, wins.go: the uses of tables.
//   - history.go: what they say in a game.
//
// # Positions of a table
//
// A position is in a table when a turn begins there and the game is not over: both sides have a
// rabbit, none stands on its goal rank, the side to move has a legal step, and no piece stands
// undefended on a trap. Mirror images are one position, and so are positions with colours
// exchanged, which belong to the same class.
//
// # The method
//
// Call a board a target of A, for some n, if A has won when its turn ends there, or its opponent B,
// to move there, loses in n-1 or fewer. A wins in n from a start if it reaches a target by a turn.
// So the starts are found backward from new targets by four sweeps: reach[k] is the set of boards
// from which A comes to a target within k steps, itself included; the boards one step before
// reach[k] are in reach[k+1], those one push or pull before it in reach[k+2]. A step backward is a
// step forward that is undone: the mover was not frozen where it came from, and rabbits go one way.
//
// Call a board fatal to B if B loses when its turn ends there: at once, or because A, to move
// there, wins in n or fewer. B loses in n on a start if all turns end on fatal boards. forced[k] is
// the set of boards on which all that B reaches within k steps is fatal, the board itself included.
// A board is in forced[k] if it is in forced[k-1], what one step leads to is too, and what a push
// or pull leads to is in forced[k-2]. It is looked at when it enters forced[k-1] or when one of
// these boards falls, and at no other time can the answer change.
//
// Both kinds of sets only grow with n and with (reach) or against (forced) k, so each board is
// expanded a few times in all, whatever the number of turns.
//
// # The turn must change the board
//
// reach[4] counts a start as reached from itself, by no step. That is no turn, and it matters only
// where the start is itself a target. For these few starts the turns are listed, through boards
// from which a target is near (reachesOther). In the same way a start that is not fatal to stay on
// is in no forced[k], though every turn may lose: zugzwang. These starts are found by listing turns
// too, as soon as no step leads to a board that is not fatal, and again whenever the safe board
// that the last listing found becomes fatal (zugzwangs). Such a listing distinguishes boards by
// their orientation: the mirror image of the start is another board, though the table has one entry
// for both. So is the start with two unequal pieces exchanged; with two equal rabbits exchanged it
// is the same.
//
// # Captures
//
// A capture leads into a class with fewer pieces, in the middle of a turn. What the rest of the
// turn is worth there, with 0 to 3 steps left, is computed from the smaller table by stepping
// forward (rest.go), once. Each board keeps the next n at which one of its captures has an effect.
// A side that has captured its opponent's last rabbit has won; one that has lost its own last
// rabbit has lost unless it captures the opponent's last one in the same turn, by the order of the
// end-of-turn table.
//
// # Rabbits on goal ranks
//
// In the middle of a turn a rabbit may be pushed onto its goal rank and off again; and a rabbit
// that has stepped onto its own goal rank wins when the turn ends. So the boards of the analysis
// include these. They are no starts. A board with an own rabbit on its goal rank is a target,
// whatever else is on it; any other board with an enemy rabbit on its goal rank is fatal.
//
// # Repetition
//
// Tables set the third repetition aside. What do they say in a game, with the rule and a history of
// positions that have occurred? Let d be the number of the winner's turns to the end by a table. It
// falls from each position with the winner to move to the next one, and from each with the loser to
// move to the next one, if the winner plays the table's turns.
//
// Lemma 1. If no position that the winner's turns may yet create has occurred twice, he wins within
// d turns by the full rule as well. No position is met twice in play from here, since d falls, so
// none that he creates occurs for the third time. The rule forbids him nothing that he needs. It
// may forbid the loser some turns: that leaves the loser fewer, and having none is a loss.
//
// Lemma 2. In the same case the other side has no win, in any number of turns: it has lost.
//
// Lemma 3. A position that has occurred twice matters only if it has no more pieces than the
// present one, since captures are for good.
//
// The other answers of a table do not carry over. The winner may win sooner than in d, and a side
// may win where the table says that neither can force it: by bringing a position about twice, after
// which the opponent may not go back to it. (In two turns already: package pns has an example.) So
// in a game "wins in N" means within N, and "does not win in fewer" and "neither" hold with the
// repetition set aside, except in 1 turn, where the rule changes nothing. [HistoryMatters] is the
// condition of the lemmas.
//
// # Why a table can be believed
//
// The tests compare tables with an analysis over whole turns written with package referee alone,
// all positions of up to three pieces, and with package dfpns. Tables.Verify checks each entry
// against what all turns from it, listed by package arimaa, lead to. That proves a whole table
// right if the smaller ones are: suppose that some entry is wrong, and take one where the least N,
// true or stated, is least. A true win in N has a turn to a true loss in N-1, which the table
// states rightly, so Verify demands a win in at most N; a stated win in N needs a stated loss in
// N-1 or fewer, which is true. The same holds for losses.
package endgame
