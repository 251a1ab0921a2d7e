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

// Writable returns an error where a flag's file could not be written, or would take the place of one of the
// others: better before hours of searching than after them. Empty names are those of no file.
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
		var why *fs.PathError
		if errors.As(err, &why) { // the name is given by the flag
			err = why.Err
		}
		return Unwritten(fmt.Errorf("--%s %s: %w", flag, name, err))
	}
	return nil
}

// SameFile reports whether two names are those of one file or directory.
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

// WriteText writes a text to a file, which then is whole, or as it was before.
func WriteText[T string | []byte](name string, text T) error {
	return Unwritten(files.WriteText(name, text))
}

// WriteFile writes a file by a function. The file is then whole, or as it was before.
func WriteFile(name string, write func(io.Writer) error) error {
	return Unwritten(files.Write(name, write))
}
