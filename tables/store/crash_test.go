package store

import (
	"bytes"
	"cmp"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/boards"
)

// TestKilled kills a process that writes, at random moments, again and again on the same
// store: while it opens, writes, makes checkpoints, compacts. What it acknowledged is
// there, and nothing is wrong.
func TestKilled(t *testing.T) {
	kills := 16
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
// started or from when it began to write. It returns the facts acknowledged by then.
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
// then: an unfinished table, the next journal or its beginning, files that were about to be removed, half a header.
func TestLeftBehind(t *testing.T) {
	killedDir := t.TempDir()
	sure := uint64(0)
	before := &header{}
	// A child that was killed before it wrote anything left nothing behind.
	for after := 50 * time.Millisecond; before.State != stateOpen || sure == 0; after *= 2 {
		sure = killed(t, killedDir, sure, after, true)
		var err error
		before, err = readHeader(killedDir)
		noError(t, err)
	}
	last := before.Journal
	for ; ; last++ {
		if i, err := os.Stat(filepath.Join(killedDir, journalName(last+1))); err != nil || i.Size() < firstAt {
			break
		}
	}
	whole := append(journalHead(last+1), journalMark(last+1, firstAt)...)
	for _, next := range [][]byte{whole, nil, whole[:7], whole[:markAt], make([]byte, firstAt)} {
		dir := copied(t, killedDir)
		noError(t, os.WriteFile(filepath.Join(dir, journalName(last+1)), next, 0o666))
		for _, name := range []string{headerName + ".new", "990000.sst", "g000007", journalName(before.Journal - 1)} {
			noError(t, os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o666))
		}
		s := open(t, dir, small)
		if _, err := checkOperations(s, sure); err != nil {
			t.Error(err)
		}
		noError(t, s.GC(t.Context(), nil))
		noError(t, s.Put(operation(sure)))
		noError(t, s.Close())
		h, err := readHeader(dir)
		noError(t, err)
		entries, err := os.ReadDir(dir)
		if err != nil || len(h.Runs) != 1 || len(entries) != 1+len(h.Runs[0])+len(h.Journals) {
			t.Errorf("the directory has %v, %v; the header names runs %v and journals %v", entries, err, h.Runs, h.Journals)
		}
		s = open(t, dir, small)
		if _, err := checkOperations(s, sure+1); err != nil {
			t.Error(err)
		}
		noError(t, s.Close())
	}
	// A directory in which nothing but the header's beginning was written is empty.
	dir := t.TempDir()
	noError(t, os.WriteFile(filepath.Join(dir, headerName+".new"), []byte("good"), 0o666))
	noError(t, open(t, dir, small).Close())
}

// TestStartAgain opens a store that was killed with several journals, and lets the beginning of the next one fail once: nothing is lost
// by what is done after that.
func TestStartAgain(t *testing.T) {
	dir, _ := notClosed(t, 200)
	j, err := openJournal(dir, 1, int64(len(readFile(t, filepath.Join(dir, journalName(1))))))
	noError(t, err)
	noError(t, j.append(startFrame(nil)))
	noError(t, j.sync())
	noError(t, j.file.Close())
	second, err := createJournal(dir, 2)
	noError(t, err)
	noError(t, second.file.Close())
	s := open(t, dir, small)
	inTheWay := filepath.Join(dir, journalName(3))
	noError(t, os.MkdirAll(filepath.Join(inTheWay, "full"), 0o777)) // an empty directory would be removed
	if err := s.GC(t.Context(), nil); err == nil {
		t.Fatal("the third journal was made")
	}
	noError(t, os.RemoveAll(inTheWay))
	for n := range uint64(50_000) {
		noError(t, s.Put(operation(200+n)))
	}
	noError(t, s.Sync())
	s.writing.Lock() // nothing is removed meanwhile
	killed := copied(t, dir)
	s.writing.Unlock()
	again := open(t, killed, small)
	if _, err := checkOperations(again, 50_200); err != nil {
		t.Error(err)
	}
	noError(t, again.Close())
	noError(t, s.GC(t.Context(), nil))
	noError(t, s.Close())
	s = open(t, dir, small)
	defer s.Close()
	if _, err := checkOperations(s, 50_200); err != nil {
		t.Error(err)
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	noError(t, err)
	return data
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
	entries, err := os.ReadDir(dir)
	noError(t, err)
	for _, e := range entries {
		file := e.Name()
		kind := cmp.Or(filepath.Ext(file), file)
		if kinds[kind]++; kinds[kind] > files && !boards.Large {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, file))
		noError(t, err)
		for _, d := range damages {
			t.Run(file+" "+d.name, func(t *testing.T) {
				damaged := copied(t, dir)
				noError(t, d.do(filepath.Join(damaged, file), bytes.Clone(data)))
				test(t, damaged, file)
			})
		}
	}
	for _, kind := range []string{headerName, ".sst", journalExt} {
		if kinds[kind] == 0 {
			t.Errorf("there was no %s to damage", kind)
		}
	}
}

// copied returns a copy of a directory: of an open store, as if its process were killed just then.
func copied(t testing.TB, dir string) string {
	t.Helper()
	to := t.TempDir()
	noError(t, os.CopyFS(to, os.DirFS(dir)))
	return to
}

// refusesDamage checks that a store is not opened, for writing or for reading, and that the error names the file.
func refusesDamage(t *testing.T, dir, file string) {
	t.Helper()
	for _, o := range []Options{small, {Memory: leastMemory, ReadOnly: true}} {
		s, err := Open(dir, o)
		if err == nil {
			s.Close()
			t.Fatal("it is opened")
		}
		if !strings.Contains(err.Error(), file) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q does not name %s in one line", err, file)
		}
		if !errors.Is(err, ErrDamaged) && file != headerName {
			t.Error(err)
		}
	}
}

// TestDamaged damages every kind of file of a closed store: it is not opened, and the
// error says which file.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, small)
	for n := range uint64(30_000) {
		key, f := operation(n)
		noError(t, s.Put(key, f))
	}
	noError(t, s.Close())
	eachDamage(t, dir, 2, refusesDamage)
}

// TestEveryByte changes bytes of every file of a closed store, in all its parts.
func TestEveryByte(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, small)
	for n := range uint64(60) {
		if n == 40 {
			noError(t, s.Note([]byte("key"), []byte("note")))
			noError(t, s.GC(t.Context(), nil))
		}
		key, f := operation(n)
		noError(t, s.Put(key, f))
	}
	noError(t, s.Close())
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Fatal(entries, err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		data, err := os.ReadFile(path)
		noError(t, err)
		step := 17
		if boards.Large {
			step = 1
		}
		for at := range data {
			if at >= 48 && at%step != 0 && at < len(data)-16 {
				continue
			}
			data[at] ^= 1 << (at % 8)
			noError(t, os.WriteFile(path, data, 0o666))
			refusesDamage(t, dir, e.Name())
			data[at] ^= 1 << (at % 8)
		}
		noError(t, os.WriteFile(path, data, 0o666))
	}
	noError(t, open(t, dir, small).Close())
}

// TestDamagedAfterKill damages every kind of file of a store that was not closed, where
// nothing lists the journals: there is an error, or all that is read is right.
func TestDamagedAfterKill(t *testing.T) {
	dir := t.TempDir()
	sure := uint64(0)
	for h := (&header{}); len(h.Runs) == 0; {
		sure = killed(t, dir, sure, 150*time.Millisecond, true)
		var err error
		h, err = readHeader(dir)
		noError(t, err)
	}
	eachDamage(t, dir, 1, func(t *testing.T, dir, file string) {
		s, err := Open(dir, small)
		if err == nil {
			_, err = checkOperations(s, 0)
			err = errors.Join(err, s.Close())
		}
		if errors.Is(err, errWrong) {
			t.Error(err)
		}
	})
}

// notClosed returns the directory of a store with this number of facts in its journal, a hundred in a frame, which was not closed, and the
// path of the journal.
func notClosed(t *testing.T, facts uint64) (dir, journal string) {
	t.Helper()
	s := open(t, t.TempDir(), small)
	defer s.Close()
	for n := range facts {
		key, f := operation(n)
		noError(t, s.Put(key, f))
		if n%100 == 99 {
			noError(t, s.Sync())
		}
	}
	dir = copied(t, s.dir)
	return dir, filepath.Join(dir, journalName(1))
}

// TestLost damages the journal of a store that was not closed: its facts are gone, which is
// said once, and then what is left is there.
func TestLost(t *testing.T) {
	const facts = 1_000
	dir, journal := notClosed(t, facts)
	r := open(t, dir, Options{ReadOnly: true, Memory: leastMemory})
	if _, err := checkOperations(r, facts); err != nil {
		t.Error(err)
	}
	noError(t, r.Close())
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			dir := copied(t, dir)
			file := filepath.Join(dir, filepath.Base(journal))
			data, err := os.ReadFile(file)
			noError(t, err)
			noError(t, d.do(file, data))
			said := func(o Options) error {
				t.Helper()
				s, err := Open(dir, o)
				if err == nil {
					s.Close()
					t.Fatal("nothing is said")
				}
				if !strings.Contains(err.Error(), file) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%q does not name %s in one line", err, file)
				}
				return err
			}
			said(Options{ReadOnly: true, Memory: leastMemory})
			if err := said(small); errors.Is(err, ErrDamaged) {
				said(small) // every time
				if d.name != "missing" && d.name != "empty" && d.name != "start overwritten" {
					t.Error(err)
				}
				return
			} else if !errors.Is(err, ErrLost) {
				t.Fatal(err)
			}
			for range 2 {
				s := open(t, dir, small)
				if n, err := checkOperations(s, 0); err != nil || n >= facts/2 {
					t.Errorf("%d facts, %v", n, err)
				}
				noError(t, s.Put(operation(facts)))
				noError(t, s.Close())
			}
		})
	}
}

// TestTorn ends the journal of a store in all ways in which a write may be cut short that was not synced: what was synced is there,
// nothing is said, and what comes after it is right.
func TestTorn(t *testing.T) {
	const facts = 200
	dir, journal := notClosed(t, facts)
	whole, err := os.ReadFile(journal)
	noError(t, err)
	key, f := operation(facts)
	frame := addRecord(startFrame(nil), append([]byte{factKind}, key...), appendRecord(nil, append([]byte{factKind}, key...), f))
	j, err := openJournal(dir, 1, int64(len(whole)))
	noError(t, err)
	noError(t, j.append(frame))
	noError(t, j.file.Close())
	data, err := os.ReadFile(journal)
	noError(t, err)
	for size := len(whole); size <= len(data); size++ {
		for _, fill := range []byte{0, 0xab} {
			torn := bytes.Clone(data)
			for i := size; i < len(torn); i++ {
				torn[i] = fill
			}
			if size%2 == 0 {
				torn = torn[:size]
			}
			noError(t, os.WriteFile(journal, torn, 0o666))
			s := open(t, dir, small)
			sure := uint64(facts)
			if size == len(data) {
				sure++
			}
			if _, err := checkOperations(s, sure); err != nil {
				t.Fatalf("%d bytes of %d: %v", size, len(data), err)
			}
			noError(t, s.Put(operation(sure)))
			noError(t, s.Sync())
			again := open(t, copied(t, dir), small)
			if _, err := checkOperations(again, sure+1); err != nil {
				t.Fatalf("%d bytes of %d, and another fact: %v", size, len(data), err)
			}
			noError(t, again.Close())
			noError(t, s.Close())
			noError(t, os.WriteFile(filepath.Join(dir, headerName), openHeader(t, dir), 0o666))
		}
	}
}

// openHeader returns the STORE of a store as it is while the store is open.
func openHeader(t *testing.T, dir string) []byte {
	t.Helper()
	h, err := readHeader(dir)
	noError(t, err)
	h.State, h.Journals = stateOpen, nil
	noError(t, h.write(dir))
	data, err := os.ReadFile(filepath.Join(dir, headerName))
	noError(t, err)
	return data
}

// TestNotLost copies a store as if it were killed just then, after commits with nothing
// in them and after GC, which begins another journal: nothing is lost.
func TestNotLost(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, small)
	defer s.Close()
	for n := range uint64(20) {
		noError(t, s.Put(operation(n%10)))
		noError(t, s.Sync())
		if n%7 == 6 {
			noError(t, s.GC(t.Context(), nil))
		}
		again := open(t, copied(t, dir), small)
		if _, err := checkOperations(again, min(n+1, 10)); err != nil {
			t.Error(err)
		}
		noError(t, again.Close())
	}
}

// TestCutWhileOpen shortens the tables of a store that is open: whatever reads them returns an error.
func TestCutWhileOpen(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, small)
	for n := range uint64(2_000) {
		noError(t, s.Put(operation(n)))
	}
	noError(t, s.GC(t.Context(), nil))
	files, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		noError(t, os.Truncate(file, 0))
	}
	key, f := operation(0)
	_, get := s.Get(key)
	_, info := s.Info()
	for what, err := range map[string]error{"Get": get, "Info": info, "GC": s.GC(t.Context(), nil)} {
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
	s.Put(key, f)
	for what, err := range map[string]error{"Sync": s.Sync(), "Close": s.Close()} {
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
