package studio

import (
	"context"
	"errors"
	"strings"
	"time"

	"goalproof/proof"
	"goalproof/solve/report"
)

// checkRequest asks whether a certificate holds.
type checkRequest struct {
	kind
	Text string `json:"text,omitempty"`
	timed
}

// checkMemory is the memory for a check, whose text has at most MaxBody or maxCertificate bytes.
const checkMemory = 32 << 20

func (r *checkRequest) submit(s *Server) (Job, error) {
	limit, err := r.each(time.Minute)
	if err != nil {
		return Job{}, err
	}
	text := r.Text
	r.Text = ""
	c, refutation, err := proof.Read(strings.NewReader(text), "certificate")
	if err != nil {
		return Job{}, err
	}
	var check func(context.Context, func(done, total int)) error
	var claim string
	if c != nil {
		check, claim = c.Check, report.Claim(c)
	} else {
		check, claim = refutation.Check, report.NoWin(refutation)
	}
	return s.queue.add(r, limit, nil, min(checkMemory, s.options.Memory), func(ctx context.Context, j *job) (*Result, error) {
		return checked(ctx, check(ctx, func(done, total int) { s.queue.report(j, done, total) }), claim)
	})
}

// checked returns the result of the check of a certificate with this claim.
func checked(ctx context.Context, err error, claim string) (*Result, error) {
	switch {
	case err == nil:
		return &Result{Verdict: "accepted", Says: "Accepted: " + claim + "."}, nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &Result{Verdict: "unknown", Says: "Unknown: time was up before all of the certificate was checked."}, nil
	case ctx.Err() != nil:
		return nil, errors.New("stopped before all of the certificate was checked")
	case errors.Is(err, proof.ErrTooManyReplies), errors.Is(err, proof.ErrTooLarge):
		return &Result{Verdict: "unknown", Says: "Unknown: " + err.Error() + "."}, nil
	}
	return &Result{Verdict: "rejected", Says: "Rejected: " + err.Error()}, nil
}
