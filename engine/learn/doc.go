// Package learn learns the static evaluation of package engine/evaluation, and the order of options
// of package engine/ordering, from games.
//
// # Organisation
//
//   - records.go: games with scores on disk.
//   - selfplay.go: games of the engine against itself.
//   - archives.go: games of others, searched by the engine.
//   - samples.go: positions of games, and what is to be learned about them.
//   - train.go: gradient descent, for the network and for the weights of the features alone.
//   - ordering.go: the order in which the search looks at options.
//   - quality.go: how well an evaluation predicts the results of games.
//   - curve.go: the loss as a plot.
//
// # What is learned
//
// The engine plays itself, with a fixed number of nodes a turn, and some turns begin at random. A
// position is to be worth what it led to: the targets are the probabilities to win of TD(lambda)
// (Sutton 1988; Baxter, Tridgell and Weaver 2000 for games). The last target of a game is its
// result, and each earlier one is
//
//	lambda * (the next target) + (1-lambda) * (probability by the score of the search)
//
// With lambda near 1 all positions of a game share one target, its result, and a network soon knows
// the games by heart. With a small one it learns what the search sees a few steps ahead (RootStrap
// of Veness et al. 2009).
//
// The log-odds that the side to move wins are the score divided by [engine.Scale]. The loss is the
// cross-entropy between that probability and the target. Adam (Kingma and Ba 2015) minimises it,
// from the weights chosen by hand and a network that adds nothing. The trained network has an
// advantage of the side to move besides, by the number of pieces, so that nothing else has to
// account for it; the evaluation leaves it out (package evaluation says why).
//
// # Reproducibility
//
// A game depends on its number, the seed and the engine, whose search is deterministic with one
// thread. A gradient is the sum of a fixed number of parts in a fixed order, whatever the number of
// threads. So the same settings give the same games, and on processors of one architecture the same
// weights. (On some others the compiler fuses multiplications with additions, which rounds
// differently.)
package learn
