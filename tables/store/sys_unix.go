//go:build linux || darwin || freebsd

package store

import (
	"io/fs"
	"os"
	"syscall"
)

// room returns how many bytes can be written to the file system of a path; none, if it has no room
// for another file.
func room(path string) (bytes int64, known bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(path, &s); err != nil {
		return 0, false
	}
	if s.Files > 0 && s.Ffree < 16 { // some file systems do not count their files
		return 0, true
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}

// allocated returns how many bytes of the disk a file takes.
func allocated(i fs.FileInfo) int64 {
	if s, ok := i.Sys().(*syscall.Stat_t); ok {
		return s.Blocks * 512
	}
	return i.Size()
}

// syncFile makes the contents of a file, or of a directory, durable.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
