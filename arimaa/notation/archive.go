package notation

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"goalproof/arimaa"
)

// Record is one row of the game room's archive.
type Record struct {
	ID     string
	Gold   string // user name
	Silver string // user name
	Result string // "w" or "b": who won; "d" draw, "u" undetermined; may be empty
	// Termination is how it ended: g goal, m immobilisation, e elimination, t time, r resignation,
	// i illegal, f forfeit, a abandoned, s score; before July 2008 also p repetition, n no rabbits
	// on either side, a draw.
	Termination string
	Details     Details
	// Notes is what Game has mended, and where the record contradicts itself.
	Notes []Note

	moves source
}

// Details is what an archive says about a game besides its turns and its end. What it does not say
// is "".
type Details struct {
	GoldRating, SilverRating string // at the start of the game
	TimeControl              string // as the game room writes it: move/reserve/percent/..., for example 15s/90s/100/120s/2h
	Event                    string
	Date                     string // on which the game began, in UTC: 2026-01-31
}

// ReadArchive reads the rows of an archive file: tab-separated columns with a header, of which "id"
// and "movelist" are needed. Lines that begin with # are comments. The turns are not read yet: a
// row with an illegal one is a Record like any other, see [Record.Game]. Nothing is mended. The error
// is a [*ParseError].
func ReadArchive(file, text string) ([]*Record, error) {
	a := archive{file: file, strict: true}
	all := []*Record{} // not nil, so that an archive without games is one
	for row := range strings.Lines(strings.TrimPrefix(text, byteOrderMark)) {
		r, err := a.row(row)
		if err != nil {
			return nil, err
		}
		if r != nil {
			r.moves.strict = false // what breaks no rule is no error
			all = append(all, r)
		}
	}
	return all, a.end()
}

// archive reads the rows of an archive.
type archive struct {
	file   string
	strict bool           // nothing is mended
	number int            // of the last row, from 1
	header []string       // nil: it has not come yet
	column map[string]int // where each name of the header stands
}

// row reads the next row. A header, a comment and a blank line are no records, and no errors.
func (a *archive) row(row string) (*Record, error) {
	a.number++
	row = strings.TrimRight(row, "\r\n\x1a")
	if row = strings.TrimLeft(withoutQuotation(row), " "); strings.Trim(withoutFences(row), trailing) == "" || row[0] == '#' {
		return nil, nil
	}
	fail := func(format string, args ...any) (*Record, error) {
		return nil, &ParseError{File: a.file, Line: a.number, Column: 1, Reason: fmt.Sprintf(format, args...)}
	}
	fields := strings.Split(row, "\t")
	if a.header == nil {
		column := map[string]int{}
		for i, name := range fields {
			column[strings.ToLower(strings.TrimSpace(name))] = i
		}
		for _, name := range []string{"id", "movelist"} {
			if _, ok := column[name]; !ok {
				return fail("the header has no column %q", name)
			}
		}
		a.header, a.column = fields, column
		return nil, nil
	}
	if len(fields) != len(a.header) {
		return fail("the row has %d columns, the header %d", len(fields), len(a.header))
	}
	return a.record(fields), nil
}

// lineEnds replaces the marks between the turns of a cell.
var lineEnds = strings.NewReplacer(`\n`, " \n", `\r`, "  ")

// record makes a record of the fields of a row.
func (a *archive) record(fields []string) *Record {
	get := func(name string) string {
		if i, ok := a.column[name]; ok && i < len(fields) {
			return fields[i]
		}
		return ""
	}
	result, ending := cmp.Or(get("result"), get("winner")), get("termination")
	if len(result) == 1 {
		result = strings.ToLower(result)
	}
	if letter := resultLetter(result); letter != "" {
		result = letter
	}
	if len(ending) > 1 {
		ending = cmp.Or(EndingLetter(ending), ending)
	}
	r := &Record{
		ID:          get("id"),
		Gold:        cmp.Or(get("wusername"), get("gold"), get("gold player"), get("white")),
		Silver:      cmp.Or(get("busername"), get("silver"), get("silver player"), get("black")),
		Result:      result,
		Termination: ending,
		Details:     Details{get("wrating"), get("brating"), get("timecontrol"), get("event"), date(get("startts"))},
	}
	// A turn ends with a backslash and an n. Both characters are replaced, so that offsets stay what
	// they are in the row.
	r.moves = source{file: a.file, line: a.number, text: lineEnds.Replace(get("movelist")), strict: a.strict}
	if !a.strict {
		r.moves.notes = &r.Notes
	}
	return r
}

// usual are the columns of the game room's archive, by which rows without a header are read.
var usual = strings.Fields("id wplayerid bplayerid wusername busername wtitle btitle wcountry bcountry wrating brating wratingk bratingk " +
	"wtype btype event site timecontrol postal startts endts result termination plycount mode rated corrupt movelist")

// listOfRow returns the place of the list of turns in a row without a header, -1 if a line is none.
func listOfRow(fields []string) int {
	return slices.IndexFunc(fields, func(cell string) bool {
		words := (line{text: cell}).words()
		if len(words) < 3 || !isTurn(words) {
			return false
		}
		number, _, _ := labelOf(words[0].text)
		return number == 1
	})
}

func isRow(text string) bool {
	if !strings.Contains(text, "\t") || text[0] == '[' {
		return false
	}
	cells := strings.Split(text, "\t")
	filled := slices.IndexFunc(cells, func(cell string) bool { return strings.Trim(cell, " -*+•>") != "" })
	return isArchive(text) || listOfRow(cells) > filled
}

// row reads a row of an archive among other text. The last header counts, if it has as many columns;
// otherwise that of the game room, if the list of turns stands in the same place.
func (r *reader) row(l line) {
	fields := strings.Split(strings.TrimLeft(l.text, " "), "\t")
	if isArchive(l.text) {
		r.columns = fields
		return
	}
	columns := r.columns
	if len(columns) != len(fields) {
		columns = usual
	}
	moves := listOfRow(fields)
	a := archive{file: r.l.file, strict: r.l.strict, number: l.number, column: map[string]int{"id": 0, "movelist": moves}}
	if slices.Index(columns, "movelist") == moves {
		for i, name := range columns {
			a.column[name] = i
		}
	}
	record := a.record(fields)
	r.entry(Entry{Name: record.ID, Line: l.number, Record: record}, nil)
}

// date returns the date of a time in seconds since 1970, "" for anything else.
func date(seconds string) string {
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || n <= 0 || n >= 1<<36 { // in the year 4147
		return ""
	}
	return time.Unix(n, 0).UTC().Format(time.DateOnly)
}

// end returns an error if the archive ends without a header.
func (a *archive) end() error {
	if a.header == nil {
		return &ParseError{File: a.file, Line: 1, Reason: "there is no header"}
	}
	return nil
}

// isArchive reports whether a line looks like the header of an archive file.
func isArchive(text string) bool {
	columns := strings.Split(text, "\t")
	return len(columns) > 1 && slices.Contains(columns, "movelist")
}

// Game reads the turns of the record. The error is a [*ParseError] that names the game, the turn
// and the reason; its line is the row of the archive, which holds the whole game, and it has no
// column. The game is then what could be read before the turn that is broken, or nil.
func (r *Record) Game() (*arimaa.Game, error) {
	r.Notes = nil
	g, tags, err := r.moves.gameOf(r.Tags())
	r.Result = cmp.Or(resultLetter(tags["Result"]), r.Result) // as the list of turns may end with one
	for i := range r.Notes {
		r.Notes[i].Line = r.moves.line
	}
	if e, ok := err.(*ParseError); ok {
		e.Line, e.Column, e.Excerpt = r.moves.line, 0, ""
		e.Reason = Legible(fmt.Sprintf("game %s: %s", r.ID, e.Reason))
	}
	return g, err
}
