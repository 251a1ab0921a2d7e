package proof

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// Write writes the text of the refutation, which [Read] reads as an equal one: turns one
// after the other with the same reply stand below it. The error is as for [Certificate.Write].
func (r *Refutation) Write(w io.Writer) error {
	if err := r.wellFormed(); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\nclaim no win in %d\n%s\n", refutationLine, r.Turns, r.Position)
	for i, f := range r.Refuted {
		switch {
		case i > 0 && f.Reply == r.Refuted[i-1].Reply:
		case f.Reply == "":
			fmt.Fprintln(out, "-")
		default:
			fmt.Fprintf(out, "- %s\n", f.Reply)
		}
		fmt.Fprintf(out, "+ %s\n", f.Turn)
	}
	return out.Flush()
}

// wellFormed says which part of the refutation could not be read again.
func (r *Refutation) wellFormed() error {
	if r == nil {
		return errors.New(noRefutation)
	}
	if err := claimForm(r.Turns); err != nil {
		return err
	}
	if _, err := readPosition(r.Position); err != nil {
		return err
	}
	switch {
	case r.Turns == 1 && len(r.Refuted) > 0:
		return fmt.Errorf("a claim of no win in 1 with %d first turns: it has none", len(r.Refuted))
	case len(r.Refuted) > maxFirst:
		return fmt.Errorf("the refutation is too large: %d first turns (at most %d)", len(r.Refuted), maxFirst)
	}
	for i := range r.Refuted {
		if err := r.Refuted[i].wellFormed(); err != nil {
			return fmt.Errorf("first turn %d: %w", i+1, err)
		}
	}
	return nil
}
