package verify

import (
	"context"
	"fmt"
	"path/filepath"

	"goalproof/answer"
	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/search"
	"goalproof/proof"
	"goalproof/puzzles"
	"goalproof/solve"
)

// certify makes the proof of a verdict and, if the claim is false because the win takes longer, a
// refutation of the claim, and checks them or writes them to files, as asked.
func (f *flags) certify(ctx context.Context, s *solve.Solver, q solve.Question, a solve.Answer, p *puzzles.Puzzle) (puzzles.Certificate, error) {
	state := puzzles.NoCertificate
	if a.Verdict == answer.Proved {
		c, err := s.Certificate(ctx, q, a)
		state = puzzles.Written
		if err == nil && f.check {
			state, err = puzzles.Accepted, c.Check(ctx, nil)
		}
		if err := f.keep(err, c, p, ""); err != nil {
			return rejection(err)
		}
	}
	// A refutation of more turns also disproves the claim, and says more.
	n := min(a.Refuted, proof.MaxRefuted)
	if n < max(p.Claim, 1) || p.Claim == 0 && a.Verdict == answer.Proved || a.Verdict == answer.Proved && a.Within <= p.Claim {
		return state, nil
	}
	r, done, err := search.Refutation(ctx, q.Position, n, f.check)
	if err := f.keep(err, r, p, fmt.Sprintf("-no-win-in-%d", n)); err != nil {
		return rejection(err)
	}
	if a.Verdict == answer.Disproved && n == a.Refuted {
		state = done
	}
	return state, nil
}

// keep writes a certificate of a puzzle to its file, if it was made without an error and files were
// asked for.
func (f *flags) keep(err error, c certificates.Certificate, p *puzzles.Puzzle, what string) error {
	if err != nil || f.certificates == "" {
		return err
	}
	ending := ".proof"
	if what != "" {
		ending = ".proof.gz" // refutations are long
	}
	return cli.Unwritten(certificates.Write(filepath.Join(f.certificates, puzzleFile(p)+what+ending), c))
}

// rejection returns the state of a certificate with an error.
func rejection(err error) (puzzles.Certificate, error) {
	if certificates.Rejected(err) {
		return puzzles.Rejected, nil
	}
	return puzzles.NoCertificate, err
}

// puzzleFile returns the beginning of the names of a puzzle's certificate files.
func puzzleFile(p *puzzles.Puzzle) string { return certificates.FileName(p.Name) }
