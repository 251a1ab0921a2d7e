package solve

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"goalproof/cluster"
	"goalproof/cmd/internal/cli"
	"goalproof/joblevel"
)

// TestContradicted reads what is said of answers that contradict each other: the next step, which is
// another one where no worker was trusted. Other errors stay as they are.
func TestContradicted(t *testing.T) {
	w := writer{flags: &flags{}}
	found := fmt.Errorf("a win in 3: %w", joblevel.ErrContradiction)
	if err := w.contradicted(found); !errors.Is(err, found) || !strings.Contains(err.Error(), "again with --untrusted") {
		t.Errorf("of trusted workers: %v", err)
	}
	w.jobs.Untrusted = true
	if err := w.contradicted(found); !errors.Is(err, found) || strings.Contains(err.Error(), "--untrusted") || !strings.Contains(err.Error(), "please report it") {
		t.Errorf("of others: %v", err)
	}
	other := errors.New("another")
	if err := w.contradicted(other); err != other {
		t.Errorf("another error is %v", err)
	}
}

// TestEarly prints the right answer after an interrupted command had false ones, and says that.
func TestEarly(t *testing.T) {
	var out, errs strings.Builder
	w := writer{flags: &flags{quiet: true}, t: cli.Terminal{Out: &out, Err: &errs}}
	known := &solved{early: fmt.Errorf("%w, or may have been", cluster.ErrFalse)}
	known.Name = "p"
	code, err := w.deliver(known)
	if err != nil || code != cli.Internal || !strings.Contains(errs.String(), "false answers were delivered, or may have been") || !strings.HasPrefix(out.String(), "p: ") {
		t.Errorf("exit code %d, %v:\n%s%s", code, err, out.String(), errs.String())
	}
}
