package cluster

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
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
	for a := range r.Ask(t.Context(), upTo(6), func(_, _ []byte) error { return nil }) {
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
	k.Open = func(context.Context, []byte, Room, Inputs) (Answerer, error) { return n, nil }
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

// TestTrustedBefore continues a run whose worker lied before it was interrupted, without trust, or
// where it is found then: the answers that nobody confirmed are asked for again, so that a false one
// is not printed. What was made of them before may be false, which Close says, once.
func TestTrustedBefore(t *testing.T) {
	const n = 300
	for name, c := range map[string]struct {
		trust  Trust
		found  bool // the liar is found
		killed bool // and the run is killed when the right answers are there
		asked  int  // how many questions are asked again
		may    int  // false answers that may have been delivered
	}{
		"without trust":             {Untrusted, false, false, n, 15},
		"found":                     {Trusted, true, false, n, 15},
		"found, and killed then":    {Trusted, true, true, n, 15},
		"without trust, some asked": {Untrusted, false, false, 20, 5 + 20}, // 20 cannot be compared
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFarm(t)
			dir := f.liedTo(n, 40)
			f.work("honest", squares{}.kind(), 1)
			r := f.begin(dir, c.trust, squares{}.kind())
			if c.found {
				_, err := r.record.shutOut(t.Context(), "liar", "it is found", newDesk(r, checkSquare).delivered)
				require.NoError(t, err)
			}
			if c.killed {
				got := 0
				for range r.Ask(t.Context(), upTo(n), checkSquare) {
					if got++; got == n/2 {
						break
					}
				}
				require.NoError(t, r.record.close())
				r = f.begin(dir, c.trust, squares{}.kind())
			}
			truly(t, r, c.asked)
			want := fmt.Sprintf("or may have been, before this run was interrupted: %d, ", c.may)
			if err := r.Close(); !errors.Is(err, ErrFalse) || !strings.Contains(err.Error(), want) {
				t.Errorf("it ends with %v, want %q", err, want)
			}
			wholly(t, f.begin(dir, c.trust, squares{}.kind()), c.asked)
		})
	}
}

// liedTo has a run of n questions answered by a worker that lies about odd numbers from 11 on,
// interrupts it when the first ones are delivered, and returns its directory, with the answers to
// these alone.
func (f *farm) liedTo(n, first int) (dir string) {
	stop := f.work("liar", squares{lie: func(n uint64) ([]byte, error) {
		if n > 10 && n%2 == 1 {
			return square(n + 2)[:8], nil
		}
		return nil, nil
	}}.kind(), 1)
	defer stop()
	dir = filepath.Join(f.t.TempDir(), "run")
	r := f.begin(dir, Trusted, squares{}.kind())
	for i := 0; ; i++ { // none of the questions is asked twice
		r.record.secret = strconv.Itoa(i)
		sampled := false
		for q := range upTo(n) {
			sampled = sampled || r.sampled(idOf(q))
		}
		if !sampled {
			break
		}
	}
	got := 0
	for range r.Ask(soon(f.t), upTo(n), checkSquare) {
		if got++; got == first {
			break
		}
	}
	_, err := r.record.db.Exec("DELETE FROM answer WHERE question >= ?", binary.BigEndian.AppendUint64(nil, uint64(first)))
	require.NoError(f.t, err)
	require.NoError(f.t, r.Close())
	return dir
}
