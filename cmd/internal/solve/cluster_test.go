package solve

import (
	"errors"
	"fmt"
	"strings"
	"testing"

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
