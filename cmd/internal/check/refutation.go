package check

import (
	"context"
	"fmt"

	"github.com/dustin/go-humanize"

	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/cli"
	"goalproof/proof"
	"goalproof/solve/report"
)

// refutation checks a refutation, with a progress bar on a terminal.
func (f *flags) refutation(ctx context.Context, t cli.Terminal, file string, r *proof.Refutation) finding {
	turns, size := r.Turns, len(r.Refuted)
	result := finding{File: file, Kind: new("no-win"), Side: new(r.Attacker()), Claim: &turns, Position: &r.Position, Entries: &size,
		Over: overText(r.GameOver())}
	sample := size
	if f.sample > 0 {
		sample = f.sample
	}
	bar := cli.Counter(t, file, min(sample, size))
	defer bar.Finish()
	checked, all, err := r.CheckSample(ctx, sample, f.seed, func(done, total int) {
		bar.SetTotal(int64(total))
		bar.SetCurrent(int64(done))
	})
	result.Checked, result.Replies = &checked, &all
	switch {
	case err == nil && checked < all:
		result.Verdict, result.Seed, result.code = "sampled", &f.seed, cli.Unknown
		result.says = fmt.Sprintf("sampled: %s of %s replies checked (seed %d), no hole found in the claim that %s; this is no proof",
			humanize.Comma(int64(checked)), humanize.Comma(int64(all)), f.seed, report.NoWin(r))
	case err == nil:
		result.Verdict, result.says = "accepted", "accepted: "+report.NoWin(r)
		if turns > 1 {
			result.says += fmt.Sprintf(" (%s first turns)", humanize.Comma(int64(size)))
		}
	case ctx.Err() != nil:
		result.Verdict, result.Error, result.code = "unknown", new("interrupted"), cli.Unknown
	case certificates.Rejected(err):
		result.Verdict, result.Error, result.code = "rejected", new(err.Error()), cli.Fails
	default:
		result.Verdict, result.Error, result.code = "unknown", new(err.Error()), cli.Unknown
	}
	if result.Verdict != "accepted" && result.Verdict != "sampled" {
		result.Checked = nil // the check ended early
	}
	return result
}
