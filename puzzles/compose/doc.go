// Package compose takes puzzles apart and makes them smaller or harder: which pieces are
// superfluous, what makes the solution unique, and which changes improve a puzzle while claim and
// solution stay.
//
// A puzzle is a position, the number of turns N of its win, and its solution. A changed position
// keeps it if
//
//   - the side to move wins in N turns and not sooner,
//   - one first turn alone keeps that win or, where the puzzle itself had others that begin with
//     its steps, one essential turn alone ([dfpns.Solution]),
//   - and that turn consists of the steps of the solution ([puzzles.SameRoute]): the pieces that
//     make them may change.
//
// Package solve decides all of that completely for every position that is kept: nothing is taken
// over from the puzzle before the change. A position that is not decided within the limit is not
// kept. Nor is one that no game can lead to ([arimaa.Position.Unusual]).
//
// A [Composer] judges changes. [Composer.Parts] makes one change at a time, for an answer about
// every piece; [Composer.Reduce] makes them one after the other until none is left, which leads to
// a puzzle from which no single piece can be taken; [Composer.Repair] looks for a change that makes
// a solution unique; and a [Search] makes changes at random, accepts some that make a puzzle worse,
// fewer as time goes on (simulated annealing, Kirkpatrick, Gelatt and Vecchi 1983), and remembers
// the best.
//
// Two more make other puzzles of one that stays as it is: Composer.Twins changes one piece so that
// the solution becomes another one, and Composer.Longer takes back a turn of each side. Each is
// decided as completely, and the documentation of each says why it is right.
package compose
