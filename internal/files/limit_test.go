package files

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestLimited reads texts around the limit.
func TestLimited(t *testing.T) {
	for n, fine := range map[int]bool{0: true, 9: true, 10: true, 11: false, 1000: false} {
		text, err := ReadLimited(iotest.OneByteReader(strings.NewReader(strings.Repeat("x", n))), 10)
		if (err == nil) != fine || fine && len(text) != n || !fine && err.Error() != "it has more than 10 bytes" {
			t.Errorf("%d bytes: %q, %v", n, text, err)
		}
	}
	if _, err := ReadLimited(iotest.ErrReader(io.ErrUnexpectedEOF), 10); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a text that cannot be read: %v", err)
	}
}
