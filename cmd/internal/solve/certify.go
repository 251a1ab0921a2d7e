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

// certifies reports whether the proof of an answer is needed. With --check alone, answers that have
// no certificate need none.
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

// writeDown makes the certificate of an answer, if it is needed, and returns its state: "written",
// "accepted", "sampled", or "" if there is none, with a message on standard error. The error is
// that of [certificates.Save].
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
		file, done, err = search.Refutation(ctx, known.Position, a.Refuted, w.check)
		state = string(done)
	}
	if ok, err := certificates.Save(w.t, name, w.certificate, file, answer.Explain(ctx, err)); !ok || err != nil {
		return "", err
	}
	return state, nil
}
