package proof

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// What is read is limited, so that no input takes more than about 2 GiB of memory. Proofs that can be checked in
// a day are smaller.
const (
	maxBytes   = 1 << 30 // of text, after decompression
	maxLine    = 4096    // bytes of a line
	maxLines   = 32 << 20
	maxEntries = 1 << 20
	maxAnswers = 8 << 20 // of all entries together
	maxSeen    = 10_000
)

// Read reads the text of a certificate. It looks at its form only; what it says is for [Certificate.Check]. The
// error is of the form name:line: reason, or name: reason where something is missing at the end.
func Read(r io.Reader, name string) (*Certificate, error) {
	return read(r, name, maxBytes)
}

// ReadFile reads a certificate from a file, compressed with gzip if its name ends in .gz. The error is that of
// the file system, or as for [Read].
func ReadFile(path string) (*Certificate, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if !compressed(path) {
		return Read(file, path)
	}
	unpacked, err := gzip.NewReader(bufio.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("%s: its name ends in .gz, but it is not compressed with gzip: %w", path, err)
	}
	return Read(unpacked, path)
}

// compressed reports whether a file of this name is compressed.
func compressed(path string) bool { return strings.HasSuffix(path, ".gz") }

func read(r io.Reader, name string, size int) (*Certificate, error) {
	p := reader{c: &Certificate{}}
	in := bufio.NewReaderSize(r, maxLine)
	for {
		line, err := in.ReadSlice('\n')
		p.bytes += len(line)
		switch {
		case p.bytes > size:
			err = fmt.Errorf("the text is longer than %d bytes", size)
		case p.lines == maxLines:
			err = fmt.Errorf("more than %d lines", maxLines)
		case err == io.EOF && len(line) == 0:
			if err := p.end(); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			return p.c, nil
		case err == io.EOF:
			err = errors.New("the text ends within a line: want a newline after it; it may have been cut off")
		case errors.Is(err, bufio.ErrBufferFull):
			err = fmt.Errorf("the line is longer than %d bytes", maxLine)
		case err == nil:
			err = p.line(string(line), p.lines+1)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, p.lines+1, err)
		}
		p.lines++
	}
}

// reader is a certificate of which some lines have been read.
type reader struct {
	c       *Certificate
	bytes   int
	lines   int
	named   bool // the line that names the format has been read
	answers int
}

// end says what is missing at the end of the text.
func (p *reader) end() error {
	switch {
	case !p.named:
		return fmt.Errorf("no certificate: want a first line %q", firstLine)
	case p.c.Turns == 0:
		return errors.New("the claim is missing, such as: claim 2")
	case len(p.c.Entries) == 0:
		return errors.New("there are no entries")
	}
	return nil
}

// line reads the line of a number.
func (p *reader) line(text string, number int) error {
	text = strings.Trim(text, " \t\r\n")
	if !p.named {
		if text != firstLine {
			return fmt.Errorf("no certificate that this program can read: the first line is not %q", firstLine)
		}
		p.named = true
		return nil
	}
	if text == "" || text[0] == '#' {
		return nil
	}
	word, rest, _ := strings.Cut(text, " ")
	if p.c.Turns == 0 {
		if word != "claim" {
			return fmt.Errorf("%q: the claim comes first, such as: claim 2", word)
		}
		var err error
		p.c.Turns, err = readNumber(rest)
		return err
	}
	switch {
	case word == "claim":
		return errors.New("a second claim")
	case word == "seen":
		return p.seen(rest, number)
	case word == "+":
		return p.answer(rest)
	case '0' <= word[0] && word[0] <= '9':
		return p.entry(word, rest, number)
	}
	return fmt.Errorf("%q: want an entry that begins with its rank, + and an answer, or seen", word)
}

func (p *reader) seen(text string, number int) error {
	if len(p.c.Entries) > 0 {
		return errors.New("the history comes before the entries")
	}
	if len(p.c.Seen) == maxSeen {
		return fmt.Errorf("a history of more than %d positions", maxSeen)
	}
	count, position, _ := strings.Cut(text, " ")
	n, err := readNumber(count)
	if err != nil {
		return err
	}
	s := Seen{Count: n, Position: strings.TrimSpace(position), line: number}
	p.c.Seen = append(p.c.Seen, s)
	return s.wellFormed()
}

func (p *reader) entry(rank, text string, number int) error {
	if len(p.c.Entries) == maxEntries {
		return fmt.Errorf("more than %d entries", maxEntries)
	}
	n, err := readNumber(rank)
	if err != nil {
		return err
	}
	// Squares may be blanks, so the position ends with its bracket.
	position, turn, found := strings.Cut(text, "]")
	if !found {
		return errors.New("want a rank, a position and a turn, such as: 2 g [...] Ee2n")
	}
	e := Entry{
		Rank:     n,
		Position: strings.TrimLeft(position, " \t") + "]",
		Turn:     strings.Join(strings.Fields(turn), " "),
		line:     number,
	}
	p.c.Entries = append(p.c.Entries, e)
	return e.wellFormed()
}

func (p *reader) answer(text string) error {
	if len(p.c.Entries) == 0 {
		return errors.New("an answer before the first entry")
	}
	if p.answers == maxAnswers {
		return fmt.Errorf("more than %d answers", maxAnswers)
	}
	p.answers++
	turn := strings.Join(strings.Fields(text), " ")
	e := &p.c.Entries[len(p.c.Entries)-1]
	e.Answers = append(e.Answers, turn)
	return turnForm(turn)
}

// readNumber reads a number of at least 1, in the form in which it is written.
func readNumber(text string) (int, error) {
	text = strings.TrimSpace(text)
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || strconv.Itoa(n) != text {
		return 0, fmt.Errorf("%q: want a number, at least 1", text)
	}
	return n, nil
}
