//go:build linux || darwin || freebsd

package store

import (
	"io/fs"
	"os"
	"syscall"
)

// freeBytes returns how many bytes the disk of a directory still takes.
func freeBytes(dir string) (int64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}

// allocated returns how many bytes of the disk a file takes: Badger's logs are mostly
// holes.
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
