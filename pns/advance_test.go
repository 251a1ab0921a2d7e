package pns

import (
	"math/rand/v2"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/answer"
	"goalproof/internal/testkit/boards"
)

// TestAdvance searches in parts of any size. The verdict, the turn and the nodes are those of a
// search in one piece, and between two parts the graph can be walked through.
func TestAdvance(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	whole, parts := fresh(t, 16), fresh(t, 16)
	decided, several := 0, 0
	questions := boards.Sized(8, 60)
	for i := range questions {
		p := boards.Parse(t, boards.Few(10).Example(i))
		q := Question{Position: p, N: 1 + i%3}
		if p.Unusual() != nil {
			continue
		}
		want := ask(whole, q)
		parts.Begin(q)
		got := parts.Advance(1 + random.IntN(3))
		for n := 1; got.Verdict == answer.Unknown && got.Stop == answer.Finished; n++ {
			root, err := parts.Root()
			require.NoError(t, err)
			pn, dn := root.Numbers()
			if pn != got.ProofNumber || dn != got.DisproofNumber {
				t.Fatalf("%v: the root has the numbers %d and %d, the result %d and %d", p, pn, dn, got.ProofNumber, got.DisproofNumber)
			}
			if got = parts.Advance(1 + random.IntN(20)); n == 2 {
				several++
			}
		}
		if got != want {
			t.Errorf("%v, win in %d: in parts %+v, at once %+v", p, q.N, got, want)
		}
		if got.Verdict != answer.Unknown {
			decided++
		}
	}
	if decided < questions/3 || several < questions/12 {
		t.Errorf("%d questions were decided, %d in several parts", decided, several)
	}
}
