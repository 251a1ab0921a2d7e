package proof

import (
	"errors"
	"fmt"
	"strings"
)

// refutationReader is a refutation of which some lines have been read.
type refutationReader struct {
	r      *Refutation
	reply  string // that of the turns that follow
	head   int    // the line on which it stands, 0 before the first
	unused bool   // no turn has followed
}

func (p *refutationReader) whole() (*Certificate, *Refutation) { return nil, p.r }

func (p *refutationReader) end() error {
	switch {
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

func (p *refutationReader) line(text string, number int) (err error) {
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
