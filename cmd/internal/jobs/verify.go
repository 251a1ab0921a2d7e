package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"goalproof/answer"
	"goalproof/arimaa/notation"
	"goalproof/cluster"
	"goalproof/cmd/internal/certificates"
	"goalproof/proof"
	"goalproof/puzzles"
	"goalproof/solve"
)

// verifying are the options of a run that verifies puzzles.
type verifying struct {
	Search
	WinIn    int
	Describe bool
	Certify  bool // make the certificates that the user asks for
	Check    bool // and check them
}

// verification is the question about a puzzle.
type verification struct {
	Position string
	Claim    int
	Solution string
}

// verified is its answer.
type verified struct {
	Found      puzzles.Findings
	Win        string `json:",omitempty"` // the certificate of the win that the user asks for
	Refutation string `json:",omitempty"` // the same of the claim
	Proof      string `json:",omitempty"` // a certificate of the win, where Win is none
	Unproved   bool   `json:",omitempty"` // there is none
	Facts      Facts
}

// verifyKind is the kind of questions of verify.
var verifyKind = cluster.Kind{Name: "verify", Open: openAnswerer[verifying, *verifying], Memory: memoryOf[verifying, *verifying]}

// options are those of [puzzles.Verify] for a puzzle. Unusual positions have been refused before.
func (o *verifying) options() puzzles.Options {
	return puzzles.Options{WinIn: o.WinIn, Limit: o.limit(), Unusual: true, Describe: o.Describe}
}

// puzzle reads a question.
func (o *verifying) puzzle(question []byte) (p puzzles.Puzzle, err error) {
	var q verification
	if err := read(question, &q); err != nil {
		return p, err
	}
	p = puzzles.Puzzle{Claim: q.Claim, Solution: q.Solution}
	if p.Position, err = notation.ParsePosition(q.Position); err != nil {
		return p, err
	}
	options := o.options()
	if r, refused := options.Refuses(p); refused {
		return p, r.Err
	}
	return p, nil
}

func (o *verifying) answer(ctx context.Context, w *searcher, question []byte) (any, error) {
	p, err := o.puzzle(question)
	if err != nil {
		return nil, err
	}
	a, options := &verified{}, o.options()
	if o.Certify {
		c := Certifier{Claim: p.Claim, Check: o.Check, Keep: func(c certificates.Certificate, refutes string) (err error) {
			to := &a.Win
			if refutes != "" {
				to = &a.Refutation
			}
			*to, err = text(c)
			return err
		}}
		options.Certify = c.Certify
	}
	var r puzzles.Result
	r, a.Found, err = puzzles.Find(ctx, w.solver, p, options)
	if err != nil {
		return nil, err
	}
	a.Facts = w.facts.found()
	if r.Verdict == answer.Proved && !a.Found.Tabled && a.Win == "" {
		first, _, _ := p.Position.Decode(a.Found.Line[0])
		a.Proof, err = w.prove(ctx, o.Nodes, solve.Question{Position: p.Position, Deepest: r.Within}, r.Within, first)
		a.Unproved = a.Proof == ""
	}
	return a, err
}

// Verify puts the questions of the command verify.
type Verify struct {
	Options puzzles.Options // the limit is one in nodes
	Certify bool            // make certificates
	Checked bool            // and check them
	// Keep takes the certificates of a puzzle, as [Certifier] does. Nil: none are kept.
	Keep func(p *puzzles.Puzzle, c certificates.Certificate, refutes string) error
	// Solving are the options of the solvers. Their store, if there is one, takes the facts.
	Solving solve.Options
}

// Open begins a run.
func (v *Verify) Open(ctx context.Context, f *Flags) (cluster.Asker, io.Closer, error) {
	return f.Open(ctx, verifyKind, func(offer cluster.Offerer) (any, error) {
		s, err := searchOf(ctx, v.Solving, v.Options.Limit.Nodes, offer)
		return &verifying{Search: s, WinIn: v.Options.WinIn, Describe: v.Options.Describe, Certify: v.Certify, Check: v.Checked}, err
	})
}

// Question implements [Questions].
func (v *Verify) Question(p puzzles.Puzzle) ([]byte, error) {
	if _, refused := v.Options.Refuses(p); refused {
		return nil, nil
	}
	return json.Marshal(verification{p.Position.String(), p.Claim, p.Solution})
}

// Here implements [Questions].
func (v *Verify) Here(p puzzles.Puzzle) (puzzles.Result, error) {
	r, _ := v.Options.Refuses(p)
	return r, nil
}

// reading is an answer that was read.
type reading struct {
	verified
	result     puzzles.Result
	win        win                // if it is proved, and not by an endgame table
	kept       *proof.Certificate // Win, nil: there is none
	refutation *proof.Refutation  // nil: there is none
}

// read reads an answer.
func (v *Verify) read(p puzzles.Puzzle, data []byte) (a reading, err error) {
	if err := unpack(data, &a.verified); err != nil {
		return a, err
	}
	options := v.Options
	if v.Certify {
		options.Certify = (&Certifier{}).Certify // it is only asked for
	}
	if a.result, err = a.Found.Result(p, options, v.Solving.Endgames); err != nil {
		return a, err
	}
	if a.result.Verdict == answer.Proved {
		first, _, _ := p.Position.Decode(a.Found.Line[0])
		a.win = win{position: p.Position, turns: a.result.Within, turn: first}
	}
	if a.Win != "" {
		if a.kept, err = a.win.read(a.Win); err != nil {
			return a, err
		}
	}
	if a.Refutation != "" {
		if _, a.refutation, err = proof.Read(strings.NewReader(a.Refutation), "refutation"); err != nil {
			return a, err
		}
	}
	return a, v.certified(&p, &a)
}

// certified checks that there are the certificates that an answer speaks of, and no others.
func (v *Verify) certified(p *puzzles.Puzzle, a *reading) error {
	r, state := &a.result, a.result.Certificate
	proved := r.Verdict == answer.Proved
	switch {
	case a.Win+a.Refutation != "" && !v.Certify, a.Win+a.Proof != "" && !proved, a.Win != "" && a.Proof != "":
		return errors.New("a certificate that nobody wants")
	case a.Refutation != "" && (a.refutation == nil || a.refutation.Turns != refuted(r.Verdict, r.Bounds, p.Claim) || a.refutation.Position != p.Position.String()):
		return errors.New("the refutation is one of something else")
	case state == puzzles.NoCertificate:
		return nil
	case proved && a.kept == nil, !proved && (a.refutation == nil || a.refutation.Turns != r.Refuted), v.Checked == (state == puzzles.Written), proved && state == puzzles.Sampled:
		return fmt.Errorf("the certificate is %q, and there is none", string(state))
	}
	return nil
}

// sample is the number of replies of a refutation that are checked.
const sample = 50

// Check implements [Questions].
func (v *Verify) Check(ctx context.Context, question, data []byte) error {
	o := verifying{Search: Search{Nodes: v.Options.Limit.Nodes}, WinIn: v.Options.WinIn}
	p, err := o.puzzle(question)
	if err != nil {
		return err
	}
	a, err := v.read(p, data)
	if err != nil {
		return err
	}
	if err := a.Facts.check(v.Solving.Store); err != nil {
		return err
	}
	if a.refutation != nil {
		if _, _, err := a.refutation.CheckSample(ctx, sample, rand.Uint64(), nil); err != nil {
			return err
		}
	}
	text := cmp.Or(a.Win, a.Proof)
	if a.result.Verdict != answer.Proved || a.Found.Tabled && text == "" {
		return nil
	}
	return a.win.proved(ctx, text, a.Unproved)
}

// Result implements [Questions].
func (v *Verify) Result(p puzzles.Puzzle, answer cluster.Answer) (puzzles.Result, error) {
	a, err := v.read(p, answer.Bytes)
	if err == nil {
		err = a.Facts.keep(v.Solving.Store)
	}
	r := a.result
	if err != nil {
		return r, err
	}
	r.Time = answer.Took
	if v.Keep == nil {
		return r, nil
	}
	if a.kept != nil {
		err = v.Keep(&p, a.kept, "")
	}
	if a.refutation != nil && err == nil {
		err = v.Keep(&p, a.refutation, refutes(a.refutation.Turns))
	}
	if err != nil {
		r.Certificate, r.Err = puzzles.NoCertificate, fmt.Errorf("%s: certificate: %w", p.Label(), err)
	}
	return r, nil
}
