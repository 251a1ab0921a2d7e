package files

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// ErrInUse is the error of locking a directory that another process, or another part of this one,
// has locked.
var ErrInUse = errors.New("in use")

// LockDir locks a directory until the file is closed or the process ends. Many may share the lock.
// The error names the directory and wraps ErrInUse if another has the lock, or is that of the
// system.
//
// The lock is a flock of the directory itself, so it needs no file, and the system releases it when
// the process is killed. Systems without flock, such as Windows, have no lock: there nobody is kept
// out.
func LockDir(dir string, shared bool) (*os.File, error) {
	file, err := openDir(dir)
	if err != nil || !locks {
		return file, err
	}
	if err := lock(file, shared, false); err != nil {
		file.Close()
		if errors.Is(err, ErrInUse) {
			err = fmt.Errorf("%s is %w by another process", dir, err)
		}
		return nil, err
	}
	return file, nil
}

// LockIn locks a file in a directory, which it creates if necessary, until the file is closed or the
// process ends. The file stays behind, and holds nothing. It waits for another that has the lock; if
// that takes too long, the error wraps ErrInUse. Systems without flock have no lock.
func LockIn(root *os.Root, name string, patience time.Duration) (*os.File, error) {
	file, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil || !locks {
		return file, err
	}
	const pause = 2 * time.Millisecond
	for until := time.Now().Add(patience); ; time.Sleep(pause) {
		err := lock(file, false, false)
		if err == nil {
			return file, nil
		}
		if !errors.Is(err, ErrInUse) || time.Now().After(until) {
			file.Close()
			return nil, fmt.Errorf("%s is locked: %w", name, err)
		}
	}
}
