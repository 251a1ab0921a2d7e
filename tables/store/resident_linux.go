package store

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/table"
)

// readsBetween is how many records are read between two looks at what is resident. Each
// brings in up to some 200 KiB, because the kernel maps what lies around as well.
const readsBetween = 16

// resident keeps the tables of a database, all of which Badger maps, from being counted
// as memory of the process for long after they are read.
type resident struct {
	reads     atomic.Uint32
	releasing sync.Mutex
	least     atomic.Int64 // bytes of files that have been resident after a release, at the least
}

// wasRead counts the reading of a record. Like trim, it is called while the database
// cannot be closed.
func (db *database) wasRead() {
	if db.reads.Add(1)%readsBetween == 0 {
		db.trim()
	}
}

// trim releases the tables if much is resident. The first time it always does, which
// tells what is resident anyway.
func (db *database) trim() {
	least := db.least.Load()
	if least > 0 && residentFiles()-least < db.mapped || !db.releasing.TryLock() {
		return
	}
	before := db.Tables()
	txn := db.NewTransactionAt(math.MaxUint64, false)
	defer txn.Discard()
	held := txn.NewIterator(badger.IteratorOptions{})
	defer held.Close() // may remove files, so others need not wait for it
	defer db.releasing.Unlock()
	db.release(before)
	if now := residentFiles(); least == 0 || now < least {
		db.least.Store(now)
	}
}

// residentFiles is how many bytes of files are resident in the process: the tables, the
// logs, and the program.
func residentFiles() int64 {
	var size, all, files int64
	if statm, err := os.ReadFile("/proc/self/statm"); err == nil {
		fmt.Sscan(string(statm), &size, &all, &files)
	}
	return files * int64(os.Getpagesize())
}

// release takes the tables out of the process's resident memory. Their pages stay in the
// page cache, changed ones too, and are mapped again when they are read: this is what
// MADV_DONTNEED does to shared mappings of files (madvise(2)).
//
// To memory of another kind it is fatal, and a table that a compaction removes may make
// room for just that. So only tables are released that cannot go away: the caller has an
// iterator, which holds those that were in Badger's levels when it was made. As none
// comes back, these are the ones that were there before, and still are.
func (db *database) release(before []badger.TableInfo) {
	still := map[uint64]bool{}
	for _, t := range db.Tables() {
		still[t.ID] = true
	}
	spans := mappings(db.Opts().Dir)
	for _, t := range before {
		if s := spans[table.IDToFilename(t.ID)]; still[t.ID] && s.times == 1 {
			syscall.Syscall(syscall.SYS_MADVISE, s.start, s.end-s.start, syscall.MADV_DONTNEED)
		}
	}
}

// span is where a file is mapped, shared. One that is mapped more than once is also in
// use by another Store of this process, which may close it.
type span struct {
	start, end uintptr
	times      int
}

// mappings returns where the files of a directory are mapped, by name.
func mappings(dir string) map[string]span {
	spans := map[string]span{}
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	maps, _ := os.ReadFile("/proc/self/maps")
	if err != nil {
		return spans
	}
	for line := range strings.Lines(string(maps)) {
		// 7f0c2a000000-7f0c2a100000 rw-s 00000000 fe:00 1234      /path/000001.sst
		path := strings.Index(line, "/")
		if path < 0 || filepath.Dir(line[path:]) != dir {
			continue
		}
		name := filepath.Base(strings.TrimSuffix(line[path:], "\n"))
		s := span{times: spans[name].times + 1}
		var mode string
		if _, err := fmt.Sscanf(line, "%x-%x %4s", &s.start, &s.end, &mode); err == nil && mode[3] == 's' {
			spans[name] = s
		}
	}
	return spans
}
