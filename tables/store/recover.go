package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/ristretto/v2/z"
)

// recover prepares a store that was not closed for Badger. Logs that the process was
// about to create or to delete when it ended are empty; Badger would not open them.
func (s *Store) recover() error {
	dir := s.folder()
	damaged := func(name string, err any) error {
		return fmt.Errorf("store %s is %w: %s: %v", s.dir, ErrDamaged, filepath.Join(dir, name), err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return damaged("", err)
	}
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		if ext != ".mem" && ext != ".vlog" {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return damaged(e.Name(), err)
		}
		if info.Size() == 0 {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return damaged(e.Name(), err)
			}
		}
	}
	f, err := os.Open(filepath.Join(dir, badger.ManifestFilename))
	if err != nil {
		return damaged(badger.ManifestFilename, err)
	}
	defer f.Close()
	manifest, _, err := badger.ReplayManifestFile(f, 0, badger.DefaultOptions(dir).WithLogger(nil))
	if err != nil {
		return damaged(badger.ManifestFilename, err)
	}
	for id, t := range manifest.Tables {
		name := table.IDToFilename(id)
		o := table.Options{Compression: t.Compression, BlockSize: 4 << 10}
		if err := checkTable(filepath.Join(dir, name), o); err != nil {
			return damaged(name, err)
		}
	}
	return nil
}

// checkpointName is the file of a database with the version of the last commit that is
// durable, and a checksum.
const checkpointName = "CHECKPOINT"

// noteCheckpoint notes that all commits are durable. The note itself need not be: an
// older one, or one that was half written, asks for less.
func (s *Store) noteCheckpoint() error {
	note := binary.LittleEndian.AppendUint64(nil, s.ts)
	note = binary.LittleEndian.AppendUint32(note, crc32.Checksum(note, castagnoli))
	return os.WriteFile(filepath.Join(s.folder(), checkpointName), note, 0o666)
}

// checkLoss tells whether the last commit that was durable is not there, and notes which
// is the last now.
func (s *Store) checkLoss() error {
	note, err := os.ReadFile(filepath.Join(s.folder(), checkpointName))
	if err != nil || len(note) != 12 || crc32.Checksum(note[:8], castagnoli) != binary.LittleEndian.Uint32(note[8:]) ||
		binary.LittleEndian.Uint64(note) <= s.ts {
		return nil
	}
	err = fmt.Errorf("store %s %w: its log was damaged after the program that wrote it was ended; "+
		"take a copy of the directory from before, or open it again to go on with what is left", s.dir, ErrLost)
	return errors.Join(err, s.noteCheckpoint())
}

// checkTable checks the checksums of a table. What Badger would end the process over,
// it checks first: the lengths at the table's end,
//
//	blocks | index | its length, 4 bytes | checksum | its length, 4 bytes
func checkTable(path string, o table.Options) (err error) {
	defer caught(&err)
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	rest := data
	for _, what := range []string{"checksum", "index"} {
		if len(rest) < 4 {
			return fmt.Errorf("no %s", what)
		}
		at := len(rest) - 4
		size := binary.BigEndian.Uint32(rest[at:])
		if uint64(size) > uint64(at) {
			return fmt.Errorf("no %s", what)
		}
		rest = rest[:at-int(size)]
	}
	m, err := z.OpenMmapFile(path, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	t, err := table.OpenTable(m, o)
	if err != nil {
		return err
	}
	err = t.VerifyChecksum()
	if e := t.Close(-1); err == nil {
		err = e
	}
	return err
}
