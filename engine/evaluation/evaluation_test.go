package evaluation

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published/games"
)

// gamePositions returns the usual positions of the published games, with the side to move.
func gamePositions(t testing.TB) []arimaa.Position {
	var all []arimaa.Position
	for _, p := range games.Positions(t) {
		if p.Unusual() == nil {
			all = append(all, p)
		}
	}
	return all
}

// drawn reads a board drawn by hand, rank 8 first: letters are pieces, all else is empty.
func drawn(rows [8]string) (b arimaa.Board) {
	for i, row := range rows {
		for file, c := range row {
			side := arimaa.Gold
			k := strings.IndexRune(" RCDHME", c)
			if k < 0 {
				side, k = arimaa.Silver, strings.IndexRune(" rcdhme", c)
			}
			if k > 0 {
				b.Put(arimaa.Square(8*(7-i)+file), arimaa.NewPiece(side, arimaa.Kind(k)))
			}
		}
	}
	return b
}

// TestSymmetry checks every feature on random positions: turned over with the sides exchanged the
// values of the two sides change places, on the mirror image they stay, and so do the scores.
func TestSymmetry(t *testing.T) {
	e := New(&Default, nil)
	boards.Check(t, 3000, 100000, func(t *rapid.T) {
		text := boards.Position().Draw(t, "position")
		p := boards.Parse(t, text)
		mirrored := boards.Parse(t, boards.Mirror(text))
		swapped := p.Board.Swapped()
		score := e.Score(&p.Board, p.Side())
		values := e.values
		if got := e.Score(&mirrored.Board, p.Side()); got != score {
			t.Errorf("the mirror image scores %d, not %d", got, score)
		}
		for f := range Features {
			if e.values[0][f] != values[0][f] || e.values[1][f] != values[1][f] {
				t.Errorf("%v: %d and %d on the mirror image, %d and %d here",
					f, e.values[0][f], e.values[1][f], values[0][f], values[1][f])
			}
		}
		if got := e.Score(&swapped, p.Side().Other()); got != score {
			t.Errorf("turned over it scores %d, not %d", got, score)
		}
		for f := range Features {
			if e.values[0][f] != values[1][f] || e.values[1][f] != values[0][f] {
				t.Errorf("%v: %d and %d turned over, %d and %d here",
					f, e.values[0][f], e.values[1][f], values[0][f], values[1][f])
			}
		}
	})
}

// TestTerms checks on random positions that the terms add up to the score, within the bound,
// whatever the weights.
func TestTerms(t *testing.T) {
	boards.Check(t, 1000, 50000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Position().Draw(t, "position"))
		w := Default
		f := rapid.IntRange(0, int(Features)-1).Draw(t, "feature")
		w[f] *= rapid.SampledFrom([]float32{1, 0, -1, 100}).Draw(t, "times")
		e := New(&w, nil)
		score := e.Score(&p.Board, p.Side())
		sum := 0.0
		for _, term := range e.Explain(&p.Board, p.Side()) {
			sum += term.Points
		}
		if p.Side() == arimaa.Silver {
			sum = -sum
		}
		sum = max(-Limit, min(Limit, sum))
		if math.Abs(sum-float64(score)) > 0.5+1e-6 {
			t.Errorf("the terms add up to %f, the score is %d", sum, score)
		}
		if score < -Limit || score > Limit {
			t.Errorf("score %d", score)
		}
	})
}

// TestUnusualBoards scores boards that no game leads to.
func TestUnusualBoards(t *testing.T) {
	e := New(&Default, nil)
	all := func(p arimaa.Piece) (b arimaa.Board) {
		for s := range arimaa.Square(64) {
			b.Put(s, p)
		}
		return b
	}
	half := all(arimaa.NewPiece(arimaa.Gold, arimaa.Elephant))
	for s := range arimaa.Square(32) {
		half.Put(s, arimaa.NewPiece(arimaa.Silver, arimaa.Camel))
	}
	list := []arimaa.Board{{}, half}
	for k := arimaa.Rabbit; k <= arimaa.Elephant; k++ {
		list = append(list, all(arimaa.NewPiece(arimaa.Gold, k)))
		for s := range arimaa.Square(64) {
			var b arimaa.Board
			b.Put(s, arimaa.NewPiece(arimaa.Silver, k))
			list = append(list, b)
		}
	}
	for _, b := range list {
		for side := range arimaa.Side(2) {
			swapped := b.Swapped()
			score := e.Score(&b, side)
			if score < -Limit || score > Limit || score != e.Score(&swapped, side.Other()) {
				t.Errorf("%v to move: %d\n%v", side, score, arimaa.NewPosition(b, side))
			}
		}
	}
	if score := e.Score(&half, arimaa.Gold); score != Limit {
		t.Errorf("32 elephants against 32 camels score %d, not %d", score, Limit)
	}
}

// TestNoAllocation checks what a search relies on.
func TestNoAllocation(t *testing.T) {
	e := New(&Default, nil)
	p := boards.Parse(t, "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]")
	if n := testing.AllocsPerRun(100, func() { e.Score(&p.Board, p.Side()) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkScore scores the positions of the published games with at least twenty pieces.
func BenchmarkScore(b *testing.B) {
	var list []arimaa.Position
	for _, p := range gamePositions(b) {
		if p.Occupied().Len() >= 20 {
			list = append(list, p)
		}
	}
	e := New(&Default, nil)
	b.ReportAllocs()
	i, sum := 0, 0
	for b.Loop() {
		p := &list[i]
		sum += e.Score(&p.Board, p.Side())
		if i++; i == len(list) {
			i = 0
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "scores/s")
	if sum == 1 {
		b.Log(sum)
	}
}
