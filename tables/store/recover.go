package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/badger/v4/y"
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
	keys, err := badger.OpenKeyRegistry(badger.KeyRegistryOptions{Dir: dir, ReadOnly: true}) // Badger does not name the file
	if err != nil {
		return damaged(badger.KeyRegistryFileName, err)
	}
	if err := keys.Close(); err != nil {
		return damaged(badger.KeyRegistryFileName, err)
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
	for id := range manifest.Tables {
		name := table.IDToFilename(id)
		if err := readTable(filepath.Join(dir, name), nil); err != nil {
			return damaged(name, err)
		}
	}
	for _, e := range entries {
		id, ok := table.ParseFileID(e.Name())
		if _, named := manifest.Tables[id]; !ok || named {
			continue
		}
		if err := s.setAside(id); err != nil {
			return fmt.Errorf("store %s: %w", s.dir, err)
		}
	}
	return nil
}

// leftName is the directory of the tables that the MANIFEST of a store that was not closed did not name. Badger would
// delete them. It may have been about to write them or to do without them; but where the MANIFEST was cut
// short, the facts in them are nowhere else.
const leftName = "left"

// setAside moves a table that the MANIFEST does not name to where it is left for takeLeft.
func (s *Store) setAside(id uint64) error {
	left := filepath.Join(s.dir, leftName)
	if err := os.MkdirAll(left, 0o777); err != nil {
		return err
	}
	from, to := table.IDToFilename(id), ""
	for { // numbers come again
		to = filepath.Join(left, table.IDToFilename(id))
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			break
		}
		id++
	}
	if err := os.Rename(filepath.Join(s.folder(), from), to); err != nil {
		return err
	}
	return errors.Join(syncFile(s.dir), syncFile(left), syncFile(s.folder()))
}

// takeLeft puts the facts of the tables that were set aside, most of which are there already, and the other records that
// are newer than those there. It leaves out what is damaged: a table that was being written.
func (s *Store) takeLeft() error {
	left := filepath.Join(s.dir, leftName)
	entries, err := os.ReadDir(left)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("store %s: %w", s.dir, err)
	}
	others := map[string]leftRecord{}
	for _, e := range entries {
		var failed error
		err := readTable(filepath.Join(left, e.Name()), func(name, value []byte, version uint64) {
			if f, err := readFact(name, value); failed == nil && err == nil && name[0] == factKind {
				failed = s.Put(name[1:], f)
			}
			if name[0] != factKind && !bytes.HasPrefix(name, []byte(badgerKeys)) && version >= others[string(name)].version {
				others[string(name)] = leftRecord{bytes.Clone(value), version}
			}
		})
		if failed != nil || err != nil && !errors.Is(err, ErrDamaged) {
			return errors.Join(failed, err)
		}
	}
	if err := errors.Join(s.takeOthers(others), s.Sync()); err != nil {
		return err
	}
	if err := os.RemoveAll(left); err != nil {
		return fmt.Errorf("store %s: %w", s.dir, err)
	}
	return nil
}

// leftRecord is a record of a table that was set aside.
type leftRecord struct {
	value   []byte
	version uint64 // Badger's
}

// badgerKeys is what the names of Badger's own records begin with.
const badgerKeys = "!badger!"

// takeOthers writes those of some records that are newer than what the store has, and makes them durable.
func (s *Store) takeOthers(records map[string]leftRecord) error {
	txn := s.db.NewTransactionAt(math.MaxUint64, false)
	defer txn.Discard()
	for name, r := range records {
		item, err := txn.Get([]byte(name))
		switch {
		case err == nil && item.Version() >= r.version:
			delete(records, name)
		case err != nil && err != badger.ErrKeyNotFound:
			return fmt.Errorf("store %s: %w", s.dir, err)
		}
	}
	if len(records) == 0 {
		return nil // a commit needs something in it: its version is missed otherwise
	}
	err := s.set(func(out *badger.WriteBatch) error {
		for name, r := range records {
			if err := out.Set([]byte(name), r.value); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.sync()
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

// readTable checks the checksums of a table, and calls do, if it is not nil, with each record and Badger's version of it.
// The error is ErrDamaged, or that of reading the file. What Badger would end the process over is checked first: the
// lengths at the table's end,
//
//	blocks | index | its length, 4 bytes | checksum | its length, 4 bytes
func readTable(path string, do func(name, value []byte, version uint64)) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer caught(&err)
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	rest := data
	for _, what := range []string{"checksum", "index"} {
		if len(rest) < 4 {
			return fmt.Errorf("%w: no %s", ErrDamaged, what)
		}
		at := len(rest) - 4
		size := binary.BigEndian.Uint32(rest[at:])
		if uint64(size) > uint64(at) {
			return fmt.Errorf("%w: no %s", ErrDamaged, what)
		}
		rest = rest[:at-int(size)]
	}
	m, err := z.OpenMmapFile(path, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	t, err := table.OpenTable(m, table.Options{Compression: options.None, BlockSize: 4 << 10})
	if err != nil {
		return fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	defer t.Close(-1)
	if err := t.VerifyChecksum(); err != nil {
		return fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	if do == nil {
		return nil
	}
	records := t.NewIterator(0)
	defer records.Close()
	for records.Rewind(); records.Valid(); records.Next() {
		do(y.ParseKey(records.Key()), records.Value().Value, y.ParseTs(records.Key()))
	}
	return nil
}
