// Package certificates checks certificates where a person waits for it, and names their files.
package certificates

import (
	"context"
	"errors"
	"regexp"

	"goalproof/cmd/internal/cli"
	"goalproof/proof"
)

// Check checks a certificate, with a progress bar on a terminal.
func Check(ctx context.Context, t cli.Terminal, name string, c *proof.Certificate) error {
	bar := cli.Counter(t, name, len(c.Entries))
	defer bar.Finish()
	return c.Check(ctx, func(done, total int) {
		bar.SetTotal(int64(total))
		bar.SetCurrent(int64(done))
	})
}

// Rejected tells whether an error is that of a certificate with a hole.
func Rejected(err error) bool {
	var hole *proof.Hole
	return errors.As(err, &hole)
}

// FileName returns how the files of certificates begin that belong to a puzzle or game of this name.
func FileName(name string) string { return unsafeInName.ReplaceAllString(name, "_") }

// unsafeInName is what does not belong in the name of a file.
var unsafeInName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)
