//go:build linux || darwin || freebsd

package whole

import (
	"os"
	"syscall"
)

// locks tells that the system has locks, which it takes back from a process that has ended.
const locks = true

// lock takes the lock of a file, which lasts until the file is closed, and waits for it or not.
func lock(file *os.File, wait bool) error {
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	for {
		if err := syscall.Flock(int(file.Fd()), how); err != syscall.EINTR {
			return err
		}
	}
}
