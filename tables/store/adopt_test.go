package store

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"goalproof/tables"
)

// layout1Store makes a store as programs did with layout 1: operations in several commits, so that records have several
// versions in tables of several levels, a contradiction, and two notes under a key.
func layout1Store(t *testing.T, operations uint64) (dir string, h header) {
	t.Helper()
	dir = t.TempDir()
	folder := filepath.Join(dir, "g000003")
	o := badger.DefaultOptions(folder).WithLoggingLevel(badger.ERROR).WithCompression(options.None).WithBlockCacheSize(0).
		WithMemTableSize(1 << 18).WithBaseTableSize(1 << 18).WithValueThreshold(1 << 10).WithValueLogFileSize(1 << 20).WithNumMemtables(1).
		WithNumVersionsToKeep(1).WithCompactL0OnClose(operations%2 == 0)
	db, err := badger.OpenManaged(o)
	noError(t, err)
	ts := uint64(0)
	set := func(names, values [][]byte) {
		t.Helper()
		ts++
		out := db.NewWriteBatchAt(ts)
		defer out.Cancel()
		for i := range names {
			noError(t, out.SetEntry(badger.NewEntry(names[i], values[i])))
		}
		noError(t, out.Flush())
	}
	note := func(text string) {
		name := noteName([]byte("key"))
		set([][]byte{name}, [][]byte{binary.LittleEndian.AppendUint32([]byte(text), noteSum(name, []byte(text)))})
	}
	note("first")
	var names, values [][]byte
	known := map[string]tables.Fact{}
	for n := range operations {
		key, f := operation((n*40_507 + 7) % operations)
		old, ok := known[string(key)]
		if !ok {
			old = tables.Nothing
		}
		known[string(key)] = old.Merge(f)
		name := append([]byte{factKind}, key...)
		names, values = append(names, name), append(values, appendRecord(nil, name, known[string(key)]))
		if len(names) == 500 || n == operations-1 {
			set(names, values)
			names, values = nil, nil
		}
	}
	name := []byte("cposition")
	set([][]byte{name}, [][]byte{appendRecord(nil, name, tables.Fact{ProvedWithin: 3}, tables.Fact{ProvedWithin: 255, RefutedUpTo: 3})})
	note("second")
	noError(t, db.Close())
	h = header{Schema: 1, State: stateClosed, Generation: 3}
	entries, err := os.ReadDir(folder)
	noError(t, err)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		noError(t, err)
		if e.Name() != "LOCK" {
			h.Files = append(h.Files, describe(e.Name(), data))
		}
	}
	noError(t, h.write(dir))
	return dir, h
}

// TestLayout1 opens stores of layout 1: all that was in them is there, before and after it is merged with new facts, and what
// is only read stays as it is.
func TestLayout1(t *testing.T) {
	for _, operations := range []uint64{0, 12_000, 12_001} {
		dir, _ := layout1Store(t, operations)
		check := func(s *Store, operations uint64, note string) {
			t.Helper()
			if _, err := checkOperations(s, operations); err != nil {
				t.Error(err)
			}
			for n := range operations {
				key, f := operation(n)
				if got, err := s.Get(key); err != nil || got.Merge(f) != got {
					t.Fatalf("%x: %v, %v", key, got, err)
				}
			}
			if got, err := s.Noted([]byte("key")); err != nil || string(got) != note {
				t.Errorf("noted %q, %v, want %q", got, err, note)
			}
			if i, err := s.Info(); err != nil || len(i.Contradictions) != 1 {
				t.Errorf("%v, %v", i.Contradictions, err)
			}
		}
		before, err := os.ReadFile(filepath.Join(dir, headerName))
		noError(t, err)
		for _, o := range []Options{{ReadOnly: true, Memory: leastMemory}, small} {
			s := open(t, dir, o)
			check(s, operations, "second")
			noError(t, s.Close())
		}
		if after, err := os.ReadFile(filepath.Join(dir, headerName)); err != nil || string(after) != string(before) {
			t.Errorf("STORE has changed, %v", err)
		}
		s := open(t, dir, small)
		for n := range uint64(100) {
			noError(t, s.Put(operation(operations+n)))
		}
		noError(t, s.Note([]byte("key"), []byte("third")))
		noError(t, s.Sync())
		check(s, operations+100, "third")
		killed := open(t, copied(t, dir), small)
		check(killed, operations+100, "third")
		noError(t, killed.Close())
		noError(t, s.Close())
		s = open(t, dir, small)
		noError(t, s.GC(t.Context(), nil))
		check(s, operations+100, "third")
		noError(t, s.Close())
		s = open(t, dir, small)
		check(s, operations+100, "third")
		noError(t, s.Close())
		if _, err := os.Stat(filepath.Join(dir, "g000003")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the old directory: %v", err)
		}
	}
}

// TestLayout1Refused opens stores of layout 1 that cannot be trusted.
func TestLayout1Refused(t *testing.T) {
	dir, h := layout1Store(t, 8_000)
	for _, f := range h.Files {
		for _, d := range damages {
			damaged := copied(t, dir)
			path := filepath.Join(damaged, "g000003", f.Name)
			data, err := os.ReadFile(path)
			noError(t, err)
			if len(data) == 0 {
				continue
			}
			noError(t, d.do(path, data))
			refusesDamage(t, damaged, filepath.Join("g000003", f.Name))
		}
	}
	h.State, h.Files = stateOpen, nil
	noError(t, h.write(dir))
	for _, o := range []Options{small, {ReadOnly: true, Memory: leastMemory}} {
		if _, err := Open(dir, o); !errors.Is(err, ErrNotClosed) || !strings.Contains(err.Error(), "open it once with that") {
			t.Error(err)
		}
	}
}
