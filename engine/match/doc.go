// Package match plays games between two or more players and estimates their strength from the
// results.
//
// # Organisation
//
//   - match.go: a Match, the schedule of its games, and running them, several at once.
//   - standing.go: the result so far, and which games count.
//   - game.go: one game, its clock and its rules, between two of Player.
//   - ending.go: the ways in which a game ends, and the Failure of a player.
//   - program.go, process.go: the player that is a child process behind package aei.
//   - command.go: the notation for a program and its options.
//   - opening.go: the openings.
//   - records.go: the games on disk, from which an interrupted match continues.
//   - elo.go, sprt.go: the difference in strength of two players, and when to stop.
//   - rating.go: the strength of several.
//
// # Why the results can be believed
//
// Package referee judges every turn and the end of every game. Package arimaa plays the same turns;
// if the two disagree the match ends with an error. A program loses if it crashes, hangs, sends a
// malformed message, plays an illegal turn or exceeds its time, and the record says how. A program
// that cannot be started does not lose: the match ends with an error.
//
// Games come in pairs with the same opening and the colours exchanged, a pair for each two players
// in a round. Game i depends only on i, the opening book or seed, and the players. Results count in
// the order of the games, not in that of their ends, so that short games do not count before long
// ones; and an interrupted match continues with the first unrecorded game. An interruption discards
// finished games that still wait for an earlier one: fewer than four times AtOnce.
//
// Arimaa has no draws, so a result is a Bernoulli trial. The formulas assume independent trials,
// which games are only approximately:
//
//   - A game that repeats an earlier one is no trial and does not count ([Standing]). Deterministic
//     programs, such as those with one thread and a limit of nodes or depth, play at most two
//     different games for each opening.
//   - An opening that favours a colour gives each player one win of its pair. The number of wins
//     then varies less than assumed: the intervals are too wide, and the error rates of the test
//     lower than stated.
//   - An opening that suits the style of one player gives that player both wins. The number of wins
//     varies slightly more: the intervals are slightly too narrow, and the error rates higher.
//
// The interval is that of a fixed number of games. After an [SPRT] has stopped the match it holds
// the true difference less often than its 95 %, and estimates far from the hypotheses are too large
// (docs/engine.md has the figures of a simulation).
package match
