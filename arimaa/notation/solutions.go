package notation

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"goalproof/arimaa"
)

// solutionLine matches the beginning of a line that gives the solution (1).
var solutionLine = regexp.MustCompile(`(?i)^[\s(*_|]*(?:the )?(?:solution|answer|key(?: turn| move)?|winning (?:turn|move))(?: \d+)?(?: is)?[*_]*\s*[:=][*_]*\s*(.*)$`)

// solution takes the solution of the last position.
func (r *reader) solution(l line) {
	e := r.wait
	if r.state == below {
		e = &r.whole.Entry
	}
	if e == nil {
		r.passOver(l)
		return
	}
	turn, number, m, err := solutionIn(l.text)
	if e.Solution != "" {
		notes := r.notes
		if r.notes = nil; r.source(l).mended(l.start(), "second solution", "it is left out", "this is a second solution") == nil {
			e.Notes, r.notes = append(e.Notes, r.notes...), notes
			return
		}
		r.notes, err = notes, errors.New("this is a second solution")
	}
	if e.Position != nil && number > 0 && e.Position.Number != arimaa.FirstTurn && e.Position.Number != number {
		err = fmt.Errorf("the solution is turn %d, but turn %d comes next", number, e.Position.Number)
	}
	if m.known && m.side != e.mover() {
		err = fmt.Errorf("the solution is a turn of %v, but in the position %v is to move", m.side, m.side.Other())
	}
	if err != nil {
		if r.state == below {
			r.flush()
		}
		r.fail(r.source(l).errorAt(l.start(), "%v", err))
		return
	}
	e.Solution, e.SolutionFrom = turn, strings.TrimSpace(l.text)
	r.above, r.solved = caption{}, e
}

// goesOn adds a line of steps to the solution in the line above.
func (r *reader) goesOn(l line) {
	for _, w := range l.words() {
		r.solved.Solution = strings.TrimSpace(r.solved.Solution + " " + w.text)
	}
}

// solutionIn returns the turn that a line gives as the solution, with its number and side if it has
// a label; of several turns the first. It is "" if the line gives none. The error says where it breaks off.
func solutionIn(text string) (turn string, number int, m mover, err error) {
	if !strings.ContainsAny(text, ":=") || len(text) > 2*maxCaption {
		return "", 0, m, nil
	}
	found := solutionLine.FindStringSubmatch(text)
	if found == nil {
		return "", 0, m, nil
	}
	var steps []string
	other := "" // the word at which the turn ends
	for _, word := range strings.Fields(found[1]) {
		bare := strings.Trim(word, ",;.!?()*_`")
		n, side, label := labelOf(bare)
		switch {
		case label && len(steps) == 0:
			number, m = n, mover{side, true}
		case label:
			return strings.Join(steps, " "), number, m, err
		case bare == "" || bare == "->" || bare == "→" || bare == "then" || bare == "and" || bare == "-":
		case isStep(bare) && other != "" && len(steps) > 0:
			return strings.Join(steps, " "), number, m, fmt.Errorf("the solution breaks off at %q", other)
		case isStep(bare) && other == "":
			if _, wrong := ParseStep(bare); wrong != nil && bare[3]|('a'-'A') != 'x' {
				err = cmp.Or(err, fmt.Errorf("the solution: %w", wrong))
			}
			steps = append(steps, bare)
		case len(steps) > 0:
			other = cmp.Or(other, word)
		default:
			return "", 0, m, nil
		}
	}
	return strings.Join(steps, " "), number, m, err
}
