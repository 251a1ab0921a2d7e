package proof

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// ReadRefutation reads the text of a refutation, compressed with gzip if the name ends in .gz. It
// looks at its form only; what it says is for [Refutation.Check]. The error is as for [Read].
func ReadRefutation(r io.Reader, name string) (*Refutation, error) {
	text, err := unpacked(r, name)
	if err != nil {
		return nil, err
	}
	return readRefutation(text, name)
}

func readRefutation(r io.Reader, name string) (*Refutation, error) {
	p := refutationReader{r: &Refutation{}}
	if err := readLines(r, name, maxBytes, p.line, p.end); err != nil {
		return nil, err
	}
	return p.r, nil
}

// ReadEither reads a certificate or a refutation from a file, whichever its first line names; the
// other one is nil. What is neither is read as a certificate. The error is that of the
// file system, or as for [Read].
func ReadEither(path string) (c *Certificate, r *Refutation, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	text, err := unpacked(file, path)
	if err != nil {
		return nil, nil, err
	}
	in := bufio.NewReaderSize(text, maxLine)
	begin, _ := in.Peek(maxLine) // an error comes again
	if line, _, _ := strings.Cut(string(begin), "\n"); strings.Trim(line, blanks) == refutationLine {
		r, err = readRefutation(in, path)
	} else {
		c, err = read(in, path, maxBytes)
	}
	return c, r, err
}

// blanks may stand around a line.
const blanks = " \t\r\n"

// refutationReader is a refutation of which some lines have been read.
type refutationReader struct {
	r      *Refutation
	named  bool   // the line that names the format has been read
	reply  string // that of the turns that follow
	head   int    // the line on which it stands, 0 before the first
	unused bool   // no turn has followed
}

// end says what is missing at the end of the text.
func (p *refutationReader) end() error {
	switch {
	case !p.named:
		return fmt.Errorf("no refutation: want a first line %q", refutationLine)
	case p.r.Turns == 0:
		return errors.New("the claim is missing, such as: claim no win in 2")
	case p.r.Position == "":
		return errors.New("the position is missing")
	}
	return p.used()
}

// used says that no turn has followed the last reply.
func (p *refutationReader) used() error {
	if p.unused {
		return fmt.Errorf("no turn follows the reply on line %d", p.head)
	}
	return nil
}

// line reads the line of a number.
func (p *refutationReader) line(text string, number int) (err error) {
	text = strings.Trim(text, blanks)
	if !p.named {
		if text != refutationLine {
			return fmt.Errorf("no refutation that this program can read: the first line is not %q", refutationLine)
		}
		p.named = true
		return nil
	}
	if text == "" || text[0] == '#' {
		return nil
	}
	if p.r.Turns == 0 {
		turns, ok := strings.CutPrefix(text, "claim no win in ")
		if !ok {
			return fmt.Errorf("%.20q: the claim comes first, such as: claim no win in 2", text)
		}
		if p.r.Turns, err = readNumber(turns); err != nil {
			return err
		}
		return claimForm(p.r.Turns)
	}
	if p.r.Position == "" {
		p.r.Position, p.r.line = text, number
		_, err := readPosition(text)
		return err
	}
	turn := strings.Join(strings.Fields(text[1:]), " ")
	switch {
	case p.r.Turns == 1:
		return fmt.Errorf("%.20q: a claim of no win in 1 has no turns: want the end of the text", text)
	case text[0] == '-':
		if err := p.used(); err != nil {
			return err
		}
		p.reply, p.head, p.unused = turn, number, true
		if turn == "" {
			return nil
		}
		return turnForm(turn)
	case text[0] == '+' && p.head == 0:
		return errors.New("a turn before the first reply")
	case text[0] == '+':
		if len(p.r.Refuted) == maxFirst {
			return fmt.Errorf("more than %d first turns", maxFirst)
		}
		p.unused = false
		p.r.Refuted = append(p.r.Refuted, Refuted{Turn: turn, Reply: p.reply, line: number})
		return turnForm(turn)
	}
	return fmt.Errorf("%.20q: want - and a reply, or + and a first turn", text)
}
