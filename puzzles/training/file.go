package training

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"goalproof/internal/files"
)

// Name is the name of the file in a workspace of the studio.
const Name = "training.json"

// patience is how long a program waits for another one that writes to the same file.
const patience = 10 * time.Second

// File is the file of a record in a directory.
type File struct {
	Root *os.Root
	Name string
}

// Read reads the record; without a file, or with an empty one, it is empty. The error is that of the system or of [Parse].
func (f File) Read() (Record, error) {
	info, err := f.Root.Lstat(f.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Empty(), nil
	case err != nil:
		return Record{}, err
	case !info.Mode().IsRegular():
		return Record{}, errors.New("it is no plain file")
	case info.Size() > MaxBytes:
		return Record{}, fmt.Errorf("it has more than %d bytes", MaxBytes)
	case info.Size() == 0:
		return Empty(), nil
	}
	text, err := f.Root.ReadFile(f.Name)
	if err != nil {
		return Record{}, err
	}
	return Parse(text)
}

// Add adds an attempt that ended at a time, and returns the record, which is durable then. After an
// error the file is as it was. The error is that of Read, of the system, or wraps [files.ErrInUse] if
// another program does not let go of the file.
func (f File) Add(a *Attempt, now time.Time) (r Record, err error) {
	lock, err := files.LockIn(f.Root, "."+f.Name+".lock", patience)
	if err != nil {
		return r, err
	}
	defer lock.Close()
	if r, err = f.Read(); err != nil {
		return r, err
	}
	r.Add(a, now)
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(&r); err != nil {
		return r, err
	}
	return r, files.WriteIn(f.Root, f.Name, func(w io.Writer) error {
		_, err := w.Write(b.Bytes())
		return err
	})
}
