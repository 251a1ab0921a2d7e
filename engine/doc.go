// Package engine plays Arimaa: a search of turns with alpha-beta bounds, within a time, on an evaluation of
// named features (package engine/evaluation). It is what is left where nothing can be proved.
//
// # How it is organised
//
//   - engine.go: an [Engine] and its searches. First package dfpns is asked, for a share of the
//     time, whether the side to move has a forced win; it is played and announced as proved.
//     Otherwise workers deepen the search until the time is up.
//   - workers.go: how they work together. They all search the whole tree, share what they find in a table, and leave for
//     later what another is searching.
//   - search.go: iterative deepening, and the principal variation search of turns and of points within
//     them. The depth is counted in steps. A turn that has begun is searched from the point it has come to.
//   - moves.go: what is tried at a point, in which order. In one list stand whole turns, whole
//     captures, and single steps, pushes and pulls (Wu 2015, section 5.4); the ordinary ones of these last
//     are searched a step less deep each, so a turn that consists of them by up to four. Against a
//     threat, options that cannot be part of a defence are left out.
//   - tactics.go, captures.go: which options are more than ordinary, and turns that capture.
//   - settle.go: quiescence, behind the depth.
//   - parts.go: the parts of the search that can be switched off, to measure them.
//   - clock.go, setup.go: the time for a turn, and the turn before the first.
//
// # Turns and points
//
// Arimaa's turns have up to four steps, so the search has two kinds of nodes. At the start of a
// turn package goal tells whether the side to move wins in this turn: no point within it need ask again.
// It tells as well what the opponent would do if it were his turn, whether that can be stopped, and on
// which squares it leans; so a position that is lost within two turns is not searched. A point
// within a turn has the side to move continue or end its turn, which must have changed the board and
// must not create a position for the third time (game history included).
//
// What the table knows of a point within a turn is filed under the start of the turn too,
// because on that depends how the turn may end; and within the turn at the root under what is forbidden
// there, by repetition or because another turn is asked for.
//
// # Scores
//
// Scores are centi-rabbits for the side to move. A win is worth more than any evaluation, and more the fewer
// steps it takes. Scores of wins and losses come from the rules and from package goal alone, but the
// search leaves things out (reductions, the null move), so only what dfpns has answered is called proved
// ([Report].Win).
//
// With one thread and without a limit in time the same question takes the same nodes on every machine.
package engine
