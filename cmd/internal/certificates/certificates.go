// Package certificates checks certificates with a progress bar, and names and writes their files.
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

// Write replaces a file by a certificate, compressed with gzip if its name ends in .gz. Equal
// certificates make equal files.
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

// Save writes a certificate to the file of --certificate, if there is one, and reports success. The
// argument failed is the error of making or checking the certificate: Save returns it if the
// certificate has a hole, and otherwise writes it to standard error. If the file cannot be written
// the error is an [*Unwritten].
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

// Unwritten is the error of a certificate whose file could not be written. The answer holds all the
// same.
type Unwritten struct{ Err error }

func (e *Unwritten) Error() string { return fmt.Sprintf("the certificate is not written: %v", e.Err) }

func (e *Unwritten) Unwrap() error { return e.Err }

// Rejected reports whether an error says that a certificate has a hole.
func Rejected(err error) bool {
	return errors.As(err, new(*proof.Hole))
}

// Names are the names of certificate files in use, so that no certificate overwrites another.
type Names struct {
	what  string // what has certificates, such as "puzzles"
	taken map[string]bool
}

// NewNames returns no names yet. In messages the certificates are those of what, such as "puzzles".
func NewNames(what string) *Names { return &Names{what, map[string]bool{}} }

// Take adds the name of a file. The error is a [*Twice] if it is in use.
func (n *Names) Take(name string) error {
	if n.taken[name] {
		return &Twice{n.what, name}
	}
	n.taken[name] = true
	return nil
}

// Twice is the error of a second puzzle or game whose certificates would overwrite those of the
// first.
type Twice struct{ what, name string }

func (e *Twice) Error() string {
	return fmt.Sprintf("--certificates: two %s are named %s, and so would their files be", e.what, e.name)
}

// FileName returns the beginning of the names of certificate files for a puzzle or game with this
// name.
func FileName(name string) string { return unsafeInName.ReplaceAllString(name, "_") }

// unsafeInName matches characters that do not belong in the name of a file.
var unsafeInName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)
