package store

import (
	"errors"
	"os"

	"goalproof/internal/files"
)

// lockDir takes the lock of a directory, which the process gives back at the latest when
// it ends; many readers may share it. The error is ErrInUse when another has it. Where the
// system has no such lock nobody is kept out.
func lockDir(dir string, shared bool) (*os.File, error) {
	f, err := files.LockDir(dir, shared)
	if errors.Is(err, files.ErrInUse) {
		err = ErrInUse
	}
	return f, err
}
