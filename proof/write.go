package proof

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Write writes the text of the certificate, which [Read] reads as an equal one. Equal certificates
// have equal texts. The error is that of the writer, or says which part could not be read again;
// then nothing is written.
func (c *Certificate) Write(w io.Writer) error {
	if err := c.wellFormed(); err != nil {
		return err
	}
	// A bufio.Writer keeps its first error for Flush.
	out := bufio.NewWriter(w)
	version, lost := firstLine, ""
	switch {
	case c.Loss:
		version, lost = lossLine, "lost "
	case c.Goal != "":
		version = goalLine
	case c.Game != nil:
		version = gameLine
	}
	fmt.Fprintf(out, "%s\nclaim %s%d\n", version, lost, c.Turns)
	if c.Goal != "" {
		fmt.Fprintf(out, "goal %s\n", c.Goal)
	}
	if g := c.Game; g != nil {
		fmt.Fprintf(out, "game %s\n", g.Start)
		for _, turn := range g.Turns {
			fmt.Fprintf(out, "turn %s\n", turn)
		}
	}
	for _, e := range c.Entries {
		fmt.Fprintln(out, strings.TrimRight(fmt.Sprintf("%d %s %s", e.Rank, e.Position, e.Turn), " "))
		for _, answer := range e.Answers {
			fmt.Fprintf(out, "+ %s\n", answer)
		}
	}
	return out.Flush()
}

// wellFormed says which part of the certificate could not be read again.
func (c *Certificate) wellFormed() error {
	if c == nil {
		return errors.New("there is no certificate")
	}
	answers := 0
	for i := range c.Entries {
		answers += len(c.Entries[i].Answers)
	}
	switch {
	case c.Turns < 1:
		return fmt.Errorf("a claim of %d turns: it is at least 1", c.Turns)
	case len(c.Entries) == 0:
		return errors.New("there are no entries")
	case c.Game != nil && len(c.Game.Turns) > maxGame:
		return fmt.Errorf("a game of %d turns: at most %d", len(c.Game.Turns), maxGame)
	case len(c.Entries) > MaxEntries || answers > MaxAnswers:
		return fmt.Errorf("the certificate is too large: %d entries (at most %d), %d answers (at most %d)",
			len(c.Entries), MaxEntries, answers, MaxAnswers)
	}
	if _, err := c.target(); err != nil {
		return err
	}
	if c.Game != nil {
		if _, err := c.Game.read(); err != nil {
			return fmt.Errorf("game: %w", err)
		}
	}
	for i := range c.Entries {
		e := &c.Entries[i]
		if _, err := e.read(c.Loss && i == 0); err != nil {
			return fmt.Errorf("entry %d: %w", i+1, err)
		}
		for _, answer := range e.Answers {
			if err := turnForm(answer); err != nil {
				return fmt.Errorf("entry %d, answer %q: %w", i+1, answer, err)
			}
		}
	}
	return nil
}
