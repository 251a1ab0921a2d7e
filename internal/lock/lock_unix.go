//go:build linux || darwin || freebsd

package lock

import (
	"errors"
	"os"
	"syscall"
)

// Dir takes the lock of a directory, which lasts until the file is closed, or the process ends. Many may
// share it. The error is ErrInUse when another has it, or what the system said.
func Dir(dir string, shared bool) (*os.File, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY, 0) // a pipe would make one wait
	if err != nil {
		return nil, err
	}
	how := syscall.LOCK_EX
	if shared {
		how = syscall.LOCK_SH
	}
	if err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = ErrInUse
		}
		return nil, err
	}
	return f, nil
}
