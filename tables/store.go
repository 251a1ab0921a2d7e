package tables

import (
	"bytes"
	"fmt"
)

// Store is what a search asks of a store of facts on disk. Its methods may be called by many
// goroutines. A key is a packed position with the attacker to move.
type Store interface {
	// Get returns the fact of a key, or Nothing. A fact that was put lately may be missing.
	Get(key []byte) (Fact, error)
	// Put adds a fact. It does not keep key.
	Put(key []byte, f Fact) error
}

// WorthStoring is the least work, in nodes, after which a search puts a fact into a store, unless
// the fact answers the question that was asked. A lookup takes as long as about ten nodes.
const WorthStoring = 200

// Recall returns the store's fact about a key, a position in which the attacker is to move and has
// no win in one. Legal reports whether the code of a turn is one of a legal turn there. The error
// is the store's, or says that the fact is impossible: it claims a win in one, contradicts itself,
// or has an illegal turn.
func Recall(s Store, key []byte, legal func(turn uint32) bool) (Fact, error) {
	f, err := s.Get(key)
	if err != nil || !f.Known() {
		return Nothing, err
	}
	none := Fact{ProvedWithin: Unproved, RefutedUpTo: 1}
	if !none.Merge(f).Possible() {
		return Nothing, &Contradiction{Key: bytes.Clone(key), Known: none, New: f}
	}
	if f.Turn != 0 && !legal(f.Turn) {
		return Nothing, fmt.Errorf("the stored fact of position %x is wrong: %v with a turn that is not legal", key, f)
	}
	return f, nil
}
