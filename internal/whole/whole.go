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
	"strings"
)

// Write makes a file of what the function writes. It appears, or takes the place of an older one, only when all of
// it has reached the disk; after an error what was there is unchanged. Until then it has another name, which
// begins with a dot, and which stays behind where the process is killed. What is no file, such as a pipe,
// is written to as it is.
//
// The permissions are those of any new file, or of the file that was there; one that must not be written to is not
// replaced. Where the name is a link the file that it leads to is replaced. The error is that of the function, or
// what the system said about the file.
func Write(path string, write func(io.Writer) error) error {
	t, err := look(path)
	if err != nil {
		return err
	}
	if t.plain {
		return t.replace(write)
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = write(file)
	return errors.Join(err, file.Close())
}

// Check returns the error of a Write that would fail from the beginning.
func Check(path string) error {
	t, err := look(path)
	if err != nil || !t.plain {
		return err
	}
	file, err := t.beside()
	if err != nil {
		return t.named(err)
	}
	file.Close() // nothing was written
	return t.named(os.Remove(file.Name()))
}

// target is where something is to be written.
type target struct {
	given string      // its name
	path  string      // the same without links
	plain bool        // it is a file, or nothing yet
	mode  fs.FileMode // of the file that is there, or 0
}

// look finds out about a target. The error says why it cannot be written to.
func look(path string) (t target, err error) {
	t = target{given: path, path: path, plain: true}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t, nil
	case err != nil:
		return t, err
	}
	if t.plain = info.Mode().IsRegular(); !t.plain && !info.IsDir() {
		return t, nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return t, err // it is a directory, or must not be written to
	}
	t.mode = info.Mode().Perm()
	if t.path, err = filepath.EvalSymlinks(path); err != nil {
		t.path = path
	}
	return t, file.Close()
}

// replace writes a file under another name and then gives it its own.
func (t *target) replace(write func(io.Writer) error) (err error) {
	file, err := t.beside()
	if err != nil {
		return t.named(err)
	}
	defer func() {
		if err != nil {
			file.Close() // a second Close does no harm
			os.Remove(file.Name())
		}
	}()
	if err := write(file); err != nil {
		return t.named(err)
	}
	if t.mode != 0 {
		if err := file.Chmod(t.mode); err != nil {
			return t.named(err)
		}
	}
	if err := file.Sync(); err != nil {
		return t.named(err)
	}
	if err := file.Close(); err != nil {
		return t.named(err)
	}
	return t.named(os.Rename(file.Name(), t.path))
}

// beside creates a file in the same directory, under a name that no file has. Unlike [os.CreateTemp] it
// leaves the permissions to the mask of the process.
func (t *target) beside() (*os.File, error) {
	dir, name := filepath.Split(t.path)
	for {
		other := fmt.Sprintf("%s.%s.%08x", dir, name, rand.Uint32())
		file, err := os.OpenFile(other, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// named puts the name that was given into an error about the file beside it.
func (t *target) named(err error) error {
	other := filepath.Join(filepath.Dir(t.path), "."+filepath.Base(t.path)+".")
	switch e := err.(type) {
	case *fs.PathError:
		if strings.HasPrefix(filepath.Clean(e.Path), other) {
			return &fs.PathError{Op: "write", Path: t.given, Err: e.Err}
		}
	case *os.LinkError:
		if strings.HasPrefix(filepath.Clean(e.Old), other) {
			return &fs.PathError{Op: "write", Path: t.given, Err: e.Err}
		}
	}
	return err
}
