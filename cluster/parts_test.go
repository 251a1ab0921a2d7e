package cluster

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"goalproof/internal/testkit/require"
)

// TestPartsOfTwo has two processes of a worker answer the same group, each in two parts, of which
// the first of one and the second of the other arrive: nobody is shut out for that, and the run
// ends.
func TestPartsOfTwo(t *testing.T) {
	f := newFarm(t)
	boss := connected(t, f.dir, "")
	key, err := ReadKey(KeyFile(f.dir, FirstWorker))
	require.NoError(t, err)
	r := f.begin(filepath.Join(t.TempDir(), "run"), Trusted, squares{}.kind())
	run := r.record.run
	for group := range 3 {
		number := fmt.Sprint("old-", group)
		subject := func(part int) string { return answerSubject(FirstWorker, run, number, strconv.Itoa(part)) }
		var parts [2][][]byte
		for i := range parts {
			// The bytes cannot be packed to fewer, and differ in the time that the answers took.
			noise := bytes.Repeat([]byte(randomName()), 10)
			data, err := pack(answers{Answers: []answered{{ID: "x", Seconds: float64(i) + 0.123, Bytes: noise}}})
			require.NoError(t, err)
			parts[i], err = split(subject, data, len(data)*2/3+signatureLength+4+whole, key.Sign)
			require.NoError(t, err)
			if len(parts[i]) != 2 {
				t.Fatalf("%d parts", len(parts[i]))
			}
		}
		for part := range 2 {
			_, err := boss.JS.Publish(t.Context(), subject(part), parts[(part+group)%2][part], jetstream.WithRetryAttempts(5))
			require.NoError(t, err)
		}
	}
	f.work(FirstWorker, squares{}.kind(), 2)
	wholly(t, r, 300)
	if len(r.record.shut) > 0 {
		t.Errorf("shut out: %v", r.record.shut)
	}
}

// TestTooLarge has answers that do not fit in as many messages as one may have: the coordinator
// answers these questions itself, and workers go on.
func TestTooLarge(t *testing.T) {
	f := newFarm(t)
	f.s.Close()
	f.s = startServer(t, f.dir, ServerOptions{Limits: Limits{Message: 64 << 10}})
	large := noise{calls: &atomic.Int64{}}
	own := large.kind()
	for _, name := range []string{FirstWorker, "a"} {
		f.work(name, noise{}.kind(), 1)
	}
	r := f.begin(filepath.Join(t.TempDir(), "run"), Trusted, own)
	got := 0
	for a := range r.Ask(soon(t), upTo(6), func(_, _ []byte) error { return nil }) {
		want, err := noise{}.Answer(t.Context(), a.Question)
		if err != nil || a.Err != nil || !bytes.Equal(a.Bytes, want) {
			t.Fatalf("answer %d: %d bytes, %v", got, len(a.Bytes), a.Err)
		}
		got++
	}
	require.NoError(t, r.Close())
	if got != 6 || large.calls.Load() < 3 {
		t.Errorf("%d answers, %d by the coordinator", got, large.calls.Load())
	}
}

// noise answers odd numbers with more bytes than travel.
type noise struct{ calls *atomic.Int64 }

func (n noise) kind() Kind {
	k := squares{}.kind()
	k.Open = func(context.Context, []byte, uint64, Inputs) (Answerer, error) { return n, nil }
	return k
}

func (n noise) Answer(_ context.Context, q []byte) ([]byte, error) {
	if n.calls != nil {
		n.calls.Add(1)
	}
	number := binary.BigEndian.Uint64(q)
	answer := make([]byte, 16+number%2*(mostParts<<16))
	rand.NewChaCha8([32]byte{byte(number)}).Read(answer) // never fails
	return answer, nil
}

// TestTrustedBefore continues a run without trust that was begun with it: the answers that nobody
// confirmed are asked for again, so that a false one is not printed.
func TestTrustedBefore(t *testing.T) {
	f := newFarm(t)
	lie := func(n uint64) ([]byte, error) {
		if n > 10 && n%2 == 1 {
			return square(n + 2)[:8], nil
		}
		return nil, nil
	}
	stop := f.work("liar", squares{lie: lie}.kind(), 1)
	dir := filepath.Join(t.TempDir(), "run")
	r := f.begin(dir, Trusted, squares{}.kind())
	for i := 0; ; i++ { // none of the questions is asked twice
		r.record.secret = strconv.Itoa(i)
		sampled := false
		for q := range upTo(300) {
			sampled = sampled || r.sampled(idOf(q))
		}
		if !sampled {
			break
		}
	}
	got := 0
	for range r.Ask(soon(t), upTo(300), checkSquare) {
		if got++; got == 40 {
			break
		}
	}
	require.NoError(t, r.Close())
	stop()
	f.work("honest", squares{}.kind(), 1)
	wholly(t, f.begin(dir, Untrusted, squares{}.kind()), 300)
}
