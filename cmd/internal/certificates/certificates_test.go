package certificates

import (
	"errors"
	"fmt"
	"testing"

	"goalproof/proof"
)

// TestNames takes names of files, of which two are the same although the puzzles have different names.
func TestNames(t *testing.T) {
	names := NewNames("puzzles")
	for _, name := range []string{"a 1", "b/1", "a-1"} {
		if err := names.Take(FileName(name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	err := names.Take(FileName("a/1"))
	const want = "--certificates: two puzzles are named a_1, and so would their files be"
	if !errors.As(err, new(*Twice)) || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestRejected tells certificates with a hole from those that were not checked to the end.
func TestRejected(t *testing.T) {
	if !Rejected(fmt.Errorf("line 3: %w", &proof.Hole{})) {
		t.Error("a certificate with a hole is not rejected")
	}
	if Rejected(nil) || Rejected(proof.ErrTooManyReplies) {
		t.Error("a certificate without a hole is rejected")
	}
}
