package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"
	"pgregory.net/rapid"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/tables"
)

// small makes buffers small, so that little data takes every path.
var small = Options{Memory: leastMemory}

func open(t rapid.TB, dir string, o Options) *Store {
	t.Helper()
	s, err := Open(dir, o)
	require.NoError(t, err)
	return s
}

// tempDir makes a directory for a case of a property.
func tempDir(t *rapid.T) string {
	dir, err := os.MkdirTemp("", "store")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// all returns the facts of a store by key, and checks their order.
func all(t rapid.TB, s *Store) map[string]tables.Fact {
	t.Helper()
	facts := map[string]tables.Fact{}
	var last []byte
	require.NoError(t, s.All(context.Background(), func(key []byte, f tables.Fact) error {
		if bytes.Compare(key, last) <= 0 {
			t.Fatalf("%x comes after %x", key, last)
		}
		last = bytes.Clone(key)
		facts[string(key)] = f
		return nil
	}))
	return facts
}

// put is a fact that is put for a key.
type somePut struct {
	key string
	tables.Fact
}

// puts draws facts that are all true together: a key's last byte is its distance.
func puts(least, most int) *rapid.Generator[[]somePut] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) somePut {
		d := byte(rapid.IntRange(1, 9).Draw(t, "distance"))
		head := rapid.SampledFrom([]string{"", "a", "bb", "ba", "\x00", "\xff\xff", strings.Repeat("long", 15)}).Draw(t, "key")
		p := somePut{head + string(d), tables.Nothing}
		if rapid.Bool().Draw(t, "proves") {
			p.ProvedWithin = d + byte(rapid.IntRange(0, 3).Draw(t, "more"))
			p.Turn = rapid.Uint32Range(0, 3).Draw(t, "turn")
		}
		if rapid.Bool().Draw(t, "refutes") {
			p.RefutedUpTo = byte(rapid.IntRange(0, int(d)-1).Draw(t, "refuted up to"))
		}
		return p
	}), least, most)
}

// add does what the store must do with a fact.
func (p somePut) add(model map[string]tables.Fact) {
	old, ok := model[p.key]
	if !ok {
		old = tables.Nothing
	}
	if m := old.Merge(p.Fact); m.Known() {
		model[p.key] = m
	}
}

// TestModel does what comes to mind with a store, and the same with a map.
func TestModel(t *testing.T) {
	ctx := context.Background()
	boards.Check(t, 5, 300, func(t *rapid.T) {
		dir := tempDir(t)
		s := open(t, dir, small)
		defer func() { s.Close() }()
		model := map[string]tables.Fact{}
		putAll := func(s *Store, facts []somePut) {
			for _, p := range facts {
				require.NoError(t, s.Put([]byte(p.key), p.Fact))
			}
		}
		check := func(*rapid.T) {
			require.NoError(t, s.Sync())
			if got := all(t, s); !maps.Equal(got, model) {
				t.Fatalf("%v, want %v", got, model)
			}
			for key, want := range model {
				if got, err := s.Get([]byte(key)); got != want || err != nil {
					t.Fatalf("%x: %v, %v, want %v", key, got, err, want)
				}
			}
			if got, err := s.Get([]byte("unknown")); got.Known() || err != nil {
				t.Fatalf("%v, %v", got, err)
			}
			info, err := s.Info()
			require.NoError(t, err)
			if info.Facts != int64(len(model)) || info.Bytes == 0 || len(info.Contradictions) > 0 {
				t.Fatalf("%+v, want %d facts", info, len(model))
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				facts := puts(0, 30).Draw(t, "facts")
				putAll(s, facts)
				for _, p := range facts {
					p.add(model)
				}
			},
			"sync": func(*rapid.T) { require.NoError(t, s.Sync()) },
			"reopen": func(*rapid.T) {
				require.NoError(t, s.Close())
				s = open(t, dir, small)
			},
			"read only": func(*rapid.T) {
				require.NoError(t, s.Close())
				r := open(t, dir, Options{ReadOnly: true, Memory: leastMemory})
				if got := all(t, r); !maps.Equal(got, model) {
					t.Fatalf("%v, want %v", got, model)
				}
				require.NoError(t, r.Close())
				s = open(t, dir, small)
			},
			"gc": func(*rapid.T) { require.NoError(t, s.GC(ctx)) },
			"crash": func(*rapid.T) {
				require.NoError(t, s.Sync())
				left := tempDir(t)
				require.NoError(t, os.CopyFS(left, os.DirFS(dir)))
				require.NoError(t, s.Close())
				dir, s = left, open(t, left, small)
			},
			"merge": func(t *rapid.T) {
				other := open(t, tempDir(t), small)
				facts := puts(0, 30).Draw(t, "facts")
				putAll(other, facts)
				m, err := s.Merge(ctx, other, nil)
				require.NoError(t, err)
				require.NoError(t, other.Close())
				var want Merged
				news := map[string]tables.Fact{}
				for _, p := range facts {
					p.add(news)
				}
				for key, f := range news {
					known, was := model[key]
					all := known.Merge(f)
					switch want.Positions++; {
					case !was:
						want.Added++
					case all.ProvedWithin != known.ProvedWithin || all.RefutedUpTo != known.RefutedUpTo:
						want.Improved++
					}
				}
				if m != want {
					t.Fatalf("merged %+v, want %+v", m, want)
				}
				for _, p := range facts {
					p.add(model)
				}
			},
			"check": check,
		})
		check(t)
	})
}

// TestMany lets workers put the same many facts at once, while others read and the store
// is compacted; it goes through many of Badger's buffers.
func TestMany(t *testing.T) {
	const facts, workers = 20_000, 3
	dir := t.TempDir()
	s := open(t, dir, small)
	var all sync.WaitGroup
	for w := range uint64(workers) {
		all.Go(func() {
			random := rand.New(rand.NewPCG(1, w))
			var key [25]byte
			for i := range uint64(facts) {
				fill(&key, (i*40503+w*977)%facts)
				n := (i*40503 + w*977) % facts
				f := factOf(n)
				if err := s.Put(key[:], f); err != nil {
					t.Error(err)
					return
				}
				if random.IntN(8) == 0 {
					if got, err := s.Get(key[:]); err != nil || got.Known() && got != f {
						t.Errorf("%v, %v, want %v", got, err, f)
						return
					}
				}
			}
		})
	}
	for range 2 {
		require.NoError(t, s.GC(context.Background()))
	}
	all.Wait()
	require.NoError(t, s.Close())
	s = open(t, dir, small)
	defer s.Close()
	var key [25]byte
	for n := range uint64(facts + 1000) {
		fill(&key, n)
		want := tables.Nothing
		if n < facts {
			want = factOf(n)
		}
		if got, err := s.Get(key[:]); got != want || err != nil {
			t.Fatalf("key %d: %v, %v, want %v", n, got, err, want)
		}
	}
}

// TestContradiction puts facts of which one denies the others, or itself: the stored one
// stays, both are kept, and nothing more is taken.
func TestContradiction(t *testing.T) {
	key := []byte("\x01position")
	for _, c := range []struct {
		name        string
		stored, put tables.Fact
		together    bool // in one batch
	}{
		{"refuted, then proved", tables.Fact{ProvedWithin: 255, RefutedUpTo: 4}, tables.Fact{ProvedWithin: 3, RefutedUpTo: 0}, false},
		{"proved, then refuted", tables.Fact{ProvedWithin: 3, RefutedUpTo: 2}, tables.Fact{ProvedWithin: 255, RefutedUpTo: 3}, false},
		{"in one batch", tables.Fact{ProvedWithin: 3, RefutedUpTo: 2}, tables.Fact{ProvedWithin: 255, RefutedUpTo: 3}, true},
		{"denies itself", tables.Nothing, tables.Fact{ProvedWithin: 2, RefutedUpTo: 2}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir, small)
			want := map[string]tables.Fact{"another": {ProvedWithin: 7, RefutedUpTo: 1}}
			require.NoError(t, s.Put([]byte("another"), want["another"]))
			require.NoError(t, s.Put(key, c.stored))
			if c.stored.Known() {
				want[string(key)] = c.stored
			}
			if !c.together {
				require.NoError(t, s.Sync())
			}
			s.Put(key, c.put)
			for what, err := range map[string]error{"Sync": s.Sync(), "Put": s.Put(key, c.put), "Close": s.Close()} {
				var d *tables.Contradiction
				if !errors.As(err, &d) {
					t.Fatalf("%s: %v", what, err)
				}
				if d.Known != c.stored || d.New != c.put || !bytes.Equal(d.Key, key) || !strings.Contains(err.Error(), dir) {
					t.Fatalf("%s: %v", what, d)
				}
			}
			require.NoError(t, s.Close())
			for range 2 { // and after GC
				s = open(t, dir, small)
				if got := all(t, s); !maps.Equal(got, want) {
					t.Errorf("%v, want %v", got, want)
				}
				info, err := s.Info()
				require.NoError(t, err)
				if len(info.Contradictions) != 1 || info.Contradictions[0].Known != c.stored || info.Contradictions[0].New != c.put {
					t.Errorf("%v", info.Contradictions)
				}
				require.NoError(t, s.GC(context.Background()))
				require.NoError(t, s.Close())
			}
		})
	}
}

// TestContradictions puts several facts of one batch that deny others, once more in a later
// session, when all witnesses are there already: each time the store refuses, and each position has
// its witnesses once.
func TestContradictions(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, small)
	keys := []string{"one", "two", "three"}
	for _, key := range keys {
		require.NoError(t, s.Put([]byte(key), tables.Fact{ProvedWithin: 2, RefutedUpTo: 1}))
	}
	require.NoError(t, s.Close())
	for session := range 3 {
		s := open(t, dir, small)
		for _, key := range keys {
			s.Put([]byte(key), tables.Fact{ProvedWithin: 255, RefutedUpTo: 5})
		}
		for what, err := range map[string]error{"Sync": s.Sync(), "Close": s.Close()} {
			if d := (*tables.Contradiction)(nil); !errors.As(err, &d) {
				t.Errorf("session %d: %s: %v", session, what, err)
			}
		}
		require.NoError(t, s.Close())
		s = open(t, dir, small)
		info, err := s.Info()
		require.NoError(t, err)
		if len(info.Contradictions) != len(keys) || info.Facts != int64(len(keys)) {
			t.Errorf("session %d: %d facts, %v", session, info.Facts, info.Contradictions)
		}
		require.NoError(t, s.Close())
	}
}

// TestCheckpoint waits for the checkpoint that nobody asks for.
func TestCheckpoint(t *testing.T) {
	s := open(t, t.TempDir(), small)
	defer s.Close()
	require.NoError(t, s.Put([]byte("key"), tables.Fact{ProvedWithin: 3, RefutedUpTo: 2}))
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		durable := s.durable
		s.mu.Unlock()
		if durable == 1 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("no checkpoint")
		}
	}
}

// TestRefused opens what must not be opened, and says so clearly.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	mine := Options{Keys: "packed 1", Rules: "2024", Memory: leastMemory}
	s := open(t, dir, mine)
	require.NoError(t, s.Put([]byte("key"), tables.Fact{ProvedWithin: 3, RefutedUpTo: 2}))
	refuse := func(dir string, o Options, words ...string) {
		t.Helper()
		s, err := Open(dir, o)
		if err == nil {
			s.Close()
			t.Errorf("%s is opened with %+v", dir, o)
			return
		}
		for _, w := range append(words, dir) {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%q does not say %q", err, w)
			}
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%q has more than one line", err)
		}
	}
	refuse(dir, mine, "in use", "close the other program")
	if _, err := Open(dir, Options{ReadOnly: true}); !errors.Is(err, ErrInUse) {
		t.Error(err)
	}
	require.NoError(t, s.Close())
	refuse(dir, Options{Rules: "2024"}, `key version packed 1`, "use another directory")
	refuse(dir, Options{Keys: "packed 1", Rules: "2025"}, "rules version 2024", "wants 2025")

	h, err := readHeader(dir)
	require.NoError(t, err)
	for _, version := range []int{1, 2, Schema + 1, Schema} {
		h.Schema = version
		require.NoError(t, h.write(dir))
		if version != Schema {
			before := look(t, dir)
			refuse(dir, mine, fmt.Sprintf("schema version %d", version), "wants 3")
			if after := look(t, dir); after != before {
				t.Errorf("the directory is\n%sand was\n%s", after, before)
			}
		}
	}
	database := t.TempDir() // somebody else's
	db, err := badger.Open(badger.DefaultOptions(database).WithLogger(nil))
	require.NoError(t, err)
	require.NoError(t, db.Close())
	refuse(database, mine, "not a store", "use another directory")
	refuse(database, Options{ReadOnly: true}, "not a store")
	journals := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(journals, "000001.journal"), nil, 0o666))
	refuse(journals, mine, "not a store", "000001.journal")

	other := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(other, "letter.txt"), []byte("dear"), 0o666))
	refuse(other, mine, "not a store", "letter.txt")
	if entries, err := os.ReadDir(other); err != nil || len(entries) != 1 {
		t.Errorf("the directory has %v, %v", entries, err)
	}
	refuse(filepath.Join(other, "letter.txt"), mine)
	require.NoError(t, os.WriteFile(filepath.Join(other, "STORE"), []byte("sold out"), 0o666))
	refuse(other, mine, "STORE")

	missing := filepath.Join(other, "a", "b")
	refuse(missing, Options{ReadOnly: true})
	refuse(t.TempDir(), Options{ReadOnly: true}, "empty")
	s = open(t, missing, mine)
	require.NoError(t, s.Close())

	r := open(t, dir, Options{Keys: "packed 1", Rules: "2024", ReadOnly: true})
	second := open(t, dir, Options{Keys: "packed 1", Rules: "2024", ReadOnly: true})
	require.NoError(t, second.Close())
	if err := r.Put([]byte("key"), tables.Fact{ProvedWithin: 3, RefutedUpTo: 2}); err != ErrReadOnly {
		t.Error(err)
	}
	if err := r.GC(context.Background()); err != ErrReadOnly {
		t.Error(err)
	}
	require.NoError(t, r.Sync())
	s = open(t, missing, mine)
	_, err = s.Merge(context.Background(), r, nil)
	require.NoError(t, err)
	third := open(t, t.TempDir(), small)
	if _, err := third.Merge(context.Background(), r, nil); err == nil {
		t.Error("stores of two versions are merged")
	}
	require.NoError(t, third.Close())
	require.NoError(t, r.Close())
	for _, key := range [][]byte{nil, make([]byte, MaxKey+1)} {
		if err := s.Put(key, tables.Fact{ProvedWithin: 3, RefutedUpTo: 2}); err == nil {
			t.Errorf("a key of %d bytes is put", len(key))
		}
		if _, err := s.Get(key); err == nil {
			t.Errorf("a key of %d bytes is looked for", len(key))
		}
	}
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	if err := s.Put([]byte("key"), tables.Fact{ProvedWithin: 3, RefutedUpTo: 2}); err != ErrClosed {
		t.Error(err)
	}
	if _, err := s.Get([]byte("key")); err != ErrClosed {
		t.Error(err)
	}
	if err := s.GC(context.Background()); err == nil {
		t.Error("a closed store is compacted")
	}
}

// TestLink opens a store by a symbolic link to its directory.
func TestLink(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	s := open(t, link, small)
	require.NoError(t, s.Put(operation(0)))
	require.NoError(t, s.GC(context.Background()))
	want, err := s.Info()
	require.NoError(t, err)
	require.NoError(t, s.Close())
	for _, name := range []string{dir, link} {
		r := open(t, name, Options{ReadOnly: true, Memory: leastMemory})
		i, err := r.Info()
		if err != nil || i.Facts != 1 || i.Bytes < want.Bytes/2 {
			t.Errorf("%s: %+v, %v", name, i, err)
		}
		require.NoError(t, r.Close())
	}
}

// TestInterrupted cancels GC and All: the store stays as it was.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, small)
	var key [25]byte
	for n := range uint64(3 * step) {
		fill(&key, n)
		require.NoError(t, s.Put(key[:], factOf(n)))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.GC(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := s.All(ctx, func([]byte, tables.Fact) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if got := len(all(t, s)); got != 3*step {
		t.Errorf("%d facts", got)
	}
	require.NoError(t, s.Close())
}
