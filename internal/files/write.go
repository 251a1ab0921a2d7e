package files

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// No library holds what Write promises. google/renameio (v2.0.2) has nothing for Windows,
// natefinch/atomic (v1.0.1) has no [os.Root], and both replace a link itself, and leave the file of
// a killed process behind for good.

// Write replaces a file by what the function writes. The new file appears only when all of it has
// reached the disk; after an error the old file is unchanged. Until then the new one has another
// name, such as .NAME.goalproof-0, and a mode that marks it. If the process is killed, that file is
// left behind until the next Write or CheckWrite of the same path removes it (on systems with
// flock). Anything but a regular file, such as a pipe, is written to directly.
//
// The permissions are those of any new file, or of the file that is replaced; a read-only file is
// not replaced. A link is followed. The error is that of the function or of the system.
func Write(path string, write func(io.Writer) error) error {
	t, err := look(path)
	if err != nil {
		return err
	}
	if t.plain {
		return t.replace(write)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|t.flag, 0)
	for tries := 0; errors.Is(err, syscall.ENXIO) && tries < 50; tries++ { // the reader of the pipe may be about to start
		time.Sleep(20 * time.Millisecond)
		file, err = os.OpenFile(path, os.O_WRONLY|t.flag, 0)
	}
	if errors.Is(err, syscall.ENXIO) {
		return fmt.Errorf("%s: no program reads this pipe", path)
	}
	if err != nil {
		return err
	}
	return errors.Join(wholly(file, write), file.Close())
}

// wholly calls write for a file. Its error is that of the function or else the first one of the
// file, which the function may have ignored.
func wholly(file *os.File, write func(io.Writer) error) error {
	w := remembering{file: file}
	return cmp.Or(write(&w), w.err)
}

// remembering remembers the first error of writing, after which it writes nothing.
type remembering struct {
	file *os.File
	err  error
}

func (w *remembering) Write(b []byte) (n int, err error) {
	if w.err == nil {
		n, w.err = w.file.Write(b)
	}
	return n, w.err
}

// WriteText replaces a file by a text as Write does.
func WriteText[T string | []byte](path string, text T) error {
	return Write(path, func(file io.Writer) error {
		_, err := file.Write([]byte(text))
		return err
	})
}

// WriteSecret replaces a file by a text as Write does. From the first byte on only its owner may
// read it (mode 0600).
func WriteSecret[T string | []byte](path string, text T) error {
	t, err := look(path)
	if err != nil {
		return err
	}
	if !t.plain {
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("no plain file")}
	}
	t.mode, t.create = 0o600, 0o600
	return t.replace(func(file io.Writer) error {
		_, err := file.Write([]byte(text))
		return err
	})
}

// WriteIn replaces a file as Write does, in the directory of a root, which nothing leads out of.
// There must be a regular file with the name, or nothing.
func WriteIn(root *os.Root, name string, write func(io.Writer) error) error {
	t := target{in: root, given: name, path: name}
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t.replace(write)
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "write", Path: name, Err: errors.New("no plain file")}
	}
	file, err := root.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err // it must not be written to
	}
	if err := file.Close(); err != nil {
		return err
	}
	t.mode = info.Mode().Perm()
	return t.replace(write)
}

// directory is where files are created: an [os.Root], or the file system.
type directory interface {
	OpenFile(name string, flag int, mode fs.FileMode) (*os.File, error)
	Lstat(name string) (fs.FileInfo, error)
	Rename(from, to string) error
	Remove(name string) error
}

type system struct{}

func (system) OpenFile(name string, flag int, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, mode)
}
func (system) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }
func (system) Rename(from, to string) error           { return os.Rename(from, to) }
func (system) Remove(name string) error               { return os.Remove(name) }

// CheckWrite returns the error of a Write that would fail at once.
func CheckWrite(path string) error {
	t, err := look(path)
	if err != nil || !t.plain {
		return err
	}
	file, name, err := t.beside()
	if err != nil {
		return t.named(err)
	}
	return t.named(last(file, func() error { return t.in.Remove(name) }))
}

// target is a file to be written.
type target struct {
	in    directory
	given string      // its name
	path  string      // the same without links
	plain bool        // it is a file, or nothing yet
	flag  int         // to open it with, if it is not plain
	mode  fs.FileMode // of the file that is there, or 0

	create fs.FileMode // of a new file; 0: that of any file
}

// look examines a path. The error says why it cannot be written.
func look(path string) (t target, err error) {
	t = target{in: system{}, given: path, path: path, plain: true}
	if err := keepsDatabase(path); err != nil {
		return t, err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t, nil
	case err != nil:
		return t, err
	}
	if info.Mode()&fs.ModeNamedPipe != 0 {
		t.flag = syscall.O_NONBLOCK // to open a pipe that nobody reads would wait
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

// keepsDatabase returns an error if writing the path would destroy a SQLite file, or what its last
// transactions have written beside it: whoever has it open would not know.
func keepsDatabase(path string) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	const magic = "SQLite format 3\x00" // The SQLite Database File Format, section 1.3
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		name, ok := strings.CutSuffix(path, suffix)
		if info, err := os.Stat(name); !ok || err != nil || !info.Mode().IsRegular() {
			continue
		}
		file, err := os.Open(name)
		if err != nil {
			continue // it cannot be told
		}
		defer file.Close()
		header := make([]byte, len(magic))
		if _, err := io.ReadFull(file, header); err == nil && string(header) == magic {
			return &fs.PathError{Op: "write", Path: path, Err: errors.New("this would destroy a library or another SQLite file: name another file")}
		}
	}
	return nil
}

// replace writes a file under another name and then gives it its own.
func (t *target) replace(write func(io.Writer) error) (err error) {
	file, name, err := t.beside()
	if err != nil {
		return t.named(err)
	}
	defer func() {
		if err != nil {
			_ = last(file, func() error { return t.in.Remove(name) })
		}
	}()
	t.mark(file)
	if err := wholly(file, write); err != nil {
		return t.named(err)
	}
	if err := file.Sync(); err != nil {
		return t.named(err)
	}
	if t.mode != 0 {
		if err := file.Chmod(t.mode); err != nil {
			return t.named(err)
		}
	}
	return t.named(last(file, func() error { return t.in.Rename(name, t.path) }))
}

// last calls do, which renames or removes a file, and closes the file: after the call where a lock
// protects the name until then, and before it elsewhere, as Windows requires. A second Close does
// no harm.
func last(file *os.File, do func() error) error {
	if locks {
		defer file.Close() // what it holds is on the disk
		return do()
	}
	if err := file.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return err
	}
	return do()
}

// beside creates a file in the same directory under the first free temporary name, and locks it.
// First it removes those of killed processes. Unlike [os.CreateTemp] it leaves the permissions to
// the mask of the process.
func (t *target) beside() (file *os.File, name string, err error) {
	for i := range swept {
		t.sweep(t.temporary(i))
	}
	for i := 0; ; i++ {
		name = t.temporary(i)
		file, err = t.in.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, cmp.Or(t.create, 0o666))
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil || !locks || lock(file, false, true) != nil || t.isAt(file, name) {
			return file, name, err
		}
		file.Close() // before it was locked, a sweep removed it
		i--
	}
}

// swept is the number of temporary names that are searched for files left behind: more than
// processes write to one path at a time.
const swept = 8

// temporary returns a temporary name beside the target.
func (t *target) temporary(i int) string {
	dir, name := filepath.Split(t.path)
	return fmt.Sprintf("%s.%s.goalproof-%d", dir, name, i)
}

// marked is the mode of a file that is being written.
const marked fs.FileMode = 0o200

// mark sets the mode of a file to marked until it is complete, when it gets the mode of the file
// that it replaces, or that with which it was created. Without locks nobody asks for the mark, and
// some file systems have no modes.
func (t *target) mark(file *os.File) {
	if !locks {
		return
	}
	if info, err := file.Stat(); err == nil && file.Chmod(marked) == nil && t.mode == 0 {
		t.mode = info.Mode().Perm()
	}
}

// sweep removes a file that nobody has locked: its writer has ended. It holds the lock meanwhile,
// and files are renamed or removed only under their lock, so it removes the file that it examined.
// A file without the mark, unless it is empty, belongs to somebody else.
func (t *target) sweep(name string) {
	info, err := t.in.Lstat(name)
	if err != nil || info.Mode() != marked && (!info.Mode().IsRegular() || info.Size() > 0) {
		return
	}
	file, err := t.in.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer file.Close()
	if lock(file, false, false) == nil && t.isAt(file, name) {
		_ = t.in.Remove(name)
	}
}

// isAt reports whether a name still leads to an open file.
func (t *target) isAt(file *os.File, name string) bool {
	a, errA := file.Stat()
	b, errB := t.in.Lstat(name)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// named puts the given name into an error about the temporary file.
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
