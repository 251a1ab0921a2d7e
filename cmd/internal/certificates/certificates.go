// Package certificates checks certificates where a person waits for it, and names and writes their files.
package certificates

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/files"
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

// Certificate is a [proof.Certificate] or a [proof.Refutation].
type Certificate interface{ Write(io.Writer) error }

// Write replaces a file by a certificate, compressed with gzip if its name ends in .gz. Equal certificates make equal files.
func Write(file string, c Certificate) error {
	return files.Write(file, func(w io.Writer) error {
		if !strings.HasSuffix(file, ".gz") {
			return c.Write(w)
		}
		packed := gzip.NewWriter(w) // its header has neither name nor time
		if err := c.Write(packed); err != nil {
			return err
		}
		return packed.Close()
	})
}

// Save writes a certificate to the file of --certificate, unless that is empty, and tells whether it has become one: failed is
// why it could not be made or was not accepted. That it could not be made is said on standard error; that it does not
// hold, and an [*Unwritten], are errors.
func Save(t cli.Terminal, name, file string, c Certificate, failed error) (ok bool, err error) {
	if Rejected(failed) {
		return false, cli.Exit(cli.Internal, fmt.Errorf("%s: the proof does not hold: %w", name, failed))
	}
	if failed != nil {
		fmt.Fprintf(t.Err, "goalproof: %s: the proof is not written down or not checked: %v\n", name, failed)
		return false, nil
	}
	if file == "" {
		return true, nil
	}
	if err := t.Durable(); err != nil {
		return false, err
	}
	if err := Write(file, c); err != nil {
		fmt.Fprintf(t.Err, "goalproof: --certificate: %v\n", err)
		return false, &Unwritten{err}
	}
	return true, nil
}

// Unwritten is the error of a certificate that its file did not take. The answer holds all the same.
type Unwritten struct{ Err error }

func (e *Unwritten) Error() string { return fmt.Sprintf("the certificate is not written: %v", e.Err) }

func (e *Unwritten) Unwrap() error { return e.Err }

// Rejected tells whether an error is that of a certificate with a hole.
func Rejected(err error) bool {
	var hole *proof.Hole
	return errors.As(err, &hole)
}

// Names are the names that files of certificates have taken, so that none takes the place of another.
type Names struct {
	what  string // that has certificates, in the plural
	taken map[string]bool
}

// NewNames returns names of which none is taken, of what has certificates, such as "puzzles".
func NewNames(what string) *Names { return &Names{what, map[string]bool{}} }

// Take takes the name of a file. The error is a [Twice].
func (n *Names) Take(name string) error {
	if n.taken[name] {
		return &Twice{n.what, name}
	}
	n.taken[name] = true
	return nil
}

// Twice is the error of what would write its certificates over those of something earlier.
type Twice struct{ what, name string }

func (e *Twice) Error() string {
	return fmt.Sprintf("--certificates: two %s are named %s, and so would their files be", e.what, e.name)
}

// FileName returns how the files of certificates begin that belong to a puzzle or game of this name.
func FileName(name string) string { return unsafeInName.ReplaceAllString(name, "_") }

// unsafeInName is what does not belong in the name of a file.
var unsafeInName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)
