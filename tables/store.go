package tables

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
