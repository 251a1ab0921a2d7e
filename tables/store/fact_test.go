package store

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"goalproof/internal/testkit/boards"

	"goalproof/tables"
)

// anyFact draws any fact, contradictory ones too.
func anyFact() *rapid.Generator[tables.Fact] {
	return rapid.Custom(func(t *rapid.T) tables.Fact {
		return tables.Fact{
			ProvedWithin: rapid.Uint8().Draw(t, "proved within"),
			RefutedUpTo:  rapid.Uint8().Draw(t, "refuted up to"),
			Turn:         rapid.Uint32().Draw(t, "turn"),
		}
	})
}

// TestRecord changes a byte of a record, its name or its length: it is then damaged, and
// no other fact.
func TestRecord(t *testing.T) {
	boards.Check(t, 2_000, 200_000, func(t *rapid.T) {
		name := append([]byte{factKind}, rapid.SliceOfN(rapid.Byte(), 1, MaxKey).Draw(t, "key")...)
		fact := someFact().Draw(t, "fact")
		value := factValue(name, fact)
		if got, err := readFact(name, value); got != fact || err != nil {
			t.Fatalf("%v became %v, %v", fact, got, err)
		}
		name, value = bytes.Clone(name), bytes.Clone(value)
		change := func(b []byte) {
			b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] ^= byte(rapid.IntRange(1, 255).Draw(t, "bits"))
		}
		switch rapid.IntRange(0, 2).Draw(t, "damage") {
		case 0:
			change(name)
		case 1:
			change(value)
		case 2:
			value = value[:rapid.IntRange(0, len(value)-1).Draw(t, "length")]
		}
		if got, err := readFact(name, value); !errors.Is(err, ErrDamaged) {
			t.Fatalf("%v, damaged, became %v, %v", fact, got, err)
		}
	})
}

// someFact draws a fact that does not deny itself.
func someFact() *rapid.Generator[tables.Fact] {
	return anyFact().Filter(func(f tables.Fact) bool { return f.ProvedWithin > f.RefutedUpTo })
}
