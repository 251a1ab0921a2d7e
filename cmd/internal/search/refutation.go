package search

import (
	"context"
	"math/rand/v2"

	"goalproof/arimaa"
	"goalproof/proof"
	"goalproof/puzzles"
	"goalproof/solve"
)

// Refutation makes the refutation of a win in n and checks it if asked: in full, or a sample where
// there are many replies.
func Refutation(ctx context.Context, p arimaa.Position, n int, check bool) (*proof.Refutation, puzzles.Certificate, error) {
	r, err := solve.Refutation(ctx, p, n)
	if err != nil || !check {
		return r, puzzles.Written, err
	}
	checked, all, err := r.CheckSample(ctx, sampleSize, rand.Uint64(), nil)
	if checked < all {
		return r, puzzles.Sampled, err
	}
	return r, puzzles.Accepted, err
}

// sampleSize is the number of replies that are checked when a refutation is made. The command check
// goes through all.
const sampleSize = 200
