package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// Schema is the version of the store's layout that this program reads and writes.
const Schema = 1

const headerName = "STORE"

// The states of a store.
const (
	stateNew    = "new"    // being created: nothing in it counts yet
	stateOpen   = "open"   // being written, or not closed cleanly
	stateClosed = "closed" // its files are listed
)

// header is the file STORE: what the store is, and which files belong to it. It is
// replaced as a whole, so it is always either the old or the new one.
type header struct {
	Schema      int
	Keys, Rules string
	State       string
	Generation  int    // names the directory of the files
	Memtable    int64  // size of Badger's buffers in bytes: its logs fit into them; 0 when closed
	Files       []file // when closed
}

// file is a file of a closed store.
type file struct {
	Name string
	Size int64  // bytes
	Sum  uint32 // CRC-32C of its contents
}

var generations = regexp.MustCompile(`^g\d{6,}$`)

// folder is the name of the directory of the files, in the store's.
func (h *header) folder() string { return fmt.Sprintf("g%06d", h.Generation) }

// readHeader reads the header of a store; it is nil where the directory is empty.
func readHeader(dir string) (*header, error) {
	data, err := os.ReadFile(filepath.Join(dir, headerName))
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
		return nil, err
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

// write replaces the header of a store, durably.
func (h *header) write(dir string) error {
	body, err := json.MarshalIndent(h, "", "\t")
	if err != nil {
		return err
	}
	path := filepath.Join(dir, headerName)
	f, err := os.Create(path + ".new")
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := fmt.Fprintf(f, "goalproof store %08x\n%s", crc32.Checksum(body, castagnoli), body); err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
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

// list lists the files in a directory, with their checksums.
func list(dir string) ([]file, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, e := range entries {
		if e.Name() == "LOCK" { // Badger's, with the number of a process in it
			continue
		}
		f, err := os.Open(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		sum := crc32.New(castagnoli)
		size, err := io.Copy(sum, f)
		f.Close()
		if err != nil {
			return nil, err
		}
		files = append(files, file{e.Name(), size, sum.Sum32()})
	}
	return files, nil
}

// checkFiles compares the files of a closed store with those that its header lists.
func (h *header) checkFiles(dir string) error {
	got, err := list(filepath.Join(dir, h.folder()))
	if err != nil {
		return fmt.Errorf("store %s is %w: %v", dir, ErrDamaged, err)
	}
	has := map[string]file{}
	for _, f := range got {
		has[f.Name] = f
	}
	for _, want := range h.Files {
		f, ok := has[want.Name]
		delete(has, want.Name)
		name := filepath.Join(dir, h.folder(), want.Name)
		switch {
		case !ok:
			return fmt.Errorf("store %s is %w: %s is missing", dir, ErrDamaged, name)
		case f.Size != want.Size:
			return fmt.Errorf("store %s is %w: %s has %d bytes, and had %d when it was closed", dir, ErrDamaged, name, f.Size, want.Size)
		case f.Sum != want.Sum:
			return fmt.Errorf("store %s is %w: %s has changed since it was closed", dir, ErrDamaged, name)
		}
	}
	for name := range has {
		return fmt.Errorf("store %s is %w: %s does not belong to it", dir, ErrDamaged, filepath.Join(dir, h.folder(), name))
	}
	return nil
}
