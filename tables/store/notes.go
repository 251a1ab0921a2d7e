package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// MaxNote is the greatest length of a note, in bytes.
const MaxNote = 512

// Note remembers something other than a fact, and replaces an earlier note under the same key: what has
// been tried in vain, for example. It is there for [Store.Noted] at once, and durable with the
// next checkpoint, or at Close. Merge leaves notes behind. The error is that of Put, or says that the
// note is too long.
func (s *Store) Note(key, note []byte) error {
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
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.begin(recordBytes + len(key) + len(note)); err != nil {
		return err
	}
	name := noteName(key)
	value := binary.LittleEndian.AppendUint32(bytes.Clone(note), noteSum(name, note))
	if err := s.enter(addRecord(startFrame(nil), name, value)); err != nil {
		s.fail(err)
		return err
	}
	s.noted()
	return nil
}

// Noted returns what was noted under a key, or nil. The error is ErrDamaged for a record that is not as
// it was written.
func (s *Store) Noted(key []byte) ([]byte, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	s.gate.RLock()
	defer s.gate.RUnlock()
	if s.closed {
		return nil, ErrClosed
	}
	name := noteName(key)
	note, err := s.find(name, nil)
	if note != nil && err == nil {
		note, err = readNote(name, note)
	}
	if err != nil {
		return nil, s.failed(err)
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
