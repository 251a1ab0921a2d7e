package main

import (
	"errors"
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/proof"
	"goalproof/puzzles"
)

// TestVerifyCode checks the exit code of single puzzles.
func TestVerifyCode(t *testing.T) {
	f := &verifyFlags{check: true, strict: true}
	bad := errors.New("bad")
	good, wrong := puzzles.Puzzle{Claim: 2}, puzzles.Puzzle{Claim: 3}
	for name, c := range map[string]struct {
		r    puzzles.Result
		want status
	}{
		"true":           {puzzles.Result{Puzzle: good, Verdict: puzzles.Win, Least: 2, Certificate: puzzles.Accepted}, exitHolds},
		"false":          {puzzles.Result{Puzzle: wrong, Verdict: puzzles.Win, Least: 2, Certificate: puzzles.Accepted}, exitFails},
		"no win":         {puzzles.Result{Puzzle: good, Verdict: puzzles.NoWin, Refuted: 2, Certificate: puzzles.NoCertificate}, exitFails},
		"no claim":       {puzzles.Result{Verdict: puzzles.NoWin, Refuted: 2, Certificate: puzzles.NoCertificate}, exitHolds},
		"unknown":        {puzzles.Result{Puzzle: good, Verdict: puzzles.Unknown, Stop: answer.Time}, exitUnknown},
		"not listed":     {puzzles.Result{Puzzle: good, Verdict: puzzles.Win, Least: 2, Stop: answer.Time, Certificate: puzzles.Accepted}, exitUnknown},
		"no time to":     {puzzles.Result{Puzzle: good, Verdict: puzzles.Win, Least: 2, Stop: answer.Interrupted, Certificate: puzzles.NoCertificate}, exitUnknown},
		"broken":         {puzzles.Result{Puzzle: puzzles.Puzzle{Err: bad}, Verdict: puzzles.Error, Err: bad}, exitBadInput},
		"failed":         {puzzles.Result{Puzzle: good, Verdict: puzzles.Error, Err: bad}, exitInternal},
		"rejected":       {puzzles.Result{Puzzle: good, Verdict: puzzles.Win, Least: 2, Certificate: puzzles.Rejected}, exitInternal},
		"large board":    {puzzles.Result{Puzzle: good, Verdict: puzzles.Win, Least: 2, Certificate: puzzles.NoCertificate, Err: proof.ErrTooManyReplies}, exitUnknown},
		"no certificate": {puzzles.Result{Puzzle: good, Verdict: puzzles.Win, Least: 2, Certificate: puzzles.NoCertificate, Err: bad}, exitInternal},
	} {
		if got := f.code(&c.r); got != c.want {
			t.Errorf("%s: exit code %d, want %d", name, got, c.want)
		}
	}
}

// TestRemarks checks that problems are in colour on a terminal, and nowhere else.
func TestRemarks(t *testing.T) {
	p := &puzzles.Result{Puzzle: puzzles.Puzzle{Claim: 2}, Verdict: puzzles.Win, Least: 1, Listed: true, Certificate: puzzles.Rejected,
		Solutions: []puzzles.Solution{{Turn: "a", Essential: true}, {Turn: "b", Essential: true}}}
	for _, styled := range []bool{false, true} {
		r := report{verifyFlags: &verifyFlags{}, t: terminal{styled: styled}}
		got := r.remarks(p)
		plain := got == "false claim, certificate rejected: this is a bug, second solutions"
		if plain == styled || strings.Contains(got, "\x1b[31mfalse claim") != styled {
			t.Errorf("on a terminal %v: %q", styled, got)
		}
	}
}
