package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"runtime/debug"

	"github.com/dgraph-io/badger/v4"
)

// MaxNote is the greatest length of a note, in bytes.
const MaxNote = 512

// Note remembers what is no fact, in the place of what was noted under the same key before: what has
// been tried in vain, for example. It is there for [Store.Noted] at once, and durable with the
// next checkpoint, or at Close. Merge leaves notes behind. The error is that of Put, or says that the
// note is too long.
func (s *Store) Note(key, note []byte) (err error) {
	if err := checkKey(key); err != nil {
		return err
	}
	if len(note) > MaxNote {
		return fmt.Errorf("a note has at most %d bytes, not %d", MaxNote, len(note))
	}
	if s.o.ReadOnly {
		return ErrReadOnly
	}
	if err := s.failure(); err != nil {
		return err
	}
	name := noteName(key)
	return s.set(func(out *badger.WriteBatch) error {
		return out.Set(name, binary.LittleEndian.AppendUint32(bytes.Clone(note), noteSum(name, note)))
	})
}

// set writes records other than facts, in the place of those that were there.
func (s *Store) set(write func(out *badger.WriteBatch) error) (err error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.db == nil {
		return ErrClosed
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer caught(&err)
	if err := s.roomLeft(); err != nil {
		return err
	}
	out := s.db.NewWriteBatchAt(s.ts + 1)
	defer out.Cancel()
	if err = write(out); err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("store %s: %w", s.dir, err)
	}
	s.ts++
	s.db.SetDiscardTs(s.ts)
	return nil
}

// Noted returns what was noted under a key, or nil. The error is ErrDamaged for a record that is not as
// it was written.
func (s *Store) Noted(key []byte) (note []byte, err error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	db, err := s.use()
	if err != nil {
		return nil, err
	}
	defer db.users.RUnlock()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer caught(&err)
	db.wasRead()
	txn := db.NewTransactionAt(math.MaxUint64, false)
	defer txn.Discard()
	name := noteName(key)
	item, err := txn.Get(name)
	if err == badger.ErrKeyNotFound {
		return nil, nil
	}
	if err == nil {
		err = item.Value(func(value []byte) error {
			note, err = readNote(name, value)
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", s.dir, err)
	}
	return note, nil
}

func noteName(key []byte) []byte { return append([]byte{noteKind}, key...) }

// noteSum is the checksum over kind, key and note.
func noteSum(name, note []byte) uint32 {
	return crc32.Update(crc32.Checksum(name, castagnoli), castagnoli, note)
}

// readNote reads the value of a note's record. The error is ErrDamaged.
func readNote(name, value []byte) ([]byte, error) {
	if len(value) < sumSize {
		return nil, fmt.Errorf("record %x is %w: %d bytes", name, ErrDamaged, len(value))
	}
	note, sum := value[:len(value)-sumSize], value[len(value)-sumSize:]
	if noteSum(name, note) != binary.LittleEndian.Uint32(sum) {
		return nil, fmt.Errorf("record %x is %w: wrong checksum", name, ErrDamaged)
	}
	return bytes.Clone(note), nil
}
