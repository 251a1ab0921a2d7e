package puzzles

import (
	"errors"
	"io"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"goalproof/arimaa/notation"
	"goalproof/solve"
)

// findHeader looks for the header of a table: the first line that is no comment, or a comment with
// tabs. It returns the column of each name, nil if there is no header, and the number of its line.
func findHeader(text string) (header map[string]int, number int) {
	for line := range strings.Lines(text) {
		number++
		comment := isComment(line)
		if comment && !strings.Contains(line, "\t") {
			continue
		}
		if header := columns(line); header != nil {
			return header, number
		}
		if !comment {
			break
		}
	}
	return nil, 0
}

// columns reads the header of a table; it returns nil if the line is none.
func columns(line string) map[string]int {
	at := map[string]int{}
	for i, name := range strings.Split(strings.TrimLeft(line, "# \ufeff"), "\t") {
		name = strings.ToLower(strings.TrimSpace(name))
		if _, twice := at[name]; !twice {
			at[name] = i
		}
	}
	_, position := at["position"]
	if _, moves := at["movelist"]; !position && !moves {
		return nil
	}
	return at
}

// parseTable reads the rows of a table below its header.
func parseTable(lines *notation.Lines, header map[string]int, headerLine int) iter.Seq[Puzzle] {
	return func(yield func(Puzzle) bool) {
		for found := false; ; {
			line, err := lines.Next()
			p := Puzzle{File: lines.File(), Line: lines.Number()}
			switch {
			case err == io.EOF && found:
				return
			case err == io.EOF:
				p.Line = headerLine
				p.fail("there is no row below the header")
			case err != nil:
				p = unread(lines, err)
			case p.Line <= headerLine || isComment(line):
				continue
			default:
				p.row(header, strings.TrimRight(line, "\r\n"))
			}
			if found = true; !yield(p) || err != nil {
				return
			}
		}
	}
}

// row reads a row of a table.
func (p *Puzzle) row(header map[string]int, line string) {
	if !utf8.ValidString(line) {
		p.fail(notUTF8)
		return
	}
	fields := strings.Split(line, "\t")
	get := func(names ...string) string {
		for _, name := range names {
			if i, ok := header[name]; ok && i < len(fields) && strings.TrimSpace(fields[i]) != "" {
				return strings.TrimSpace(fields[i])
			}
		}
		return ""
	}
	p.Name = oneLine(get("name", "title", "id"))
	p.setSolution(get("solution"))
	p.claim(get("claim"))
	if p.Err != nil {
		return
	}
	if p.Claim == 0 {
		p.Claim = claimIn(get("title"))
	}
	if text := get("position"); text != "" {
		var bad *notation.ParseError
		if p.Position, p.Err = notation.ParsePosition(text); errors.As(p.Err, &bad) {
			p.fail("position: %s", bad.Reason)
		}
		return
	}
	moves := get("movelist")
	if moves == "" {
		p.fail("the row has no position")
		return
	}
	p.game(strings.ReplaceAll(moves, `\n`, "\n"), get("startmove"), get("side"), p.Line)
}

// maxSolution is how long a solution may be, in bytes.
const maxSolution = 4096

// setSolution sets the solution, if it is not too long.
func (p *Puzzle) setSolution(text string) {
	if p.Solution = strings.Clone(text); len(text) > maxSolution {
		p.Solution = ""
		p.fail("the solution is longer than %d bytes", maxSolution)
	}
}

// claim reads the column claim: a number of turns, or a sentence that contains one.
func (p *Puzzle) claim(text string) {
	n, err := strconv.Atoi(text)
	switch {
	case text == "":
		return
	case err != nil:
		n = claimIn(text)
	}
	if p.Claim = validClaim(n); p.Claim == 0 {
		p.fail("claim %q: it is a number of turns, 1 to %d", text, solve.MaxTurns)
	}
}
