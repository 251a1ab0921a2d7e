package proof_test

import (
	"context"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/internal/testkit/published/games"
	"goalproof/proof"
)

// gameWins certifies wins at the ends of published games, at most a number of each kind (in two
// turns, in three).
func gameWins(b *builder, want int) (all []*proof.Certificate) {
	b.Helper()
	made := map[int]int{}
	for _, g := range games.Of(b, "archive-2026.tsv") {
		for back := 2; back <= min(6, g.Len()); back++ {
			p := g.Position(g.Len() - back)
			if made[3] == want {
				return all
			}
			if p.Board.Ended(p.Side().Other()).Over() {
				continue
			}
			if n := b.least(p, 3); n >= 2 && made[n] < want {
				made[n]++
				all = append(all, b.certify(p, n))
			}
		}
	}
	if made[2] == 0 || made[3] == 0 {
		b.Fatalf("wins in turns: %v", made)
	}
	return all // fewer on a slow machine
}

// least is the least number of turns, at most most, in which the side to move is soon found to win,
// or 0.
func (b *builder) least(p arimaa.Position, most int) int {
	b.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	for n := 1; n <= most; n++ {
		r, err := b.solver.Solve(ctx, dfpns.Question{Position: p, N: n})
		switch {
		case err != nil:
			b.Fatal(err)
		case r.Verdict == answer.Proved:
			return n
		case r.Verdict == answer.Unknown:
			return 0
		}
	}
	return 0
}
