package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"goalproof/internal/whole"
)

// writable returns an error where a flag's file could not be written, or would take the place of one of the
// others: better before hours of searching than after them. Empty names are those of no file.
func writable(flag, name string, others ...string) error {
	if name == "" {
		return nil
	}
	for _, other := range others {
		if other != "" && same(name, other) {
			return fmt.Errorf("--%s %s would overwrite %s: write to another file", flag, name, other)
		}
	}
	if err := whole.Check(name); err != nil {
		var why *fs.PathError
		if errors.As(err, &why) { // the name is given by the flag
			err = why.Err
		}
		return exitWith(exitBadInput, fmt.Errorf("--%s %s: %w", flag, name, err))
	}
	return nil
}

// same tells whether two names are those of one file.
func same(a, b string) bool {
	fullA, errA := filepath.Abs(a)
	fullB, errB := filepath.Abs(b)
	if errA == nil && errB == nil && fullA == fullB {
		return true
	}
	fileA, errA := os.Stat(a)
	fileB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(fileA, fileB)
}

// writeText writes a file, which then is whole, or as it was before.
func writeText(name, text string) error {
	err := whole.Write(name, func(file io.Writer) error {
		_, err := io.WriteString(file, text)
		return err
	})
	if err != nil {
		return exitWith(exitBadInput, err)
	}
	return nil
}
