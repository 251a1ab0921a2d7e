package notation

import (
	"errors"
	"fmt"
	"strings"

	"goalproof/arimaa"
)

// Play plays a turn given as records write it, without its label: "hc4s hc3x Md4w". Captures may be
// left out; one that is written must have happened. The error is a [*ParseError] without a line;
// the game is then unchanged. It wraps [arimaa.ErrNotChanged] or [arimaa.ErrThirdRepetition] where
// that rule was broken.
func Play(g *arimaa.Game, text string) error {
	l := line{text: text}
	r := &gameReader{source: &source{text: text}, game: g}
	words := l.words()
	if len(words) == 0 {
		return r.errorAt(0, "there is no step in it")
	}
	return r.turn(word{text: g.Label(g.Len())}, words)
}

// PlaySteps makes steps given as records write them, "hc4s hc3x", and returns them. Captures may be
// left out; one that is written must have been caused by the step before it. The error names the
// first word that is wrong; the state is then unchanged.
func PlaySteps(s *arimaa.State, text string) (t arimaa.Turn, err error) {
	at := *s
	var words []word
	for _, w := range strings.Fields(text) {
		words = append(words, word{text: w})
	}
	if len(words) == 0 {
		return t, errors.New("there is no step in it")
	}
	if t, _, err = playWords(&at, words, nil); err == nil {
		*s = at
	}
	return t, err
}

// playWords makes steps and returns them. An error comes with the word that is wrong. Mend, if not
// nil, returns a word as it is meant, given the piece on its square.
func playWords(s *arimaa.State, words []word, mend func(word, arimaa.Piece) string) (t arimaa.Turn, bad word, err error) {
	var captured arimaa.Bitboard // by the last step
	var before arimaa.Board      // before the last step, but with the moved piece at its end
	for _, w := range words {
		text := w.text
		square, capture := arimaa.Square(0), false
		if len(text) == 4 {
			square, _ = squareOfName(text[1:3])
			capture = text[3]|('a'-'A') == 'x'
		}
		if mend != nil && len(text) == 4 {
			stands := s.Board.At(square)
			if capture {
				stands = before.At(square)
			}
			text = mend(w, stands)
		}
		if capture {
			if !captured.Has(square) || before.At(square).Letter() != text[0] {
				return arimaa.Turn{}, w, fmt.Errorf("%s was not captured by the step before", w.text)
			}
			captured &^= square.Set()
			continue
		}
		step, err := ParseStep(text)
		if err != nil {
			return arimaa.Turn{}, w, err
		}
		before = s.Board
		if captured, err = s.Play(step); err != nil {
			return arimaa.Turn{}, w, err
		}
		before.Put(step.To(), step.Piece())
		t = t.With(step)
	}
	return t, bad, nil
}

// ParseSetup reads how a side sets up, without a label: "Ra1 Rb1 Cc1". The pieces are those of a
// full army or fewer, as in a handicap game, on the two ranks nearest to the side. The error is a
// [*ParseError] without a line.
func ParseSetup(side arimaa.Side, text string) ([]arimaa.Placement, error) {
	l := line{text: text}
	r := &gameReader{source: &source{text: text}}
	words := l.words()
	if len(words) == 0 {
		return nil, r.errorAt(0, "there is no piece in it")
	}
	if err := r.place(turnText{label: word{text: arimaa.TurnLabel(1, side)}, number: 1, side: side, words: words}); err != nil {
		return nil, err
	}
	count := arimaa.FullArmy
	for i, p := range r.setup[side] {
		kind := p.Piece.Kind()
		if count[kind]--; count[kind] < 0 {
			return nil, r.errorAt(words[i].offset, "%v: %v has %d of this piece", p, side, arimaa.FullArmy[kind])
		}
		if !arimaa.HomeRanks(side).Has(p.Square) {
			return nil, r.errorAt(words[i].offset, "%v: this is not a square where %v sets up", p, side)
		}
	}
	return r.setup[side], nil
}
