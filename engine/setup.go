package engine

import (
	"math"
	"math/rand/v2"
	"strings"
	"sync"

	"goalproof/arimaa"
)

// Setup places the army of side, in a random sound setup; random is what draws it, nil the
// generator of package rand that all share. Enemy holds the pieces that the opponent has placed, a
// full army or fewer; it is empty for the side that sets up first.
//
// All setups follow principles of strong players (Wikibooks, "Arimaa", chapter "Setup"). The
// elephant stands in the centre of the front rank, and each wing has a horse or the camel, so that
// both traps have a strong defender. No piece stands behind a weaker one. Rabbits, which cannot
// retreat, stay behind or at the edges, where only a piece that leaves the centre can pull them.
// Each wing has a cat and a dog.
//
// The side that sets up first keeps its camel in the centre and a horse on each wing, so that no
// wing is weak. The second side puts its elephant on the wing of the enemy camel, to keep it back,
// its camel on another file than the enemy elephant and, if possible, no horse on the file of the
// enemy camel.
func Setup(side arimaa.Side, enemy arimaa.Board, random *rand.Rand) []arimaa.Placement {
	var sound []formation
	fewest := math.MaxInt
	for _, f := range formations() {
		n := f.faults(&enemy, side.Other())
		if n < fewest {
			sound, fewest = sound[:0], n
		}
		if n == fewest {
			sound = append(sound, f)
		}
	}
	draw := rand.IntN
	if random != nil {
		draw = random.IntN
	}
	f := sound[draw(len(sound))]
	var all []arimaa.Placement
	for i, kind := range f {
		square := arimaa.Square(8 + i) // the front rank first
		if i >= 8 {
			square = arimaa.Square(i - 8)
		}
		if side == arimaa.Silver {
			square ^= 56
		}
		all = append(all, arimaa.Placement{Piece: arimaa.NewPiece(side, kind), Square: square})
	}
	return all
}

// formation holds the kinds of a setup: the front rank from file a to h, then the back rank.
type formation [16]arimaa.Kind

// patterns are formations with a star for each cat or dog; each also stands for its mirror image.
// In the first four the camel is in the centre:
//
//   - a horse and a cat or dog behind each trap, the others behind elephant and camel, rabbits at
//     the edges;
//   - all pieces in front of the rabbits;
//   - two pieces behind each trap, one behind the other;
//   - between the first two: rabbits at one edge.
//
// In the others the camel is on a wing, with or without the elephant, and both horses are on the
// other wing.
var patterns = [][2]string{
	{"RH*ME*HR", "RRR**RRR"},
	{"*H*ME*H*", "RRRRRRRR"},
	{"RH*ME*HR", "RR*RR*RR"},
	{"RH*ME*H*", "RRR*RRRR"},
	{"*M*E**HH", "RRRRRRRR"},
	{"RM*E**HH", "RRR*RRRR"},
	{"RM**E*HH", "RRRR*RRR"},
}

// formations returns all sound formations.
var formations = sync.OnceValue(func() []formation {
	letters := map[rune]arimaa.Kind{'R': arimaa.Rabbit, 'H': arimaa.Horse, 'M': arimaa.Camel, 'E': arimaa.Elephant}
	var all []formation
	for _, pattern := range patterns {
		for _, minors := range []string{"CCDD", "CDCD", "CDDC", "DCCD", "DCDC", "DDCC"} {
			var f, mirror formation
			for i, letter := range strings.Join(pattern[:], "") {
				kind := letters[letter]
				if letter == '*' {
					kind = arimaa.Cat
					if minors[0] == 'D' {
						kind = arimaa.Dog
					}
					minors = minors[1:]
				}
				f[i], mirror[i^7] = kind, kind
			}
			if f.split() && f.ordered() {
				all = append(all, f, mirror)
			}
		}
	}
	return all
})

// split reports whether each wing has a cat and a dog.
func (f *formation) split() bool {
	var wing [2][arimaa.Elephant + 1]int
	for i, kind := range f {
		wing[i/4%2][kind]++
	}
	return wing[0][arimaa.Cat] == 1 && wing[0][arimaa.Dog] == 1
}

// ordered reports whether no piece stands behind a weaker one.
func (f *formation) ordered() bool {
	for file := range 8 {
		if f[file] < f[8+file] {
			return false
		}
	}
	return true
}

// file returns the file of the only piece of a kind.
func (f *formation) file(kind arimaa.Kind) int {
	for i, k := range f {
		if k == kind {
			return i & 7
		}
	}
	panic("a formation has every kind")
}

// faults weighs the faults of a formation, the place of the elephant most. There is always a
// formation without one, unless the enemy camel and elephant stand on one file.
func (f *formation) faults(b *arimaa.Board, enemy arimaa.Side) (n int) {
	if b.Of(enemy) == 0 {
		if camel := f.file(arimaa.Camel); camel != 3 && camel != 4 {
			n++ // not in the centre
		}
		return n
	}
	for rest := b.Pieces(enemy, arimaa.Camel); rest != 0; rest = rest.Rest() {
		camel := int(rest.First() & 7)
		if f.file(arimaa.Elephant)/4 != camel/4 {
			n += 4
		}
		if f[camel] == arimaa.Horse {
			n++
		}
	}
	for rest := b.Pieces(enemy, arimaa.Elephant); rest != 0; rest = rest.Rest() {
		if f.file(arimaa.Camel) == int(rest.First()&7) {
			n += 2
		}
	}
	return n
}
