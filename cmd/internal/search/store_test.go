package search

import (
	"bytes"
	"io"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/require"
	"goalproof/solve"
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

// TestBeside asks a store with facts beside it: both are known, and where they contradict each other what the
// store knows. Facts are put into the store alone.
func TestBeside(t *testing.T) {
	kept, found := inMemory{}, inMemory{}
	s := besideStore{kept, found}
	kept["a"], found["a"] = tables.Fact{ProvedWithin: 9, RefutedUpTo: 2}, tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: 4}
	kept["b"], found["b"] = tables.Fact{ProvedWithin: 3, Turn: 1}, tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: 5}
	found["c"] = tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: 1}
	for key, want := range map[string]tables.Fact{"a": {ProvedWithin: 9, RefutedUpTo: 4}, "b": kept["b"], "c": found["c"], "d": tables.Nothing} {
		if got, err := s.Get([]byte(key)); err != nil || got != want {
			t.Errorf("%s: %v, %v, want %v", key, got, err, want)
		}
	}
	require.NoError(t, s.Put([]byte("e"), found["c"]))
	if len(kept) != 3 || len(found) != 3 {
		t.Errorf("the store has %d facts, and beside it are %d", len(kept), len(found))
	}
}

// inMemory is a store in memory.
type inMemory map[string]tables.Fact

func (s inMemory) Get(key []byte) (tables.Fact, error) {
	if f, ok := s[string(key)]; ok {
		return f, nil
	}
	return tables.Nothing, nil
}

func (s inMemory) Put(key []byte, f tables.Fact) error {
	s[string(key)] = f
	return nil
}

func (inMemory) Note(_, _ []byte) error       { return nil }
func (inMemory) Noted([]byte) ([]byte, error) { return nil, nil }

// TestFoundBeside opens a store for a search with facts of its own: it knows them, and they stay out of the
// store.
func TestFoundBeside(t *testing.T) {
	found := inMemory{}
	key := bytes.Repeat([]byte{1}, 33)
	found[string(key)] = tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: 3}
	f := Flags{Store: filepath.Join(t.TempDir(), "store"), Found: found}
	for _, known := range []int{3, 0} {
		searches := func(o solve.Options) error {
			if got, err := o.Store.Get(key); err != nil || int(got.RefutedUpTo) != known {
				t.Errorf("the search knows %v, %v, want %d", got, err, known)
			}
			return nil
		}
		code := cli.Run(t.Context(), nil, cli.Terminal{Out: io.Discard, Err: t.Output()}, func(terminal cli.Terminal) *cobra.Command {
			f.terminal = terminal
			return &cobra.Command{Use: "search", RunE: func(*cobra.Command, []string) error { return f.WithStore(solve.Options{}, searches) }}
		})
		if code != cli.Holds {
			t.Errorf("exit code %d", code)
		}
		f.Found = nil
	}
}
