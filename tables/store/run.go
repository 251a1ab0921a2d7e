package store

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"sync/atomic"

	"github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/badger/v4/y"
	"github.com/dgraph-io/ristretto/v2/z"
)

// run is tables whose keys do not overlap, in order.
type run struct {
	files  []file
	tables []*table.Table
	mapped [][]byte     // their contents
	users  atomic.Int32 // the store, and everyone who goes through it
}

// version ends Badger's keys: a record has but one version. It is the newest that there can be, for the
// records of layout 1 have others.
var version [8]byte

// keyOf appends Badger's key for a name.
func keyOf(b, name []byte) []byte { return append(append(b, name...), version[:]...) }

// tableOptions are those of all tables. Blocks are not compressed, so they are read where they are, in the mapped file.
func tableOptions(size int64) table.Options {
	return table.Options{TableSize: uint64(size), BlockSize: 2 << 10, BloomFalsePositive: 0.01, Compression: options.None}
}

// openRun maps the tables of a run and checks that they are as they were written, before Badger sees them.
func openRun(dir string, files []file) (_ *run, err error) {
	r := &run{}
	r.users.Store(1)
	defer func() {
		if err != nil {
			r.release()
		}
	}()
	for _, f := range files {
		if err := r.open(dir, f); err != nil {
			return nil, err
		}
	}
	sort.Sort(r)
	return r, nil
}

func (r *run) open(dir string, f file) (err error) {
	defer faults(&err)()
	disk, err := os.Open(filepath.Join(dir, f.Name))
	if err != nil {
		return unreadable(dir, f.Name, err)
	}
	defer disk.Close()
	var data []byte
	if info, err := disk.Stat(); err != nil {
		return unreadable(dir, f.Name, err)
	} else if info.Size() != f.Size || f.Size == 0 {
		return damaged(dir, f.Name, fmt.Sprintf("it has %d bytes, and had %d", info.Size(), f.Size))
	}
	if data, err = z.Mmap(disk, false, f.Size); err != nil {
		return fmt.Errorf("store %s: %w", dir, err)
	}
	r.mapped = append(r.mapped, data)
	if err := f.check(dir, data); err != nil {
		return err
	}
	id, _ := table.ParseFileID(f.Name)
	o := tableOptions(0)
	t, err := table.OpenInMemoryTable(data, id, &o)
	if err != nil {
		return damaged(dir, f.Name, err.Error())
	}
	releaseMemory(data)
	r.files, r.tables = append(r.files, f), append(r.tables, t)
	return nil
}

func (r *run) Len() int { return len(r.tables) }
func (r *run) Less(i, j int) bool {
	return y.CompareKeys(r.tables[i].Smallest(), r.tables[j].Smallest()) < 0
}
func (r *run) Swap(i, j int) {
	r.files[i], r.files[j] = r.files[j], r.files[i]
	r.tables[i], r.tables[j] = r.tables[j], r.tables[i]
	r.mapped[i], r.mapped[j] = r.mapped[j], r.mapped[i]
}

// release gives the run back. Without users it is unmapped.
func (r *run) release() {
	if r.users.Add(-1) == 0 {
		for _, data := range r.mapped {
			z.Munmap(data)
		}
	}
}

// check compares the files with what is in them now.
func (r *run) check(dir string) (err error) {
	defer faults(&err)()
	for i, f := range r.files {
		if err := f.check(dir, r.mapped[i]); err != nil {
			return err
		}
		releaseMemory(r.mapped[i])
	}
	return nil
}

// size is that of the files, in bytes.
func (r *run) size() (bytes int64) {
	for _, f := range r.files {
		bytes += f.Size
	}
	return bytes
}

// get returns the value of Badger's key, in the mapped file, or nil.
func (r *run) get(key []byte, hash uint32) []byte {
	i := sort.Search(len(r.tables), func(i int) bool { return y.CompareKeys(r.tables[i].Biggest(), key) >= 0 })
	if i == len(r.tables) || r.tables[i].DoesNotHave(hash) {
		return nil
	}
	it := r.tables[i].NewIterator(table.NOCACHE)
	defer it.Close()
	if it.Seek(key); it.Valid() && y.SameKey(key, it.Key()) {
		return it.Value().Value
	}
	return nil
}
