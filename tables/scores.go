package tables

import (
	"math"
	"math/bits"
	"sync/atomic"

	"goalproof/zobrist"
)

// Score is the result of an alpha-beta search of a position to some depth: its value for the side
// to move.
type Score struct {
	Score int16
	Depth uint8 // in steps
	Bound Bound
	Turn  uint32 // code of the best turn, or of the rest of one (arimaa.Turn.Code); 0: unknown
}

// Bound is how a score bounds the true value.
type Bound uint8

const (
	NoBound Bound = iota // no entry
	AtLeast              // the true score may be greater
	AtMost               // the true score may be less
	Exact
)

// Scores is a table of scores, of fixed size, for all workers of a search. A bucket is a cache
// line, four entries of 16 bytes:
//
//	bytes  0..7   half of the key, exclusive-or the rest of the entry
//	       8..9   score
//	         10   depth
//	         11   bound, and above it the age in six bits
//	      12..15  turn
//
// Both words are read and written atomically and without a lock. An entry whose words come from two
// workers does not match the key, so it is not found (Hyatt and Mann 2002).
//
// A new entry replaces the entry of the same position, or else the one of least depth, where being
// one search older counts more than any depth.
type Scores struct {
	all [][2 * ways]uint64
	age atomic.Uint32
}

const ageBits = 6

// NewScores returns a table of at most the given bytes, but at least one bucket.
func NewScores(bytes uint64) *Scores {
	return &Scores{all: make([][2 * ways]uint64, max(1, bytes/(ways*16)))}
}

// Age makes all entries one search older, so that newer ones replace them first.
func (s *Scores) Age() { s.age.Add(1) }

// Clear empties the table. No other method may run meanwhile.
func (s *Scores) Clear() { clear(s.all) }

func (s *Scores) bucket(k zobrist.Key) *[2 * ways]uint64 {
	i, _ := bits.Mul64(k.Lo, uint64(len(s.all)))
	return &s.all[i]
}

// Get returns the score of a position; its bound is NoBound if there is none.
func (s *Scores) Get(k zobrist.Key) Score {
	b := s.bucket(k)
	for i := 0; i < len(b); i += 2 {
		if data := atomic.LoadUint64(&b[i+1]); atomic.LoadUint64(&b[i])^data == k.Hi {
			return unpackScore(data)
		}
	}
	return Score{}
}

// Put enters the score of a position.
func (s *Scores) Put(k zobrist.Key, e Score) {
	b := s.bucket(k)
	now := s.age.Load() % (1 << ageBits)
	slot, least := 0, math.MaxInt
	for i := 0; i < len(b); i += 2 {
		data := atomic.LoadUint64(&b[i+1])
		old := unpackScore(data)
		if old.Bound == NoBound {
			slot = i
			break
		}
		if atomic.LoadUint64(&b[i])^data == k.Hi {
			if e.Turn == 0 {
				e.Turn = old.Turn
			}
			slot = i
			break
		}
		age := (now - uint32(data>>26)) % (1 << ageBits)
		if worth := int(old.Depth) - int(age)<<8; worth < least {
			slot, least = i, worth
		}
	}
	data := e.pack() | uint64(now)<<26
	atomic.StoreUint64(&b[slot], k.Hi^data)
	atomic.StoreUint64(&b[slot+1], data)
}

func (e Score) pack() uint64 {
	return uint64(uint16(e.Score)) | uint64(e.Depth)<<16 | uint64(e.Bound)<<24 | uint64(e.Turn)<<32
}

func unpackScore(data uint64) Score {
	return Score{Score: int16(data), Depth: uint8(data >> 16), Bound: Bound(data >> 24 & 3), Turn: uint32(data >> 32)}
}
