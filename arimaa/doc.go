// Package arimaa holds the rules of Arimaa on bitboards.
//
// The end-of-turn table of docs/rules.md decides whether a game is over ([Board.Ended],
// [Game.Outcome]). The values print themselves: a square as "c3", a turn as "Ra7n Hb7s", a position
// in short form. Everything that reads a text, and every text longer than a line, belongs to
// package notation, which imports this one.
//
// # How it is organised
//
//   - [Board] is the pattern of pieces: three bit planes for the kind of the piece on each square
//     and one for its colour, 32 bytes that compare with ==.
//   - [Position] adds the side to move, the steps left in its turn and the hash key, kept up to
//     date by each displacement.
//   - [Step] is one displacement; [Option] is what a player chooses inside a turn: a single step, a
//     push or a pull; [Turn] is up to four steps.
//   - [State] walks through a turn one displacement at a time and accepts exactly the legal ones:
//     it follows a record and answers "what may I do now".
//   - [Mobility] enumerates the steps, pushes and pulls of one side on one board.
//   - [Generator] lists the distinct results of a whole turn, for search.
//   - [Game] is a sequence of turns: it counts repetitions and takes turns back.
//
// # Why it is right
//
// After each displacement the traps are checked. On a settled board, where every piece on a trap
// has a defender, only two pieces can be captured: the piece that moved, when it arrives on a trap,
// and the piece of its own colour on the trap next to the square it left. No square is next to two
// traps, so that is one capture at most. A position given by hand need not be settled; its first
// displacement checks all four traps, and every board after it is settled.
//
// Pushes and pulls are generated as one [Option] of two displacements, and the freezing test is
// made before the first. Every legal sequence of displacements is a sequence of options, and a turn
// may end between any two of them. The one sequence with two readings is an enemy piece entering
// the square that a stronger piece has just left: as a pull it is complete, as a push the next step
// is forced. The pull reading allows all that the push reading does, because moving a weaker enemy
// piece away can never freeze the piece that would have pushed it.
//
// Package referee implements the same rules a second time without sharing any code; the tests
// compare the two.
package arimaa
