package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/dustin/go-humanize"

	"goalproof/arimaa"
	"goalproof/proof"
	"goalproof/puzzles"
	"goalproof/solve"
)

// sampleSize is how many replies of a refutation are checked where it is made. Check goes through all.
const sampleSize = 200

// refute writes down that there is no win in n, and may check that: in full, or a sample of the replies where there
// are many.
func refute(ctx context.Context, p arimaa.Position, n int, check bool) (*proof.Refutation, puzzles.Certificate, error) {
	r, err := solve.Refutation(ctx, p, n)
	if err != nil || !check {
		return r, puzzles.Written, err
	}
	checked, all, err := r.CheckSample(ctx, sampleSize, rand.Uint64(), nil)
	if checked < all {
		return r, puzzles.Sampled, err
	}
	return r, puzzles.Accepted, err
}

// refutation checks a refutation, with a progress bar on a terminal.
func (f *checkFlags) refutation(ctx context.Context, t terminal, file string, r *proof.Refutation) checkResult {
	turns, size := r.Turns, len(r.Refuted)
	result := checkResult{File: file, Kind: text("no-win"), Side: text(r.Attacker()), Claim: &turns, Position: &r.Position, Entries: &size,
		Over: overText(r.GameOver())}
	sample := size
	if f.sample > 0 {
		sample = f.sample
	}
	bar := counter(t, file, min(sample, size))
	defer bar.Finish()
	checked, all, err := r.CheckSample(ctx, sample, f.seed, func(done, total int) {
		bar.SetTotal(int64(total))
		bar.SetCurrent(int64(done))
	})
	result.Checked, result.Replies = &checked, &all
	switch {
	case err == nil && checked < all:
		result.Verdict, result.Seed, result.code = "sampled", &f.seed, exitUnknown
	case err == nil:
		result.Verdict = "accepted"
	case ctx.Err() != nil:
		result.Verdict, result.Error, result.code = "unknown", text("interrupted"), exitUnknown
	case rejected(err):
		result.Verdict, result.Error, result.code = "rejected", text(err.Error()), exitFails
	default:
		result.Verdict, result.Error, result.code = "unknown", text(err.Error()), exitUnknown
	}
	if result.Verdict != "accepted" && result.Verdict != "sampled" {
		result.Checked = nil // some of them were
	}
	return result
}

// noWin says what a refutation proves that was accepted, or of which a sample was.
func (r *checkResult) noWin() string {
	claim := fmt.Sprintf("%s has no win in %s (repetition rule set aside)%s", *r.Side, amount(*r.Claim, "turn"), r.although())
	if r.Verdict == "sampled" {
		return fmt.Sprintf("sampled: %s of %s replies checked (seed %d), no hole found in the claim that %s; this is no proof",
			humanize.Comma(int64(*r.Checked)), humanize.Comma(int64(*r.Replies)), *r.Seed, claim)
	}
	if *r.Claim == 1 {
		return "accepted: " + claim
	}
	return fmt.Sprintf("accepted: %s (%s first turns)", claim, humanize.Comma(int64(*r.Entries)))
}
