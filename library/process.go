package library

import (
	"fmt"

	"modernc.org/libc"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// uncounted is why SQLite does not count the memory that it uses; nil: it does. The driver is built
// so that it does not, and without that no limit holds. It must be told before any file is opened.
var uncounted = countMemory()

// Opening and closing a library must not release the locks that another connection of this process
// has on the same file, as the usual locks of POSIX would be. Only Linux has others.
var _, _ = sqlite.OFDLocking(true)

func countMemory() error {
	tls := libc.NewTLS()
	defer tls.Close()
	on := libc.NewVaList(int32(1))
	defer libc.Xfree(tls, on)
	if code := sqlite3.Xsqlite3_config(tls, sqlite3.SQLITE_CONFIG_MEMSTATUS, on); code != sqlite3.SQLITE_OK {
		return fmt.Errorf("SQLite does not count its memory: error %d", code)
	}
	return nil
}

// limitMemory limits the bytes that SQLite uses in this process from now on; from three quarters of
// them it gives up pages that it could keep. (The pragmas of the same names cannot raise a limit.)
func limitMemory(most int64) {
	tls := libc.NewTLS()
	defer tls.Close()
	sqlite3.Xsqlite3_hard_heap_limit64(tls, most)
	sqlite3.Xsqlite3_soft_heap_limit64(tls, most*3/4)
}
