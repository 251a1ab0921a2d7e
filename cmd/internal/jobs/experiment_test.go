package jobs

import (
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/internal/testkit/require"
	"goalproof/tools/experiment"
)

// TestSameRuns compares answers about the same position: times do not count, all else does.
func TestSameRuns(t *testing.T) {
	same := func(change func(*compared)) []byte {
		a := compared{Runs: []experiment.Run{{Cell: 1, Verdict: answer.Disproved, Nodes: 7, Time: time.Second}, {Cell: 2, Stop: answer.Nodes, Nodes: 9}}}
		change(&a)
		data, err := pack(a)
		require.NoError(t, err)
		return data
	}
	first := same(func(*compared) {})
	agree := func(a, b []byte) bool {
		_, agree := experimentKind.Common(nil, a, b)
		return agree
	}
	if !agree(first, same(func(a *compared) { a.Runs[0].Time, a.Runs[1].Time = 2*time.Second, 1 })) {
		t.Error("times make answers differ")
	}
	for what, change := range map[string]func(*compared){
		"nodes":    func(a *compared) { a.Runs[1].Nodes++ },
		"verdicts": func(a *compared) { a.Runs[0].Verdict = answer.Unknown },
		"cells":    func(a *compared) { a.Runs = a.Runs[:1] },
		"proofs":   func(a *compared) { a.Unproved = true },
	} {
		if agree(first, same(change)) {
			t.Errorf("%s make no difference", what)
		}
	}
	if agree([]byte("?"), []byte("?")) {
		t.Error("what is no answer has something in common with others")
	}
}
