package ordering

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"goalproof/internal/testkit/require"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// described returns the features of all options at the start of a turn and after one random option,
// given the board before the turn; each list and the lists sorted.
func described(t *rapid.T, text string) (all [][]uint16) {
	p := boards.Parse(t, text)
	var c Context
	add := func(p *arimaa.Position, start, before *arimaa.Board) {
		c.Set(p, start, before)
		for _, o := range p.Options(nil) {
			list := c.Active(o, nil)
			slices.Sort(list)
			switch {
			case len(list) > MostActive:
				t.Errorf("%v: %v has %d features", p, o, len(list))
			case list[len(list)-1] >= Features:
				t.Errorf("%v: %v has the feature %d", p, o, list[len(list)-1])
			case len(slices.Compact(slices.Clone(list))) < len(list):
				t.Errorf("%v: %v has a feature twice: %v", p, o, list)
			}
			all = append(all, list)
		}
	}
	add(&p, &p.Board, nil)
	for _, o := range p.Options(nil) {
		after := p.After(o)
		if after.StepsLeft() > 0 {
			add(&after, &p.Board, nil)
		}
		next := after.EndTurn()
		add(&next, &next.Board, &p.Board)
	}
	slices.SortFunc(all, slices.Compare[[]uint16])
	return all
}

// TestSymmetry checks that the features are those of the position seen by the side to move, with
// files mirrored or not, and that they are in range.
func TestSymmetry(t *testing.T) {
	boards.Check(t, 100, 2000, func(t *rapid.T) {
		text := boards.Position().Draw(t, "position")
		want := described(t, text)
		for _, other := range []string{boards.Swap(text), boards.Mirror(text)} {
			if got := described(t, other); !slices.EqualFunc(got, want, slices.Equal[[]uint16]) {
				t.Fatalf("%s and %s differ", text, other)
			}
		}
	})
}

// TestScore compares scores with plain sums.
func TestScore(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var weights [Features]float32
	for i := range weights {
		weights[i] = float32(random.IntN(2001)-1000) / One
	}
	var file bytes.Buffer
	require.NoError(t, Write(&file, &weights))
	w, err := Parse(file.Bytes())
	require.NoError(t, err)
	p := boards.Parse(t, "g [rrr rrrr d  c  d   m  E  h e   hC     D   M  H H RRRRRRRRC D    ]")
	var c Context
	c.Set(&p, &p.Board, nil)
	for _, o := range p.Options(nil) {
		sum := float32(0)
		for _, f := range c.Active(o, nil) {
			sum += weights[f]
		}
		if got := w.Score(&c, o); float32(got)/One != sum {
			t.Errorf("%v: %d, want %v", o, got, sum*One)
		}
	}
	data := file.Bytes()
	for _, bad := range [][]byte{nil, data[:len(data)-1], append([]byte("x"), data...), data[20:]} {
		if _, err := Parse(bad); err == nil {
			t.Errorf("%d bytes are taken for weights", len(bad))
		}
	}
	for i := range 2 {
		bad := slices.Clone(data)
		copy(bad[len(bad)-2:], []byte{byte(1 - i), byte(0x10 + 0xdf*i)}) // 16 and 1/256, and -17 units
		if _, err := Parse(bad); err == nil {
			t.Errorf("% x is taken for a weight", bad[len(bad)-2:])
		}
	}
	weights[3] = Most + 1
	if Write(&file, &weights) == nil {
		t.Error("a weight that is too large is written")
	}
}
