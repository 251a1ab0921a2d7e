package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"goalproof/internal/files"
)

// Writable returns an error if a flag's file cannot be written, or would overwrite one of the
// others: better before hours of searching than after them. Empty names are ignored.
func Writable(flag, name string, others ...string) error {
	if name == "" {
		return nil
	}
	for _, other := range others {
		if other != "" && SameFile(name, other) {
			return fmt.Errorf("--%s %s would overwrite %s: write to another file", flag, name, other)
		}
	}
	if err := files.CheckWrite(name); err != nil {
		if why, ok := errors.AsType[*fs.PathError](err); ok { // the name is given by the flag
			err = why.Err
		}
		return Unwritten(fmt.Errorf("--%s %s: %w", flag, name, err))
	}
	return nil
}

// SameFile reports whether two names lead to the same file or directory.
func SameFile(a, b string) bool {
	fullA, errA := filepath.Abs(a)
	fullB, errB := filepath.Abs(b)
	if errA == nil && errB == nil && fullA == fullB {
		return true
	}
	fileA, errA := os.Stat(a)
	fileB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(fileA, fileB)
}

// WriteText replaces a file atomically by a text; see [files.Write].
func WriteText[T string | []byte](name string, text T) error {
	return Unwritten(files.WriteText(name, text))
}

// WriteFile replaces a file atomically by what a function writes; see [files.Write].
func WriteFile(name string, write func(io.Writer) error) error {
	return Unwritten(files.Write(name, write))
}
