package notation

import (
	"errors"
	"fmt"
	"strings"

	"goalproof/arimaa"
)

// Play plays a turn given as records write it, without its label: "hc4s hc3x Md4w".
// Captures may be left out; one that is written must have happened. The error is a
// [*ParseError] without a line; the game is then unchanged. It wraps [arimaa.ErrNotChanged] or
// [arimaa.ErrThirdRepetition] where that rule was broken.
func Play(g *arimaa.Game, text string) error {
	l := line{text: text}
	r := &gameReader{source: &source{text: text}, game: g}
	words := l.words()
	if len(words) == 0 {
		return r.at(0, "there is no step in it")
	}
	return r.turn(word{text: g.Label(g.Len())}, words)
}

// PlaySteps makes steps given as records write them, "hc4s hc3x", and returns them. Captures may be left
// out; one that is written must have been caused by the step before it. The error names the first word that is wrong; the
// state is then unchanged.
func PlaySteps(s *arimaa.State, text string) (t arimaa.Turn, err error) {
	at := *s
	words := strings.Fields(text)
	if len(words) == 0 {
		return t, errors.New("there is no step in it")
	}
	before, captured := at.Board, arimaa.Bitboard(0)
	for _, word := range words {
		if len(word) == 4 && word[3] == 'x' {
			if !captures(&before, captured, word) {
				return arimaa.Turn{}, fmt.Errorf("%s: the step before it does not capture this piece", word)
			}
			continue
		}
		step, err := ParseStep(word)
		if err != nil {
			return arimaa.Turn{}, fmt.Errorf("%s: %w", word, err)
		}
		before = at.Board
		before.Put(step.To(), step.Piece()) // where a piece is captured that moves
		if captured, err = at.Play(step); err != nil {
			return arimaa.Turn{}, err
		}
		t = t.With(step)
	}
	*s = at
	return t, nil
}

// captures tells whether a word such as hc3x names one of the captured pieces of a board.
func captures(b *arimaa.Board, captured arimaa.Bitboard, word string) bool {
	for rest := captured; rest != 0; rest = rest.Rest() {
		if at := rest.First(); b.At(at).String()+at.String() == word[:3] {
			return true
		}
	}
	return false
}

// ParseSetup reads how a side sets up, without a label: "Ra1 Rb1 Cc1". The pieces are
// those of a full army or fewer, as in a handicap game, on the two ranks nearest to the
// side. The error is a [*ParseError] without a line.
func ParseSetup(side arimaa.Side, text string) ([]arimaa.Placement, error) {
	l := line{text: text}
	r := &gameReader{source: &source{text: text}}
	words := l.words()
	if len(words) == 0 {
		return nil, r.at(0, "there is no piece in it")
	}
	if err := r.place(1, side, word{text: arimaa.TurnLabel(1, side)}, words); err != nil {
		return nil, err
	}
	count := arimaa.FullArmy
	for i, p := range r.setup[side] {
		kind := p.Piece.Kind()
		if count[kind]--; count[kind] < 0 {
			return nil, r.at(words[i].offset, "%v: %v has %d of this piece", p, side, arimaa.FullArmy[kind])
		}
		if !arimaa.HomeRanks(side).Has(p.Square) {
			return nil, r.at(words[i].offset, "%v: this is not a square where %v sets up", p, side)
		}
	}
	return r.setup[side], nil
}
