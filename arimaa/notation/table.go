package notation

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"goalproof/arimaa"
)

// table is the header of a table of puzzles or games.
type table struct {
	columns map[string]int // where each name stands
	line    int            // number of the header's line
}

// tableOf finds the header of a table in the beginning of a text: the first line that is no
// comment, or a comment with tabs. It returns nil if there is none, and for an archive.
func tableOf(head string) *table {
	t := &table{}
	for line := range strings.Lines(bareReturns.Replace(head)) {
		t.line++
		line = withoutQuotation(line)
		comment := isComment(line)
		if comment && !strings.Contains(line, "\t") {
			continue
		}
		t.columns = map[string]int{}
		for i, name := range strings.Split(strings.TrimLeft(line, "# \ufeff"), "\t") {
			name = strings.ToLower(strings.TrimSpace(name))
			if _, twice := t.columns[name]; !twice {
				t.columns[name] = i
			}
		}
		if !strings.Contains(line, "\t") && isBoard(head) {
			return nil // it is a heading
		}
		if t.has("position") || t.has("movelist") && (comment || !isArchive(strings.TrimSpace(line)) || !t.has("id") || t.has(ofPuzzles...)) {
			return t
		}
		if !comment {
			break
		}
	}
	return nil
}

// isBoard reports whether the last line of a text looks like one of a board.
func isBoard(head string) bool {
	lines := (&source{text: cleanText(head)}).lines()
	if len(lines) == 0 {
		return false
	}
	last := lines[len(lines)-1]
	return classify(last) != single && !strings.Contains(last.text, "[")
}

// ofPuzzles are the columns that no archive has.
var ofPuzzles = []string{"name", "title", "claim", "solution", "startmove", "side"}

// has reports whether the table has one of some columns.
func (t *table) has(names ...string) bool {
	for _, name := range names {
		if _, ok := t.columns[name]; ok {
			return true
		}
	}
	return false
}

// table reads the rows of a table below its header.
func (l *Lines) table(t *table, yield func(Entry, error) bool) {
	for found := false; ; {
		line, err := l.Next()
		e := Entry{}
		switch {
		case err == io.EOF && found:
			return
		case err == io.EOF:
			yield(e, l.fail(t.line, "there is no row below the header"))
			return
		case err != nil:
			yield(e, err)
			return
		case l.number <= t.line || isComment(line):
			continue
		case !utf8.ValidString(line):
			err = errNotUTF8
		default:
			err = e.row(t, cellsOf(line), l)
		}
		if found = true; !l.yieldRow(e, err, yield) {
			return
		}
	}
}

// cellsOf returns the cells of a row, without blanks around them.
func cellsOf(row string) []string {
	cells := strings.Split(strings.TrimRight(withoutQuotation(row), "\r\n\x1a"), "\t")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// row reads the cells of a row. The error does not say where.
func (e *Entry) row(t *table, cells []string, l *Lines) error {
	get := func(names ...string) string {
		for _, name := range names {
			if i, ok := t.columns[name]; ok && i < len(cells) && cells[i] != "" {
				return cells[i]
			}
		}
		return ""
	}
	e.Name = get("name", "title", "id")
	if err := e.setSolution(get("solution")); err != nil {
		return err
	}
	if err := e.setClaim(get("claim")); err != nil {
		return err
	}
	if e.Claim == 0 {
		if e.Claim = claimIn(get("title")); e.Claim > 0 {
			e.ClaimFrom = get("title")
		}
	}
	if text := get("position"); text != "" {
		p, err := ParsePosition(text)
		if err != nil {
			return fmt.Errorf("position: %s", reason(err))
		}
		e.Position = &Diagram{Position: p, Number: arimaa.FirstTurn}
		return nil
	}
	moves := strings.ReplaceAll(get("movelist"), `\n`, "\n")
	if moves == "" {
		return errors.New("the row has no position")
	}
	e.Tags = (&archive{column: t.columns}).record(cells).Tags()
	delete(e.Tags, "Source") // it is the name
	src := &source{line: 1, text: cleanText(moves), strict: l.strict}
	if !l.strict {
		src.notes = &e.Notes
	}
	var solution string
	var err error
	if t.has("startmove", "side", "solution") {
		e.Position = new(Diagram)
		*e.Position, solution, err = src.puzzle(get("startmove"), get("side"))
	} else if e.Game, _, err = src.game(); err != nil {
		err = fmt.Errorf("movelist: %s", reason(err))
	}
	for i := range e.Notes {
		e.Notes[i].Line = l.number // a line of the cell is none of the text
	}
	e.Solution = cmp.Or(e.Solution, solution)
	return err
}

// maxSolution is how long a solution may be, in bytes.
const maxSolution = 4096

// setSolution sets the solution, if it is not too long.
func (e *Entry) setSolution(text string) error {
	if len(text) > maxSolution {
		return fmt.Errorf("the solution is longer than %d bytes", maxSolution)
	}
	e.Solution = strings.Clone(text)
	return nil
}

// setClaim reads the column claim: a number of turns, or a sentence that contains one.
func (e *Entry) setClaim(text string) error {
	if text == "" {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		n = claimIn(text)
	}
	if n < 1 {
		return fmt.Errorf("claim %q: it is a number of turns", text)
	}
	e.Claim = n
	return nil
}
