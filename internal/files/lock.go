package files

import (
	"errors"
	"fmt"
	"os"
)

// ErrInUse is the error of locking a directory of which another process, or another part of this one, has the lock.
var ErrInUse = errors.New("in use")

// LockDir takes the lock of a directory, which lasts until the file is closed, or the process ends. Many may share it. The
// error names the directory and wraps ErrInUse when another has it, or is what the system said.
//
// The lock is a flock of the directory itself, so that it needs no file of its own, and the system takes it back from a
// process that was killed. Systems without flock, such as Windows, have no lock: there nobody is kept out.
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
