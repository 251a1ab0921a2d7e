// Package match plays games between two players and says what the results are worth: nothing about
// strength is believed without it.
//
// # How it is organised
//
//   - match.go: a Match, its schedule of games, and running it, several games at once.
//   - standing.go: what the games have come to, and which of them count.
//   - window.go: how far games run ahead of the first that is not over.
//   - game.go: one game, its clock and its rules. A Player makes the turns.
//   - ending.go: the ways a game ends, and the Failure of a player.
//   - program.go, process.go: the player that is a child process behind package aei.
//   - command.go: how a command line names a program and its options.
//   - opening.go: how the games begin.
//   - records.go: the games on disk, from which an interrupted match goes on.
//   - elo.go, sprt.go: the difference in strength, and when to stop.
//
// # Why the results can be believed
//
// Every turn is played by package referee, which also says who has won; package arimaa plays it
// too, and if the two disagree the match ends with an error. A player that crashes, does not
// answer, writes what is no message, plays an illegal turn or exceeds its time has lost, and the
// record says how. A program that cannot be started has not: that ends the match with an error.
//
// Games come in pairs with the same opening and the colours exchanged. Game i depends on i, the
// opening book or seed and the players alone. Outcomes count in the order of the games, not in the
// order in which they end, so short games do not count before long ones; and a match that was
// interrupted goes on with the first game that has not been recorded. Games that are over behind one
// that lasts are lost at an interruption; to bound them, only the first four times AtOnce games from
// that one on may have begun.
//
// There are no draws in Arimaa, so a result is a Bernoulli trial. The formulas take the trials to be
// independent of each other, which they are not quite:
//
//   - A game that repeats an earlier one is no trial at all, and does not count (see [Standing]).
//     Programs that follow from their input alone, such as those of one thread with a number of nodes
//     or a depth, have no more games in them than there are openings, twice.
//   - An opening that favours a colour gives each player one win of its pair. The number of wins then
//     varies less than the formulas assume: the intervals are too wide, and the test errs less than it
//     says.
//   - An opening that favours a player, whose style it is, gives that player both. The number of wins
//     varies slightly more: the intervals are slightly too narrow, and the test errs more.
//
// The interval is that of a number of games fixed beforehand. After an [SPRT] has stopped the match it
// is not one of 95 %: in simulations of SPRT(0, 30) with at most 400 games it held the true difference
// in 92 % of the matches at 0 Elo and in 91 % at +15; and at 100 Elo either way, where every match is
// decided, the estimates lay on average some 11 Elo too far out.
package match
