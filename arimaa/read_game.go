package arimaa

import (
	"fmt"
	"strings"
)

// ReadGame reads a list of turns, one a line, each behind its label: the setup of
// both sides and the turns, or a position given by hand and turns from there.
//
//	1w Ra1 Rb1 ...        1w Ca1 Rd2
//	1b ra8 rb8 ...        1b ra5
//	2w Ee2n Ee3n          2w pass
//
// Sides are g and s, or w and b as in older records. "pass" is allowed as the first
// turn, where it gives the move to the opponent. "takeback" undoes the turn before,
// which may be a setup. "resign", "resigns" and "lost" end the record, as does a
// label without a turn; before any turn such a label says whose turn comes first. A
// turn is refused when the game is over by the board. Captures (hc3x) may be left
// out; one that is written must have happened. The error is a [*ParseError]; it
// wraps [ErrNotChanged] or [ErrThirdRepetition] where that rule was broken.
func ReadGame(file, text string) (*Game, error) {
	src := &source{file, 1, text}
	return src.game(src.lines())
}

// isTurnList tells whether a line looks like the first one of a list of turns.
func isTurnList(text string) bool {
	text = strings.TrimLeft(text, " \t"+byteOrderMark)
	_, _, rest, ok := cutLabel(text)
	return ok && rest != "" && isDigit(text[0])
}

// word is one word of a line with its byte offset in the source.
type word struct {
	text   string
	offset int
}

func (l line) words() []word {
	var all []word
	start := -1 // of the word under way
	end := func(i int) {
		if start >= 0 {
			all = append(all, word{l.text[start:i], l.offset + start})
			start = -1
		}
	}
	for i, r := range l.text {
		switch {
		case r == ' ' || r == '\t' || r == '\ufeff':
			end(i)
		case start < 0:
			start = i
		}
	}
	end(len(l.text))
	return all
}

// gameReader is a game under construction: placements until the first turn.
type gameReader struct {
	*source
	board  Board
	setup  [2][]Placement
	game   *Game // nil during the setup
	passed bool  // the game begins with a pass
}

func (s *source) game(lines []line) (*Game, error) {
	r := &gameReader{source: s}
	if len(lines) == 0 {
		return nil, s.at(0, "there is no turn in it")
	}
	for i, l := range lines {
		words := l.words()
		number, side, rest, ok := cutLabel(words[0].text)
		if !ok || rest != "" || !isDigit(words[0].text[0]) {
			return nil, s.at(words[0].offset, "a turn begins with its number and side, for example 2g or 2w, not %q", words[0].text)
		}
		if r.game != nil && r.game.end != "" && len(words) > 1 {
			return nil, s.at(words[0].offset, "a turn after the game has ended (%s)", r.game.end)
		}
		if err := r.line(number, side, words, i == len(lines)-1); err != nil {
			return nil, err
		}
	}
	r.begin(defaultNumber, Gold)
	return r.game, nil
}

// begin ends the setup, if it has not ended yet.
func (r *gameReader) begin(number int, side Side) {
	if r.game == nil {
		r.game = NewGame(NewPosition(r.board, side), number)
		r.game.setup = r.setup
	}
}

// line reads one turn; words[0] is its label.
func (r *gameReader) line(number int, side Side, words []word, last bool) error {
	label := words[0]
	words = words[1:]
	if number == maxNumber && len(words) > 0 {
		return r.at(label.offset, "turn %s: games end before turn %d", label.text, maxNumber)
	}
	if r.game == nil {
		if len(words) > 0 && len(words[0].text) == 3 || number == 1 && len(words) == 0 {
			return r.place(number, side, label, words)
		}
		if len(words) == 1 && words[0].text == "takeback" {
			return r.takeBackSetup(number, side, words[0])
		}
		if number == 1 {
			return r.at(label.offset, "turn 1 is the setup: pieces and squares, for example Ra1")
		}
		if len(words) == 1 && words[0].text == "pass" {
			number, side, words = number+int(side), side.Other(), nil
			r.passed = true
		} else if len(words) == 0 && !last {
			return r.at(label.offset, "turn %s has no steps", label.text)
		}
		r.begin(number, side)
		if len(words) == 0 {
			return nil
		}
	}
	g := r.game
	if i := g.Len(); g.number(i) != number || g.Last().side != side {
		// Some records count a resignation as a turn: in the label that comes last.
		if g.end == "" || g.number(i+1) != number || g.Last().side == side {
			return r.at(label.offset, "turn %s stands where turn %s is expected", label.text, g.Label(i))
		}
	}
	switch {
	case len(words) == 0 && !last:
		return r.at(label.offset, "turn %s has no steps", label.text)
	case len(words) == 0:
		return nil
	case len(words) == 1:
		switch words[0].text {
		case "takeback":
			if g.TakeBack() == nil {
				return nil
			}
			r.game = nil
			if r.passed {
				r.passed = false
				return nil
			}
			return r.takeBackSetup(number, side, words[0])
		case "resign", "resigns", "lost":
			g.end = words[0].text
			return nil
		case "pass":
			return r.wrap(words[0], label, ErrNotChanged)
		}
	}
	return r.turn(label, words)
}

// wrap makes an error of a broken rule.
func (r *gameReader) wrap(w, label word, err error) error {
	e := r.at(w.offset, "turn %s: %v", label.text, err)
	e.Err = err
	return e
}

// place reads the pieces of a side before the first turn.
func (r *gameReader) place(number int, side Side, label word, words []word) error {
	if number != 1 {
		return r.at(label.offset, "pieces are placed in turn 1, not in %s", label.text)
	}
	if len(r.setup[side]) > 0 {
		return r.at(label.offset, "turn %s stands twice", label.text)
	}
	for _, w := range words {
		if len(w.text) != 3 {
			return r.at(w.offset, "%q is not a placement such as Ra1", w.text)
		}
		piece, ok := pieceOfLetter(w.text[0])
		square, ok2 := squareOfName(w.text[1:])
		switch {
		case !ok || !ok2:
			return r.at(w.offset, "%q is not a placement such as Ra1", w.text)
		case piece.Side() != side:
			return r.at(w.offset, "%q: this piece is not %v's", w.text, side)
		case r.board.At(square) != Empty:
			return r.at(w.offset, "%q: the square is taken", w.text)
		}
		r.board.Put(square, piece)
		r.setup[side] = append(r.setup[side], Placement{piece, square})
	}
	return nil
}

// takeBackSetup undoes the setup of the opponent of side: Gold's in turn 1s,
// Silver's in turn 2g.
func (r *gameReader) takeBackSetup(number int, side Side, w word) error {
	other := side.Other()
	last := Gold
	if len(r.setup[Silver]) > 0 {
		last = Silver
	}
	if len(r.setup[other]) == 0 || other != last || number != 1+int(other) {
		return r.at(w.offset, "there is no turn to take back")
	}
	for _, p := range r.setup[other] {
		r.board.Put(p.Square, Empty)
	}
	r.setup[other] = nil
	return nil
}

// turn reads the steps of a turn and plays it.
func (r *gameReader) turn(label word, words []word) error {
	g := r.game
	if o := g.Outcome(); o.Over() {
		return r.at(label.offset, "turn %s: the game is over: %v has won (%v)", label.text, o.Winner, o.Reason)
	}
	s := NewState(g.Last())
	var t Turn
	var captured Bitboard
	var before Board // before the last displacement, with the moved piece at its end
	for _, w := range words {
		if len(w.text) == 4 && w.text[3] == 'x' {
			square, ok := squareOfName(w.text[1:3])
			if !ok || !captured.Has(square) || before.At(square).Letter() != w.text[0] {
				return r.at(w.offset, "turn %s: %s was not captured by the step before", label.text, w.text)
			}
			captured &^= square.Set()
			continue
		}
		step, err := ParseStep(w.text)
		if err != nil {
			return r.at(w.offset, "turn %s: %v", label.text, err)
		}
		before = s.Board
		if captured, err = s.Play(step); err != nil {
			return r.wrap(w, label, err)
		}
		before.Put(step.To(), step.Piece())
		t = t.With(step)
	}
	if err := g.finish(&s, t); err != nil {
		return r.wrap(words[len(words)-1], label, err)
	}
	return nil
}

// ParseStep reads one displacement such as "Ee2n".
func ParseStep(text string) (Step, error) {
	bad := fmt.Errorf("%q is not a step such as Ee2n", text)
	if len(text) != 4 {
		return 0, bad
	}
	piece, ok := pieceOfLetter(text[0])
	from, ok2 := squareOfName(text[1:3])
	d := strings.IndexByte(directionLetters, text[3])
	if !ok || !ok2 || d < 0 {
		return 0, bad
	}
	if _, ok := from.Next(Direction(d)); !ok {
		return 0, fmt.Errorf("%s: the step leaves the board", text)
	}
	return NewStep(piece, from, Direction(d)), nil
}
