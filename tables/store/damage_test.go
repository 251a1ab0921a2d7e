package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/tables"
)

// copied returns a copy of a directory: of an open store, as if its process were killed just then.
func copied(t testing.TB, dir string) string {
	t.Helper()
	to := t.TempDir()
	require.NoError(t, os.CopyFS(to, os.DirFS(dir)))
	return to
}

// reading opens the small store for reading only.
var reading = Options{Memory: leastMemory, ReadOnly: true}

// putOperations puts operations, and syncs them.
func putOperations(t testing.TB, s *Store, from, to uint64) {
	t.Helper()
	for n := from; n < to; n++ {
		require.NoError(t, s.Put(operation(n)))
	}
	require.NoError(t, s.Sync())
}

// oneLine checks that an error has one line and some words.
func oneLine(t testing.TB, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not say %q", err, w)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("%q has more than one line", err)
	}
}

// damages are the ways in which a file may be damaged.
var damages = []struct {
	name string
	do   func(path string, data []byte) error
}{
	{"missing", func(path string, _ []byte) error { return os.Remove(path) }},
	{"empty", func(path string, _ []byte) error { return os.WriteFile(path, nil, 0o666) }},
	{"half", func(path string, data []byte) error { return os.WriteFile(path, data[:len(data)/2], 0o666) }},
	{"one byte short", func(path string, data []byte) error { return os.WriteFile(path, data[:len(data)-1], 0o666) }},
}

// refusesDamage checks that a store is not opened, for writing or for reading, and that the error
// names the file.
func refusesDamage(t *testing.T, dir, file string) {
	t.Helper()
	for _, o := range []Options{small, reading} {
		s, err := Open(dir, o)
		if err == nil {
			s.Close()
			t.Fatal("it is opened")
		}
		oneLine(t, err, file)
		if !errors.Is(err, ErrDamaged) && file != headerName {
			t.Error(err)
		}
	}
}

// closedStore returns the directory of a closed store with operations, and its files.
func closedStore(t *testing.T, operations uint64) (dir string, files []string) {
	t.Helper()
	dir = t.TempDir()
	s := open(t, dir, small)
	putOperations(t, s, 0, operations)
	require.NoError(t, s.Close())
	files, err := filepath.Glob(filepath.Join(dir, databaseName, "*"))
	require.NoError(t, err)
	if len(files) < 5 { // a table, MANIFEST, KEYREGISTRY, DISCARD and a value log
		t.Fatal(files)
	}
	return dir, append(files, filepath.Join(dir, headerName))
}

// TestDamaged damages every file of a closed store: it is not opened, and the error says which
// file.
func TestDamaged(t *testing.T) {
	dir, files := closedStore(t, 1_000)
	for _, path := range files {
		file, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, d := range damages {
			t.Run(file+" "+d.name, func(t *testing.T) {
				damaged := copied(t, dir)
				require.NoError(t, d.do(filepath.Join(damaged, file), bytes.Clone(data)))
				refusesDamage(t, damaged, file)
			})
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, databaseName, "000099.mem"), make([]byte, 100), 0o666))
	refusesDamage(t, dir, databaseName)
}

// TestEveryByte changes bytes of every file of a closed store, in all its parts, and every bit of
// its header, whose checksum is there as text.
func TestEveryByte(t *testing.T) {
	dir, files := closedStore(t, 60)
	change := func(path string, data []byte, at, bit int) {
		data[at] ^= 1 << bit
		require.NoError(t, os.WriteFile(path, data, 0o666))
		refusesDamage(t, dir, filepath.Base(path))
		data[at] ^= 1 << bit
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		if filepath.Base(path) == headerName {
			for at := range 8 * len(data) {
				change(path, data, at/8, at%8)
			}
		}
		step := 41
		if boards.Large {
			step = 1
		}
		if len(data) > 1<<16 {
			step *= len(data) / 1_000
		}
		for at := 0; at < len(data); at += step {
			change(path, data, at, at%8)
		}
		require.NoError(t, os.WriteFile(path, data, 0o666))
	}
	require.NoError(t, open(t, dir, small).Close())
}

// killedStore returns the directory of a store with operations whose writer was killed.
func killedStore(t *testing.T, operations uint64) (dir string) {
	t.Helper()
	s := open(t, t.TempDir(), small)
	defer s.Close()
	putOperations(t, s, 0, operations)
	return copied(t, s.dir)
}

// TestNotClosed opens a store whose writer was killed: for reading it is refused and stays as it
// is; after it was opened for writing it is there for all.
func TestNotClosed(t *testing.T) {
	const facts = 1_000
	dir := killedStore(t, facts)
	for _, name := range []string{"00099.mem", "000099.vlog", "000099.sst", "MANIFEST-REWRITE"} { // killed while it made them
		require.NoError(t, os.WriteFile(filepath.Join(dir, databaseName, name), nil, 0o666))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".STORE.goalproof-0"), []byte("half"), 0o666))
	before := look(t, dir)
	_, err := Open(dir, reading)
	if !errors.Is(err, ErrNotClosed) {
		t.Fatal(err)
	}
	oneLine(t, err, "goalproof store verify "+dir)
	if after := look(t, dir); after != before {
		t.Errorf("the directory is\n%sand was\n%s", after, before)
	}
	for _, o := range []Options{small, reading} {
		s := open(t, dir, o)
		if _, err := checkOperations(s, facts); err != nil {
			t.Error(err)
		}
		require.NoError(t, s.Close())
	}
}

// look describes the files of a store.
func look(t *testing.T, dir string) (all string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		i, err := e.Info()
		if err == nil {
			all += path + " " + i.ModTime().String() + "\n"
		}
		return err
	}))
	return all
}

// TestOnlyRead opens a closed store for reading several times at once: nothing is written.
func TestOnlyRead(t *testing.T) {
	dir, _ := closedStore(t, 1_000)
	before := look(t, dir)
	var stores []*Store
	for range 3 {
		s := open(t, dir, reading)
		if _, err := checkOperations(s, 1_000); err != nil {
			t.Error(err)
		}
		require.NoError(t, s.Sync())
		stores = append(stores, s)
	}
	if _, err := Open(dir, small); !errors.Is(err, ErrInUse) {
		t.Error(err)
	}
	for _, s := range stores {
		require.NoError(t, s.Close())
	}
	if after := look(t, dir); after != before {
		t.Errorf("the directory is\n%sand was\n%s", after, before)
	}
}

// TestLostBatches damages the log of a store whose writer was killed: its last facts are gone,
// which is said once, and then what is left is there.
func TestLostBatches(t *testing.T) {
	const facts = 600
	s := open(t, t.TempDir(), small)
	defer s.Close()
	for n := uint64(0); n < facts; n += 100 {
		putOperations(t, s, n, n+100)
	}
	logs, err := filepath.Glob(filepath.Join(s.dir, databaseName, "*.mem"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	log := filepath.Join(databaseName, filepath.Base(logs[0]))
	for _, c := range []struct {
		name string
		do   func(path string, data []byte) error
	}{
		{"missing", func(path string, _ []byte) error { return os.Remove(path) }},
		{"cut off", func(path string, _ []byte) error { return os.Truncate(path, 8_000) }},
		{"a bit flipped", func(path string, data []byte) error {
			data[8_000] ^= 4
			return os.WriteFile(path, data, 0o666)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := copied(t, s.dir)
			data, err := os.ReadFile(filepath.Join(dir, log))
			require.NoError(t, err)
			require.NoError(t, c.do(filepath.Join(dir, log), data))
			_, err = Open(dir, small)
			if !errors.Is(err, ErrLost) {
				t.Fatal(err)
			}
			oneLine(t, err, dir, "of 6 batches are missing")
			for range 2 {
				again := open(t, dir, small)
				if n, err := checkOperations(again, 0); err != nil || n >= facts/2 {
					t.Errorf("%d facts, %v", n, err)
				}
				putOperations(t, again, facts, facts+1)
				require.NoError(t, again.Close())
			}
		})
	}
}

// TestNotLost copies a store as if it were killed just then, after commits with nothing
// in them and after GC: nothing is lost.
func TestNotLost(t *testing.T) {
	s := open(t, t.TempDir(), small)
	defer s.Close()
	for n := range uint64(20) {
		putOperations(t, s, n%10, n%10+1)
		if n%7 == 6 {
			require.NoError(t, s.GC(t.Context()))
		}
		again := open(t, copied(t, s.dir), small)
		if _, err := checkOperations(again, min(n+1, 10)); err != nil {
			t.Error(err)
		}
		require.NoError(t, again.Close())
	}
}

// update changes the database of a store with one batch or more behind its back.
func update(s *Store, change func(*badger.Txn) error) error {
	version := s.version.Load()
	txn := s.db.NewTransactionAt(version, true)
	defer txn.Discard()
	return errors.Join(change(txn), txn.CommitAt(version, nil))
}

// TestLostFact takes a fact from the database, or puts an older one there, as Badger may do:
// whoever reads all facts is told, and writing ends. What is left can be merged into another store.
func TestLostFact(t *testing.T) {
	const facts = 1_000
	key, d := position(7)
	name := append([]byte{factKind}, key...)
	older := tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: d - 1}
	for what, change := range map[string]func(*badger.Txn) error{
		"of 1000 that were written 999 are there": func(txn *badger.Txn) error { return txn.Delete(name) },
		"1000 are there, or some are older": func(txn *badger.Txn) error {
			return txn.Set(name, factValue(name, older))
		},
	} {
		dir := t.TempDir()
		s := open(t, dir, small)
		putOperations(t, s, 0, 2*facts)
		require.NoError(t, update(s, change))
		require.NoError(t, s.Close())
		s = open(t, dir, reading)
		_, err := s.Info()
		if !errors.Is(err, ErrLost) {
			t.Fatal(err)
		}
		oneLine(t, err, dir, what)
		left := open(t, t.TempDir(), small)
		m, err := left.Merge(t.Context(), s, nil)
		if !errors.Is(err, ErrLost) || m.Positions < facts-1 {
			t.Errorf("%+v, %v", m, err)
		}
		if n, err := checkOperations(left, 0); err != nil || int64(n) != m.Positions {
			t.Errorf("%d facts are left, %v", n, err)
		}
		require.NoError(t, left.Close())
		require.NoError(t, s.Close())
		s = open(t, dir, small)
		for end := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
			if err = s.Put(operation(0)); err != nil || time.Now().After(end) {
				break
			}
		}
		if !errors.Is(err, ErrLost) {
			t.Error(err)
		}
		if err := s.Close(); !errors.Is(err, ErrLost) {
			t.Error(err)
		}
		if f, err := open(t, dir, reading).Get(key); err != nil || f.Known() && f != older {
			t.Errorf("%v, %v", f, err)
		}
	}
}

// TestDamagedRecord puts records into the database that are not right: they are no notes and no
// facts, and the others are read.
func TestDamagedRecord(t *testing.T) {
	s := open(t, t.TempDir(), small)
	defer s.Close()
	putOperations(t, s, 0, 100)
	key, _ := position(7)
	name := append([]byte{factKind}, key...)
	require.NoError(t, update(s, func(txn *badger.Txn) error { return txn.Set(name, make([]byte, 10)) }))
	if f, err := s.Get(key); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v, %v", f, err)
	}
	moved := appendSum([]byte("note"), recordName(noteKind, []byte("a")))
	for name, value := range map[string][]byte{"short": {1, 2, 3}, "moved": moved} {
		require.NoError(t, update(s, func(txn *badger.Txn) error { return txn.Set(recordName(noteKind, []byte(name)), value) }))
		if note, err := s.Noted([]byte(name)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %q, %v", name, note, err)
		}
	}
	facts := 0
	err := s.All(t.Context(), func([]byte, tables.Fact) error { facts++; return nil })
	if !errors.Is(err, ErrDamaged) || facts != 49 {
		t.Errorf("%d facts, %v", facts, err)
	}
	s.Put(key, tables.Fact{ProvedWithin: 3})
	if err := s.Sync(); !errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
}

// TestLogged has Badger log an error: writing ends, and the store is left as it is.
func TestLogged(t *testing.T) {
	for text, want := range map[string]error{
		"while flushing:\n no space left on device, retrying": ErrFull,
		"checksum mismatch": ErrDamaged,
	} {
		s := open(t, t.TempDir(), small)
		putOperations(t, s, 0, 100)
		logger{s}.Warningf("%s", text)
		s.Put(operation(100))
		for what, err := range map[string]error{"Put": s.Put(operation(100)), "Sync": s.Sync(), "Close": s.Close()} {
			if !errors.Is(err, want) {
				t.Errorf("%s: %v", what, err)
			}
			oneLine(t, err, s.dir)
		}
		if _, err := s.Get([]byte("key")); !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
		again := open(t, copied(t, s.dir), small)
		if _, err := checkOperations(again, 100); err != nil {
			t.Error(err)
		}
		require.NoError(t, again.Close())
	}
}

// TestCutWhileOpen shortens the tables of a store that is open: whoever reads them gets an error.
func TestCutWhileOpen(t *testing.T) {
	dir, files := closedStore(t, 20_000)
	s := open(t, dir, reading)
	for _, file := range files {
		if filepath.Ext(file) == ".sst" {
			require.NoError(t, os.Truncate(file, 0))
		}
	}
	for n := range uint64(100) {
		key, _ := operation(n)
		if _, err := s.Get(key); !errors.Is(err, ErrDamaged) {
			t.Fatalf("Get: %v", err)
		}
	}
	if _, err := s.Info(); !errors.Is(err, ErrDamaged) {
		t.Errorf("Info: %v", err)
	}
}
