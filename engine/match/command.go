package match

import (
	"encoding/csv"
	"errors"
	"fmt"
	"strings"
)

// Command is a program with its arguments and the options to set.
type Command struct {
	Args    []string // the program and its arguments
	Options []Option
}

// Option is an option of the protocol with its value.
type Option struct{ Name, Value string }

// ParseCommand reads a command line: words separated by blanks, in double quotes if they contain
// blanks, such as
//
//	goalproof aei --threads 1 hash=64
//
// Trailing words of the form name=value, without a leading dash, are options of the protocol.
func ParseCommand(text string) (Command, error) {
	bad := func(err error) (Command, error) { return Command{}, fmt.Errorf("program %q: %w", text, err) }
	if strings.ContainsAny(text, "\r\n") {
		return bad(errors.New("a command line is one line"))
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.TrimLeadingSpace = ' ', true
	words, err := r.Read()
	if err != nil {
		return bad(errors.New("it is empty, or a quotation mark is not closed"))
	}
	var c Command
	for _, word := range words {
		name, value, ok := strings.Cut(word, "=")
		switch {
		case word == "":
		case ok && len(c.Args) > 0 && name != "" && name[0] != '-':
			c.Options = append(c.Options, Option{name, value})
		case len(c.Options) > 0:
			return bad(fmt.Errorf("%q follows an option", word))
		default:
			c.Args = append(c.Args, word)
		}
	}
	if len(c.Args) == 0 {
		return bad(errors.New("it is empty"))
	}
	return c, nil
}
