package tables

import "fmt"

// Unproved is the value of Fact.ProvedWithin where nothing is proved.
const Unproved = 255

// Fact is a proved truth about a position with the attacker to move, or with the defender to move
// and the attacker's turns counted from his next one. It holds the bounds of answer.Bounds in the
// form of a table's entry: packed, and such that facts merge by a minimum and a maximum.
type Fact struct {
	ProvedWithin uint8  // the least number of turns proved, or Unproved
	RefutedUpTo  uint8  // the greatest number of turns disproved, or 0
	Turn         uint32 // code of a turn that keeps the win in ProvedWithin; 0: unknown
}

// Nothing is the fact that says nothing.
var Nothing = Fact{ProvedWithin: Unproved}

// Known reports whether f says anything.
func (f Fact) Known() bool { return f.ProvedWithin != Unproved || f.RefutedUpTo > 0 }

// Possible reports whether f can be true: the least number proved is above the greatest disproved.
func (f Fact) Possible() bool { return f.ProvedWithin > f.RefutedUpTo }

// Solved reports whether f decides a win in n turns (ok), and whether it proves one.
func (f Fact) Solved(n int) (proved, ok bool) {
	return int(f.ProvedWithin) <= n, int(f.ProvedWithin) <= n || int(f.RefutedUpTo) >= n
}

// Merge returns the fact that combines f and o: the least number proved, with its turn, and the
// greatest disproved. It is commutative, associative and idempotent; of two turns that keep the
// same win it takes the one with the lower code. Two possible facts that contradict each other
// merge into an impossible one.
func (f Fact) Merge(o Fact) Fact {
	m := f
	switch {
	case o.ProvedWithin < f.ProvedWithin, o.ProvedWithin == f.ProvedWithin && o.Turn-1 < f.Turn-1: // 0 is above all
		m.ProvedWithin, m.Turn = o.ProvedWithin, o.Turn
	}
	m.RefutedUpTo = max(f.RefutedUpTo, o.RefutedUpTo)
	return m
}

func (f Fact) String() string {
	switch {
	case !f.Known():
		return "nothing known"
	case f.ProvedWithin == Unproved:
		return fmt.Sprintf("refuted up to %d", f.RefutedUpTo)
	case f.RefutedUpTo == 0:
		return fmt.Sprintf("proved within %d", f.ProvedWithin)
	}
	return fmt.Sprintf("proved within %d, refuted up to %d", f.ProvedWithin, f.RefutedUpTo)
}

// Contradiction is the error of a fact that contradicts another one or itself.
type Contradiction struct {
	Key   []byte // of the position: of a store, or the 128 bits of a table
	Known Fact   // what was known
	New   Fact   // what was to be merged into it
}

func (c *Contradiction) Error() string {
	return fmt.Sprintf("contradiction: position %x is known as %v, and then found to be %v", c.Key, c.Known, c.New)
}
