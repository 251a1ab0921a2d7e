// Package esm finds the imports of JavaScript modules.
//
// It reads tokens, so a word in a comment, a string or a regular expression is no import. Where a
// slash begins a regular expression depends on the grammar; the token before it decides here, as in
// most lexers, which is wrong after the parenthesis of a condition and after a block. A module with
// a regular expression there is read wrong if that has quotes or braces in it.
package esm

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Import is one import of a module, or an export from another module.
type Import struct {
	From    string // the specifier as written, such as ./dom.js
	At      int    // byte offset of the specifier in the source, behind its quote
	Dynamic bool   // by the function import()
}

// Imports returns the imports of a module in their order. It is an error if the module has an
// unfinished token, or an import whose specifier is not a string.
func Imports(source string) ([]Import, error) {
	l := lexer{rest: source, source: source}
	var all []token
	for {
		t, err := l.next()
		if err != nil {
			return nil, err
		}
		if t.kind == end {
			return find(append(all, t))
		}
		all = append(all, t)
	}
}

// find returns the imports among the tokens of a module, the last of which is its end.
func find(all []token) (found []Import, err error) {
	for i, t := range all {
		switch {
		case t.kind != word || i > 0 && all[i-1].text == ".":
		case t.text == "import" && all[i+1].text == "(":
			if from := all[i+2]; from.kind == str && (all[i+3].text == ")" || all[i+3].text == ",") {
				found = append(found, Import{from.text, from.at, true})
				continue
			}
			return nil, fmt.Errorf("offset %d: import() of something other than a string", t.at)
		case t.text == "import" && all[i+1].text != "." && all[i+1].text != ":":
			from, ok := source(all[i+1:])
			if !ok {
				return nil, fmt.Errorf("offset %d: an import without the name of a module", t.at)
			}
			found = append(found, from)
		case t.text == "export" && (all[i+1].text == "{" || all[i+1].text == "*"):
			if from, ok := source(all[i+1:]); ok {
				found = append(found, from)
			}
		}
	}
	return found, nil
}

// source returns the specifier at the end of a clause: the string after its first from outside
// braces, or at its beginning.
func source(clause []token) (Import, bool) {
	if clause[0].kind == str {
		return Import{clause[0].text, clause[0].at, false}, true
	}
	if clause[0].text == "{" {
		clause = clause[max(0, slices.IndexFunc(clause, func(t token) bool { return t.text == "}" })):]
		if clause[1].text != "from" && clause[1].text != "," {
			return Import{}, false // export {a, b};
		}
	}
	for i, t := range clause {
		if t.kind == word && t.text == "from" && clause[i+1].kind == str {
			return Import{clause[i+1].text, clause[i+1].at, false}, true
		}
		if t.kind == end || t.text == ";" {
			break
		}
	}
	return Import{}, false
}

type kind int

const (
	end   kind = iota
	word       // a name, keyword or number
	str        // a string
	sign       // one character of punctuation
	other      // a part of a template, or a regular expression
)

type token struct {
	kind kind
	text string // of a string, without its quotes
	at   int    // offset of the text
}

type lexer struct {
	source, rest string
	last         token
	braces       []bool // those that are open: whether a template continues behind
}

// next returns the next token.
func (l *lexer) next() (token, error) {
	if err := l.skip(); err != nil {
		return token{}, err
	}
	at := len(l.source) - len(l.rest)
	t, n, err := l.read()
	if err != nil {
		return t, fmt.Errorf("offset %d: %w", at, err)
	}
	t.at += at
	l.rest, l.last = l.rest[n:], t
	return t, nil
}

// skip skips spaces and comments.
func (l *lexer) skip() error {
	for {
		l.rest = strings.TrimLeftFunc(l.rest, unicode.IsSpace)
		var stop string
		switch {
		case strings.HasPrefix(l.rest, "//"):
			stop = "\n"
		case strings.HasPrefix(l.rest, "/*"):
			stop = "*/"
		default:
			return nil
		}
		_, after, ok := strings.Cut(l.rest[2:], stop)
		if !ok && stop == "*/" {
			return fmt.Errorf("a comment without an end")
		}
		l.rest = after
	}
}

// read returns the token at which the rest begins, and its length in bytes. Its offset counts from
// there.
func (l *lexer) read() (token, int, error) {
	if l.rest == "" {
		return token{kind: end}, 0, nil
	}
	switch c := l.rest[0]; {
	case c == '"' || c == '\'':
		n, err := until(l.rest, 1, c)
		return token{str, l.rest[1:max(1, n-1)], 1}, n, err
	case c == '`':
		return l.template()
	case c == '{':
		l.braces = append(l.braces, false)
	case c == '}' && len(l.braces) > 0:
		in := l.braces[len(l.braces)-1]
		l.braces = l.braces[:len(l.braces)-1]
		if in {
			return l.template()
		}
	case c == '/' && l.operand():
		n, err := expression(l.rest)
		return token{kind: other}, n, err
	}
	if n := strings.IndexFunc(l.rest, func(r rune) bool { return !named(r) }); n != 0 {
		if n < 0 {
			n = len(l.rest)
		}
		return token{kind: word, text: l.rest[:n]}, n, nil
	}
	_, n := utf8.DecodeRuneInString(l.rest)
	return token{kind: sign, text: l.rest[:n]}, n, nil
}

func named(r rune) bool {
	return r == '_' || r == '$' || r == '#' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// template reads a part of a template, from its quote or from a brace that ends an expression, to
// its end or to the next expression.
func (l *lexer) template() (token, int, error) {
	for i := 1; i < len(l.rest); i++ {
		switch {
		case l.rest[i] == '\\':
			i++
		case l.rest[i] == '`':
			return token{kind: other}, i + 1, nil
		case strings.HasPrefix(l.rest[i:], "${"):
			l.braces = append(l.braces, true)
			return token{kind: sign, text: "${"}, i + 2, nil
		}
	}
	return token{}, 0, fmt.Errorf("a template without an end")
}

// operand reports whether an operand may stand after the last token, so that a slash begins a
// regular expression.
func (l *lexer) operand() bool {
	switch l.last.kind {
	case word:
		return slices.Contains([]string{"return", "typeof", "case", "in", "of", "do", "else", "void", "delete", "await", "yield"}, l.last.text)
	case sign:
		twice := l.last.at > 0 && (l.last.text == "+" || l.last.text == "-") && l.source[l.last.at-1] == l.last.text[0] // i++ / 2
		return !twice && !strings.Contains(")]}", l.last.text)
	}
	return l.last.kind == end
}

// expression returns the length of the regular expression at which a text begins. Flags are left.
func expression(text string) (int, error) {
	in := false // a class, where a slash is a character
	for i := 1; i < len(text) && text[i] != '\n'; i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == '[':
			in = true
		case text[i] == ']':
			in = false
		case text[i] == '/' && !in:
			return i + 1, nil
		}
	}
	return 0, fmt.Errorf("a regular expression without an end")
}

// until returns the offset behind the next quote that is not escaped.
func until(text string, i int, quote byte) (int, error) {
	for ; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return i + 1, nil
		}
	}
	return 0, fmt.Errorf("a string without an end")
}
