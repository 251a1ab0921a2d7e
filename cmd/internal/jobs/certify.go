package jobs

import (
	"context"
	"fmt"

	"goalproof/answer"
	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/search"
	"goalproof/proof"
	"goalproof/puzzles"
	"goalproof/solve"
)

// Certifier makes the certificates of a puzzle.
type Certifier struct {
	Claim int
	Check bool // check them
	// Keep takes a certificate. For what it refutes, such as "-no-win-in-2", it is a refutation,
	// for "" that of the win. Nil: none are kept.
	Keep func(c certificates.Certificate, refutes string) error
}

// Certify makes the proof of a verdict and, if the claim is false because the win takes longer, a
// refutation of the claim. It implements [puzzles.Certify].
func (f *Certifier) Certify(ctx context.Context, s *solve.Solver, q solve.Question, a solve.Answer) (puzzles.Certificate, error) {
	state := puzzles.NoCertificate
	if a.Verdict == answer.Proved {
		c, err := s.Certificate(ctx, q, a)
		state = puzzles.Written
		if err == nil && f.Check {
			state, err = puzzles.Accepted, c.Check(ctx, nil)
		}
		if err := f.keep(err, c, ""); err != nil {
			return rejection(err)
		}
	}
	n := refuted(a.Verdict, a.Bounds, f.Claim)
	if n == 0 {
		return state, nil
	}
	r, done, err := search.Refutation(ctx, q.Position, n, f.Check)
	if err := f.keep(err, r, refutes(n)); err != nil {
		return rejection(err)
	}
	if a.Verdict == answer.Disproved && n == a.Refuted {
		state = done
	}
	return state, nil
}

// refuted returns the number of turns that the refutation beside a verdict is about, 0 if there is
// none. A refutation of more turns also disproves the claim, and says more.
func refuted(v answer.Verdict, b answer.Bounds, claim int) int {
	n := min(b.Refuted, proof.MaxRefuted)
	if n < max(claim, 1) || claim == 0 && v == answer.Proved || v == answer.Proved && b.Within <= claim {
		return 0
	}
	return n
}

// refutes is what a refutation of a win in n refutes, as files are named after it.
func refutes(n int) string { return fmt.Sprintf("-no-win-in-%d", n) }

// keep keeps a certificate that was made without an error.
func (f *Certifier) keep(err error, c certificates.Certificate, refutes string) error {
	if err != nil || f.Keep == nil {
		return err
	}
	return f.Keep(c, refutes)
}

// rejection returns the state of a certificate with an error.
func rejection(err error) (puzzles.Certificate, error) {
	if certificates.Rejected(err) {
		return puzzles.Rejected, nil
	}
	return puzzles.NoCertificate, err
}
