package tables

import (
	"fmt"

	"goalproof/arimaa"
)

// Store keeps facts for good. Its methods may be called by many goroutines. A key is a packed
// position with the attacker to move.
type Store interface {
	// Get returns the fact of a key, or Nothing. What has been put lately may be missing.
	Get(key []byte) (Fact, error)
	// Put adds a fact; it keeps nothing of key.
	Put(key []byte, f Fact) error
	// Sync makes durable all that has been put.
	Sync() error
	// Close does that for the last time.
	Close() error
}

// WorthStoring is the work, in nodes, from which on a search puts a fact into a store. Looking one up takes as long
// as about ten nodes.
const WorthStoring = 200

// Recall returns what a store knows about a position with the attacker to move, in which he has no win in one;
// room is where its key may be written. The error is that of the store, or says that the fact cannot be true
// there: it claims a win in one, denies itself, or has a turn that is not legal. With it a search would go on with a
// turn that is none, or with too short a win.
func Recall(s Store, p *arimaa.Position, room *[]byte) (Fact, error) {
	*room = p.AppendPacked((*room)[:0])
	f, err := s.Get(*room)
	if err != nil || !f.Known() {
		return Nothing, err
	}
	none := Fact{ProvedWithin: Unproved, RefutedUpTo: 1}
	if !none.Merge(f).Possible() {
		return Nothing, &Contradiction{Key: p.AppendPacked(nil), Known: none, New: f}
	}
	if f.Turn != 0 {
		if _, _, legal := p.Decode(f.Turn); !legal {
			return Nothing, fmt.Errorf("the stored fact of %v is wrong: %v with a turn that is not legal", p, f)
		}
	}
	return f, nil
}
