package search

import (
	"bytes"
	"path/filepath"
	"testing"

	"goalproof/internal/testkit/require"
	"goalproof/tables"
)

// TestFreshStore puts a fact and a note into a store that was there before and into a new one:
// within a limit in nodes only the first answers.
func TestFreshStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	for _, fresh := range []bool{true, false} {
		if isFresh(dir) != fresh {
			t.Fatalf("the store is fresh: %v, want %v", !fresh, fresh)
		}
		s, err := OpenStore(dir)
		require.NoError(t, err)
		used := &usedStore{kept: s, fresh: fresh}
		key := bytes.Repeat([]byte{1}, 33)
		fact := tables.Nothing
		fact.RefutedUpTo = 2
		require.NoError(t, used.Put(key, fact))
		require.NoError(t, used.Note(key, []byte("noted")))
		got, err := used.Get(key)
		if err != nil || got.Known() == fresh {
			t.Errorf("fresh %v: the fact is %+v, %v", fresh, got, err)
		}
		if note, err := used.Noted(key); err != nil || (note == nil) != fresh {
			t.Errorf("fresh %v: the note is %q, %v", fresh, note, err)
		}
		require.NoError(t, s.Close())
	}
}
