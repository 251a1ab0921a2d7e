package puzzles

import (
	"errors"
	"io"
	"iter"
	"regexp"
	"strconv"
	"strings"

	"goalproof/arimaa/notation"
	"goalproof/internal/files"
	"goalproof/solve"
)

// Read reads a set: a file, or all *.txt and *.tsv files below a directory. Each puzzle is read
// when it is asked for. An unreadable entry becomes a puzzle with an error and does not affect the
// others. There is always at least one puzzle. Prepare, if not nil, gets the lines of each file
// before they are read ([notation.Lines.Assume]).
func Read(s *files.Source, path string, prepare func(*notation.Lines)) iter.Seq[Puzzle] {
	return func(yield func(Puzzle) bool) {
		for name, err := range s.Files(path, ".txt", ".tsv") {
			if !readFile(s, name, err, prepare, yield) {
				return
			}
		}
	}
}

// readFile reads a file, unless there is an error, and reports whether to go on.
func readFile(s *files.Source, path string, err error, prepare func(*notation.Lines), yield func(Puzzle) bool) bool {
	var file io.ReadCloser
	if err == nil {
		file, err = s.Open(path)
	}
	if err != nil {
		return yield(Puzzle{File: path, Name: baseName(path), Err: err})
	}
	defer file.Close()
	lines := notation.NewLines(path, file)
	if prepare != nil {
		prepare(lines)
	}
	for p := range parse(lines) {
		if !yield(p) {
			return false
		}
	}
	return true
}

// Parse reads the text of a file in any of these forms:
//
//   - positions in long form, or in short form one a line, or a game, which stands for its last
//     position (see [notation.Read]);
//   - a table of tab-separated columns, with a header. The column "position" holds short forms, or
//     "movelist" games as in the archive of the game room, which stand for the last position, or
//     the one before the turn in a column "startmove". The columns "claim" (turns), "name" or
//     "title", and "solution" (a turn) are optional;
//   - puzzles with their solutions, as arimaa.com and the client 4steps publish them (see
//     [notation.Read]);
//   - objects in JSON, one a line, as the commands write them with --json: see [Rows].
//
// A claim may also be given in words in a title or in the chat: "Gold to win in two".
func Parse(file string, text io.Reader) iter.Seq[Puzzle] {
	return parse(notation.NewLines(file, text))
}

func parse(lines *notation.Lines) iter.Seq[Puzzle] {
	all, ok := rows(lines, true)
	if !ok {
		all = parseEntries(lines)
	}
	return named(lines, all)
}

// Rows reads a text that a program wrote about positions: objects in JSON, one a line, each with a
// field "position", and with "history" if a game led there, or with the turns of a review; or a
// table with a column "position" (see [Parse]). An archive is none, although its rows hold games.
// Ok is false if the text is neither; nothing is taken from it then.
func Rows(lines *notation.Lines) (all iter.Seq[Puzzle], ok bool) {
	if all, ok = rows(lines, false); ok {
		all = named(lines, all)
	}
	return all, ok
}

// rows is Rows without names. Archives are tables, too, if that is wanted.
func rows(lines *notation.Lines, archives bool) (all iter.Seq[Puzzle], ok bool) {
	head := strings.TrimPrefix(lines.Head(), byteOrderMark)
	if isJSON(head) {
		return parseJSON(lines), true
	}
	header, line := findHeader(head)
	if _, archive := header["movelist"]; header == nil || archive && !archives {
		return nil, false
	}
	return parseTable(lines, header, line), true
}

// named gives names to the puzzles of a file that have none, and sets the bytes that each took.
func named(lines *notation.Lines, all iter.Seq[Puzzle]) iter.Seq[Puzzle] {
	return func(yield func(Puzzle) bool) {
		pull, stop := iter.Pull(all)
		defer stop()
		next := func() (Puzzle, bool) {
			p, ok := pull()
			p.Bytes = lines.Taken()
			return p, ok
		}
		p, ok := next()
		for first := true; ok; first = false {
			following, more := next()
			if p.Name == "" {
				p.Name = baseName(lines.File())
				if !first || more {
					p.Name = lineName(p.Name, p.Line)
				}
			}
			if !yield(p) {
				return
			}
			p, ok = following, more
		}
	}
}

// unread returns the entry of a part of a text that cannot be read.
func unread(lines *notation.Lines, err error) Puzzle {
	p := Puzzle{File: lines.File(), Line: max(lines.Number(), 1), Err: err}
	var bad *notation.ParseError
	if errors.As(err, &bad) {
		p.Line = bad.Line
	}
	return p
}

// notUTF8 is the error of an entry in another encoding.
const notUTF8 = "the text is not in UTF-8: save it in that encoding"

// byteOrderMark is the first character of a text from some editors.
const byteOrderMark = "\ufeff"

// isComment reports whether a line is blank or a comment.
func isComment(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#'
}

// claimInWords matches a claim in a sentence; a number of steps, which it matches as well, is no
// claim.
var claimInWords = regexp.MustCompile(`(?i)\b(?:wins?|won|claimed|mates?)\s+in\s+(\d+|one|two|three|four|five|six|seven|eight|nine|ten)\b(\s+steps?\b)?`)

var numbers = map[string]int{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}

// claimIn returns the claim in a sentence, in turns, or 0 if there is none.
func claimIn(text string) int {
	found := claimInWords.FindStringSubmatch(text)
	if found == nil || found[2] != "" {
		return 0
	}
	if n, ok := numbers[strings.ToLower(found[1])]; ok {
		return n
	}
	n, _ := strconv.Atoi(found[1]) // a number out of range is no claim
	return validClaim(n)
}

// validClaim returns n, or 0 if a win in n cannot be searched.
func validClaim(n int) int {
	if n < 1 || n > solve.MaxTurns {
		return 0
	}
	return n
}
