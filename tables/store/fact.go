package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"goalproof/tables"
)

// MaxKey is the greatest length of a key, in bytes.
const MaxKey = 64

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
)

// A record's value is its facts, six bytes each, and a checksum over kind, key and facts.
const (
	packedSize = 6 // of a fact
	sumSize    = 4
	factSize   = packedSize + sumSize
)

// appendFact appends a fact in its six bytes: the two numbers, and the turn's code.
func appendFact(b []byte, f tables.Fact) []byte {
	return binary.BigEndian.AppendUint32(append(b, f.ProvedWithin, f.RefutedUpTo), f.Turn)
}

// unpackFact reads what appendFact wrote.
func unpackFact(b []byte) tables.Fact {
	return tables.Fact{ProvedWithin: b[0], RefutedUpTo: b[1], Turn: binary.BigEndian.Uint32(b[2:packedSize])}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendRecord appends the value of the record of kind and key, name, to b.
func appendRecord(b, name []byte, facts ...tables.Fact) []byte {
	at := len(b)
	for _, f := range facts {
		b = appendFact(b, f)
	}
	sum := crc32.Update(crc32.Checksum(name, castagnoli), castagnoli, b[at:])
	return binary.LittleEndian.AppendUint32(b, sum)
}

// ErrDamaged is in every error about files or records that are not as they were written.
var ErrDamaged = errors.New("damaged")

// readRecord reads the value of a record into facts. The error is ErrDamaged.
func readRecord(name, value []byte, facts ...*tables.Fact) error {
	if len(value) != packedSize*len(facts)+sumSize {
		return fmt.Errorf("record %x is %w: %d bytes", name, ErrDamaged, len(value))
	}
	data := value[:packedSize*len(facts)]
	if crc32.Update(crc32.Checksum(name, castagnoli), castagnoli, data) != binary.LittleEndian.Uint32(value[len(data):]) {
		return fmt.Errorf("record %x is %w: wrong checksum", name, ErrDamaged)
	}
	for i, f := range facts {
		*f = unpackFact(data[packedSize*i:])
	}
	return nil
}

// readFact reads the value of a fact's record.
func readFact(name, value []byte) (tables.Fact, error) {
	var f tables.Fact
	if err := readRecord(name, value, &f); err != nil {
		return tables.Nothing, err
	}
	if !f.Possible() {
		return tables.Nothing, fmt.Errorf("record %x is %w: %v", name, ErrDamaged, f)
	}
	return f, nil
}

// checkRecord checks the record of a name. The error is ErrDamaged.
func checkRecord(name, value []byte) (err error) {
	switch name[0] {
	case factKind:
		_, err = readFact(name, value)
	case contradictionKind:
		err = readRecord(name, value, new(tables.Fact), new(tables.Fact))
	case noteKind:
		_, err = readNote(name, value)
	}
	return err
}
