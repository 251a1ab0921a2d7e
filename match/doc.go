// Package match plays games between two players and says what the results are worth: nothing about
// strength is believed without it.
//
// # How it is organised
//
//   - match.go: a Match, its schedule of games, and running it, several games at once.
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
// record says how.
//
// Games come in pairs with the same opening and the colours exchanged. Game i depends on i, the
// opening book or seed and the players alone. Outcomes count in the order of the games, not in the
// order in which they end, so short games do not count before long ones; and a match that was
// interrupted goes on with the first game that has not been recorded.
//
// There are no draws in Arimaa, so a result is a Bernoulli trial. The two games of a pair are not
// quite independent: an opening that favours a colour gives each player one win. That makes the
// number of wins vary less than the formulas assume, so the intervals are rather too wide than too
// narrow, and the test errs less than it says.
package match
