package arimaa

import (
	"errors"
	"fmt"
	"strings"

	"goalproof/zobrist"
)

// StepsPerTurn is the number of steps a player may make in one turn.
const StepsPerTurn = 4

// Position is a board, the side to move and the number of steps it has left in its turn. It is a
// small value without pointers; positions compare with ==. The zero Position is an empty board with
// no steps left ([Position.CheckStart]).
type Position struct {
	Board
	key  zobrist.Key // of the pieces alone
	side Side
	left uint8
}

// NewPosition returns the position at the start of a turn of side.
func NewPosition(b Board, side Side) Position {
	return Position{Board: b, key: b.PiecesKey(), side: side, left: StepsPerTurn}
}

// PiecesKey computes the hash key of the pieces alone, without side and steps.
func (b *Board) PiecesKey() (k zobrist.Key) {
	for rest := b.Occupied(); rest != 0; rest = rest.Rest() {
		s := rest.First()
		k = k.Xor(zobrist.Piece(b.At(s).index(), int(s)))
	}
	return k
}

// PiecesKey returns the hash key of the pieces alone, which is kept up to date.
func (p *Position) PiecesKey() zobrist.Key { return p.key }

// WithStepsLeft returns the position with n steps left in the turn, 0 to 4.
func (p Position) WithStepsLeft(n int) Position {
	p.left = uint8(n)
	return p
}

// Side returns the side to move.
func (p *Position) Side() Side { return p.side }

// StepsLeft returns the number of steps left in the turn, 0 to 4.
func (p *Position) StepsLeft() int { return int(p.left) }

// Key returns the hash key of the position: pieces, side to move and steps left.
func (p *Position) Key() zobrist.Key {
	k := p.key.Xor(zobrist.Steps(int(p.left)))
	if p.side == Silver {
		k = k.Xor(zobrist.Silver())
	}
	return k
}

// EndTurn returns the position in which the opponent starts his turn.
func (p Position) EndTurn() Position {
	p.side = p.side.Other()
	p.left = StepsPerTurn
	return p
}

// After returns the position after an option of the side to move, which must be legal (one that
// [Position.Options] lists); it is not checked.
func (p Position) After(o Option) Position {
	p.displace(o.First())
	if o.Steps() == 2 {
		p.displace(o.Second())
	}
	return p
}

// AfterTurn plays a legal turn and returns the position before the opponent's. It does not check
// the turn ([Position.Try] does): the zero Turn passes.
func (p Position) AfterTurn(t Turn) Position {
	for i := range t.Len() {
		p.displace(t.Step(i))
	}
	return p.EndTurn()
}

// displace makes one displacement, takes what it captures off the board and returns the squares of
// the captured pieces.
func (p *Position) displace(s Step) Bitboard {
	from, to := s.From(), s.To()
	before := p.Board
	p.key = p.key.Xor(zobrist.Displace(s.Piece().index(), int(from), int(to)))
	p.left--
	var captured Bitboard
	if before.Undefended() == 0 {
		captured = p.Board.Displace(from, to)
	} else {
		p.Board.shift(from, to)
		captured = p.Board.Undefended()
		p.Board.remove(captured)
	}
	for rest := captured; rest != 0; rest = rest.Rest() {
		at := rest.First()
		piece := before.At(at)
		if at == to {
			piece = s.Piece()
		}
		p.key = p.key.Xor(zobrist.Piece(piece.index(), int(at)))
	}
	return captured
}

// String returns the position in short form, with spaces for empty squares:
//
//	g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]
func (p Position) String() string {
	squares := make([]byte, 64)
	for n := range squares {
		squares[n] = p.At(Square(n ^ 56)).Letter() // a8..h8, a7..h7, ..., a1..h1
	}
	return fmt.Sprintf("%c [%s]", p.side.Letter(), squares)
}

// Notation writes a legal turn from this position as records do, with each capture behind the step
// that caused it: "hc4s hc3x Md4w".
func (p Position) Notation(t Turn) string {
	var words []string
	for i := range t.Len() {
		s := t.Step(i)
		words = append(words, s.String())
		before := p.Board
		before.Put(s.To(), s.Piece())
		for rest := p.displace(s); rest != 0; rest = rest.Rest() {
			words = append(words, fmt.Sprintf("%v%vx", before.At(rest.First()), rest.First()))
		}
	}
	return strings.Join(words, " ")
}

// ErrNoPosition is the error of a position without a piece.
var ErrNoPosition = errors.New("there is no position: the board is empty")

// CheckStart returns an error unless there is a piece on the board ([ErrNoPosition]) and the
// position is at the start of a turn. The zero Position has neither.
func (p *Position) CheckStart() error {
	switch {
	case p.Occupied() == 0:
		return ErrNoPosition
	case p.left != StepsPerTurn:
		return errors.New("the position is not at the start of a turn")
	}
	return nil
}

// Unusual says what cannot come up in a game about a position at the start of a turn: that it is
// [Position.Impossible], or that the game is over. Each reason is one line of the error; nil if
// there is none.
func (p *Position) Unusual() error {
	err := p.Impossible()
	if o := p.Board.Ended(p.side.Other()); o.Over() {
		err = errors.Join(err, fmt.Errorf("the game is over: %v has won (%v)", o.Winner, o.Reason))
	}
	return err
}

// Impossible says why a position at the start of a turn cannot come up in a game, not even as the
// last one: more pieces of a kind than a full army has, or an undefended piece on a trap. Each
// reason is one line of the error; nil if there is none, which does not prove that a game leads to
// the position.
func (p *Position) Impossible() error {
	var reasons []error
	for _, side := range []Side{Gold, Silver} {
		for kind := Rabbit; kind <= Elephant; kind++ {
			if n := p.Pieces(side, kind).Len(); n > FullArmy[kind] {
				reasons = append(reasons, fmt.Errorf("%v has %d %vs, a full army has %d", side, n, kind, FullArmy[kind]))
			}
		}
	}
	for rest := p.Undefended(); rest != 0; rest = rest.Rest() {
		at := rest.First()
		reasons = append(reasons, fmt.Errorf("the piece %v stands on the trap %v without a defender", p.At(at), at))
	}
	return errors.Join(reasons...)
}
