package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// Schema is the version of the store's layout that this program writes. It also reads closed stores of
// version 1.
const Schema = 2

const headerName = "STORE"

// The states of a store.
const (
	stateOpen   = "open"   // being written, or not closed cleanly
	stateClosed = "closed" // the journals are listed
)

// header is the file STORE: what the store is, and which files belong to it. It is
// replaced as a whole, so it is always either the old or the new one.
type header struct {
	Schema      int
	Keys, Rules string
	State       string
	Journal     int      // number of the first journal that counts; those after it count, too
	Runs        [][]file // the tables: runs from the newest to the oldest, in each the tables in the order of their keys
	Journals    []file   // when closed: all journals, from the oldest to the newest

	// Of layout 1: the number of the directory of the database, and its files when closed.
	Generation int    `json:",omitempty"`
	Files      []file `json:",omitempty"`
}

// file is a file that does not change.
type file struct {
	Name string // in the directory of the store
	Size int64  // bytes
	Sum  uint32 // CRC-32C of its contents
}

// readHeader reads the header of a store; it is nil where the directory is empty.
func readHeader(dir string) (*header, error) {
	data, err := readRegular(filepath.Join(dir, headerName))
	if errors.Is(err, fs.ErrNotExist) {
		entries, err := os.ReadDir(dir)
		for _, e := range entries {
			if e.Name() != headerName+".new" {
				return nil, fmt.Errorf("%s is not a store: it has %s and no file %s; use another directory", dir, e.Name(), headerName)
			}
		}
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", dir, err)
	}
	var sum uint32
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	if n, _ := fmt.Sscanf(string(first), "goalproof store %08x", &sum); n != 1 {
		return nil, fmt.Errorf("store %s: file %s is %w, or of another program", dir, headerName, ErrDamaged)
	}
	h := &header{}
	if crc32.Checksum(rest, castagnoli) != sum || json.Unmarshal(rest, h) != nil {
		return nil, fmt.Errorf("store %s: file %s is %w", dir, headerName, ErrDamaged)
	}
	return h, nil
}

// readRegular reads a file. Reading a pipe that has the name of one would not end.
func readRegular(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is %w: it is no file", path, ErrDamaged)
	}
	return os.ReadFile(path)
}

// write replaces the header of a store, durably.
func (h *header) write(dir string) error {
	body, err := json.MarshalIndent(h, "", "\t")
	if err != nil {
		return err
	}
	path := filepath.Join(dir, headerName)
	if _, err := writeFile(path+".new", fmt.Appendf(nil, "goalproof store %08x\n%s", crc32.Checksum(body, castagnoli), body)); err != nil {
		return err
	}
	if err := os.Rename(path+".new", path); err != nil {
		return err
	}
	return syncFile(dir)
}

// check refuses a store that is of another kind than the program wants.
func (h *header) check(dir string, want header) error {
	for _, v := range []struct {
		what      string
		has, want any
	}{
		{"schema version", h.Schema, want.Schema},
		{"key version", h.Keys, want.Keys},
		{"rules version", h.Rules, want.Rules},
	} {
		if v.has != v.want {
			return fmt.Errorf("store %s has %s %v, and this program wants %v: use another directory, or the program that wrote it",
				dir, v.what, v.has, v.want)
		}
	}
	return nil
}

// writeFile writes a file and makes its contents durable. After an error there is no file.
func writeFile(path string, data []byte) (file, error) {
	f, err := os.Create(path)
	if err != nil {
		return file{}, err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		os.Remove(path)
		return file{}, err
	}
	return describe(filepath.Base(path), data), nil
}

// describe returns what STORE says about a file.
func describe(name string, data []byte) file {
	return file{name, int64(len(data)), crc32.Checksum(data, castagnoli)}
}

// check compares a file with what is in it now.
func (f file) check(dir string, data []byte) error {
	switch now := describe(f.Name, data); {
	case now.Size != f.Size:
		return damaged(dir, f.Name, fmt.Sprintf("it has %d bytes, and had %d", now.Size, f.Size))
	case now.Sum != f.Sum:
		return damaged(dir, f.Name, "it has changed")
	}
	return nil
}

// damaged is the error of a file that is not as it was written.
func damaged(dir, name, why string) error {
	return fmt.Errorf("store %s is %w: %s: %s", dir, ErrDamaged, filepath.Join(dir, name), why)
}

// unreadable is the error of a file that cannot be opened or read.
func unreadable(dir, name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return damaged(dir, name, "it is missing")
	}
	return fmt.Errorf("store %s: %w", dir, err)
}

// ours are the names that a store gives to its files and directories besides STORE.
var ours = regexp.MustCompile(`^(\d{6,}\.(sst|journal)|g\d{6,})$`)

// sweep removes what belonged to a store and does not any more, or not yet. What cannot be removed stays until the next time.
func (h *header) sweep(dir string) {
	entries, _ := os.ReadDir(dir)
	belongs := map[string]bool{}
	for _, run := range h.Runs {
		for _, f := range run {
			belongs[f.Name], belongs[filepath.Dir(f.Name)] = true, true
		}
	}
	for _, e := range entries {
		n := 0
		if !ours.MatchString(e.Name()) || belongs[e.Name()] {
			continue
		}
		if i, _ := fmt.Sscanf(e.Name(), "%d.journal", &n); i == 1 && n >= h.Journal && filepath.Ext(e.Name()) == journalExt {
			continue
		}
		os.RemoveAll(filepath.Join(dir, e.Name()))
	}
}
