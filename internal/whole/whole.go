// Package whole writes files that are there whole, or not at all.
package whole

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// ErrNoFile says that a name is that of a directory, a device or a pipe.
var ErrNoFile = errors.New("this is no file")

// Write makes a file of what the function writes. It appears, or takes the place of an older one, only when all of
// it has reached the disk; after an error what was there is unchanged. Until then it has another name, which
// begins with a dot, and which stays behind where the process is killed.
//
// The permissions are those of any new file, or of the file that was there. The error is that of the function, or names
// the file: it is ErrNoFile, or what the system said.
func Write(path string, write func(io.Writer) error) (err error) {
	file, err := beside(path)
	if err != nil {
		return err
	}
	other := file.Name()
	defer func() {
		if err != nil {
			file.Close() // a second Close does no harm
			os.Remove(other)
			err = named(path, other, err)
		}
	}()
	if err := write(file); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(other, path)
}

// Check returns the error that Write would have before anything is written.
func Check(path string) error {
	file, err := beside(path)
	if err != nil {
		return err
	}
	file.Close() // nothing was written
	return named(path, file.Name(), os.Remove(file.Name()))
}

// beside creates a file in the same directory, under a name that no file has. Unlike [os.CreateTemp] it
// leaves the permissions to the mask of the process.
func beside(path string) (*os.File, error) {
	mode := fs.FileMode(0o666)
	switch old, err := os.Stat(path); {
	case err == nil && !old.Mode().IsRegular():
		return nil, &fs.PathError{Op: "write", Path: path, Err: ErrNoFile}
	case err == nil:
		mode = old.Mode().Perm()
	}
	dir, name := filepath.Split(path)
	for {
		other := fmt.Sprintf("%s.%s.%d", dir, name, rand.Uint64())
		file, err := os.OpenFile(other, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return file, named(path, other, err)
		}
	}
}

// named puts the name of the file into an error of the system that has the other name.
func named(path, other string, err error) error {
	switch e := err.(type) {
	case *fs.PathError:
		if e.Path == other {
			return &fs.PathError{Op: "write", Path: path, Err: e.Err}
		}
	case *os.LinkError:
		if e.Old == other {
			return &fs.PathError{Op: "write", Path: path, Err: e.Err}
		}
	}
	return err
}
