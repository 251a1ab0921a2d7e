//go:build large

package proof

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
)

// A small file that unpacks to more than is allowed is refused.
func TestBomb(t *testing.T) {
	for line, want := range map[string]string{
		strings.Repeat("#", 1023) + "\n": "the text is longer than 268435456 bytes",
		"#\n":                            "more than 8388608 lines",
	} {
		bomb(t, line, want)
	}
}

func bomb(t *testing.T, line, want string) {
	path := filepath.Join(t.TempDir(), "bomb.gz")
	file, err := os.Create(path)
	require.NoError(t, err)
	packed := gzip.NewWriter(file)
	lines := []byte(strings.Repeat(line, 1<<20/len(line)))
	if _, err := io.WriteString(packed, head); err != nil {
		t.Fatal(err)
	}
	for range 257 {
		if _, err := packed.Write(lines); err != nil {
			t.Fatal(err)
		}
	}
	require.NoError(t, errors.Join(packed.Close(), file.Close()))
	if _, _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v", err)
	}
}
