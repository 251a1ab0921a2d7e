package proof_test

import (
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/require"
	"goalproof/proof"
)

// TestPublished certifies the published wins in two and has the certificates checked: every fifth,
// all with the tag deep.
func TestPublished(t *testing.T) {
	every := boards.Sized(5, 1)
	b := newBuilder(t)
	var sizes []int
	for i, claim := range load.Claims(t, load.WinsInTwo) {
		if i%every > 0 && !claim.False {
			continue
		}
		c := b.certify(claim.Position, 2)
		if (c == nil) != claim.False {
			t.Errorf("%s: the certificate is %v", claim.Name, c)
		}
		if c != nil {
			accepted(t, c)
			sizes = append(sizes, len(text(t, c)))
		}
	}
	slices.Sort(sizes)
	if median := sizes[len(sizes)/2]; median > 10_000 {
		t.Errorf("the median of %d certificates has %d bytes, want at most 10,000", len(sizes), median)
	}
}

// TestFile reads a certificate with comments.
func TestFile(t *testing.T) {
	c, _, err := proof.ReadFile("testdata/win-in-3.txt")
	require.NoError(t, err)
	accepted(t, c)
	if p := boards.Parse(t, c.Entries[0].Position); p != load.Example(t, "win-in-3.txt") {
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
			c := b.certify(load.Example(t, name), n)
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
