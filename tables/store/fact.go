package store

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"hash/crc64"

	"goalproof/tables"
)

const (
	// MaxKey is the greatest length of a key, in bytes.
	MaxKey = 64
	// MaxNote is the greatest length of a note, in bytes.
	MaxNote = 512
)

func checkKey(key []byte) error {
	if len(key) == 0 || len(key) > MaxKey {
		return fmt.Errorf("a key has 1 to %d bytes, not %d", MaxKey, len(key))
	}
	return nil
}

// Kinds of records: the first byte of a record's name; the key follows.
const (
	factKind          = 'f'
	contradictionKind = 'c'
	noteKind          = 'n'
	totalsKind        = 't'
)

func recordName(kind byte, key []byte) []byte { return append([]byte{kind}, key...) }

// A record's value is its content and a checksum over its name and content.
const sumSize = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendSum appends the checksum of a record to its content.
func appendSum(content, name []byte) []byte {
	sum := crc32.Update(crc32.Checksum(name, castagnoli), castagnoli, content)
	return binary.LittleEndian.AppendUint32(content, sum)
}

// content returns the content of a record. The error is ErrDamaged.
func content(name, value []byte) ([]byte, error) {
	n := len(value) - sumSize
	if n < 0 || crc32.Update(crc32.Checksum(name, castagnoli), castagnoli, value[:n]) != binary.LittleEndian.Uint32(value[n:]) {
		return nil, fmt.Errorf("record %x is %w", name, ErrDamaged)
	}
	return value[:n], nil
}

// factValue returns the value of a record of facts: the two numbers of each, and the turn's code.
func factValue(name []byte, facts ...tables.Fact) (b []byte) {
	for _, f := range facts {
		b = binary.BigEndian.AppendUint32(append(b, f.ProvedWithin, f.RefutedUpTo), f.Turn)
	}
	return appendSum(b, name)
}

// unpack reads the content of a record into facts. The error is ErrDamaged.
func unpack(name, b []byte, facts ...*tables.Fact) error {
	if len(b) != 6*len(facts) {
		return fmt.Errorf("record %x is %w: %d bytes", name, ErrDamaged, len(b))
	}
	for i, f := range facts {
		*f = tables.Fact{ProvedWithin: b[6*i], RefutedUpTo: b[6*i+1], Turn: binary.BigEndian.Uint32(b[6*i+2:])}
	}
	return nil
}

// unpackFact reads the content of a fact's record. The error is ErrDamaged.
func unpackFact(name, b []byte) (f tables.Fact, err error) {
	if err = unpack(name, b, &f); err == nil && !f.Possible() {
		err = fmt.Errorf("record %x is %w: %v", name, ErrDamaged, f)
	}
	if err != nil {
		return tables.Nothing, err
	}
	return f, nil
}

// readFact reads the value of a fact's record. The error is ErrDamaged.
func readFact(name, value []byte) (tables.Fact, error) {
	b, err := content(name, value)
	if err != nil {
		return tables.Nothing, err
	}
	return unpackFact(name, b)
}

// totals describe all facts of the store, for comparison with what is there.
type totals struct {
	Facts  uint64
	Digest uint64 // the sum of the CRC-64s of the records of all facts
}

var (
	totalsName = []byte{totalsKind}
	ecma       = crc64.MakeTable(crc64.ECMA)
)

// add adds a fact with the value of its record.
func (t *totals) add(name, value []byte) {
	t.Facts++
	t.Digest += crc64.Update(crc64.Checksum(name, ecma), ecma, value)
}

// replace replaces a fact, or Nothing, by another.
func (t *totals) replace(name []byte, before, after tables.Fact) {
	if before != tables.Nothing {
		var was totals
		was.add(name, factValue(name, before))
		t.Facts, t.Digest = t.Facts-1, t.Digest-was.Digest
	}
	t.add(name, factValue(name, after))
}

// value returns the value of the record of totals.
func (t totals) value() []byte {
	b, _ := binary.Append(nil, binary.LittleEndian, t) // its size is known
	return appendSum(b, totalsName)
}
