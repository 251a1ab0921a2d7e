//go:build linux || darwin || freebsd

package store

import (
	"io/fs"
	"os"
	"syscall"
)

// writable returns why a file or directory may not be written, or nil.
func writable(path string) error {
	const write = 2
	if err := syscall.Access(path, write); err != nil {
		return &fs.PathError{Op: "write", Path: path, Err: err}
	}
	return nil
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
