package store

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
)

// readsBetween is how many records are read between two looks at the resident pages. Each
// brings in up to some 200 KiB, because the kernel maps what lies around as well.
const readsBetween = 16

// resident keeps the tables, all of which are mapped, from being counted as memory of the
// process for long after they are read.
type resident struct {
	reads     atomic.Uint32
	releasing sync.Mutex
	least     atomic.Int64 // bytes of files that have been resident after a release, at the least
}

// wasRead counts the reading of a record. It is called while the runs cannot be taken away.
func (s *Store) wasRead() {
	if s.resident.reads.Add(1)%readsBetween == 0 {
		s.trimRuns()
	}
}

// trimRuns releases the tables if much is resident. The first time it always does, which
// tells what is resident anyway. The runs cannot be taken away meanwhile.
func (s *Store) trimRuns() {
	r := &s.resident
	least := r.least.Load()
	if least > 0 && residentFiles()-least < 2*s.o.Memory || !r.releasing.TryLock() {
		return
	}
	defer r.releasing.Unlock()
	for _, run := range s.runs {
		for _, data := range run.mapped {
			releaseMemory(data)
		}
	}
	if now := residentFiles(); least == 0 || now < least {
		r.least.Store(now)
	}
}

// residentFiles is how many bytes of files are resident in the process: the tables, and
// the program.
func residentFiles() int64 {
	var size, all, files int64
	if statm, err := os.ReadFile("/proc/self/statm"); err == nil {
		fmt.Sscan(string(statm), &size, &all, &files)
	}
	return files * int64(os.Getpagesize())
}

// releaseMemory takes a mapped file out of the process's resident memory. Its pages stay in
// the page cache, and are mapped again when they are read (madvise(2)).
func releaseMemory(mapped []byte) { syscall.Madvise(mapped, syscall.MADV_DONTNEED) }
