package match

import (
	"encoding/csv"
	"errors"
	"fmt"
	"strings"
)

// Command is how a program is started, and the options that it is given.
type Command struct {
	Args    []string // the program and its arguments
	Options []Option
}

// Option is an option of the protocol and its value.
type Option struct{ Name, Value string }

// ParseCommand reads a command line: words between blanks, in double quotes where they hold blanks,
// such as
//
//	goalproof aei --threads 1 hash=64
//
// The words at the end that have the form name=value, without a dash before the name, are options
// of the protocol.
func ParseCommand(text string) (Command, error) {
	bad := func(err error) (Command, error) { return Command{}, fmt.Errorf("program %q: %w", text, err) }
	if strings.ContainsAny(text, "\r\n") {
		return bad(errors.New("a command line is one line"))
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.TrimLeadingSpace = ' ', true
	words, err := r.Read()
	if err != nil {
		return bad(errors.New("it has no words, or a quotation mark that stands alone"))
	}
	var c Command
	for _, word := range words {
		name, value, ok := strings.Cut(word, "=")
		switch {
		case word == "":
		case ok && len(c.Args) > 0 && name != "" && name[0] != '-':
			c.Options = append(c.Options, Option{name, value})
		case len(c.Options) > 0:
			return bad(fmt.Errorf("%q stands behind an option", word))
		default:
			c.Args = append(c.Args, word)
		}
	}
	if len(c.Args) == 0 {
		return bad(errors.New("it has no words"))
	}
	return c, nil
}
