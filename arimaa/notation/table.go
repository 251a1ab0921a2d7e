package notation

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"goalproof/arimaa"
)

// table is the header of a table of puzzles or games.
type table struct {
	names   []string       // of the columns, in small letters
	columns map[string]int // where each name stands
	between rune           // what separates the columns
	line    int            // number of the header's line
	noted   map[string]bool
}

// tableOf finds the header of a table in the beginning of a text: the first line that is no
// comment, or a comment with tabs. It returns nil if there is none, and for an archive.
func tableOf(head string) *table {
	n := 0
	for line := range strings.Lines(bareReturns.Replace(head)) {
		n++
		line = withoutQuotation(line)
		comment := isComment(line)
		if comment && !strings.Contains(line, "\t") {
			continue
		}
		t := newTable(strings.TrimLeft(line, "# "), '\t', n)
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

// otherNames are names of columns that mean another one.
var otherNames = map[string]string{"board": "position", "diagram": "position", "to move": "side", "side to move": "side", "stm": "side", "answer": "solution", "win in": "claim"}

// newTable returns the table with a header.
func newTable(header string, between rune, line int) *table {
	t := &table{columns: map[string]int{}, between: between, line: line, noted: map[string]bool{}}
	cells, _ := t.cells(header)
	for i, name := range cells {
		name = strings.ToLower(name)
		name = cmp.Or(otherNames[name], name)
		t.names = append(t.names, name)
		if !t.has(name) {
			t.columns[name] = i
		}
	}
	return t
}

// headerOf returns the table of which a line among other text is the header, nil if it is none. One
// of its columns is the position. A sentence may have commas, too.
func headerOf(l line) *table {
	if !strings.ContainsAny(l.text, "\t|,;") {
		return nil
	}
	text := strings.ToLower(strings.Trim(l.text, blanks))
	if len(text) > maxCaption || !mentions(text, "position", "board", "diagram") {
		return nil
	}
	for _, between := range "\t|,;" {
		if !strings.ContainsRune(text, between) {
			continue
		}
		t := newTable(text, between, l.number)
		if t.has("position") && len(t.names) > 1 && (t.has("claim", "solution", "name", "title", "id") || strings.ContainsRune("\t|", between) || !strings.Contains(text, " ")) {
			return t
		}
	}
	return nil
}

// cells splits a row, and takes off the blanks around each cell.
func (t *table) cells(row string) (cells []string, err error) {
	row = strings.TrimRight(row, "\r\n\x1a")
	switch t.between {
	case '|':
		cells = tableCells(row)
	case '\t':
		cells = strings.Split(row, "\t")
	default:
		in := csv.NewReader(strings.NewReader(row))
		in.Comma, in.TrimLeadingSpace = t.between, true
		if cells, err = in.Read(); err != nil {
			return nil, errors.New("the quotation marks around the cells of the row do not match")
		}
	}
	for i := range cells {
		if cells[i] = strings.TrimSpace(cells[i]); t.between == '\t' && len(cells[i]) > 1 && strings.HasPrefix(cells[i], `"`) && strings.HasSuffix(cells[i], `"`) {
			cells[i] = strings.ReplaceAll(strings.TrimSpace(cells[i][1:len(cells[i])-1]), `""`, `"`)
		}
	}
	return cells, nil
}

// beginTable takes the header of a table among other text.
func (r *reader) beginTable(l line) {
	r.drop()
	r.table, r.state = headerOf(l), inTable
}

// tableRow reads the next row of a table. Another line without separators ends it.
func (r *reader) tableRow(l line) {
	switch {
	case !strings.ContainsRune(l.text, r.table.between) && classify(l) != single:
		r.again(l)
	case strings.Trim(l.text, "|-: \t") != "": // no line below the header
		var e Entry
		err := e.row(r.table, l.text, r.l)
		r.rowRead(e, err)
	}
}

// object reads an object in JSON among other text.
func (r *reader) object(l line) {
	var e Entry
	err := e.object(l.text)
	r.rowRead(e, err)
}

// objectInGame ends a record with an object in JSON. A comment in braces may look like one.
func (r *reader) objectInGame(l line) {
	if json.Valid([]byte(l.text)) {
		r.again(l)
		return
	}
	r.add(l)
}

// rowRead hands over an entry that takes one line.
func (r *reader) rowRead(e Entry, err error) {
	r.l.yieldRow(e, err, func(e Entry, err error) bool {
		r.entry(e, err)
		return !r.done
	})
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
		}
		err = e.row(t, withoutQuotation(line), l)
		if found = true; !l.yieldRow(e, err, yield) {
			return
		}
	}
}

// known are the columns that mean something, and those that goalproof and the game room write besides.
var known = append(strings.Fields("position claim solution name title startmove side "+
	"pieces replies tries quiet difficulty winning themes"), usual...)

// leftOut notes that a row holds something in columns that are not known, once for each of them.
func (t *table) leftOut(cells []string, src *source) error {
	var names []string
	fresh := false
	for i := range max(len(cells), len(t.names)) {
		name := t.unknown(i)
		if name == "" {
			continue
		}
		fresh = fresh || i < len(cells) && cells[i] != "" && !t.noted[name]
		if len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	if !fresh {
		return nil
	}
	for _, name := range names {
		t.noted[name] = src.notes != nil
	}
	return src.mended(0, "unknown columns", "they are left out", "the table has columns that are not known: %.300s", strings.Join(names, ", "))
}

// unknown returns what a column is called that is not known, "" for one that is.
func (t *table) unknown(i int) string {
	switch {
	case i >= len(t.names):
		return "those behind the header"
	case t.names[i] == "":
		return "one without a name"
	case t.columns[t.names[i]] == i && slices.Contains(known, t.names[i]):
		return ""
	}
	return strconv.Quote(t.names[i])
}

// row reads the cells of a row. The error does not say where.
func (e *Entry) row(t *table, text string, l *Lines) error {
	cells, err := t.cells(text)
	switch {
	case !utf8.ValidString(text):
		return errNotUTF8
	case err != nil:
		return err
	}
	get := func(names ...string) string {
		for _, name := range names {
			if i, ok := t.columns[name]; ok && i < len(cells) && cells[i] != "" {
				return cells[i]
			}
		}
		return ""
	}
	src := &source{line: 1, text: cleanText(strings.ReplaceAll(get("movelist"), `\n`, "\n")), strict: l.strict}
	if !l.strict {
		src.notes = &e.Notes
	}
	e.Name = get("name", "title", "id")
	err = cmp.Or(t.leftOut(cells, src), e.setSolution(get("solution")))
	if err == nil {
		err = e.inRow(t, cells, get, src)
	}
	if err == nil {
		err = e.setClaim(src, get("claim"), get("title"))
	}
	for i := range e.Notes {
		e.Notes[i].Line = l.number // a line of a cell is none of the text
	}
	return err
}

// inRow reads the position or the game of a row, whose movelist is src.
func (e *Entry) inRow(t *table, cells []string, get func(names ...string) string, src *source) error {
	if text := get("position"); text != "" {
		m, err := moverOf(get("side"))
		if err != nil {
			return err
		}
		p, err := parsePosition(text, m)
		if err != nil {
			return fmt.Errorf("position: %s", reason(err))
		}
		e.Position = &Diagram{Position: p, Number: arimaa.FirstTurn}
		return nil
	}
	if src.text == "" {
		return errors.New("the row has no position")
	}
	e.Tags = (&archive{column: t.columns}).record(cells).Tags()
	delete(e.Tags, "Source") // it is the name
	var solution string
	var err error
	if t.has("startmove", "side", "solution") {
		e.Position, e.played = new(Diagram), true
		*e.Position, solution, err = src.puzzle(get("startmove"), get("side"))
	} else if e.Game, _, err = src.game(); err != nil {
		err = fmt.Errorf("movelist: %s", reason(err))
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

// setClaim reads the column claim, a number of turns or a sentence that contains one. Without it the
// title may claim a win.
func (e *Entry) setClaim(src *source, claim, title string) error {
	if claim == "" {
		return e.claimFrom(src, title)
	}
	var left string
	n, err := strconv.Atoi(claim)
	if err != nil {
		n, _, left = claimOf(claim, e.mover())
	}
	switch {
	case left != "":
		return fmt.Errorf("claim: the words %s", left)
	case n < 1:
		return fmt.Errorf("claim %q: it is a number of turns", claim)
	}
	e.Claim = n
	return nil
}
