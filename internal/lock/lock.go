// Package lock keeps a second process out of a directory in which one is at work. A lock is a flock of
// the directory itself, so that it needs no file of its own, and the system takes it back from a process
// that was killed. Systems without flock, such as Windows, have no lock: there nobody is kept out.
package lock

import "errors"

// ErrInUse is the error of locking a directory of which another process, or another part of this one,
// has the lock.
var ErrInUse = errors.New("in use")
