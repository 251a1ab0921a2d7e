// Package jobs is what travels between a coordinator and the workers of a cluster: the questions of
// the commands that put many, their options, and the answers, as JSON.
//
// An answer has everything that the command prints, but for what it can see by itself and, in solve,
// the line of a win, and proofs:
// the certificate of each win that is printed as proved, made after the answer and without any
// influence on it or the next one. The coordinator believes nothing else that could be a lie about
// a win. A question is answered as one machine answers it, with one thread and a limit in nodes,
// after which the solver forgets: so the bytes are the same everywhere. (Those of solve are not,
// whose solvers remember: [Decide].) Times are no part of them, but for those of an experiment,
// which do not count when answers are compared ([cluster.Kind]).
//
// The answer to the question for an endgame table is its file, which no limit cuts short. It needs
// the tables of smaller classes, so its question waits until these were answered.
//
// With a store the facts and notes that a search adds to it travel, too. As to a fresh store, the
// search asks it nothing. The proofs add none.
package jobs
