package endgame

import (
	"fmt"
	"slices"
	"strings"

	"goalproof/arimaa"
)

// MaxPieces is the greatest number of pieces of a class. A board of five fits in 30 bits.
const MaxPieces = 5

// Class is the material of both sides up to relative strength: a dog against a cat is an elephant
// against a horse. Classes that are equal after the colours are exchanged are one, in which Gold
// has more pieces or, with equally many, the stronger ones. The zero Class is none; classes compare
// with ==.
type Class struct {
	gold, silver army
}

// army holds the strengths of a side's pieces, strongest first: 0 for a rabbit, and then the ranks
// of the strengths that occur on the board, 1 for the weakest that is no rabbit.
type army struct {
	n        uint8
	strength [MaxPieces]uint8
}

func (a army) pieces() []uint8 { return a.strength[:a.n] }

// compare orders armies: more pieces first, then stronger ones.
func (a army) compare(b army) int {
	if a.n != b.n {
		return int(b.n) - int(a.n)
	}
	return slices.Compare(b.pieces(), a.pieces())
}

// classOf returns the class of strengths, which may leave gaps, and whether the colours are
// exchanged in it.
func classOf(gold, silver []uint8) (c Class, swapped bool) {
	var present [256]bool
	for _, s := range gold {
		present[s] = true
	}
	for _, s := range silver {
		present[s] = true
	}
	var rank [256]uint8
	next := uint8(1)
	for s := 1; s < len(rank); s++ {
		if present[s] {
			rank[s] = next
			next++
		}
	}
	make := func(from []uint8) (a army) {
		a.n = uint8(len(from))
		for i, s := range from {
			a.strength[i] = rank[s]
		}
		slices.SortFunc(a.strength[:a.n], func(x, y uint8) int { return int(y) - int(x) })
		return a
	}
	c = Class{make(gold), make(silver)}
	if c.gold.compare(c.silver) > 0 {
		c.gold, c.silver = c.silver, c.gold
		swapped = true
	}
	return c, swapped
}

// Len returns the number of pieces.
func (c Class) Len() int { return int(c.gold.n + c.silver.n) }

// symmetric reports whether both sides have the same pieces.
func (c Class) symmetric() bool { return c.gold == c.silver }

// kinds returns a kind for each strength: E, H and C as far as they go, and no elephant where a
// side has two of the strongest.
func (c Class) kinds() (kinds [MaxPieces]arimaa.Kind) {
	strongest := max(c.gold.strength[0], c.silver.strength[0])
	names := []arimaa.Kind{arimaa.Elephant, arimaa.Horse, arimaa.Cat}
	for _, a := range []army{c.gold, c.silver} {
		if a.n > 1 && strongest > 0 && a.strength[0] == strongest && a.strength[1] == strongest {
			names = names[1:]
			break
		}
	}
	kinds[0] = arimaa.Rabbit
	for i := range int(strongest) {
		kinds[int(strongest)-i] = names[i]
	}
	return kinds
}

// String returns the name of the class, such as ER-r: its pieces with the letters of a board that
// belongs to it. The name of the zero Class is "-".
func (c Class) String() string {
	kinds := c.kinds()
	var b strings.Builder
	for _, s := range c.gold.pieces() {
		b.WriteByte(arimaa.NewPiece(arimaa.Gold, kinds[s]).Letter())
	}
	b.WriteByte('-')
	for _, s := range c.silver.pieces() {
		b.WriteByte(arimaa.NewPiece(arimaa.Silver, kinds[s]).Letter())
	}
	return b.String()
}

// ParseClass returns the class of the material that a text such as "DCR-dr" names: the pieces of
// one side, a hyphen, those of the other. Each side needs a rabbit, and there are at most MaxPieces
// pieces. Whether letters are upper or lower case does not matter.
func ParseClass(text string) (Class, error) {
	fail := func(why string) (Class, error) {
		return Class{}, fmt.Errorf("class %q: %s; write the pieces of both sides, such as ER-r", text, why)
	}
	sides := strings.Split(text, "-")
	if len(sides) != 2 {
		return fail("it has no hyphen, or more than one")
	}
	var strengths [2][]uint8
	for i, side := range sides {
		for _, letter := range strings.ToUpper(side) {
			s := strings.IndexRune("RCDHME", letter)
			if s < 0 {
				return fail(fmt.Sprintf("%q is no piece", letter))
			}
			strengths[i] = append(strengths[i], uint8(s))
		}
		if !slices.Contains(strengths[i], 0) {
			return fail("a side without rabbits has lost")
		}
	}
	if n := len(strengths[0]) + len(strengths[1]); n > MaxPieces {
		return fail(fmt.Sprintf("%d pieces are more than %d", n, MaxPieces))
	}
	c, _ := classOf(strengths[0], strengths[1])
	return c, nil
}

// Classes returns the classes with n pieces that full armies allow, in the order of their names'
// pieces: none unless n is 2 to MaxPieces.
func Classes(n int) (all []Class) {
	if n > MaxPieces {
		return nil
	}
	var armies func(left int, strongest uint8, from []uint8, yield func([]uint8))
	armies = func(left int, strongest uint8, from []uint8, yield func([]uint8)) {
		if left == 0 {
			if from[len(from)-1] == 0 {
				yield(from)
			}
			return
		}
		for s := int(strongest); s >= 0; s-- {
			count := 0
			for _, other := range from {
				if int(other) == s {
					count++
				}
			}
			if count < arimaa.FullArmy[s+int(arimaa.Rabbit)] {
				armies(left-1, uint8(s), append(from[:len(from):len(from)], uint8(s)), yield)
			}
		}
	}
	const strongest = uint8(arimaa.Elephant - arimaa.Rabbit)
	for m := n - 1; 2*m >= n; m-- {
		armies(m, strongest, nil, func(gold []uint8) {
			armies(n-m, strongest, nil, func(silver []uint8) {
				if c, _ := classOf(gold, silver); !slices.Contains(all, c) {
					all = append(all, c)
				}
			})
		})
	}
	slices.SortFunc(all, func(a, b Class) int {
		if x := a.gold.compare(b.gold); x != 0 {
			return -x
		}
		return -a.silver.compare(b.silver)
	})
	return all
}
