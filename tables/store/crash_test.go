package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goalproof/internal/boards"
)

// TestKilled kills a process that writes, at random moments, again and again on the same
// store: while it opens, writes, makes checkpoints, compacts. What it acknowledged is
// there, and nothing is wrong.
func TestKilled(t *testing.T) {
	kills := 36
	if boards.Large {
		kills = 400
	}
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	dir := t.TempDir()
	sure := uint64(0)
	for kill := range kills {
		sure = killed(t, dir, sure, time.Duration(random.IntN(150))*time.Millisecond, kill%4 > 0)
		if kill%2 == 0 {
			continue // and opened by the next child
		}
		s := open(t, dir, small)
		if _, err := checkOperations(s, sure); err != nil {
			t.Fatalf("after %d kills: %v", kill+1, err)
		}
		noError(t, s.Close())
	}
	t.Logf("%d operations acknowledged", sure)
	if sure == 0 {
		t.Error("nothing was ever acknowledged")
	}
}

// killed runs a child that writes, and kills it after a while, counted from when it
// started or from when it began to write. It returns what is acknowledged then.
func killed(t *testing.T, dir string, sure uint64, after time.Duration, writing bool) uint64 {
	t.Helper()
	c := child("write", dir, sure)
	var said strings.Builder
	c.Stderr = &said
	out, err := c.StdoutPipe()
	noError(t, err)
	noError(t, c.Start())
	kill := func() { time.AfterFunc(after, func() { c.Process.Kill() }) }
	if !writing {
		kill()
	}
	sure = acknowledged(out, sure, func() {
		if writing {
			kill()
		}
	})
	var exit *exec.ExitError
	if err := c.Wait(); !errors.As(err, &exit) || exit.ExitCode() != -1 {
		t.Fatalf("the child ended by itself: %v\n%s", err, said.String())
	}
	return sure
}

// TestLeftBehind opens a store with what a process may leave behind that is killed just
// then: logs that are still, or already, empty; an unfinished database; half a header.
func TestLeftBehind(t *testing.T) {
	dir := t.TempDir()
	sure := killed(t, dir, 0, 50*time.Millisecond, true)
	h, err := readHeader(dir)
	noError(t, err)
	h.Generation++
	noError(t, os.MkdirAll(filepath.Join(dir, h.folder()), 0o777))
	h.Generation--
	left := []string{headerName + ".new", filepath.Join(h.folder(), "90000.mem"), filepath.Join(h.folder(), "090000.vlog")}
	for _, name := range left {
		noError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
	}
	s := open(t, dir, small)
	if _, err := checkOperations(s, sure); err != nil {
		t.Error(err)
	}
	noError(t, s.Close())
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("the directory has %v, %v", entries, err)
	}
	// A directory in which nothing but the header's beginning was written is empty.
	dir = t.TempDir()
	noError(t, os.WriteFile(filepath.Join(dir, headerName+".new"), []byte("good"), 0o666))
	noError(t, open(t, dir, small).Close())
}

// damages are what may happen to a file.
var damages = []struct {
	name string
	do   func(path string, data []byte) error
}{
	{"missing", func(path string, _ []byte) error { return os.Remove(path) }},
	{"empty", func(path string, _ []byte) error { return os.WriteFile(path, nil, 0o666) }},
	{"half", func(path string, data []byte) error { return os.WriteFile(path, data[:len(data)/2], 0o666) }},
	{"one byte short", func(path string, data []byte) error { return os.WriteFile(path, data[:len(data)-1], 0o666) }},
	{"a bit flipped", func(path string, data []byte) error {
		data[len(data)/3] ^= 4
		return os.WriteFile(path, data, 0o666)
	}},
	{"start overwritten", func(path string, data []byte) error {
		copy(data, strings.Repeat("\xab", 30))
		return os.WriteFile(path, data, 0o666)
	}},
	{"end overwritten", func(path string, data []byte) error {
		copy(data[max(len(data)-30, 0):], strings.Repeat("\xab", 30))
		return os.WriteFile(path, data, 0o666)
	}},
}

// eachDamage does every damage to some files of every kind of a store, each to a copy.
func eachDamage(t *testing.T, dir string, files int, test func(t *testing.T, dir, file string)) {
	kinds := map[string]int{}
	noError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "LOCK" {
			return err
		}
		kind := cmp.Or(filepath.Ext(path), e.Name())
		if kinds[kind]++; kinds[kind] > files && !boards.Large {
			return nil
		}
		file, err := filepath.Rel(dir, path)
		noError(t, err)
		for _, d := range damages {
			t.Run(e.Name()+" "+d.name, func(t *testing.T) {
				damaged := t.TempDir()
				noError(t, os.CopyFS(damaged, os.DirFS(dir)))
				data, err := os.ReadFile(path)
				noError(t, err)
				if len(data) == 0 {
					return
				}
				noError(t, d.do(filepath.Join(damaged, file), data))
				test(t, damaged, file)
			})
		}
		return nil
	}))
	for _, kind := range []string{"STORE", "MANIFEST", "KEYREGISTRY", "DISCARD", ".sst", ".vlog"} {
		if kinds[kind] == 0 {
			t.Errorf("there was no %s to damage", kind)
		}
	}
}

// TestDamaged damages every kind of file of a closed store: it is not opened, and the
// error says which file.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, small)
	for n := range uint64(60_000) {
		key, f := operation(n)
		noError(t, s.Put(key, f))
	}
	noError(t, s.Close())
	eachDamage(t, dir, 2, func(t *testing.T, dir, file string) {
		for _, o := range []Options{small, {Memory: leastMemory, ReadOnly: true}} {
			s, err := Open(dir, o)
			if err == nil {
				s.Close()
				t.Fatal("it is opened")
			}
			if !strings.Contains(err.Error(), filepath.Base(file)) {
				t.Errorf("%q does not name %s", err, file)
			}
			if !errors.Is(err, ErrDamaged) && file != headerName {
				t.Error(err)
			}
		}
	})
}

// TestDamagedAfterKill damages every kind of file of a store that was not closed, where
// nothing lists the files: there is an error, or all that is read is right. A process of
// its own finds out, because Badger might end it.
func TestDamagedAfterKill(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		killed(t, dir, 0, 150*time.Millisecond, true)
	}
	eachDamage(t, dir, 1, func(t *testing.T, dir, file string) {
		out, err := child("check", dir, 0).CombinedOutput()
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == refused && !strings.Contains(string(out), errWrong.Error()) {
			return
		}
		if err != nil {
			t.Errorf("%v:\n%.2000s", err, out)
		}
	})
}

// TestLost damages the log of a store that was not closed: its facts are gone, which is
// said once, and then what is left is there.
func TestLost(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, small)
	defer s.Close()
	const facts = 1_000
	for n := range uint64(facts) {
		key, f := operation(n)
		noError(t, s.Put(key, f))
		if n%100 == 99 {
			noError(t, s.Sync())
		}
	}
	logs, err := filepath.Glob(filepath.Join(dir, "*", "*.mem"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	log, err := filepath.Rel(dir, logs[0])
	noError(t, err)
	killed := func(t *testing.T) (copied string) {
		copied = t.TempDir()
		noError(t, os.CopyFS(copied, os.DirFS(dir)))
		return copied
	}
	t.Run("nothing", func(t *testing.T) {
		s := open(t, killed(t), small)
		defer s.Close()
		if _, err := checkOperations(s, facts); err != nil {
			t.Error(err)
		}
	})
	lost := 0
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			dir := killed(t)
			file := filepath.Join(dir, log)
			data, err := os.ReadFile(file)
			noError(t, err)
			noError(t, d.do(file, bytes.TrimRight(data, "\x00")))
			s, err := Open(dir, small)
			if err == nil {
				s.Close()
				t.Fatal("nothing is said")
			}
			if !errors.Is(err, ErrLost) {
				return // Badger cannot read it, and says so every time
			}
			lost++
			s = open(t, dir, small)
			if n, err := checkOperations(s, 0); err != nil || n >= facts/2 {
				t.Errorf("%d facts, %v", n, err)
			}
			noError(t, s.Close())
		})
	}
	if lost < 5 {
		t.Errorf("only %d times Badger cut the log", lost)
	}
}

// TestNotLost copies a store as if it were killed just then, after commits with nothing
// in them and after GC, which begins the versions again: nothing is lost.
func TestNotLost(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, small)
	defer s.Close()
	for n := range uint64(20) {
		key, f := operation(n % 10)
		noError(t, s.Put(key, f))
		noError(t, s.Sync())
		if n%7 == 6 {
			noError(t, s.GC(t.Context(), nil))
		}
		copied := t.TempDir()
		noError(t, os.CopyFS(copied, os.DirFS(dir)))
		again := open(t, copied, small)
		if _, err := checkOperations(again, min(n+1, 10)); err != nil {
			t.Error(err)
		}
		noError(t, again.Close())
	}
}

// inTables returns a store as if it were killed just then, with the facts of so many operations and a note in several tables,
// and the name of its MANIFEST.
func inTables(t *testing.T, facts uint64) (dir, manifest string) {
	t.Helper()
	s := open(t, t.TempDir(), small)
	defer s.Close()
	for n := range facts {
		if n%(facts/3) == 0 {
			noError(t, s.Note([]byte("key"), fmt.Appendf(nil, "note %d", n/(facts/3))))
		}
		key, f := operation(n)
		noError(t, s.Put(key, f))
		if n == facts/3 {
			noError(t, s.GC(t.Context(), nil))
		}
	}
	noError(t, s.Sync())
	for before := -1; len(s.db.Tables()) != before || before < 3; time.Sleep(time.Second / 2) {
		before = len(s.db.Tables()) // Badger is writing them
	}
	dir = t.TempDir()
	noError(t, os.CopyFS(dir, os.DirFS(s.dir)))
	manifests, err := filepath.Glob(filepath.Join(dir, "*", "MANIFEST"))
	if err != nil || len(manifests) != 1 {
		t.Fatal(manifests, err)
	}
	manifest, err = filepath.Rel(dir, manifests[0])
	noError(t, err)
	return dir, manifest
}

// TestManifestCut shortens the MANIFEST of a store that was not closed, with facts and notes in tables: either that is said,
// or none is missing.
func TestManifestCut(t *testing.T) {
	const facts = 60_000
	dir, manifest := inTables(t, facts)
	data, err := os.ReadFile(filepath.Join(dir, manifest))
	noError(t, err)
	cuts, taken := 0, 0
	for size := range data {
		if size%11 != 0 && size != len(data)-1 {
			continue
		}
		cuts++
		copied := t.TempDir()
		noError(t, os.CopyFS(copied, os.DirFS(dir)))
		noError(t, os.WriteFile(filepath.Join(copied, manifest), data[:size], 0o666))
		s, err := Open(copied, small)
		if err != nil {
			if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrLost) {
				t.Errorf("%d bytes: %v", size, err)
			}
			continue
		}
		taken++
		if _, err := checkOperations(s, facts); err != nil {
			t.Errorf("%d bytes of %d: %v", size, len(data), err)
		}
		if note, err := s.Noted([]byte("key")); err != nil || string(note) != "note 2" {
			t.Errorf("%d bytes of %d: the note is %q, %v", size, len(data), note, err)
		}
		noError(t, s.Close())
		if _, err := os.Stat(filepath.Join(copied, leftName)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%d bytes of %d: the tables that were left are still there: %v", size, len(data), err)
		}
	}
	if taken == 0 {
		t.Errorf("of %d stores with a short MANIFEST none was opened", cuts)
	}
}

// TestLeftKilled kills processes that put the facts of tables again which a short MANIFEST does not name.
func TestLeftKilled(t *testing.T) {
	sure := uint64(60_000)
	dir, manifest := inTables(t, sure)
	noError(t, os.Truncate(filepath.Join(dir, manifest), 33))
	putting := 0
	for i := range 12 {
		sure = killed(t, dir, sure, time.Duration(10+12*i)*time.Millisecond, false)
		if _, err := os.Stat(filepath.Join(dir, leftName)); err == nil {
			putting++
		}
	}
	s := open(t, dir, small)
	defer s.Close()
	if _, err := checkOperations(s, sure); err != nil {
		t.Error(err)
	}
	if note, err := s.Noted([]byte("key")); err != nil || string(note) != "note 2" {
		t.Errorf("the note is %q, %v", note, err)
	}
	t.Logf("%d times facts were left", putting)
}

// TestKeyRegistryDamaged checks that damage to a file of Badger that is about keys is named.
func TestKeyRegistryDamaged(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, small)
	defer s.Close()
	noError(t, s.Sync())
	copied := t.TempDir()
	noError(t, os.CopyFS(copied, os.DirFS(dir)))
	files, err := filepath.Glob(filepath.Join(copied, "*", "KEYREGISTRY"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	data, err := os.ReadFile(files[0])
	noError(t, err)
	data[len(data)-1] ^= 1
	noError(t, os.WriteFile(files[0], data, 0o666))
	if _, err := Open(copied, small); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "KEYREGISTRY") {
		t.Errorf("%v", err)
	}
}
