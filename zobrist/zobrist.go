// Package zobrist holds the hash keys that every table of goalproof shares.
//
// A key is 128 bits wide: 64 bits are fine for ordering moves and too few for proofs, where one
// collision among 2^32 positions would be a wrong answer. The key of a position is the exclusive or
// of one constant for each piece on its square, one for the side to move, and one for the number of
// steps left in the turn (Zobrist 1970), so each displacement, capture, change of side and step
// costs one or two exclusive ors.
//
// The constants never change while [Version] stays the same: keys are written to files and sent
// between machines. They come from SplitMix64 (Steele, Lea and Flood 2014) started at [seed]; the
// n-th constant takes outputs 2n (low word) and 2n+1 (high word), in the order pieces, side, steps,
// aims. A test compares the fingerprint of those that are written to files: all but the aims.
package zobrist

// Version names the set of constants. It is raised when a constant changes: stores of another
// version are then refused.
const Version = 1

// Pieces is the number of different pieces: codes 0 to 5 are Gold's rabbit, cat, dog, horse, camel
// and elephant, 6 to 11 are Silver's.
const Pieces = 12

// MaxSteps is the number of steps of a whole turn.
const MaxSteps = 4

// MaxAim is the greatest number of an aim.
const MaxAim = 63

// Key is a 128-bit hash. The zero Key is that of an empty board.
type Key struct{ Lo, Hi uint64 }

// Xor returns the exclusive or of two keys: it adds a constant that is absent and removes one that
// is present.
func (k Key) Xor(o Key) Key { return Key{k.Lo ^ o.Lo, k.Hi ^ o.Hi} }

const seed = 0x41_72_69_6d_61_61_31_00 // the letters "Arimaa1" and a zero byte

// table is the whole set: fixed arrays, so that an index costs no pointer.
type table struct {
	piece [Pieces][64]Key
	side  Key
	steps [MaxSteps + 1]Key
	aim   [MaxAim + 1]Key
}

var constants = generate()

func generate() (c table) {
	state := uint64(seed)
	next := func() uint64 {
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	key := func() Key {
		lo := next()
		return Key{lo, next()}
	}
	for p := range c.piece {
		for sq := range c.piece[p] {
			c.piece[p][sq] = key()
		}
	}
	c.side = key()
	for n := range c.steps {
		c.steps[n] = key()
	}
	for n := 1; n <= MaxAim; n++ {
		c.aim[n] = key()
	}
	return c
}

// Piece is the constant of piece (0 to 11) standing on square (0 to 63, a1 = 0, b1 = 1, h8 = 63).
// It goes in when the piece arrives and out when it leaves or is captured.
func Piece(piece, square int) Key { return constants.piece[piece][square] }

// Displace is the change of key when piece goes from one square to another.
func Displace(piece, from, to int) Key {
	row := &constants.piece[piece]
	return row[from&63].Xor(row[to&63])
}

// Silver is the constant that is in the key while Silver is to move.
func Silver() Key { return constants.side }

// Steps is the constant for a turn with n steps left (0 to 4).
func Steps(n int) Key { return constants.steps[n] }

// Aim is the constant of a question about another aim than the win, by the number of the aim (1 to
// [MaxAim]). Number 0 is the win; its Key is zero.
func Aim(n int) Key { return constants.aim[n] }
