package store

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"goalproof/tables"
)

// TestResident reads facts all over a store that is larger than what may become resident
// of it. Then it does so while others are put, and Badger writes and removes tables: all
// that is read is right.
func TestResident(t *testing.T) {
	const facts = 500_000
	dir := t.TempDir()
	put := func(s *Store, from, to uint64) {
		var key [25]byte
		for n := from; n < to; n++ {
			fill(&key, n)
			if err := s.Put(key[:], factOf(n)); err != nil {
				t.Error(err)
				return
			}
		}
	}
	get := func(s *Store, seed uint64, each func()) {
		random := rand.New(rand.NewPCG(2, seed))
		var key [25]byte
		for range 10_000 {
			n := random.Uint64N(facts)
			fill(&key, n)
			if got, err := s.Get(key[:]); err != nil || got != factOf(n) {
				t.Errorf("%v, %v, want %v", got, err, factOf(n))
				return
			}
			each()
		}
	}
	s := open(t, dir, small)
	put(s, 0, facts)
	noError(t, s.Close())

	before := residentFiles()
	most, allowed := before, before+2*leastMemory+readsBetween<<19
	look := func() {
		now := residentFiles()
		// What was read last may be released by another goroutine, which on a busy machine takes a while.
		for late := 0; now > allowed && most <= allowed && late < 1_000; late++ {
			time.Sleep(time.Millisecond)
			now = residentFiles()
		}
		most = max(most, now)
	}
	s = open(t, dir, small)
	look()
	get(s, 0, look)
	read := 0
	noError(t, s.All(context.Background(), func([]byte, tables.Fact) error {
		if read++; read%1_000 == 0 {
			look()
		}
		return nil
	}))
	if t.Logf("%d MiB of files were resident, %d before", most>>20, before>>20); most > allowed {
		t.Error("that is too much")
	}

	var workers sync.WaitGroup
	workers.Go(func() { put(s, facts, facts*5/4) })
	for w := range uint64(2) {
		workers.Go(func() { get(s, w, func() { s.trim() }) })
	}
	workers.Wait()
	noError(t, s.Close())
}
