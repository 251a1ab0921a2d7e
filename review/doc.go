// Package review finds out what was really true in a finished game: who had a forced win and
// missed it, which turn threw the game away, and what should have been played.
//
//   - record.go: a game with its players and how it ended.
//   - standing.go: what is asked about a position, and what is known of it then.
//   - notes.go: what other reviews have tried.
//   - review.go: a review of a game, from its last position to its first.
//   - judge.go: what each turn did to what was true, and where the game was decided.
//   - evaluate.go: what package engine thinks where nothing is proved.
//   - remark.go: the same in words.
//   - annotated.go: the game with comments and variations.
//   - page.go: the page with board and graph.
//   - summary.go: many games in numbers.
//
// # What is claimed
//
// Of each position three things are asked, with N turns as the limit (package solve answers):
//
//   - Win: does the side to move win within N of its turns?
//   - Threat: would the opponent, if it were his turn? That turn is no part of the game, and
//     repetitions count for nothing in it.
//   - Loss: does the opponent win within N of his turns whatever the side to move plays?
//
// A win is a fact, and so is a loss. That there is none in N turns is one as well, and says
// nothing about longer ones; all that is said about turns is to be read with "within N turns".
//
// # How losses are found
//
// Turns are looked at backwards. Where the turn that was played left the opponent no win in N, it
// shows itself that the position was not lost. Only where the opponent had a win after it all other
// turns are tried: those after which he has a win in 1 are left out by package goal, and each of
// the others is put to the solver. One that leaves him no win in N is a saving turn; if there is
// none, the position was lost.
// Where time is up before that is known, a turn that holds against as many turns as the played one lost in
// is still better, and is kept as such.
//
// If a position is lost in m turns, then the turn that led there wins in m+1. So what is found
// out reaches back further than N turns where every way out is closed. Such a win is called deduced:
// its turn is the one that was played, and a shorter way is ruled out only as far as its refutation says.
//
// # Repetition
//
// What is proved holds with the history of the game. Where no board that has occurred twice can come up
// again within the turns that are asked about, a proof stands because it meets no position twice
// (package solve); that is so where pieces of such a board have been captured, or stand too far from
// where they stood. Otherwise the game goes to the solver, which then counts along every line, and
// takes longer for it. Where it does not, a "no" for one turn is exact, and one for more turns sets
// the third repetition aside.
//
// # The same game again
//
// With a store the solver finds again what it has proved about positions. What was tried in vain, or
// holds with the history of this game alone, is no fact about a position, and the store does not know
// it. So what was found out about each turn is noted under a key that stands for the game up to that
// turn, with the time that there was for it. A later review of the game takes it over unless
// something stayed open and there is more time now.
package review
