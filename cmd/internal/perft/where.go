package perft

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/library"
)

// where is what turns are to do, all of it: the words of --where.
type where struct {
	words    []string
	captures []goal.Aim // each is made in the turn; at most 35, all different
	aims     []goal.Aim // wins and rabbits, of the board after the turn
	patterns []*library.Pattern
	left     []arimaa.Square // each piece that stands there before the turn does not afterwards
}

// parseWhere reads the values of the flag, each of one or more words. The error says which word is
// wrong, and what a word looks like.
func parseWhere(values []string) (w where, err error) {
	for _, value := range values {
		words := strings.Fields(value)
		if len(words) == 0 {
			return w, errors.New("--where: it is empty: want words such as capture=e@f6, rabbit=7, Rf6 or off=e4")
		}
		for _, word := range words {
			if err := w.add(word); err != nil {
				return w, fmt.Errorf("--where: %w", err)
			}
		}
	}
	return w, nil
}

// add reads a word.
func (w *where) add(word string) error {
	for _, name := range []string{"win", "capture", "rabbit"} {
		if !strings.HasPrefix(word, name) {
			continue
		}
		aim, err := goal.ParseAim(word)
		if err != nil {
			return err
		}
		w.words = append(w.words, aim.String())
		if !aim.IsCapture() {
			w.aims = append(w.aims, aim)
		} else if !slices.Contains(w.captures, aim) {
			w.captures = append(w.captures, aim)
		}
		return nil
	}
	if strings.HasPrefix(word, "off") {
		for s := range arimaa.Square(64) {
			if word == "off="+s.String() {
				w.words, w.left = append(w.words, word), append(w.left, s)
				return nil
			}
		}
		return fmt.Errorf("%q: want off= and the square that a piece leaves, such as off=e4", word)
	}
	if word == "gold" || word == "silver" {
		return fmt.Errorf("%q: the position says who is to move", word)
	}
	pattern, err := library.ParsePattern(word)
	if err != nil {
		return fmt.Errorf("%w; or win, capture=e@f6, rabbit=7, off=e4", err)
	}
	w.words = append(w.words, word)
	w.patterns = append(w.patterns, pattern)
	return nil
}

// made returns which of the captures an option from one position to the next makes, bit i for
// captures[i].
func (w *where) made(from, to *arimaa.Position, o arimaa.Option) (made uint64) {
	for i, aim := range w.captures {
		if aim.Takes(from, to, arimaa.Turn{}.WithOption(o), from.Side()) {
			made |= 1 << i
		}
	}
	return made
}

// check returns an error if there is no piece on a square that one is to leave.
func (w *where) check(b *arimaa.Board) error {
	for _, s := range w.left {
		if b.At(s) == arimaa.Empty {
			return fmt.Errorf("--where off=%v: there is no piece on %v", s, s)
		}
	}
	return nil
}

// hold reports whether a turn that has made these captures does all that is asked if it ends here.
func (w *where) hold(made uint64, start *arimaa.Board, at *arimaa.Position) bool {
	if made != 1<<len(w.captures)-1 {
		return false
	}
	for _, s := range w.left {
		if at.At(s) == start.At(s) {
			return false
		}
	}
	for _, aim := range w.aims {
		if aim.Win() && !at.Ended(at.Side()).WonBy(at.Side()) || !aim.Win() && !aim.Stands(&at.Board, at.Side()) {
			return false
		}
	}
	for _, pattern := range w.patterns {
		if !pattern.Matches(at) {
			return false
		}
	}
	return true
}
