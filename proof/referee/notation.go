package referee

import (
	"fmt"
	"slices"
	"strings"
)

// ReadTurn plays a turn, or a part of one, given in the notation of docs/rules.md, such as "hc4s
// hc3x Md4w". It returns the steps and the state after them, in which the turn has not been ended.
// Captures may be left out; one that is written must have been caused by the step before it. The
// error names the first step or capture that is wrong.
func (s State) ReadTurn(text string) (turn []Step, after State, err error) {
	after = s
	var taken []Capture
	for _, word := range strings.Fields(text) {
		if len(word) == 4 && word[3] == 'x' {
			i := slices.IndexFunc(taken, func(c Capture) bool { return c.String() == word })
			if i < 0 {
				return nil, s, fmt.Errorf("%s: the step before it does not capture that piece", word)
			}
			taken = slices.Delete(taken, i, i+1)
			continue
		}
		step, err := ParseStep(word)
		if err != nil {
			return nil, s, err
		}
		after, taken, err = after.Play(step)
		if err != nil {
			return nil, s, err
		}
		turn = append(turn, step)
	}
	return turn, after, nil
}

// PlayTurn plays the steps of a turn, or of a part of one, without ending it. The error names the
// first illegal step.
func (s State) PlayTurn(turn []Step) (State, error) {
	at := s
	for _, step := range turn {
		next, _, err := at.Play(step)
		if err != nil {
			return s, err
		}
		at = next
	}
	return at, nil
}

// WriteTurn is the notation of a turn, or of a part of one, with its captures: what
// [State.ReadTurn] reads. The error names the first illegal step.
func (s State) WriteTurn(turn []Step) (string, error) {
	var words []string
	for _, step := range turn {
		next, taken, err := s.Play(step)
		if err != nil {
			return "", err
		}
		words = append(words, step.String())
		for _, c := range taken {
			words = append(words, c.String())
		}
		s = next
	}
	return strings.Join(words, " "), nil
}
