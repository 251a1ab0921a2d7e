package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"goalproof/internal/files"
)

// Schema is the version of the store's layout.
const Schema = 3

// What is in the directory of a store.
const (
	headerName   = "STORE"
	markName     = "MARK"
	databaseName = "badger" // a directory
)

// header is the file STORE: what the store is, and what it consisted of when it was closed. It is
// replaced as a whole, so it is always either the old or the new one.
type header struct {
	Schema      int
	Keys, Rules string
	Version     uint64            // of the database when the header was written, at least
	Closed      bool              // or else it is being written, or its writer was killed
	Files       map[string]uint32 // when closed: Badger's files, with the CRC-32C of their contents
}

// readHeader reads the header of a store; it is nil where the directory is empty.
func readHeader(dir string) (*header, error) {
	path := filepath.Join(dir, headerName)
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // reading a pipe would not end
		return nil, fmt.Errorf("%s is %w: it is no file", path, ErrDamaged)
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		entries, err := os.ReadDir(dir)
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), "."+headerName+".") { // left by [files.Write]
				return nil, fmt.Errorf("%s is not a store: it has %s and no file %s; use another directory", dir, e.Name(), headerName)
			}
		}
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", dir, err)
	}
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	if string(first) != firstLine(rest) {
		return nil, fmt.Errorf("store %s: file %s is %w, or of another program", dir, headerName, ErrDamaged)
	}
	h := &header{}
	if json.Unmarshal(rest, h) != nil && h.Schema == Schema {
		return nil, fmt.Errorf("store %s: file %s is %w", dir, headerName, ErrDamaged)
	}
	return h, nil
}

// firstLine returns the first line of the file STORE, without its end. What comes after it is the
// body.
func firstLine(body []byte) string {
	return fmt.Sprintf("goalproof store %08x", crc32.Checksum(body, castagnoli))
}

// write replaces the header of a store, durably.
func (h *header) write(dir string) error {
	body, err := json.MarshalIndent(h, "", "\t")
	if err != nil {
		return err
	}
	err = files.Write(filepath.Join(dir, headerName), func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s\n%s", firstLine(body), body)
		return err
	})
	return cmp.Or(err, syncFile(dir))
}

// check refuses a store that is of another kind than the program wants.
func (h *header) check(dir string, want Options) error {
	wants := []any{Schema, want.Keys, want.Rules}
	for i, has := range []any{h.Schema, h.Keys, h.Rules} {
		if has != wants[i] {
			return fmt.Errorf("store %s has %s version %v, and this program wants %v: use another directory, or the program that wrote it",
				dir, []string{"schema", "key", "rules"}[i], has, wants[i])
		}
	}
	return nil
}

// checksums reads all of Badger's files.
func (s *Store) checksums() (map[string]uint32, error) {
	entries, err := os.ReadDir(s.path(databaseName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	sums := map[string]uint32{}
	for _, e := range entries {
		f, err := os.Open(s.path(databaseName, e.Name()))
		if err != nil {
			return nil, err
		}
		sum := crc32.New(castagnoli)
		_, err = io.Copy(sum, f)
		f.Close()
		if err != nil {
			return nil, err
		}
		sums[e.Name()] = sum.Sum32()
	}
	return sums, nil
}

// seal writes what the closed store consists of.
func (s *Store) seal() (err error) {
	s.header.Closed, s.header.Version = true, s.version.Load()
	if s.header.Files, err = s.checksums(); err != nil {
		return s.failed(err)
	}
	for name := range s.header.Files {
		if err := syncFile(s.path(databaseName, name)); err != nil { // Badger truncates files without a sync
			return s.failed(err)
		}
	}
	if err := s.header.write(s.dir); err != nil {
		return s.failed(err)
	}
	os.Remove(s.path(markName)) // it means nothing now
	return nil
}

// checkSeal compares the files of a closed store with what they were.
func (s *Store) checkSeal() error {
	sums, err := s.checksums()
	if err != nil {
		return s.failed(err)
	}
	for name, was := range s.header.Files {
		if now, ok := sums[name]; !ok || now != was {
			return fmt.Errorf("store %s is %w: %s is missing or has changed", s.dir, ErrDamaged, s.path(databaseName, name))
		}
	}
	if len(sums) > len(s.header.Files) {
		return fmt.Errorf("store %s is %w: there are files in %s that are not its own", s.dir, ErrDamaged, s.path(databaseName))
	}
	return nil
}

// setMark writes the version that is durable into MARK, with a checksum. It is written in place and
// need not be durable itself: an older mark, or one that was half written, only weakens the check
// of a store whose writer was killed.
func (s *Store) setMark(version uint64) error {
	_, err := s.mark.WriteAt(appendSum(binary.LittleEndian.AppendUint64(nil, version), nil), 0)
	return err
}

// readMark returns the version that was durable, 0 if nothing is known.
func (s *Store) readMark() (version uint64) {
	data, _ := os.ReadFile(s.path(markName))
	if b, err := content(nil, data); err == nil && len(b) == 8 {
		version = binary.LittleEndian.Uint64(b)
	}
	return version
}
