package library

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"goalproof/arimaa"
)

// Pattern says what stands on some squares of a board.
type Pattern struct {
	text  string
	terms []term
	side  arimaa.Side
	sided bool // side is to move
}

// term says that on one of some squares there is something, or that it is on none of them.
type term struct {
	pieces  [2]uint8 // of Gold and Silver: bit k for kind k
	empty   bool
	squares arimaa.Bitboard
	not     bool
}

// anyKind has the bits of all kinds of pieces.
const anyKind = 1<<(arimaa.Elephant+1) - 2

// ParsePattern reads a pattern: words of which all must hold, in the manner of the Chess Query
// Language (Costeff and Stiller 2003).
//
//	Eb6       a gold elephant on b6
//	[Mh]c3    a gold camel or a silver horse on c3
//	Aa-h7     any gold piece on one of a7, ..., h7; a is any silver one, ? any piece
//	.d1-3     one of d1, d2, d3 is empty
//	!ra-h2    no silver rabbit on the second rank
//	gold      Gold is to move
func ParsePattern(text string) (*Pattern, error) {
	p := &Pattern{text: strings.Join(strings.Fields(text), " ")}
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil, fmt.Errorf("a pattern has at least one word, such as Eb6")
	}
	for _, word := range words {
		switch word {
		case "gold", "silver":
			side := arimaa.Gold
			if word == "silver" {
				side = arimaa.Silver
			}
			if p.sided && p.side != side {
				return nil, fmt.Errorf("pattern %q: one side is to move, not both", p.text)
			}
			p.side, p.sided = side, true
			continue
		}
		t, err := parseTerm(word)
		if err != nil {
			return nil, fmt.Errorf("pattern %q: %w", p.text, err)
		}
		p.terms = append(p.terms, t)
	}
	return p, nil
}

// parseTerm reads a word of a pattern.
func parseTerm(word string) (t term, err error) {
	fail := func(why string) (term, error) {
		return term{}, fmt.Errorf("%s: %s; a word is a piece and its square, such as Eb6, [Mh]c3, Aa-h7, .d1 or !rc3", word, why)
	}
	rest, not := strings.CutPrefix(word, "!")
	t.not = not
	what := rest
	if inside, after, ok := strings.Cut(strings.TrimPrefix(rest, "["), "]"); ok && strings.HasPrefix(rest, "[") {
		what, rest = inside, after
	} else if rest != "" {
		_, n := utf8.DecodeRuneInString(rest)
		what, rest = rest[:n], rest[n:]
	}
	if what == "" {
		return fail("it names no piece")
	}
	for _, letter := range what {
		switch letter {
		case '?':
			t.pieces = [2]uint8{anyKind, anyKind}
		case 'A':
			t.pieces[arimaa.Gold] = anyKind
		case 'a':
			t.pieces[arimaa.Silver] = anyKind
		case '.':
			t.empty = true
		default:
			gold, silver := strings.IndexRune(".RCDHME", letter), strings.IndexRune(".rcdhme", letter)
			switch {
			case gold > 0:
				t.pieces[arimaa.Gold] |= 1 << gold
			case silver > 0:
				t.pieces[arimaa.Silver] |= 1 << silver
			default:
				return fail(fmt.Sprintf("%q is no piece", letter))
			}
		}
	}
	files, rest, ok := parseRange(rest, 'a', 'h')
	if !ok {
		return fail("it names no square")
	}
	ranks, rest, ok := parseRange(rest, '1', '8')
	if !ok || rest != "" {
		return fail("it names no square")
	}
	for rank := ranks[0]; rank <= ranks[1]; rank++ {
		for file := files[0]; file <= files[1]; file++ {
			t.squares |= arimaa.Square(8*rank + file).Set()
		}
	}
	return t, nil
}

// parseRange reads a letter, or two with a hyphen between, from first to last.
func parseRange(text string, first, last byte) (r [2]int, rest string, ok bool) {
	is := func(i int) bool { return i < len(text) && text[i] >= first && text[i] <= last }
	if !is(0) {
		return r, text, false
	}
	r = [2]int{int(text[0] - first), int(text[0] - first)}
	if len(text) > 1 && text[1] == '-' {
		if !is(2) || text[2] < text[0] {
			return r, text, false
		}
		r[1] = int(text[2] - first)
		return r, text[3:], true
	}
	return r, text[1:], true
}

// String returns the pattern as it was written.
func (p *Pattern) String() string { return p.text }

// Matches reports whether the pattern is on a board.
func (p *Pattern) Matches(at *arimaa.Position) bool {
	if p.sided && p.side != at.Side() {
		return false
	}
	for i := range p.terms {
		if p.terms[i].on(&at.Board) == p.terms[i].not {
			return false
		}
	}
	return true
}

// on reports whether one of the squares has one of the pieces.
func (t *term) on(b *arimaa.Board) bool {
	if t.empty && t.squares&^b.Occupied() != 0 {
		return true
	}
	for side, set := range t.pieces {
		if set == anyKind {
			if b.Of(arimaa.Side(side))&t.squares != 0 {
				return true
			}
			continue
		}
		for kind := arimaa.Rabbit; set>>kind != 0; kind++ {
			if set>>kind&1 != 0 && b.Pieces(arimaa.Side(side), kind)&t.squares != 0 {
				return true
			}
		}
	}
	return false
}
