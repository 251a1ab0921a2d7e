package store

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"goalproof/internal/testkit/require"
	"goalproof/tables"
)

// TestNotes keeps notes beside facts: the last one counts, and they outlast closing and GC, but do
// not travel.
func TestNotes(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, small)
	key, fact := []byte("key"), tables.Fact{ProvedWithin: 2, RefutedUpTo: 1}
	if note, err := s.Noted(key); note != nil || err != nil {
		t.Errorf("before any note: %q, %v", note, err)
	}
	require.NoError(t, s.Put(key, fact))
	long := bytes.Repeat([]byte("x"), MaxNote)
	for _, note := range [][]byte{[]byte("first"), {}, long} {
		require.NoError(t, s.Note(key, note))
		if got, err := s.Noted(key); got == nil || !bytes.Equal(got, note) || err != nil {
			t.Errorf("noted %q: %q, %v", note, got, err)
		}
	}
	if err := s.Note(key, append(long, 'x')); err == nil {
		t.Error("a note that is too long was taken")
	}
	require.NoError(t, s.Note([]byte("other"), []byte("second")))
	killed := open(t, copied(t, s.dir), small) // what a process leaves that is killed just then
	if got, err := killed.Noted([]byte("other")); string(got) != "second" || err != nil {
		t.Errorf("noted by a process that was killed %q, %v", got, err)
	}
	require.NoError(t, killed.Close())
	require.NoError(t, s.GC(context.Background()))
	check := func(s *Store, other string) {
		t.Helper()
		if got, err := s.Noted([]byte("other")); string(got) != other || err != nil {
			t.Errorf("noted %q, %v, want %q", got, err, other)
		}
		if got := all(t, s); len(got) != 1 || got[string(key)] != fact {
			t.Errorf("facts %v", got)
		}
	}
	check(s, "second")
	merged := open(t, t.TempDir(), small)
	_, err := merged.Merge(context.Background(), s, nil)
	require.NoError(t, err)
	check(merged, "")
	require.NoError(t, merged.Close())
	require.NoError(t, s.Close())
	if err := s.Note(key, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("noted in a closed store: %v", err)
	}
	readOnly := small
	readOnly.ReadOnly = true
	s = open(t, dir, readOnly)
	check(s, "second")
	if err := s.Note(key, nil); !errors.Is(err, ErrReadOnly) {
		t.Errorf("noted in a store for reading only: %v", err)
	}
	require.NoError(t, s.Close())
}
