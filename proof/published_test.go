package proof_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/proof"
)

// falseClaims is the number of published wins in two that are none.
const falseClaims = 3

// TestPublished certifies the published wins in two and has the certificates checked.
func TestPublished(t *testing.T) {
	names, positions := claims(t)
	b := newBuilder(t)
	var sizes, lines []int
	var times []time.Duration
	none := 0
	for i := range names {
		c := b.certify(positions[i], 2)
		if c == nil {
			none++
			continue
		}
		written := text(t, c)
		began := time.Now()
		if err := c.Check(context.Background(), nil); err != nil {
			t.Errorf("%s: %v\n%s", names[i], err, written)
		}
		times = append(times, time.Since(began))
		sizes = append(sizes, len(written))
		lines = append(lines, strings.Count(written, "\n"))
		if why := valid(c); why != "" {
			t.Errorf("%s: package arimaa: %s", names[i], why)
		}
	}
	t.Logf("%d certificates, %d positions have none", len(sizes), none)
	if none != falseClaims {
		t.Errorf("%d positions have no win in 2, want %d", none, falseClaims)
	}
	slices.Sort(sizes)
	slices.Sort(lines)
	slices.Sort(times)
	last := len(sizes) - 1
	t.Logf("bytes: median %d, most %d; lines: median %d, most %d; check: median %v, longest %v",
		sizes[last/2], sizes[last], lines[last/2], lines[last], times[last/2], times[last])
	if sizes[last/2] > 10_000 {
		t.Errorf("the median certificate has %d bytes, want at most 10,000", sizes[last/2])
	}
}

// TestFile reads a certificate with comments.
func TestFile(t *testing.T) {
	c, _, err := proof.ReadFile("testdata/win-in-3.txt")
	require.NoError(t, err)
	accepted(t, c)
	if p := boards.Parse(t, c.Entries[0].Position); p != example(t, "win-in-3.txt") {
		t.Errorf("the root is not that of the example: %v", p)
	}
	if c.Turns != 3 || len(c.Entries) != 2 || len(c.Entries[0].Answers) != 4 {
		t.Errorf("read as %+v", c)
	}
}

// TestExamples certifies examples, which are wins in one, two and three, for either side.
func TestExamples(t *testing.T) {
	b := newBuilder(t)
	for name, n := range map[string]int{
		"elimination.txt":                  1,
		"goal-in-1-step.txt":               1,
		"goal-in-2-steps.txt":              1,
		"goal-in-4-steps-by-sacrifice.txt": 1,
		"immobilisation.txt":               1,
		"win-in-2.txt":                     2,
		"win-in-2-for-silver.txt":          2,
		"zugzwang-in-2.txt":                2,
		"win-in-3.txt":                     3,
	} {
		t.Run(strings.TrimSuffix(name, ".txt"), func(t *testing.T) {
			c := b.certify(example(t, name), n)
			if c == nil || c.Turns != n {
				t.Fatalf("the certificate is %v, want a win in %d", c, n)
			}
			accepted(t, c)
			done, total := 0, 0
			if err := c.Check(t.Context(), func(d, n int) { done, total = d, n }); err != nil || done != len(c.Entries) || total != done {
				t.Errorf("%v; the progress ends with %d of %d, want all %d", err, done, total, len(c.Entries))
			}
		})
	}
}
