//go:build linux || darwin || freebsd

package files

import (
	"os"
	"syscall"
)

// locks reports whether the system has locks, which it takes back from a process that has ended.
const locks = true

// openDir opens a directory: anything else, such as a pipe, would make one wait.
func openDir(dir string) (*os.File, error) {
	return os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY, 0)
}

// gofrs/flock (v0.13.2) opens by a path what it locks, so it cannot lock a file of an [os.Root] that is open already.

// lock takes the lock of a file, which lasts until the file is closed. If another has it, lock waits, or returns ErrInUse.
func lock(file *os.File, shared, wait bool) error {
	how := syscall.LOCK_EX
	if shared {
		how = syscall.LOCK_SH
	}
	if !wait {
		how |= syscall.LOCK_NB
	}
	for {
		switch err := syscall.Flock(int(file.Fd()), how); err {
		case syscall.EINTR:
		case syscall.EWOULDBLOCK:
			return ErrInUse
		default:
			return err
		}
	}
}
