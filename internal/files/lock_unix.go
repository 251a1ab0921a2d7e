//go:build linux || darwin || freebsd

package files

import (
	"os"
	"syscall"
)

// locks reports whether the system has locks that it releases when a process ends.
const locks = true

// openDir opens a directory and nothing else: a pipe, for example, would make it wait.
func openDir(dir string) (*os.File, error) {
	return os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY, 0)
}

// gofrs/flock (v0.13.2) opens by a path what it locks, so it cannot lock a file of an [os.Root]
// that is open already.

// lock locks a file until it is closed. If another has the lock, it waits or returns ErrInUse.
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
