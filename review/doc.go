// Package review analyses a finished game: who had a forced win and missed it, from when on the
// game is proved to be won, and which turns hold against wins in how many turns.
//
//   - record.go: a game with its players and its end.
//   - standing.go: the questions about a position, and their answers.
//   - notes.go: results of other reviews.
//   - review.go: the review of a game, from its last position to its first.
//   - judge.go: what each turn changed, and where the game was decided.
//   - evaluate.go: evaluations by package engine where nothing is proved.
//   - remark.go: the judgements in words.
//   - annotated.go: the game with comments and variations.
//   - story.go: the headline, and the totals of the players.
//   - index.go: the page that lists many games.
//   - page.go: the page with board and graph.
//   - summary.go: statistics of many games; findings.go: the turning points of a game as a list.
//   - encode.go: a review as bytes, to be kept.
//
// # What is claimed
//
// A review asks three questions about each position, with N turns as the limit (package solve
// answers them):
//
//   - Win: does the side to move win within N of its turns?
//   - Threat: would the opponent, if it were his turn? That turn is not part of the game, and
//     repetitions do not count in it.
//   - Loss: does the opponent win within N of his turns, whatever the side to move plays?
//
// Each yes is a fact. A no is a fact about N turns, and says nothing about longer wins. So a turn
// that leaves the opponent no win within N turns "holds against wins in N". That a side could have
// held, that a turn lost the game or threw a win away, is said only if it is proved that its side
// had a win, or if an endgame table says that neither side had one and the opponent wins now. What
// the engine estimates is said as what the engine sees. cmd/internal/reviews has a table of all
// sentences in its tests, with the fact that each states.
//
// # Reproducible results
//
// With a limit in nodes a review does not depend on the machine. Each position is searched by one
// thread, with a solver that has forgotten all others and whose tables have a size that the limit
// fixes. The positions are shared among the solvers; what follows from other positions (Loss) is
// asked in the order of the game, within what is left of the position's limit. The engine searches
// all positions from the last one back, and waits for no answer.
//
// # How losses are found
//
// The review goes backwards. If the opponent had no win in N after the turn that was played, that
// turn shows that the position was not lost. Otherwise all other turns are tried: package goal
// discards those after which the opponent wins in 1, and the solver decides the rest. A turn that
// leaves the opponent no win in N is a saving turn; if there is none, the position was lost. A
// search for a loss by all turns together comes first: threats find it sooner. If the limit is
// reached first, a turn that holds against wins in as many turns as the played one lost in is kept
// as the best saving turn known.
//
// If the turn that was played gave the opponent a win in 1, all turns that would have stopped it
// are counted ([solve.Solver.Defend]). Package goal lists them without a search.
//
// If a position is lost in m turns, the turn that led there wins in m+1. So if every defence fails
// the proofs reach further than N turns. Such a win is called deduced: its turn is the one that was
// played, and shorter wins are excluded only as far as they have been disproved.
//
// # Consistency
//
// Proofs and evaluations agree. All chances are Gold's. The point of the graph at a position
// combines the search of that position, which overestimates the side to move, with those of the
// positions after its candidates, which overestimate the other (GoldChance). Candidates are put on
// the same scale (goldAfter), so that graph, remarks, lists and totals show the same numbers. If
// the turn that was played gave the opponent a win, the solver is asked which of the engine's
// candidates hold, and the best of all turns that are known to hold is named. No listed turn is
// better than that one.
//
// # Repetition
//
// Proofs hold with the history of the game. If no position that has occurred twice can recur within
// the turns in question, because pieces of it have been captured or are too far from their squares,
// a proof stands: it repeats no position itself (package solve). Otherwise the solver gets the game
// and counts repetitions along every line, which takes longer. Without the game, a "no" is exact
// for one turn; for more turns it sets the third repetition aside.
//
// # Notes
//
// With a store the solver recalls its proofs. Negative results, and those that hold only with the
// history of this game, are no facts about a position and do not belong there. They are noted under
// a key that stands for the game up to the turn, together with the limit. A later review of the
// game reuses a note unless it left a question open and the limit is wider now.
package review
