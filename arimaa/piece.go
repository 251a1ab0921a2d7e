package arimaa

// Side is one of the two players.
type Side uint8

// The sides. Gold moves up the board, from rank 1 to rank 8.
const (
	Gold Side = iota
	Silver
)

// Other returns the opponent.
func (s Side) Other() Side { return s ^ 1 }

// String returns "gold" or "silver".
func (s Side) String() string {
	if s == Gold {
		return "gold"
	}
	return "silver"
}

// Forward returns the direction in which the side's rabbits advance.
func (s Side) Forward() Direction {
	if s == Gold {
		return North
	}
	return South
}

// Letter returns 'g' or 's', as in turn numbers.
func (s Side) Letter() byte { return "gs"[s&1] }

// Kind is the kind of a piece without its colour. Stronger kinds are greater.
type Kind uint8

// The kinds, weakest first. None is an empty square.
const (
	None Kind = iota
	Rabbit
	Cat
	Dog
	Horse
	Camel
	Elephant
)

// FullArmy is the number of pieces of each kind that a side starts with.
var FullArmy = [...]int{Rabbit: 8, Cat: 2, Dog: 2, Horse: 2, Camel: 1, Elephant: 1}

// String returns the English name of the kind.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown piece"
}

var kindNames = [...]string{"empty square", "rabbit", "cat", "dog", "horse", "camel", "elephant"}

// Piece is a kind with a colour; Empty is the zero value.
type Piece uint8

// Empty stands for no piece.
const Empty Piece = 0

const silverPiece Piece = 8

// NewPiece returns the piece of the given side and kind.
func NewPiece(side Side, kind Kind) Piece { return Piece(kind) | Piece(side)<<3 }

// Kind returns the kind, None for Empty.
func (p Piece) Kind() Kind { return Kind(p & 7) }

// Side returns the colour. It means nothing for Empty.
func (p Piece) Side() Side { return Side(p >> 3 & 1) }

// index is the piece's number in package zobrist: 0 to 5 for Gold, 6 to 11 for Silver.
func (p Piece) index() int { return int(p&7) - 1 + 6*int(p>>3&1) }

const pieceLetters = " RCDHME  rcdhme "

// Letter returns the letter of the piece, upper case for Gold, or a space for Empty.
func (p Piece) Letter() byte { return pieceLetters[p&15] }

// String returns the letter as a string.
func (p Piece) String() string { return string(p.Letter()) }

// Square is a square of the board: 8*(rank-1)+file with file a = 0, so a1 = 0 and h8 = 63.
type Square uint8

// Set returns the set that holds only this square.
func (s Square) Set() Bitboard { return 1 << (s & 63) }

// String returns the name, for example "c3".
func (s Square) String() string { return string([]byte{'a' + byte(s)&7, '1' + byte(s)>>3&7}) }

// Direction is one of the four directions of a step.
type Direction uint8

// The directions, in the order of the compass.
const (
	North Direction = iota
	East
	South
	West
)

const directionLetters = "nesw"

// Letter returns 'n', 'e', 's' or 'w'.
func (d Direction) Letter() byte { return directionLetters[d&3] }

// offset is the difference of square numbers one step in direction d.
func (d Direction) offset() int { return [4]int{8, 1, -8, -1}[d&3] }

// Next returns the square one step in direction d, and whether it is on the board.
func (s Square) Next(d Direction) (Square, bool) {
	if s.Set().Shift(d) == 0 {
		return 0, false
	}
	return Square(int(s) + d.offset()), true
}

// towards returns the direction of the step between two neighbouring squares.
func towards(from, to Square) Direction {
	switch int(to) - int(from) {
	case 8:
		return North
	case 1:
		return East
	case -8:
		return South
	default:
		return West
	}
}
