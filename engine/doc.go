// Package engine plays Arimaa: an alpha-beta search within a time limit, on the static evaluation
// of package engine/evaluation, for positions in which package solve proves no win.
//
// # Organisation
//
//   - engine.go: an [Engine] and its searches. It first asks package solve, for a share of the
//     time, for a forced win, which it plays and reports as proved. Otherwise its workers search
//     until the time is up.
//   - workers.go: what the workers of a search share: their result, and marks of what each is
//     searching (ABDADA).
//   - search.go: iterative deepening and principal variation search. Depth is counted in steps.
//   - picker.go: the move picker, killers.
//   - context.go, captures.go: tactical options, which matter without a learned order, and turns
//     that capture.
//   - horizon.go: scores at the horizon.
//   - cache.go: the evaluation cache of a worker: static evaluations, sides that cannot win this
//     turn, scores at the horizon.
//   - endgames.go: exact scores of positions with few pieces, from package endgame.
//   - timing.go: more time for difficult turns.
//   - chance.go: the winning chance that a score stands for.
//   - parts.go: the techniques that can be switched off, to measure them.
//   - setup.go: the turn before the first.
//   - prove.go: questions that package solve answers alone.
//
// # Nodes
//
// A turn has up to four steps, so there are two kinds of nodes. At the root of a turn package goal
// decides whether the side to move wins this turn, so no point within the turn needs to ask again,
// and whether the opponent threatens to win. If nothing stops that threat, the position is not
// searched. At the horizon defences are not searched: package goal decides whether there is one.
//
// At a point within a turn the side to move continues or ends its turn, which must have changed the
// board and must not repeat a position for the third time, game history included. The transposition
// table therefore keys such a point by the root of its turn as well. Within the first turn the key
// also covers the positions that are forbidden there.
//
// The moves of a node are whole turns (killers, captures) and single options: a step, a push or a
// pull. Options come in the order that package engine/ordering predicts. Late options are reduced
// by one step (Wu 2015, section 5.4), later ones by two. Close to the horizon futility pruning
// leaves out late options that are unlikely to raise alpha, and late options at a point where the
// turn would fall short if it ended. The last options in the order are left out there in any case.
// Options that may belong to a threat of a goal are never late.
//
// # Scores
//
// Scores are centi-rabbits for the side to move. A win scores more than any evaluation, and more
// the sooner it comes. Scores of wins come from the rules and package goal alone, but the search
// leaves out moves that may matter (reductions, futility, unlikely options). So only an answer of
// package solve or of an endgame table counts as proved ([Report].Win, [Report].Loss).
//
// With one thread and no time limit the same question takes the same nodes on every machine.
package engine
