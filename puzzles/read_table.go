package puzzles

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"goalproof/arimaa"
	"goalproof/solve"
)

// findHeader looks for the header of a table, the first line that is no comment; a comment with tabs may be
// one. It returns which column each name has, nil if there is no header, and the number of its line.
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

// columns reads the header of a table, or returns nil where it is none.
func columns(line string) map[string]int {
	at := map[string]int{}
	for i, name := range strings.Split(strings.TrimLeft(line, "# "), "\t") {
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
func parseTable(file, text string, header map[string]int, headerLine int) []Puzzle {
	var all []Puzzle
	number := 0
	for line := range strings.Lines(text) {
		number++
		if number > headerLine && !isComment(line) {
			p := Puzzle{File: file, Line: number}
			p.row(header, strings.TrimRight(line, "\r\n"))
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		p := Puzzle{File: file, Line: headerLine}
		p.fail("there is no row below the header")
		all = []Puzzle{p}
	}
	return all
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
	p.Name = get("name", "title", "id")
	p.Solution = get("solution")
	if p.claim(get("claim")); p.Err != nil {
		return
	}
	if p.Claim == 0 {
		p.Claim = claimIn(get("title"))
	}
	if text := get("position"); text != "" {
		var bad *arimaa.ParseError
		if p.Position, p.Err = arimaa.ParsePosition(text); errors.As(p.Err, &bad) {
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

// claim reads the column of that name: a number of turns, or a sentence with one.
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
