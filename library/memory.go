package library

import (
	"errors"
	"sync"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// DefaultMemory is how much memory SQLite may usually take in this process, in bytes.
const DefaultMemory = 128 << 20

// countMemory makes SQLite count the memory that it takes, which it must be told before a file is
// opened: without the count it has no limit.
var countMemory = sync.OnceValue(func() error {
	tls := libc.NewTLS()
	defer tls.Close()
	on := libc.NewVaList(int32(1))
	defer libc.Xfree(tls, on)
	if code := sqlite3.Xsqlite3_config(tls, sqlite3.SQLITE_CONFIG_MEMSTATUS, on); code != sqlite3.SQLITE_OK {
		return errors.New("SQLite cannot count its memory: it is in use already")
	}
	limitMemory(DefaultMemory)
	return nil
})

// limitMemory sets how much memory SQLite may take in this process. What needs more ends with an
// error.
func limitMemory(bytes int64) {
	tls := libc.NewTLS()
	defer tls.Close()
	sqlite3.Xsqlite3_hard_heap_limit64(tls, bytes)
}
