package tables

import (
	"math/rand/v2"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"goalproof/zobrist"
)

func drawScore() *rapid.Generator[Score] {
	return rapid.Custom(func(t *rapid.T) Score {
		return Score{
			Score: rapid.Int16().Draw(t, "score"),
			Depth: rapid.Uint8().Draw(t, "depth"),
			Bound: Bound(rapid.IntRange(int(AtLeast), int(Exact)).Draw(t, "bound")),
			Turn:  rapid.Uint32().Draw(t, "turn"),
		}
	})
}

// TestScores enters scores of few positions, which fit into the table, and compares with a map.
func TestScores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewScores(64)
		model := map[zobrist.Key]Score{}
		for range rapid.IntRange(0, 20).Draw(t, "n") {
			k := zobrist.Key{Lo: rapid.Uint64().Draw(t, "lo"), Hi: rapid.Uint64Range(1, ways).Draw(t, "hi")}
			k.Lo = k.Hi // as many keys as there is room for
			e := drawScore().Draw(t, "score")
			s.Put(k, e)
			if old := model[k]; e.Turn == 0 {
				e.Turn = old.Turn // the best turn stays known
			}
			model[k] = e
			if rapid.Bool().Draw(t, "age") {
				s.Age()
			}
		}
		for hi := range uint64(ways + 2) {
			k := zobrist.Key{Lo: hi, Hi: hi}
			if got := s.Get(k); got != model[k] {
				t.Fatalf("%v: %+v, want %+v", k, got, model[k])
			}
		}
	})
}

// TestScoresReplaced fills a bucket, and wants first the oldest entries gone and then those of the
// least depth.
func TestScoresReplaced(t *testing.T) {
	key := func(i int) zobrist.Key { return zobrist.Key{Hi: uint64(i) + 1} }
	s := NewScores(1)
	s.Put(key(0), Score{Depth: 9, Bound: Exact})
	s.Put(key(1), Score{Depth: 200, Bound: Exact})
	s.Age()
	s.Put(key(2), Score{Depth: 3, Bound: Exact})
	s.Put(key(3), Score{Depth: 2, Bound: Exact})
	for i, want := range [][]int{{1, 2, 3, 4}, {2, 3, 4, 5}, {2, 4, 5, 6}} {
		s.Put(key(4+i), Score{Depth: uint8(20 + i), Bound: Exact})
		for _, k := range want {
			if s.Get(key(k)).Bound == NoBound {
				t.Errorf("%d entries too many: the one of position %d is gone", 1+i, k)
			}
		}
	}
	s.Clear()
	if got := s.Get(key(4)); got != (Score{}) {
		t.Errorf("after Clear: %+v", got)
	}
}

// TestScoresShared lets workers write and read the same few buckets. Whatever is found was entered
// for that position: all of it follows from the key.
func TestScoresShared(t *testing.T) {
	s := NewScores(3 * 64)
	of := func(hi uint64) Score {
		r := rand.New(rand.NewPCG(hi, 1))
		return Score{int16(r.Uint32()), uint8(r.Uint32()), AtLeast + Bound(r.IntN(3)), r.Uint32() | 1}
	}
	var workers sync.WaitGroup
	found := make([]int, 4)
	for w := range found {
		workers.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 2))
			for range 20_000 {
				k := zobrist.Key{Lo: r.Uint64(), Hi: r.Uint64N(40) + 1}
				k.Lo = k.Hi << 58
				if got := s.Get(k); got != (Score{}) {
					found[w]++
					if got != of(k.Hi) {
						t.Errorf("position %d: %+v, want %+v", k.Hi, got, of(k.Hi))
						return
					}
				}
				s.Put(k, of(k.Hi))
			}
		})
	}
	workers.Wait()
	for w, n := range found {
		if n < 1000 {
			t.Errorf("worker %d found %d entries", w, n)
		}
	}
}
