package cluster

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"goalproof/internal/testkit/require"
)

// perhaps answers as squares do, or says that it does not know.
type perhaps struct{ squares }

func (s perhaps) kind() Kind {
	k := s.squares.kind()
	k.Open = func(context.Context, []byte, Room, Inputs) (Answerer, error) { return s, nil }
	k.Common = func(_, a, b []byte) ([]byte, bool) {
		if len(a) == 1 || len(b) == 1 {
			return unknown, true
		}
		return a, bytes.Equal(a, b)
	}
	return k
}

var unknown = []byte("?")

func (s perhaps) Answer(ctx context.Context, q []byte) ([]byte, error) {
	if rand.IntN(3) == 0 {
		return unknown, ctx.Err()
	}
	return s.squares.Answer(ctx, q[:8])
}

func checkPerhaps(q, a []byte) error {
	if bytes.Equal(a, unknown) {
		return nil
	}
	return checkSquare(q[:8], a)
}

// conversation asks for the square of each number, again as long as it is not known, and for that of
// the next numbers when one is. Answers that are void are forgotten.
type conversation struct {
	t     *testing.T
	mu    sync.Mutex
	news  *sync.Cond
	known map[uint64][]byte
	asked map[uint64]bool
	tries uint64
	most  uint64 // of the numbers
	voids int
	taken int
}

func converse(t *testing.T, most uint64) *conversation {
	c := &conversation{t: t, known: map[uint64][]byte{}, asked: map[uint64]bool{}, most: most}
	c.news = sync.NewCond(&c.mu)
	return c
}

// questions ends when all squares are known.
func (c *conversation) questions(ctx context.Context) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		defer context.AfterFunc(ctx, func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.news.Broadcast()
		})()
		for {
			q := c.next(ctx)
			if q == nil || !yield(q) {
				return
			}
		}
	}
}

// next returns a question; nil: there will be none. A number is asked for once the square of half of
// it is known.
func (c *conversation) next(ctx context.Context) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	for ctx.Err() == nil && uint64(len(c.known)) < c.most {
		for n := range c.most {
			if c.known[n] == nil && !c.asked[n] && (n == 0 || c.known[n/2] != nil) {
				c.asked[n] = true
				c.tries++
				return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, n), c.tries)
			}
		}
		c.news.Wait()
	}
	return nil
}

func (c *conversation) take(a Answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.news.Broadcast()
	require.NoError(c.t, a.Err)
	n := binary.BigEndian.Uint64(a.Question)
	c.taken++
	switch {
	case a.Void:
		c.voids++
		delete(c.known, n)
		delete(c.asked, n)
	case bytes.Equal(a.Bytes, unknown):
		delete(c.asked, n)
	default:
		c.known[n] = a.Bytes
	}
}

// TestTalk has questions asked that depend on answers: of honest workers, of a liar among them, and
// after an interruption.
func TestTalk(t *testing.T) {
	const most = 300
	lie := func(n uint64) ([]byte, error) {
		if n%2 == 1 && rand.IntN(2) == 0 { // an answer that claims nothing that can be checked
			return binary.BigEndian.AppendUint64(nil, n), nil
		}
		return nil, nil
	}
	mad := func(n uint64) ([]byte, error) { // what cannot be right, after some good answers
		if n > most/2 {
			return []byte("mad"), nil
		}
		return nil, nil
	}
	for name, c := range map[string]struct {
		trust   Trust
		workers []perhaps
		stop    int // answers, after which it is interrupted
	}{
		"honest":                          {Trusted, []perhaps{{}, {}}, 0},
		"interrupted":                     {Trusted, []perhaps{{}, {}}, 100},
		"untrusted":                       {Untrusted, []perhaps{{}, {}}, 0},
		"untrusted, with a liar":          {Untrusted, []perhaps{{}, {}, {squares{lie: lie}}}, 0},
		"trusted, with one that goes mad": {Trusted, []perhaps{{}, {}, {squares{lie: mad}}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFarm(t)
			for i, w := range c.workers {
				f.work([]string{FirstWorker, "a", "liar"}[i], w.kind(), 2)
			}
			dir := filepath.Join(t.TempDir(), "run")
			talk := converse(t, most)
			if c.stop > 0 {
				ctx, cancel := context.WithCancel(t.Context())
				r := f.begin(dir, c.trust, perhaps{}.kind())
				for a := range r.Talk(ctx, talk.questions, checkPerhaps) {
					if talk.take(a); talk.taken == c.stop {
						cancel()
					}
				}
				cancel()
				require.NoError(t, r.Close())
				before := talk.known
				if len(before) == 0 || len(before) == most {
					t.Fatalf("%d squares are known when it is interrupted", len(before))
				}
				talk = converse(t, most)
				defer func() {
					if talk.tries+uint64(len(before)) > 2*most {
						t.Errorf("%d questions, after %d were answered", talk.tries, len(before))
					}
				}()
			}
			r := f.begin(dir, c.trust, perhaps{}.kind())
			for a := range r.Talk(t.Context(), talk.questions, checkPerhaps) {
				talk.take(a)
			}
			for n := range uint64(most) {
				if !bytes.Equal(talk.known[n], square(n)) {
					t.Errorf("the square of %d is %x", n, talk.known[n])
				}
			}
			for worker := range r.record.shut {
				if worker != "liar" {
					t.Errorf("%s is shut out", worker)
				}
			}
			if len(c.workers) == 3 && (r.record.shut["liar"] == "" || c.trust == Trusted && talk.voids == 0) {
				t.Errorf("the liar is shut out: %q, %d answers are void", r.record.shut["liar"], talk.voids)
			}
			t.Logf("%d questions, %d answers were void", talk.tries, talk.voids)
			require.NoError(t, r.Close())
		})
	}
}

// TestTalkEnds has the questions end when nobody works, when all that may be open is at work, and
// when the record fails while they wait for an answer: Talk ends, too.
func TestTalkEnds(t *testing.T) {
	for name, c := range map[string]struct {
		workers   []squares
		questions func(context.Context) iter.Seq[[]byte]
		fails     bool
	}{
		"without a worker": {nil, independent(upTo(0)), false},
		"with all at work": {[]squares{{sleep: time.Hour}}, independent(upTo(2)), false},
		"without its answers": {[]squares{{}}, func(ctx context.Context) iter.Seq[[]byte] {
			return func(yield func([]byte) bool) {
				for q := range upTo(1) {
					yield(q)
				}
				<-ctx.Done()
			}
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFarm(t)
			for _, w := range c.workers {
				f.work(FirstWorker, w.kind(), 1)
			}
			ctx := deadline(t, time.Minute)
			r := f.begin(filepath.Join(t.TempDir(), "run"), Trusted, squares{}.kind())
			if c.fails {
				require.NoError(t, r.record.close())
			}
			for range r.Talk(ctx, c.questions, checkSquare) {
			}
			require.NoError(t, ctx.Err())
			if r.complete == c.fails {
				t.Errorf("it is complete: %v", r.complete)
			}
			_ = r.Close()
		})
	}
}

// TestTalkDoubts has questions end after some answers of a worker whose first one nobody has confirmed
// yet: it is compared before all is over, and the worker has lied.
func TestTalkDoubts(t *testing.T) {
	f := newFarm(t)
	lie := func(n uint64) ([]byte, error) { return binary.BigEndian.AppendUint64(nil, n), nil }
	f.work(FirstWorker, squares{lie: lie}.kind(), 2)
	r := f.begin(filepath.Join(t.TempDir(), "run"), Trusted, squares{sleep: time.Second}.kind())
	enough := make(chan struct{})
	questions := func(ctx context.Context) iter.Seq[[]byte] {
		return func(yield func([]byte) bool) {
			for n := uint64(3); ; n += 2 {
				select {
				case <-enough:
					return
				default:
				}
				if !yield(binary.BigEndian.AppendUint64(nil, n)) {
					return
				}
			}
		}
	}
	taken, voids := 0, 0
	for a := range r.Talk(deadline(t, time.Minute), questions, checkSquare) {
		if a.Void {
			voids++
		} else if taken++; taken == 5 {
			close(enough)
		}
	}
	if r.record.shut[FirstWorker] == "" || voids == 0 {
		t.Errorf("after %d answers the liar is shut out: %q, and %d are void", taken, r.record.shut[FirstWorker], voids)
	}
	require.NoError(t, r.Close())
}

// TestTalkEarly interrupts a talk after answers of a worker that lies, and continues it: the worker is found
// out, other answers come, and the end says that something false was delivered before.
func TestTalkEarly(t *testing.T) {
	f := newFarm(t)
	lie := func(n uint64) ([]byte, error) { return binary.BigEndian.AppendUint64(nil, n), nil }
	f.work(FirstWorker, squares{lie: lie}.kind(), 2)
	dir := filepath.Join(t.TempDir(), "run")
	// talk asks until five answers are there, or until the first question has been answered again, and
	// returns how the run ends.
	talk := func(complete bool) error {
		r := f.begin(dir, Trusted, squares{sleep: 400 * time.Millisecond}.kind())
		ctx, stop := context.WithCancel(deadline(t, time.Minute))
		defer stop()
		c := make(chan struct{}) // closed when the questions are to end
		again := make(chan []byte, 1000)
		questions := func(ctx context.Context) iter.Seq[[]byte] {
			return func(yield func([]byte) bool) {
				for n := uint64(3); ctx.Err() == nil; n += 2 {
					q := binary.BigEndian.AppendUint64(nil, n)
					select {
					case <-c:
						return
					case q = <-again:
					default:
					}
					if !yield(q) {
						return
					}
				}
			}
		}
		const first = "\x00\x00\x00\x00\x00\x00\x00\x03"
		answers, voids, ended := 0, 0, false
		for a := range r.Talk(ctx, questions, checkSquare) {
			if answers++; a.Void {
				again <- a.Question
			}
			if string(a.Question) == first && a.Void {
				voids++
			}
			switch {
			case ended:
			case complete && voids == 1 && string(a.Question) == first && !a.Void: // it is asked again
				ended = true
				close(c)
			case !complete && answers == 5:
				ended = true
				stop()
			}
		}
		return r.Close()
	}
	require.NoError(t, talk(false))
	f.work("honest", squares{}.kind(), 2)
	if err := talk(true); !errors.Is(err, ErrFalse) || !strings.Contains(err.Error(), "what is printed now is right") {
		t.Errorf("the run ends with %v", err)
	}
}
