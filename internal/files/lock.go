package files

import (
	"errors"
	"fmt"
	"os"
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
