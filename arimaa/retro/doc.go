// Package retro asks how a position can have come up: it takes turns back.
//
// [Trace] looks for a last turn of the side that is not to move, and for turns before it. It
// answers that a position is possible, with a line of turns that leads there; that it is
// impossible, with the reason; or that the question is open, because a limit was reached.
//
// # What a line shows
//
// A line of turns back to the position after the setups is a whole game. Any other line shows less:
// it begins at a position about which nothing is known, except that it is not impossible at sight.
// Impossible always means that no game leads to the position.
//
// # Why it is complete
//
// Let A be the side that has just moved, and let the turn begin at a position P that came up in a
// game. P is settled (no piece on a trap lacks a defender), holds no more pieces than two full
// armies, and the game was not over there. [Trace] finds every such P from which a legal turn of A
// ends with the given board:
//
//   - A legal turn is a sequence of options: steps, pushes and pulls (package arimaa). Every option
//     is one displacement or two, and a board that starts settled is settled after each of them. So
//     it is enough to take back displacements, from settled boards to settled boards.
//   - A displacement goes from a square that is empty afterwards to one next to it, and captures one
//     piece at most, of its own colour: nothing; or the piece that moved, on the trap where it
//     arrived; or the piece on the trap beside the square that was left. These are the three cases
//     of taking it back. In the last two a piece comes back, of every kind of which the army lacks
//     one: pieces never return in a game, so a board on the way has no more of them than P. Each
//     board found in this way is kept only if it is settled and if playing the displacement on it
//     gives the later board.
//   - A step is a displacement of A's; a push is one of the enemy's and then one of A's into the
//     square just left; a pull is one of A's and then one of the enemy's into the square just left.
//     They are taken back in reverse. Whether the option was legal is asked on the board before it:
//     A's piece was not frozen there, was stronger than the enemy's piece, and was no rabbit that
//     went backward. What stood between the two halves of a push or a pull is never the end of a
//     turn.
//   - Boards are met in the order of the steps that were taken back, and each is expanded once, when
//     it is first met. More steps are then left than at any later time, so nothing is missed.
//   - The given board itself counts as met: a turn has to change the board.
//
// The third repetition is not looked at by this search, which can only add ways. A line repeats no
// position, so the rule forbids none of its turns.
//
// # Why lines may leave repetitions out
//
// If a game leads to the position, a game without a repetition does: cut out what lies between two
// occurrences of a position, until there are none. So the search never looks at a position that
// already stands on the line behind it. What it finds to be impossible may depend on that line;
// such a finding is not remembered.
package retro
