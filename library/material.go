package library

import (
	"fmt"
	"strconv"
	"strings"

	"goalproof/arimaa"
	"goalproof/tables/endgame"
)

// material is how many pieces of each kind both sides have: five bits each, Gold's rabbits lowest,
// then Gold's cats, ..., Silver's elephants highest.
type material uint64

// bitsOfKind is the number of bits for a kind of piece, and mostOfKind what they hold.
const (
	bitsOfKind = 5
	mostOfKind = 1<<bitsOfKind - 1
	kinds      = int(arimaa.Elephant)
)

// place returns where the number of a kind stands.
func place(side arimaa.Side, kind arimaa.Kind) int {
	return bitsOfKind * (int(side)*kinds + int(kind) - 1)
}

// materialOf returns the material of a board. The error says that there are too many pieces of a
// kind.
func materialOf(b *arimaa.Board) (m material, err error) {
	for _, side := range []arimaa.Side{arimaa.Gold, arimaa.Silver} {
		stronger := 0
		for kind := arimaa.Elephant; kind >= arimaa.Rabbit; kind-- {
			n := b.AtLeast(side, kind).Len()
			if n-stronger > mostOfKind {
				return 0, fmt.Errorf("a library takes at most %d pieces of a kind, and %v has %d", mostOfKind, side, n-stronger)
			}
			m |= material(n-stronger) << place(side, kind)
			stronger = n
		}
	}
	return m, nil
}

// count returns the number of pieces of a kind.
func (m material) count(side arimaa.Side, kind arimaa.Kind) int {
	return int(m >> place(side, kind) & mostOfKind)
}

// pieces returns the letters of a side's pieces, the strongest first.
func (m material) pieces(side arimaa.Side) string {
	var b strings.Builder
	for kind := arimaa.Elephant; kind >= arimaa.Rabbit; kind-- {
		for range m.count(side, kind) {
			b.WriteByte(arimaa.NewPiece(side, kind).Letter())
		}
	}
	return b.String()
}

// swapped returns the material with the colours exchanged.
func (m material) swapped() material {
	const half = bitsOfKind * kinds
	return m>>half | m<<half&(1<<(2*half)-1)
}

// class returns the class of endgame tables to which the material belongs, "" for none.
func (m material) class() string {
	gold, silver := m.pieces(arimaa.Gold), m.pieces(arimaa.Silver)
	if len(gold)+len(silver) > endgame.MaxPieces {
		return ""
	}
	c, err := endgame.ParseClass(gold + "-" + silver)
	if err != nil { // a side without rabbits has lost
		return ""
	}
	return c.String()
}

// parseMaterial reads the pieces of both sides, Gold's first, with a hyphen between: EHR3-emr. A
// number stands for as many of the piece before it. The case of the letters does not matter.
func parseMaterial(text string) (m material, err error) {
	fail := func(why string) (material, error) {
		return 0, fmt.Errorf("material %q: %s; write the pieces of both sides, Gold's first, such as EHR3-emr", text, why)
	}
	sides := strings.Split(text, "-")
	if len(sides) != 2 {
		return fail("it has no hyphen, or more than one")
	}
	for i, pieces := range sides {
		side := arimaa.Side(i)
		for pieces != "" {
			kind := arimaa.Kind(strings.IndexByte(".RCDHME", pieces[0]&^0x20))
			if kind == 0 || int(kind) > kinds {
				return fail(fmt.Sprintf("%q is no piece", pieces[:1]))
			}
			pieces = pieces[1:]
			digits := len(pieces) - len(strings.TrimLeft(pieces, "0123456789"))
			n := 1
			if digits > 0 {
				if n, err = strconv.Atoi(pieces[:digits]); err != nil {
					return fail("a number is too large")
				}
				pieces = pieces[digits:]
			}
			if m.count(side, kind)+n > mostOfKind {
				return fail(fmt.Sprintf("there are more than %d of a kind", mostOfKind))
			}
			m += material(n) << place(side, kind)
		}
	}
	return m, nil
}
