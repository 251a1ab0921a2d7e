//go:build stress

package library

import (
	"flag"
	"math/rand/v2"
	"testing"

	"goalproof/internal/testkit/boards"
)

var (
	damageSeed = flag.Uint64("damage-seed", 1, "another seed damages other bytes")
	damageBits = flag.Int("damage-bits", boards.Sized(50, 400), "bits to change, each in a copy of its own")
)

// TestDamages damages copies of a library of all published games.
func TestDamages(t *testing.T) {
	random := rand.New(rand.NewPCG(*damageSeed, 0))
	d := newDamages(t, 200)
	d.flip(t, random, *damageBits)
	d.flip(t, random, *damageBits/4, ofReviews...)
	d.flipTurns(t, random, *damageBits/4)
	d.cut(t, random, *damageBits/8)
}
