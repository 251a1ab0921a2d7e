package tables

import (
	"math"
	"testing"
)

// someFacts returns facts of every kind, impossible ones too, with numbers at both ends of their
// ranges.
func someFacts() (all []Fact) {
	for _, proved := range []uint8{1, 2, 3, 254, Unproved} {
		for _, refuted := range []uint8{0, 1, 2, 253, 254} {
			for _, turn := range []uint32{0, 1, 2, math.MaxUint32} {
				all = append(all, Fact{proved, refuted, turn})
			}
		}
	}
	return all
}

// trueOf reports whether a fact is true of a position that is won in a number of turns, 1 to 254,
// or not within 254 (255).
func trueOf(f Fact, distance int) bool {
	return distance <= int(f.ProvedWithin) && distance > int(f.RefutedUpTo)
}

// together returns what facts say together, in plain words: the least number proved, the greatest
// refuted, the lowest code that is known of a turn for that number.
func together(facts ...Fact) Fact {
	all := Nothing
	for _, f := range facts {
		all.ProvedWithin = min(all.ProvedWithin, f.ProvedWithin)
		all.RefutedUpTo = max(all.RefutedUpTo, f.RefutedUpTo)
	}
	for _, f := range facts {
		if f.ProvedWithin == all.ProvedWithin && f.Turn != 0 && (all.Turn == 0 || f.Turn < all.Turn) {
			all.Turn = f.Turn
		}
	}
	return all
}

// TestMergeLaws: facts come from many workers and stores, in any order and more than once.
func TestMergeLaws(t *testing.T) {
	all := someFacts()
	for _, a := range all {
		if got := a.Merge(a); got != a {
			t.Errorf("%#v with itself: %#v", a, got)
		}
		if one, two := a.Merge(Nothing), Nothing.Merge(a); one != a || two != a {
			t.Errorf("%#v with nothing: %#v and %#v", a, one, two)
		}
		for _, b := range all {
			ab := a.Merge(b)
			if want := together(a, b); ab != want {
				t.Fatalf("%#v with %#v: %#v, want %#v", a, b, ab, want)
			}
			if ba := b.Merge(a); ba != ab {
				t.Fatalf("%#v with %#v: %#v, and in the other order %#v", a, b, ab, ba)
			}
			for _, c := range all {
				if left, right := ab.Merge(c), a.Merge(b.Merge(c)); left != right {
					t.Fatalf("%#v, %#v, %#v: %#v or %#v", a, b, c, left, right)
				}
			}
		}
	}
}

// TestMergeMeaning: a merged fact is true of the positions of which both are, and impossible if
// there is none.
func TestMergeMeaning(t *testing.T) {
	all := someFacts()
	for _, a := range all {
		for _, b := range all {
			merged, possible := a.Merge(b), false
			for distance := 1; distance <= 255; distance++ {
				both := trueOf(a, distance) && trueOf(b, distance)
				if got := trueOf(merged, distance); got != both {
					t.Fatalf("%#v with %#v gives %#v: true of a win in %d: %t, want %t", a, b, merged, distance, got, both)
				}
				possible = possible || both
			}
			if merged.Possible() != possible {
				t.Fatalf("%#v with %#v gives %#v: possible %t, want %t", a, b, merged, merged.Possible(), possible)
			}
		}
	}
}

// TestSolved: a fact answers a question if all distances of which it is true answer it alike.
func TestSolved(t *testing.T) {
	for _, f := range someFacts() {
		if !f.Possible() {
			continue
		}
		open := true // whether no question is answered
		for n := 0; n <= 254; n++ {
			yes, no := false, false
			for distance := 1; distance <= 255; distance++ {
				if trueOf(f, distance) {
					yes, no = yes || distance <= n, no || distance > n
				}
			}
			proved, ok := f.Solved(n)
			if ok != (yes != no) || ok && proved != yes {
				t.Fatalf("%#v for %d turns: proved %t, solved %t", f, n, proved, ok)
			}
			open = open && (n == 0 || !ok)
		}
		if f.Known() == open {
			t.Errorf("%#v: known %t", f, f.Known())
		}
	}
	if Nothing.Known() || !Nothing.Possible() {
		t.Errorf("nothing: known %t, possible %t", Nothing.Known(), Nothing.Possible())
	}
	if (Fact{}).Possible() {
		t.Error("a fact that was not filled in counts as possible") // it would prove a win in no turns
	}
}

func TestFactString(t *testing.T) {
	for want, f := range map[string]Fact{
		"nothing known":                    Nothing,
		"proved within 3":                  {ProvedWithin: 3, Turn: 7},
		"refuted up to 2":                  {ProvedWithin: Unproved, RefutedUpTo: 2},
		"proved within 3, refuted up to 2": {ProvedWithin: 3, RefutedUpTo: 2},
	} {
		if got := f.String(); got != want {
			t.Errorf("%#v: %q, want %q", f, got, want)
		}
	}
}

// TestContradictionMessage: the message is all that a user sees of it.
func TestContradictionMessage(t *testing.T) {
	c := Contradiction{
		Key:   []byte{0, 0xab, 0xff},
		Known: Fact{ProvedWithin: Unproved, RefutedUpTo: 4},
		New:   Fact{ProvedWithin: 3},
	}
	const want = "contradiction: position 00abff is known as refuted up to 4, and then found to be proved within 3"
	if got := c.Error(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
