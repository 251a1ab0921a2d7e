// Package referee is the rules of Arimaa written a second time, slow and plain, to decide where
// anything else is in doubt: tests compare the fast rules with it, and certificates are accepted or
// rejected by it alone.
//
// It is meant to be read beside docs/rules.md, one function at a time; each function names the
// section it implements. To make that reading possible the board is an array of 64 letters, looked
// at square by square. There are no bitboards, no hash keys of its own and no tables worked out in
// advance. The package imports nothing but the standard library, so a mistake in the code that it
// judges cannot also be a mistake here.
//
// How it is organised:
//
//   - board.go: squares, pieces, neighbours, traps, freezing.
//   - step.go: one displacement of one piece and its notation.
//   - turn.go: [State], a point within a turn, with the one function that decides whether a
//     displacement is legal.
//   - position.go and notation.go: positions and whole turns as text.
//   - results.go: every distinct end of a turn, by breadth-first enumeration, and the fewest steps
//     to a goal or a win.
//   - outcome.go: who has won, rows 1 to 5 of the table.
//   - history.go: repetition, and row 6.
//   - win.go: "win in N", by complete enumeration.
//
// A push or a pull is two displacements, and a caller may look at the board between them. The state
// after the first half says what is owed (a push must be completed by the very next displacement)
// or possible (a pull may be), so [State.Steps] and [State.Play] walk through all points of a turn.
//
// Positions given by hand may hold any number of any piece on any square, a piece on a trap without
// a friend included: it goes at the first displacement of the turn, because that is when traps are
// first looked at.
package referee
