package solve

import (
	"context"
	"errors"

	"goalproof/answer"
	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/search"
	"goalproof/proof"
	"goalproof/puzzles"
	"goalproof/solve"
)

// certifies reports whether the proof of an answer is to be written down. A file is asked for by
// name; else what cannot be written down is not missed.
func (f *flags) certifies(a *solve.Answer) bool {
	switch a.Verdict {
	case answer.Proved:
		return f.check || f.certificate != ""
	case answer.Disproved:
		if !f.aim.Win() {
			return f.certificate != ""
		}
		return f.check && a.Refuted <= proof.MaxRefuted || f.certificate != ""
	}
	return false
}

// writeDown makes the certificate of an answer, if that is asked for, and says what became of it: "written",
// "accepted", "sampled", or "" where there is none, which it says on standard error. The error is that of a
// certificate that does not hold, or cannot be written to its file.
func (w *writer) writeDown(ctx context.Context, s *solve.Solver, known *solved) (state string, err error) {
	a, name := &known.Answer, known.Name
	if !w.certifies(a) {
		return "", nil
	}
	ctx, cancel := w.search.Limit().Start(ctx)
	defer cancel()
	defer known.ends(ctx)
	var file certificates.Certificate
	if a.Verdict == answer.Proved {
		var c *proof.Certificate
		c, err = s.Certificate(ctx, known.Question, *a)
		if state = "written"; err == nil && w.check {
			state, err = "accepted", certificates.Check(ctx, w.t, name, c)
		}
		file = c
	} else if !w.aim.Win() {
		err = errors.New("there are refutations of wins alone")
	} else {
		var done puzzles.Certificate
		file, done, err = search.Refute(ctx, known.Position, a.Refuted, w.check)
		state = string(done)
	}
	if ok, err := certificates.Save(w.t, name, w.certificate, file, answer.Explain(ctx, err)); !ok || err != nil {
		return "", err
	}
	return state, nil
}
