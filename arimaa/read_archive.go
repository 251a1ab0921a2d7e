package arimaa

import (
	"fmt"
	"slices"
	"strings"
)

// Record is one row of the game room's archive.
type Record struct {
	ID          string
	Gold        string // user name
	Silver      string // user name
	Result      string // "w" or "b": who won; may be empty
	Termination string // g goal, m immobilisation, e elimination, t time, r resignation, i illegal, f forfeit, a abandoned, s score

	moves source
}

// ReadArchive reads the rows of an archive file: tab-separated columns with a
// header, of which "id" and "movelist" are needed. Lines that begin with # are
// comments. The turns are not read yet: a row with an illegal one is a Record like
// any other, see [Record.Game]. The error is a [*ParseError].
func ReadArchive(file, text string) ([]*Record, error) {
	src := &source{file, 1, text}
	var header []string
	var column map[string]int
	all := []*Record{} // not nil, so that an archive without games is one
	number, offset := 0, 0
	for row := range strings.Lines(text) {
		number++
		start := offset
		offset += len(row)
		row = strings.TrimRight(row, "\r\n")
		if number == 1 {
			row = strings.TrimPrefix(row, byteOrderMark)
		}
		if strings.TrimSpace(row) == "" || row[0] == '#' {
			continue
		}
		fields := strings.Split(row, "\t")
		if header == nil {
			header = fields
			column = map[string]int{}
			for i, name := range header {
				column[name] = i
			}
			for _, name := range []string{"id", "movelist"} {
				if _, ok := column[name]; !ok {
					return nil, src.at(start, "the header has no column %q", name)
				}
			}
			continue
		}
		if len(fields) != len(header) {
			return nil, src.at(start, "the row has %d columns, the header %d", len(fields), len(header))
		}
		get := func(name string) string {
			if i, ok := column[name]; ok {
				return fields[i]
			}
			return ""
		}
		// A turn ends with a backslash and an n. Both characters are replaced, so that
		// offsets stay what they are in the row.
		moves := strings.ReplaceAll(get("movelist"), `\n`, " \n")
		all = append(all, &Record{
			ID:          get("id"),
			Gold:        get("wusername"),
			Silver:      get("busername"),
			Result:      get("result"),
			Termination: get("termination"),
			moves:       source{file: file, line: number, text: moves},
		})
	}
	if header == nil {
		return nil, &ParseError{File: file, Line: 1, Reason: "there is no header"}
	}
	return all, nil
}

// isArchive tells whether a line looks like the header of an archive file.
func isArchive(text string) bool {
	columns := strings.Split(strings.TrimPrefix(text, byteOrderMark), "\t")
	return len(columns) > 1 && slices.Contains(columns, "movelist")
}

// Game reads the turns of the record. The error is a [*ParseError] that names the
// game, the turn and the reason; its line is the row of the archive, which holds
// the whole game, and it has no column.
func (r *Record) Game() (*Game, error) {
	src := r.moves
	g, err := src.game(src.lines())
	if e, ok := err.(*ParseError); ok {
		e.Line, e.Column = r.moves.line, 0
		e.Reason = fmt.Sprintf("game %s: %s", r.ID, e.Reason)
		return nil, e
	}
	return g, err
}
