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

// What is read is limited, so that no input takes more than about 1.5 GiB of memory, its check
// included. Proofs that can be checked in a day are smaller.
const (
	maxBytes = 256 << 20 // of text, after decompression
	maxLine  = 4096      // bytes of a line
	maxLines = 8 << 20
	maxGame  = 10_000 // turns
)

// MaxEntries and MaxAnswers are the most entries and answers, those of all entries together, of a
// certificate.
const (
	MaxEntries = 1 << 20
	MaxAnswers = 4 << 20
)

// Read reads the text of a certificate or of a refutation, whichever its first line names; the
// other one is nil. The text is compressed with gzip if the name ends in .gz. Read looks at its
// form only; what it says is for [Certificate.Check] and [Refutation.Check]. The error is of the
// form name:line: reason, or name: reason if something is missing at the end or the text is not
// compressed.
func Read(r io.Reader, name string) (*Certificate, *Refutation, error) {
	if strings.HasSuffix(name, ".gz") {
		text, err := gzip.NewReader(bufio.NewReader(r))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: its name ends in .gz, but it is not compressed with gzip: %w", name, err)
		}
		r = text
	}
	return read(r, name, maxBytes)
}

// ReadFile reads a certificate or a refutation from a file. The error is that of the file system,
// or as for [Read].
func ReadFile(path string) (*Certificate, *Refutation, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	return Read(file, path)
}

// read is Read with a limit on the bytes of the text, which is not compressed.
func read(r io.Reader, name string, size int) (*Certificate, *Refutation, error) {
	in := bufio.NewReaderSize(r, maxLine)
	var f format // nil before the first line
	for lines, bytes := 0, 0; ; lines++ {
		text, err := in.ReadSlice('\n')
		bytes += len(text)
		line := strings.Trim(string(text), " \t\r\n")
		switch {
		case bytes > size:
			err = fmt.Errorf("the text is longer than %d bytes", size)
		case lines == maxLines:
			err = fmt.Errorf("more than %d lines", maxLines)
		case err == io.EOF && len(text) == 0:
			return end(f, name)
		case err == io.EOF:
			err = errors.New("the text ends within a line: want a newline after it; it may have been cut off")
		case errors.Is(err, bufio.ErrBufferFull):
			err = fmt.Errorf("the line is longer than %d bytes", maxLine)
		case err != nil:
		case f == nil:
			f, err = formatOf(line)
		case line != "" && line[0] != '#':
			err = f.line(line, lines+1)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s:%d: %w", name, lines+1, err)
		}
	}
}

// format reads one of the formats.
type format interface {
	line(text string, number int) error // reads a line that is neither blank nor a comment
	end() error                         // says what is missing at the end of the text
	whole() (*Certificate, *Refutation) // what has been read; one is nil
}

// formatOf returns the format that the first line of a text names.
func formatOf(line string) (format, error) {
	switch line {
	case firstLine, gameLine, lossLine, goalLine:
		return &reader{c: &Certificate{}, played: line == gameLine, loss: line == lossLine, aimed: line == goalLine}, nil
	case refutationLine:
		return &refutationReader{r: &Refutation{}}, nil
	}
	return nil, fmt.Errorf("no certificate that this program can read: the first line is not %q, nor one of version 2 to 4, nor %q",
		firstLine, refutationLine)
}

// end returns what has been read at the end of a text.
func end(f format, name string) (*Certificate, *Refutation, error) {
	if f == nil {
		return nil, nil, fmt.Errorf("%s: no certificate: want a first line %q or %q", name, firstLine, refutationLine)
	}
	if err := f.end(); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	c, r := f.whole()
	return c, r, nil
}

// reader is a certificate of which some lines have been read.
type reader struct {
	c       *Certificate
	played  bool // its version is the one with a game
	loss    bool // its version is the one of losses
	aimed   bool // its version is the one with a goal
	answers int
}

func (p *reader) whole() (*Certificate, *Refutation) { return p.c, nil }

func (p *reader) end() error {
	switch {
	case p.c.Turns == 0:
		return errors.New("the claim is missing, such as: claim 2")
	case p.played && p.c.Game == nil:
		return errNoGame
	case p.aimed && p.c.Goal == "":
		return errNoGoal
	case len(p.c.Entries) == 0:
		return errors.New("there are no entries")
	}
	return nil
}

func (p *reader) line(text string, number int) error {
	word, rest, _ := strings.Cut(text, " ")
	if p.c.Turns == 0 {
		if word != "claim" {
			return fmt.Errorf("%q: the claim comes first, such as: claim 2", word)
		}
		return p.claim(rest)
	}
	switch {
	case word == "claim":
		return errors.New("a second claim")
	case word == "goal":
		return p.goal(rest)
	case word == "game":
		return p.game(rest, number)
	case word == "turn":
		return p.turn(rest, number)
	case word == "+":
		return p.answer(rest)
	case '0' <= word[0] && word[0] <= '9':
		return p.entry(word, rest, number)
	}
	return fmt.Errorf("%q: want an entry that begins with its rank, + and an answer, game, turn or goal", word)
}

func (p *reader) goal(text string) error {
	switch {
	case !p.aimed:
		return errors.New("only a certificate of version 4 has a goal")
	case p.c.Goal != "":
		return errors.New("a second goal")
	}
	p.c.Goal = strings.TrimSpace(text)
	_, err := readTarget(p.c.Goal)
	return err
}

// claim reads the claim of a win, such as 2, or of a loss, such as lost 2.
func (p *reader) claim(text string) (err error) {
	number, lost := strings.CutPrefix(strings.TrimSpace(text), "lost ")
	if lost != p.loss {
		return fmt.Errorf("claim %q: version 3 claims a loss, such as lost 2, and the others a win, such as 2", text)
	}
	p.c.Loss = lost
	p.c.Turns, err = readNumber(number)
	return err
}

var errNoGame = errors.New("a certificate of version 2 has the game before its entries, such as: game g [...]")

func (p *reader) game(text string, number int) error {
	switch {
	case p.aimed:
		return errGoalAlone
	case !p.played && !p.loss:
		return errors.New("a certificate of version 1 has no game")
	case len(p.c.Entries) > 0:
		return errors.New("the game comes before the entries")
	case p.c.Game != nil:
		return errors.New("a second game")
	}
	p.c.Game = &Game{Start: strings.TrimSpace(text), lines: []int{number}}
	_, err := readPosition(p.c.Game.Start)
	return err
}

func (p *reader) turn(text string, number int) error {
	g := p.c.Game
	switch {
	case g == nil:
		return errors.New("a turn before the first position of a game")
	case len(p.c.Entries) > 0:
		return errors.New("the game comes before the entries")
	case len(g.Turns) == maxGame:
		return fmt.Errorf("a game of more than %d turns", maxGame)
	}
	turn := strings.Join(strings.Fields(text), " ")
	g.Turns = append(g.Turns, turn)
	g.lines = append(g.lines, number)
	return turnForm(turn)
}

func (p *reader) entry(rank, text string, number int) error {
	switch {
	case p.played && p.c.Game == nil:
		return errNoGame
	case p.aimed && p.c.Goal == "":
		return errNoGoal
	}
	if len(p.c.Entries) == MaxEntries {
		return fmt.Errorf("more than %d entries", MaxEntries)
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
	_, err = e.read(p.loss && len(p.c.Entries) == 1)
	return err
}

func (p *reader) answer(text string) error {
	if len(p.c.Entries) == 0 {
		return errors.New("an answer before the first entry")
	}
	if p.answers == MaxAnswers {
		return fmt.Errorf("more than %d answers", MaxAnswers)
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
