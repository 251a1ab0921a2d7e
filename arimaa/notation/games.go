package notation

import (
	"fmt"
	"strings"

	"goalproof/arimaa"
)

// ReadGame reads a list of turns, one a line, each behind its label: the setup of both sides and
// the turns, or a position given by hand and turns from there.
//
//	1w Ra1 Rb1 ...        1w Ca1 Rd2
//	1b ra8 rb8 ...        1b ra5
//	2w Ee2n Ee3n          2w pass
//
// Sides are g and s, or w and b as in older records. "pass" is allowed as the first turn, where it
// gives the move to the opponent. "takeback" undoes the turn before, which may be a setup.
// "resign", "resigns" and "lost" end the record, as does a label without a turn; before any turn
// such a label says whose turn comes first. A turn is refused when the game is over by the board.
// Captures (hc3x) may be left out; one that is written must have happened.
//
// The error is a [*ParseError]; it wraps [arimaa.ErrNotChanged] or [arimaa.ErrThirdRepetition]
// where that rule was broken. The game is then what could be read before the turn that is broken,
// or nil.
func ReadGame(file, text string) (*arimaa.Game, error) {
	src := &source{file, 1, cleanText(text)}
	return src.game(src.lines())
}

// isTurnList reports whether a line looks like the first one of a list of turns.
func isTurnList(text string) bool {
	_, _, rest, ok := cutNumbered(text)
	return ok && rest != ""
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
	board  arimaa.Board
	setup  [2][]arimaa.Placement
	game   *arimaa.Game // nil during the setup
	passed bool         // the game begins with a pass
}

// game reads a list of turns. With an error comes the game before the line that is broken, if there
// is one.
func (s *source) game(lines []line) (*arimaa.Game, error) {
	g, sound, err := s.turns(lines)
	if err != nil {
		g, _, _ = s.turns(lines[:sound])
	}
	return g, err
}

// turns reads a list of turns. With an error comes the number of lines before the one that is
// broken.
func (s *source) turns(lines []line) (g *arimaa.Game, sound int, err error) {
	r := &gameReader{source: s}
	if len(lines) == 0 {
		return nil, 0, s.errorAt(0, "there is no turn in it")
	}
	for i, l := range lines {
		words := l.words()
		number, side, rest, ok := cutNumbered(words[0].text)
		if !ok || rest != "" {
			return nil, i, s.errorAt(words[0].offset, "a turn begins with its number and side, for example 2g or 2w, not %q", words[0].text)
		}
		if r.game != nil && r.game.End() != "" && len(words) > 1 {
			return nil, i, s.errorAt(words[0].offset, "a turn after the game has ended (%s)", r.game.End())
		}
		if err := r.line(number, side, words, i == len(lines)-1); err != nil {
			return nil, i, err
		}
	}
	r.begin(arimaa.FirstTurn, arimaa.Gold)
	return r.game, len(lines), nil
}

// begin ends the setup, if it has not ended yet.
func (r *gameReader) begin(number int, side arimaa.Side) {
	if r.game == nil {
		r.game = arimaa.SetUp(r.setup, side, number)
	}
}

// line reads one turn; words[0] is its label.
func (r *gameReader) line(number int, side arimaa.Side, words []word, last bool) error {
	label := words[0]
	words = words[1:]
	if number == maxNumber && len(words) > 0 {
		return r.errorAt(label.offset, "turn %s: games end before turn %d", label.text, maxNumber)
	}
	if r.game == nil {
		if len(words) > 0 && len(words[0].text) == 3 || number == 1 && len(words) == 0 {
			return r.place(number, side, label, words)
		}
		if len(words) == 1 && words[0].text == "takeback" {
			return r.takeBackSetup(number, side, words[0])
		}
		if number == 1 {
			return r.errorAt(label.offset, "turn 1 is the setup: pieces and squares, for example Ra1")
		}
		if len(words) == 1 && words[0].text == "pass" {
			number, side, words = number+int(side), side.Other(), nil
			r.passed = true
		} else if len(words) == 0 && !last {
			return r.errorAt(label.offset, "turn %s has no steps", label.text)
		}
		r.begin(number, side)
		if len(words) == 0 {
			return nil
		}
	}
	g := r.game
	i, next := g.Len(), g.Last()
	if g.Number(i) != number || next.Side() != side {
		// Some records count a resignation as a turn: in the label that comes last.
		if g.End() == "" || g.Number(i+1) != number || next.Side() == side {
			return r.errorAt(label.offset, "turn %s stands where turn %s is expected", label.text, g.Label(i))
		}
	}
	switch {
	case len(words) == 0 && !last:
		return r.errorAt(label.offset, "turn %s has no steps", label.text)
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
			g.SetEnd(words[0].text)
			return nil
		case "pass":
			return r.wrap(words[0], label, arimaa.ErrNotChanged)
		}
	}
	return r.turn(label, words)
}

// wrap makes an error with a cause, such as a broken rule.
func (r *gameReader) wrap(w, label word, err error) error {
	e := r.errorAt(w.offset, "turn %s: %v", label.text, err)
	e.Err = err
	return e
}

// place reads the pieces of a side before the first turn.
func (r *gameReader) place(number int, side arimaa.Side, label word, words []word) error {
	if number != 1 {
		return r.errorAt(label.offset, "pieces are placed in turn 1, not in %s", label.text)
	}
	if len(r.setup[side]) > 0 {
		return r.errorAt(label.offset, "turn %s stands twice", label.text)
	}
	for _, w := range words {
		if len(w.text) != 3 {
			return r.errorAt(w.offset, "%q is not a placement such as Ra1", w.text)
		}
		piece, ok := pieceOfLetter(w.text[0])
		square, ok2 := squareOfName(w.text[1:])
		switch {
		case !ok || !ok2:
			return r.errorAt(w.offset, "%q is not a placement such as Ra1", w.text)
		case piece.Side() != side:
			return r.errorAt(w.offset, "%q: this piece is not %v's", w.text, side)
		case r.board.At(square) != arimaa.Empty:
			return r.errorAt(w.offset, "%q: the square is taken", w.text)
		}
		r.board.Put(square, piece)
		r.setup[side] = append(r.setup[side], arimaa.Placement{Piece: piece, Square: square})
	}
	return nil
}

// takeBackSetup undoes the setup of the opponent of side: Gold's in turn 1s, Silver's in turn 2g.
func (r *gameReader) takeBackSetup(number int, side arimaa.Side, w word) error {
	other := side.Other()
	last := arimaa.Gold
	if len(r.setup[arimaa.Silver]) > 0 {
		last = arimaa.Silver
	}
	if len(r.setup[other]) == 0 || other != last || number != 1+int(other) {
		return r.errorAt(w.offset, "there is no turn to take back")
	}
	for _, p := range r.setup[other] {
		r.board.Put(p.Square, arimaa.Empty)
	}
	r.setup[other] = nil
	return nil
}

// turn reads the steps of a turn and plays it.
func (r *gameReader) turn(label word, words []word) error {
	g := r.game
	if last := g.Last(); last.Occupied() == 0 {
		return r.errorAt(label.offset, "turn %s: there is no piece on the board: a list of turns begins with the setup, 1w Ra1 Rb1 ... and 1b ra8 rb8 ...", label.text)
	}
	if o := g.Outcome(); o.Over() {
		return r.errorAt(label.offset, "turn %s: the game is over: %v has won (%v)", label.text, o.Winner, o.Reason)
	}
	s := arimaa.NewState(g.Last())
	t, bad, err := playWords(&s, words)
	if err != nil {
		return r.wrap(bad, label, err)
	}
	if err := g.Play(t); err != nil {
		return r.wrap(words[len(words)-1], label, err)
	}
	return nil
}

// olderLabel writes a turn number with w or b, which every program reads.
func olderLabel(number int, side arimaa.Side) string { return fmt.Sprintf("%d%c", number, "wb"[side]) }

// Turns writes the game as a list of turns, one a line, as [ReadGame] reads it and as the planning
// windows and files of other programs hold it: the setup, or the pieces of the first position, then
// the turns with their captures. The sides are w and b. A pass gives the first turn to Silver.
//
// A label without a turn comes last only where nothing else says which turn is to come, since
// pyrimaa does not read it; that is in a position without turns after it, with Gold to move in a
// turn other than the second. How a record ends stands behind the last label.
func Turns(g *arimaa.Game) string {
	var b strings.Builder
	first := g.Position(0)
	for _, side := range []arimaa.Side{arimaa.Gold, arimaa.Silver} {
		b.WriteString(olderLabel(1, side))
		for _, p := range g.Setup(side) {
			b.WriteString(" " + p.String())
		}
		b.WriteByte('\n')
	}
	passes := first.Side() == arimaa.Silver && g.Number(0) < maxNumber
	if passes {
		b.WriteString(olderLabel(g.Number(0), arimaa.Gold) + " pass\n")
	}
	for i := range g.Len() {
		p := g.Position(i)
		fmt.Fprintf(&b, "%s %s\n", olderLabel(g.Number(i), p.Side()), p.Notation(g.Turn(i)))
	}
	last := g.Last()
	next := olderLabel(g.Number(g.Len()), last.Side())
	switch {
	case g.End() != "":
		b.WriteString(next + " " + g.End() + "\n")
	case g.Len() == 0 && !passes && g.Number(0) != arimaa.FirstTurn:
		b.WriteString(next + "\n")
	}
	return b.String()
}
