package puzzles

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"goalproof/arimaa"
	"goalproof/solve"
)

// Read reads a set: a file, or all *.txt and *.tsv files below a directory. What cannot be
// read becomes a puzzle with an error, so that it does not stop the others. There is always
// at least one puzzle.
func Read(path string) []Puzzle {
	info, err := os.Stat(path)
	if err != nil {
		return unread(path, err)
	}
	if !info.IsDir() {
		return readFile(path)
	}
	var all []Puzzle
	err = filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		ending := filepath.Ext(path)
		switch {
		case err != nil:
			all = append(all, unread(path, err)...)
		case d.Type().IsRegular() && (ending == ".txt" || ending == ".tsv"):
			all = append(all, readFile(path)...)
		}
		return nil
	})
	if err != nil {
		return unread(path, err)
	}
	if len(all) == 0 {
		return unread(path, &arimaa.ParseError{File: path, Reason: "there is no .txt or .tsv file in this directory"})
	}
	return all
}

func unread(path string, err error) []Puzzle {
	return []Puzzle{{File: path, Name: baseName(path), Err: err}}
}

func readFile(path string) []Puzzle {
	text, err := os.ReadFile(path)
	if err != nil {
		return unread(path, err)
	}
	return Parse(path, string(text))
}

// byteOrderMark stands at the beginning of texts from some editors.
const byteOrderMark = "\ufeff"

// Parse reads the text of a file in any of these forms:
//
//   - positions in long form one after the other, or in short form one a line, or a game, of which
//     the last position is taken (see [arimaa.Read]);
//   - a table: columns separated by tabs, with a header that has a column "position" (short form) or "movelist"
//     (as in the game room's archive; the last position, or the one before the turn in a column "startmove"),
//     and perhaps the columns "claim" (turns), "name" or "title", "solution" (a turn);
//   - the puzzle text of arimaa.com: fields "movelist=", "&side=", "&startmove=", "&title=", "&chat=", percent-encoded.
//     The position is the one before the turn startmove, and the turn played there is the solution.
//
// A claim may also stand in a title, or in the chat, in words: "Gold to win in two".
func Parse(file, text string) []Puzzle {
	if reason, line := notText(text); reason != "" {
		p := Puzzle{File: file, Name: baseName(file), Line: line}
		p.fail("%s", reason)
		return []Puzzle{p}
	}
	text = strings.TrimPrefix(text, byteOrderMark)
	var all []Puzzle
	switch header, line := findHeader(text); {
	case puzzleText.MatchString(text):
		all = parseFields(file, text)
	case header != nil:
		all = parseTable(file, text, header, line)
	default:
		all = parsePositions(file, text)
	}
	for i := range all {
		p := &all[i]
		if p.Name == "" {
			p.Name = baseName(file)
			if len(all) > 1 {
				p.Name = lineName(p.Name, p.Line)
			}
		}
	}
	return all
}

// notText says why, and in which line, a file is no text that can be read at all.
func notText(text string) (reason string, line int) {
	if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
		return "the text is in UTF-16: save it in UTF-8", 1
	}
	at := strings.IndexFunc(text, func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\v\f\r", r) || r == 0x7f })
	if at < 0 {
		return "", 0
	}
	return "this is not a text: it holds binary data", 1 + strings.Count(text[:at], "\n")
}

// notUTF8 is the error of an entry in another encoding.
const notUTF8 = "the text is not in UTF-8: save it in that encoding"

// isComment tells whether a line is blank or a comment.
func isComment(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#'
}

// parsePositions reads positions in long or short form, or a game.
func parsePositions(file, text string) []Puzzle {
	if doc, err := arimaa.Read(file, text); err == nil {
		if doc.Game != nil {
			return []Puzzle{{File: file, Line: 1, Position: doc.Game.Last()}}
		}
		var all []Puzzle
		for _, d := range doc.Positions {
			all = append(all, Puzzle{File: file, Line: d.Line, Position: d.Position})
		}
		return all
	}
	// Something is wrong with it: each entry is read by itself, so that the others can be.
	var all []Puzzle
	for _, e := range entries(text) {
		p := Puzzle{File: file, Line: e.line}
		positions, err := arimaa.ReadPositions(file, e.text)
		var bad *arimaa.ParseError
		switch {
		case err != nil && !utf8.ValidString(e.text): // in a comment it does no harm
			p.fail(notUTF8)
		case errors.As(err, &bad):
			bad.Line += e.line - 1
			p.Line, p.Err = bad.Line, bad
		case err != nil:
			p.Err = err
		default:
			p.Line += positions[0].Line - 1
			p.Position = positions[0].Position
		}
		all = append(all, p)
	}
	return all
}

// entry is a part of a text.
type entry struct {
	line int // where it begins, from 1
	text string
}

// entries splits a text with positions: in short form each line is one, in long form one begins at
// each label. There is at least one.
func entries(text string) []entry {
	short, long := false, false
	for line := range strings.Lines(text) {
		if !isComment(line) {
			short = short || strings.Contains(line, "[")
			long = long || isLabel(line)
		}
	}
	var all []entry
	begun := false // the last entry has more than comments
	number, offset, start := 0, 0, 0
	for line := range strings.Lines(text) {
		number++
		begins := isLabel(line)
		if short && !long {
			begins = !isComment(line)
		}
		if len(all) == 0 || begins && begun {
			start = offset
			all = append(all, entry{line: number})
			begun = false
		}
		offset += len(line)
		all[len(all)-1].text = text[start:offset]
		begun = begun || !isComment(line)
	}
	if len(all) == 0 {
		all = []entry{{line: 1}}
	}
	return all
}

// isLabel tells whether a line holds nothing but the label of a turn, such as 47g or g.
func isLabel(line string) bool {
	line = strings.TrimSpace(line)
	if len(line) == 1 {
		return strings.Contains("gswb", line)
	}
	_, _, err := arimaa.ParseLabel(line)
	return err == nil
}

// claimInWords finds a claim in a sentence. A number of steps is not one.
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
	n, _ := strconv.Atoi(found[1]) // too large a number is no claim
	return validClaim(n)
}

// validClaim returns n, or 0 if nobody can ask for a win in n.
func validClaim(n int) int {
	if n < 1 || n > solve.MaxTurns {
		return 0
	}
	return n
}
