package studio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"goalproof/arimaa/notation"
	"goalproof/proof"
	"goalproof/solve/report"
)

// checkRequest asks whether a certificate holds.
type checkRequest struct {
	kind
	Text        string `json:"text,omitempty"`
	Certificate string `json:"certificate"` // of the workspace, in place of a text
	timed
}

// The memory for a check.
const (
	checkMemory = 32 << 20 // of a text of at most MaxBody bytes
	checkFactor = 6        // bytes for each byte of a longer certificate, as package proof has them
)

func (r *checkRequest) label() string { return notation.Legible(r.Certificate) }

func (r *checkRequest) submit(s *Server) (Job, error) {
	limit, err := r.each(time.Minute)
	if err != nil {
		return Job{}, err
	}
	text := r.Text
	r.Text = ""
	memory := min(checkMemory, s.options.Memory)
	if r.Certificate == "" {
		known, err := readClaim(strings.NewReader(text), "certificate")
		if err != nil {
			return Job{}, err
		}
		return s.queue.add(r, limit, nil, memory, func(ctx context.Context, j *job) (*Result, error) { return s.check(ctx, j, known) })
	}
	if text != "" {
		return Job{}, errors.New("check takes the text of a certificate, or a certificate of the workspace")
	}
	f, err := s.openWhole(r.Certificate, certificateFiles, maxKept)
	if err != nil {
		return Job{}, err
	}
	f.Close()
	memory = max(memory, uint64(f.Size())*checkFactor)
	return s.queue.add(r, limit, nil, memory, func(ctx context.Context, j *job) (*Result, error) {
		known, err := s.readCertificate(ctx, r.Certificate, f.version)
		if ctx.Err() != nil {
			return checked(ctx, ctx.Err(), "")
		}
		if err != nil {
			return nil, err
		}
		return s.check(ctx, j, known)
	})
}

// claim is a certificate that has been read, and is to be checked.
type claim struct {
	says  string
	check func(context.Context, func(done, total int)) error
}

// readClaim reads a certificate.
func readClaim(text io.Reader, name string) (claim, error) {
	c, refutation, err := proof.Read(text, name)
	switch {
	case err != nil:
		return claim{}, err
	case c != nil:
		return claim{report.Claim(c), c.Check}, nil
	}
	return claim{report.NoWin(refutation), refutation.Check}, nil
}

// claimHead is the number of bytes at the beginning of a certificate that a list reads.
const claimHead = 8 << 10

// claimed is what the beginning of a certificate says. Nobody has checked it.
type claimed struct {
	Claim    string `json:"claim"`    // of a certificate, in words, not checked; "": its beginning does not say
	Position string `json:"position"` // that the claim is about, in one line, or ""
}

// claimed reads the beginning of a certificate of the workspace: its first lines alone, which are a
// certificate in form, unless the last of them is a reply without its answer.
func (s *Server) claimed(info fs.FileInfo) (said claimed, finished bool) {
	f, err := s.options.Workspace.Open(info.Name())
	if err != nil {
		return said, true
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, claimHead))
	if err != nil {
		return said, true
	}
	for range 2 {
		head = head[:bytes.LastIndexByte(head, '\n')+1]
		c, refutation, err := proof.Read(bytes.NewReader(head), "certificate")
		switch {
		case c != nil:
			return claimed{report.Claim(c), c.Entries[0].Position}, true
		case refutation != nil:
			return claimed{report.NoWin(refutation), refutation.Position}, true
		case err != nil && len(head) > 0:
			head = head[:len(head)-1]
		}
	}
	return said, true
}

// readCertificate reads a certificate of the workspace. The file must have the version that it had
// when its check was asked for.
func (s *Server) readCertificate(ctx context.Context, name, version string) (claim, error) {
	f, err := s.openWhole(name, certificateFiles, maxKept)
	if err != nil {
		return claim{}, err
	}
	defer f.Close()
	if f.version != version {
		return claim{}, fmt.Errorf("the certificate %q has been changed since its check was asked for: ask again", name)
	}
	return readClaim(&interruptible{ctx, f}, name+certificateFiles.suffix)
}

// interruptible is a text that breaks off when a context is done.
type interruptible struct {
	ctx  context.Context
	text io.Reader
}

func (i *interruptible) Read(b []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.text.Read(b)
}

// check checks a certificate.
func (s *Server) check(ctx context.Context, j *job, c claim) (*Result, error) {
	return checked(ctx, c.check(ctx, func(done, total int) { s.queue.report(j, done, total) }), c.says)
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
