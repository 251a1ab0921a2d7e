package cluster

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

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

// signedAnswers returns a message with answers of a worker, and its subject.
func signedAnswers(t *testing.T, key Key, run, number string, data []byte) (subject string, message []byte) {
	subject = answerSubject(key.Name, run, number, "0")
	parts, err := split(func(int) string { return subject }, data, 1<<20, key.Sign)
	require.NoError(t, err)
	return subject, parts[0]
}

// fetched returns the only message that waits for a run.
func fetched(t *testing.T, r *Run) jetstream.Msg {
	t.Helper()
	c, err := r.consumer(soon(t))
	require.NoError(t, err)
	m, err := c.Next(jetstream.FetchContext(soon(t)))
	require.NoError(t, err)
	return m
}

// TestKeysUnknown has the keys of the workers be asked for in vain when an answer comes: it is not
// lost.
func TestKeysUnknown(t *testing.T) {
	f := newFarm(t)
	d := f.deskOf(Trusted)
	key, err := ReadKey(KeyFile(f.dir, FirstWorker))
	require.NoError(t, err)
	data, err := pack(answers{})
	require.NoError(t, err)
	subject, message := signedAnswers(t, key, d.record.run, "1", data)
	_, err = d.c.JS.Publish(soon(t), subject, message)
	require.NoError(t, err)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if a := d.collect(cancelled, map[string]*arrival{}, fetched(t, d.Run)); a != nil {
		t.Fatal("an answer is believed of which nobody knows who has signed it")
	}
	if a := d.collect(t.Context(), map[string]*arrival{}, fetched(t, d.Run)); a == nil || a.lie != "" {
		t.Errorf("the answer comes again as %+v", a)
	}
}

// TestCutShort interrupts the check of an answer: the answer stays at the server, so that the
// command that continues the run has it.
func TestCutShort(t *testing.T) {
	f := newFarm(t)
	ctx, cancel := context.WithCancel(t.Context())
	d := f.deskOf(Trusted)
	d.check = func(_, _ []byte) error {
		cancel()
		return context.Canceled
	}
	q := slices.Collect(upTo(1))[0]
	d.take(q)
	data, err := pack(answers{Answers: answerList{{ID: idOf(q), Bytes: square(0)}}})
	require.NoError(t, err)
	if r, whole := d.examine(ctx, arrival{worker: FirstWorker, number: "1", parts: [][]byte{data}}); whole {
		t.Errorf("the answers count, although their check did not end: %+v", r)
	}
}

// TestManyAnswers sends a short message that unpacks to many answers: it is refused, before it takes
// much memory.
func TestManyAnswers(t *testing.T) {
	const size = 32 << 20
	text := []byte(`{"answers":[` + strings.Repeat("{},", size/3) + "{}]}")
	data := packer.EncodeAll(text, nil)
	text = nil
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var a answers
	err := unpack(data, &a)
	runtime.ReadMemStats(&after)
	if want := fmt.Sprintf("more than %d answers", mostInGroup); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%d bytes unpack to %d answers, %v", len(data), len(a.Answers), err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 4*size {
		t.Errorf("they took %d MiB", took>>20)
	}
	for _, bad := range []string{`{"answers":3}`, `{"answers":{"x":1}}`, `{"answers":[3]}`, `{"answers":["x"]}`, `{"answers":[{}`, `[]`} {
		if err := unpack(packer.EncodeAll([]byte(bad), nil), &answers{}); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
	var good answers
	whole := answers{Answers: slices.Repeat(answerList{{ID: "id", Seconds: 2, Bytes: bytes.Repeat([]byte("x"), 100)}}, mostInGroup)}
	data, err = pack(whole)
	require.NoError(t, err)
	require.NoError(t, unpack(data, &good))
	if len(good.Answers) != mostInGroup || string(good.Answers[9].Bytes) != strings.Repeat("x", 100) {
		t.Errorf("%d answers", len(good.Answers))
	}
}
