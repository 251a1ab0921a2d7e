package cluster

import (
	"context"
	"crypto/sha256"
	"path/filepath"
	"testing"

	"goalproof/internal/testkit/require"
)

// deskOf makes a run with its desk, on which nothing happens by itself.
func (f *farm) deskOf(trust Trust) *desk {
	r := f.begin(filepath.Join(f.t.TempDir(), "run"), trust, squares{}.kind())
	f.t.Cleanup(func() { r.record.close() })
	return newDesk(r, checkSquare)
}

// opinionOf is what a worker answers.
func opinionOf(worker string, answer []byte) opinion {
	return opinion{worker: worker, bytes: answer, digest: sha256.Sum256(answer)}
}

// TestCaughtAtOnce has a worker caught by one of several groups of answers that arrive together:
// those that were taken before are dropped like those that were kept long ago.
func TestCaughtAtOnce(t *testing.T) {
	f := newFarm(t)
	d := f.deskOf(Trusted)
	var ids []string
	for q := range upTo(3) {
		d.take(q)
		ids = append(ids, idOf(q))
	}
	for _, a := range d.plan.open {
		a.second = false
	}
	d.plan.crew("liar").answered = 1 // the first one is given twice
	lie := []byte("12345678")
	d.arrived <- arrived{worker: "liar", number: "2", answers: []judged{{id: ids[1], opinion: opinionOf("liar", lie)}}}
	d.arrived <- arrived{worker: "liar", number: "3", lie: "its answers cannot be read"}
	require.NoError(t, d.accept(context.Background(), arrived{worker: "liar", number: "1", answers: []judged{{id: ids[0], opinion: opinionOf("liar", lie)}}}))
	if len(d.record.have) > 0 {
		t.Errorf("answers of a worker that was caught are kept: %v", d.record.have)
	}
	if len(d.plan.open) != 3 {
		t.Errorf("%d questions are open, want 3", len(d.plan.open))
	}
}
