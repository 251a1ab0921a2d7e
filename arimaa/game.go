package arimaa

import (
	"errors"
	"fmt"
	"slices"
)

// Game is a sequence of turns from a first position. It counts the occurrences of each position,
// for the rule of the third repetition. The zero Game has no position, and no turn can be played in
// it: games come from [NewGame] and [SetUp].
type Game struct {
	positions []Position // before each turn; the last one is the present position
	count     map[occurrence]int
	twice     [2]int // number of boards that have occurred twice, for each side to move
	turns     []Turn
	first     int // number of the first turn: 2 in a whole game
	firstSide Side
	end       string // "resign", "resigns", "lost": how it ended off the board, or ""
	setup     [2][]Placement
}

// occurrence is a position as the rule of the third repetition counts it.
type occurrence struct {
	board Board
	side  Side
}

// Placement is a piece put on a square before the first turn.
type Placement struct {
	Piece  Piece
	Square Square
}

// String returns the notation, for example "Ra1".
func (p Placement) String() string { return p.Piece.String() + p.Square.String() }

// FirstTurn is the number of the first turn after the setup, which is turn 1.
const FirstTurn = 2

// NewGame starts a game from a position at the beginning of turn number (2 in a game just set up)
// of the side to move. Turn 1 is the setup: a number below 2, as in some diagrams, counts as 2.
func NewGame(p Position, number int) *Game {
	g := &Game{count: map[occurrence]int{}, first: max(number, FirstTurn), firstSide: p.side}
	g.setLast(p)
	return g
}

// SetUp starts a game like [NewGame], from the pieces that Gold and Silver have put on the board
// and with side to move.
func SetUp(setup [2][]Placement, side Side, number int) *Game {
	var b Board
	for _, placements := range setup {
		for _, p := range placements {
			b.Put(p.Square, p.Piece)
		}
	}
	g := NewGame(NewPosition(b, side), number)
	g.setup = setup
	return g
}

// Setup returns the pieces of side in the first position: in the order in which they were placed
// ([SetUp]), or from a1 to h8 if the order is not known.
func (g *Game) Setup(side Side) []Placement {
	if len(g.setup[side]) > 0 {
		return g.setup[side]
	}
	if len(g.positions) == 0 {
		return nil
	}
	var all []Placement
	first := &g.positions[0]
	for rest := first.Of(side); rest != 0; rest = rest.Rest() {
		s := rest.First()
		all = append(all, Placement{first.At(s), s})
	}
	return all
}

// setLast makes p the present position.
func (g *Game) setLast(p Position) {
	g.positions = append(g.positions, p)
	o := occurrence{p.Board, p.side}
	if g.count[o]++; g.count[o] == 2 {
		g.twice[p.side]++
	}
}

// Len returns the number of turns played, the setup not counted.
func (g *Game) Len() int { return len(g.turns) }

// Position returns the position before turn i, 0 <= i <= Len.
func (g *Game) Position(i int) Position { return g.positions[i] }

// Last returns the present position, the zero Position of the zero Game.
func (g *Game) Last() Position {
	if len(g.positions) == 0 {
		return Position{}
	}
	return g.positions[len(g.positions)-1]
}

// Turn returns turn i, 0 <= i < Len.
func (g *Game) Turn(i int) Turn { return g.turns[i] }

// Label returns the number of turn i with its side, for example "34g"; for i = Len it is the turn
// to be played next.
func (g *Game) Label(i int) string { return LabelAfter(g.first, g.firstSide, i) }

// TurnLabel writes a turn number, for example "34g".
func TurnLabel(number int, side Side) string {
	return fmt.Sprintf("%d%c", number, side.Letter())
}

// LabelAfter returns the label of the turn that comes a number of turns after the one given.
func LabelAfter(number int, side Side, turns int) string {
	return TurnLabel(number+(int(side)+turns)/2, Side((int(side)+turns)%2))
}

// Labelled returns the turns of a line, each behind its label, such as "34g Ee2n". Number and side
// are those of the first turn; an unknown number (0) counts as 1.
func Labelled(number int, side Side, line []string) (all []string) {
	number = max(number, 1)
	for i, turn := range line {
		all = append(all, LabelAfter(number, side, i)+" "+turn)
	}
	return all
}

// Number returns the number of turn i, played or to come; it grows when Gold is to move again.
func (g *Game) Number(i int) int { return g.first + (int(g.firstSide)+i)/2 }

// Find returns i such that turn i carries the label, 0 <= i <= Len.
func (g *Game) Find(number int, side Side) (int, bool) {
	for i := range g.positions {
		if g.Number(i) == number && g.positions[i].side == side {
			return i, true
		}
	}
	return 0, false
}

// At returns the game as it stood before turn i, history included. It is a game of its own: playing
// on leaves g as it is. Of the zero Game it is the zero Game.
func (g *Game) At(i int) *Game {
	if len(g.positions) == 0 {
		return &Game{}
	}
	h := NewGame(g.positions[0], g.first)
	for _, p := range g.positions[1 : i+1] {
		h.setLast(p)
	}
	h.turns = slices.Clone(g.turns[:i])
	h.setup = g.setup
	return h
}

// Occurrences counts how often a position (board and side to move) stood at the end of a turn. The
// first position of the game counts as one.
func (g *Game) Occurrences(b *Board, side Side) int {
	return g.count[occurrence{*b, side}]
}

// ErrThirdRepetition is the reason why a turn is forbidden that would create the third occurrence
// of a position.
var ErrThirdRepetition = errors.New("the turn would create the third occurrence of this position")

// Play plays a turn. The error says that there is no game, that it is over, which step is illegal
// and why, or that the turn may not end ([ErrNotChanged], [ErrThirdRepetition]); the game is then
// unchanged.
func (g *Game) Play(t Turn) error {
	if len(g.positions) == 0 {
		return errors.New("the game has no first position")
	}
	if o := g.Outcome(); o.Over() {
		return fmt.Errorf("the game is over: %v has won (%v)", o.Winner, o.Reason)
	}
	s := NewState(g.Last())
	for i := range t.Len() {
		if _, err := s.Play(t.Step(i)); err != nil {
			return err
		}
	}
	if err := s.MayEnd(); err != nil {
		return err
	}
	next := s.Position.EndTurn()
	if g.Occurrences(&next.Board, next.side) >= 2 {
		return ErrThirdRepetition
	}
	g.setLast(next)
	g.turns = append(g.turns, t)
	g.end = ""
	return nil
}

// TakeBack undoes the last turn. The error says that there is none.
func (g *Game) TakeBack() error {
	if len(g.turns) == 0 {
		return errors.New("there is no turn to take back")
	}
	g.end = ""
	p := g.Last()
	g.turns = g.turns[:len(g.turns)-1]
	g.positions = g.positions[:len(g.positions)-1]
	o := occurrence{p.Board, p.side}
	if g.count[o]--; g.count[o] == 1 {
		g.twice[p.side]--
	} else if g.count[o] == 0 {
		delete(g.count, o)
	}
	return nil
}

// End returns how the game ended other than by the board, in the word of its record: "resign",
// "resigns", "lost", or "".
func (g *Game) End() string { return g.end }

// SetEnd records how the game ended other than by the board. The next turn that is played or taken
// back discards it.
func (g *Game) SetEnd(how string) { g.end = how }

// Outcome judges the present position by all six rows of the end-of-turn table. In the first
// position nobody has moved yet; it counts as over when the table says so with the opponent of the
// side to move as the one who moved.
func (g *Game) Outcome() Outcome {
	p := g.Last()
	if o := p.Board.Ended(p.side.Other()); o.Over() {
		return o
	}
	if g.twice[p.side.Other()] > 0 && !g.hasTurn() {
		return Outcome{p.side.Other(), Repetition}
	}
	return Outcome{}
}

// MorePieces returns the side that wins where a limit ends the game before the board does: the one
// with more pieces at the end of the last turn, with equal numbers the one that had more most
// recently at the end of a turn or in the first position, and Silver if they never differed.
func (g *Game) MorePieces() Side {
	for i := len(g.positions) - 1; i >= 0; i-- {
		b := &g.positions[i].Board
		switch gold, silver := b.Of(Gold).Len(), b.Of(Silver).Len(); {
		case gold > silver:
			return Gold
		case silver > gold:
			return Silver
		}
	}
	return Silver
}

// Twice returns the boards that have occurred twice with side to move: the boards that the opponent
// of side may not create again.
func (g *Game) Twice(side Side) []Board {
	var twice []Board
	met := map[Board]bool{}
	for i := range g.positions {
		if p := &g.positions[i]; p.side == side && g.Occurrences(&p.Board, side) >= 2 && !met[p.Board] {
			met[p.Board] = true
			twice = append(twice, p.Board)
		}
	}
	return twice
}

// hasTurn reports whether the side to move has a turn that no repetition forbids. A single option
// nearly always is such a turn.
func (g *Game) hasTurn() bool {
	p := g.Last()
	for _, o := range p.Options(nil) {
		if after := p.After(o); g.Occurrences(&after.Board, p.side.Other()) < 2 {
			return true
		}
	}
	var gen Generator
	for i := range gen.Generate(&p) {
		if g.Occurrences(gen.Board(i), p.side.Other()) < 2 {
			return true
		}
	}
	return false
}
