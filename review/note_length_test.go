package review

import (
	"testing"

	"goalproof/tables/store"
)

// TestMaxNote checks that a store takes the longest note.
func TestMaxNote(t *testing.T) {
	if maxNote > store.MaxNote {
		t.Errorf("a note has up to %d bytes, in a store up to %d", maxNote, store.MaxNote)
	}
}
