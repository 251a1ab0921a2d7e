package search

import (
	"context"
	"math/rand/v2"

	"goalproof/arimaa"
	"goalproof/proof"
	"goalproof/puzzles"
	"goalproof/solve"
)

// Refute writes down that there is no win in n, and may check that: in full, or a sample of the replies where there
// are many.
func Refute(ctx context.Context, p arimaa.Position, n int, check bool) (*proof.Refutation, puzzles.Certificate, error) {
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

// sampleSize is how many replies of a refutation are checked where it is made. Check goes through all.
const sampleSize = 200
