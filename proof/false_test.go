package proof_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
	"goalproof/proof"
)

// TestFalse reads certificates of testdata/false, which prove nothing: forged games, wrong sides,
// ranks that go in a circle, replies without an answer, numbers and boards without measure. Each
// names the reason in its second line, and has to be refused for it, by Read or by Check.
func TestFalse(t *testing.T) {
	files, err := filepath.Glob("testdata/false/*.proof")
	if err != nil || len(files) < 60 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".proof"), func(t *testing.T) {
			c, _, err := proof.ReadFile(file)
			if err == nil {
				err = c.Check(t.Context(), nil)
			}
			if err == nil {
				t.Fatal("accepted")
			}
			if want := comment(t, file); !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
			bomb := strings.Contains(file, "bomb") // generating all replies takes long
			if c != nil && !bomb && valid(c) == "" {
				t.Errorf("%v, but package arimaa finds nothing wrong", err)
			}
		})
	}
}

// endless is text without an end, repeated.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = e.text[e.at]
		e.at = (e.at + 1) % len(e.text)
	}
	return len(b), nil
}

// TestEndless reads texts without an end.
func TestEndless(t *testing.T) {
	const head = "goalproof certificate 1\nclaim 1\n"
	for text, want := range map[string]string{
		"#":    "the line is longer than 4096 bytes",
		"+ R":  "the line is longer than 4096 bytes",
		"\x00": "the line is longer than 4096 bytes",
		"\n":   "more than 8388608 lines",
	} {
		_, _, err := proof.Read(io.MultiReader(strings.NewReader(head), &endless{text: text}), "endless")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q without end: %v, want %q", text, err, want)
		}
	}
}

// comment is the second line of a file, without its mark.
func comment(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	want, ok := strings.CutPrefix(strings.Split(string(text), "\n")[1], "# ")
	if !ok {
		t.Fatalf("%s gives no reason", file)
	}
	return want
}
