package cluster

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
)

// squares is a kind of questions: what is the square of a number? An answer ends with its proof,
// the number, unless the square is odd: then it claims nothing that could be checked. Lie, unless
// it is nil, answers in place of the truth.
type squares struct {
	lie   func(n uint64) ([]byte, error)
	sleep time.Duration
	count *atomic.Int64
}

func (s squares) kind() Kind {
	return Kind{
		Name:   "squares",
		Open:   func(context.Context, []byte, Room, Inputs) (Answerer, error) { return s, nil },
		Memory: func([]byte) (uint64, error) { return 1 << 20, nil },
	}
}

func (s squares) Answer(ctx context.Context, q []byte) ([]byte, error) {
	if s.count != nil {
		s.count.Add(1)
	}
	pause(ctx, s.sleep)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	n := binary.BigEndian.Uint64(q)
	if s.lie != nil {
		if a, err := s.lie(n); a != nil || err != nil {
			return a, err
		}
	}
	return square(n), nil
}

func square(n uint64) []byte {
	a := binary.BigEndian.AppendUint64(nil, n*n)
	if n%2 == 0 {
		a = binary.BigEndian.AppendUint64(a, n)
	}
	return a
}

// checkSquare checks the proof of an answer.
func checkSquare(q, a []byte) error {
	n := binary.BigEndian.Uint64(q)
	switch {
	case len(a) == 8:
		return nil
	case len(a) != 16:
		return errors.New("malformed")
	case !bytes.Equal(a, square(n)):
		return errors.New("no proof of that")
	}
	return nil
}

func upTo(n int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := range n {
			if !yield(binary.BigEndian.AppendUint64(nil, uint64(i))) {
				return
			}
		}
	}
}

// farm is a server with a coordinator and workers, for a test.
type farm struct {
	t    testing.TB
	dir  string
	s    *Server
	wait sync.WaitGroup
	stop context.CancelFunc
	ctx  context.Context
}

func newFarm(t testing.TB) *farm { return farmIn(t, t.TempDir(), ServerOptions{}) }

// farmIn starts a server in a directory.
func farmIn(t testing.TB, dir string, o ServerOptions) *farm {
	f := &farm{t: t, dir: dir}
	f.s = startServer(t, f.dir, o)
	f.ctx, f.stop = context.WithCancel(context.Background())
	t.Cleanup(func() { f.stop(); f.wait.Wait() })
	return f
}

// work starts a worker, and returns what stops it.
func (f *farm) work(name string, k Kind, slots int) (stop func()) {
	f.t.Helper()
	key := filepath.Join(f.dir, "test-"+name)
	boss := connected(f.t, f.dir, "")
	if name == FirstWorker {
		key = KeyFile(f.dir, FirstWorker)
	} else {
		k, err := NewKey(name)
		require.NoError(f.t, err)
		require.NoError(f.t, k.Write(key))
		require.NoError(f.t, boss.Add(f.ctx, k))
	}
	c := connected(f.t, f.s.Address(), key)
	return f.process(c, WorkOptions{Room: Room{slots, 1 << 20}, Kinds: []Kind{k}, Signature: "s", Version: "v"})
}

// process starts a process of a worker over a connection, and returns what stops it.
func (f *farm) process(c *Conn, o WorkOptions) (stop func()) {
	ctx, cancel := context.WithCancel(f.ctx)
	done := make(chan struct{})
	o.Say = func(text string) { f.t.Log(c.Key.Name + ": " + text) }
	f.wait.Go(func() {
		defer close(done)
		if err := Work(ctx, c, o); err != nil {
			f.t.Logf("%s ends: %v", c.Key.Name, err)
		}
	})
	return func() { cancel(); <-done }
}

// begin begins a run.
func (f *farm) begin(dir string, trust Trust, k Kind) *Run {
	f.t.Helper()
	r, err := Begin(f.ctx, connected(f.t, f.dir, ""), RunOptions{
		Dir: dir, Kind: k, Signature: "s", Version: "v", Trust: trust, Memory: 1 << 20, Say: func(text string) { f.t.Log("coordinator: " + text) },
	})
	require.NoError(f.t, err)
	return r
}

// wholly asks a number of questions, and holds the answers against the truth.
func wholly(t testing.TB, r *Run, n int) {
	t.Helper()
	truly(t, r, n)
	require.NoError(t, r.Close())
}

// truly does so, and does not close the run.
func truly(t testing.TB, r *Run, n int) {
	t.Helper()
	got := 0
	for a := range r.Ask(t.Context(), upTo(n), checkSquare) {
		if a.Err != nil || !bytes.Equal(a.Bytes, square(uint64(got))) || binary.BigEndian.Uint64(a.Question) != uint64(got) {
			t.Fatalf("answer %d: question %x, %x, %v", got, a.Question, a.Bytes, a.Err)
		}
		got++
	}
	if got != n {
		t.Fatalf("%d answers, want %d", got, n)
	}
}

// TestRun has questions answered by honest workers.
func TestRun(t *testing.T) {
	for _, trust := range []Trust{Trusted, Untrusted} {
		f := newFarm(t)
		f.work("w1", squares{}.kind(), 2)
		f.work("a", squares{}.kind(), 1)
		start := time.Now()
		wholly(t, f.begin(filepath.Join(t.TempDir(), "run"), trust, squares{}.kind()), 2000)
		t.Logf("trust %v: %v", trust, time.Since(start))
	}
}

// timed answers as squares do, with a byte before the answer that differs each time, as the time that
// a question takes does.
type timed struct{ squares }

func (s timed) kind() Kind {
	k := s.squares.kind()
	k.Open = func(context.Context, []byte, Room, Inputs) (Answerer, error) { return s, nil }
	k.Common = But(untimed)
	return k
}

var ticks atomic.Int64

func (s timed) Answer(ctx context.Context, q []byte) ([]byte, error) {
	a, err := s.squares.Answer(ctx, q)
	return append([]byte{byte(ticks.Add(1))}, a...), err
}

// untimed returns the part of a timed answer that is always the same.
func untimed(a []byte) ([]byte, error) {
	if len(a) < 2 {
		return nil, errors.New("no time")
	}
	return a[1:], nil
}

func checkTimed(q, a []byte) error { return checkSquare(q, a[1:]) }

// TestSame has questions answered by workers whose answers differ in what does not count: they agree.
// One that lies from some question on is found, and alone. What it answered before is right, so nothing
// false was delivered when that is asked again.
func TestSame(t *testing.T) {
	const n = 2000
	lie := func(q uint64) ([]byte, error) {
		if q > n/2 {
			return []byte("?"), nil
		}
		return nil, nil
	}
	for name, c := range map[string]struct {
		trust   Trust
		workers []timed
	}{
		"alone":     {Untrusted, []timed{{}}}, // the coordinator answers, too
		"trusted":   {Trusted, []timed{{}, {}, {squares{lie: lie}}}},
		"untrusted": {Untrusted, []timed{{}, {}, {squares{lie: lie}}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFarm(t)
			for i, w := range c.workers {
				f.work([]string{FirstWorker, "a", "liar"}[i], w.kind(), 1)
			}
			r := f.begin(filepath.Join(t.TempDir(), "run"), c.trust, timed{}.kind())
			got := uint64(0)
			for a := range r.Ask(t.Context(), upTo(n), checkTimed) {
				if a.Err != nil || !bytes.Equal(a.Bytes[1:], square(got)) {
					t.Fatalf("answer %d: %x, %v", got, a.Bytes, a.Err)
				}
				got++
			}
			if got != n {
				t.Errorf("%d answers of %d", got, n)
			}
			for worker, why := range r.record.shut {
				if worker != "liar" {
					t.Errorf("%s is shut out: %s", worker, why)
				}
			}
			require.NoError(t, r.Close())
		})
	}
}

// TestInterruptedCheck interrupts a coordinator while it checks answers: nobody is shut out for
// that, and the server knows at once that the run has stopped.
func TestInterruptedCheck(t *testing.T) {
	f := newFarm(t)
	f.work("w1", squares{}.kind(), 2)
	outer, interrupt := context.WithCancel(f.ctx)
	defer interrupt()
	r := f.begin(filepath.Join(t.TempDir(), "run"), Trusted, squares{}.kind())
	check := func(_, _ []byte) error { // of which the run learns before it learns of the interruption
		interrupt()
		return fmt.Errorf("the proof: %w", outer.Err())
	}
	ctx, cancel := context.WithTimeout(f.ctx, 4*time.Second)
	defer cancel()
	for a := range r.Ask(ctx, upTo(50), check) {
		t.Errorf("an answer that was not checked: %v, %v", a.Bytes, a.Err)
	}
	require.NoError(t, r.Close())
	st, err := connected(t, f.dir, "").Status(t.Context())
	require.NoError(t, err)
	if len(st.Runs) != 1 || !st.Runs[0].Stopped || st.Runs[0].Heard || st.Runs[0].Dir != r.Dir {
		t.Errorf("of the run that was interrupted is known: %+v", st.Runs)
	}
	for _, w := range st.Workers {
		if w.Revoked {
			t.Errorf("worker %s is shut out", w.Name)
		}
	}
}

// TestLiars has questions answered by an honest worker and one that lies in some way: all answers
// are true, and a worker that gave false ones is shut out.
func TestLiars(t *testing.T) {
	some := func(share float64, lie func(n uint64) ([]byte, error)) func(uint64) ([]byte, error) {
		r := rand.New(rand.NewPCG(1, 2))
		var mu sync.Mutex
		return func(n uint64) ([]byte, error) {
			mu.Lock()
			defer mu.Unlock()
			if r.Float64() < share {
				return lie(n)
			}
			return nil, nil
		}
	}
	lies := map[string]func(n uint64) ([]byte, error){
		"win": func(n uint64) ([]byte, error) { return append(square(n+2), 1, 2, 3, 4, 5, 6, 7, 8)[:16], nil },
		"no": func(n uint64) ([]byte, error) {
			if n%2 == 0 {
				return nil, nil
			}
			return square(n + 2)[:8], nil
		},
		"malformed": func(uint64) ([]byte, error) { return []byte("?"), nil },
		"failing":   func(uint64) ([]byte, error) { return nil, errors.New("no wish to") },
		"panicking": func(uint64) ([]byte, error) { panic("no wish to") },
	}
	for name, lie := range lies {
		for _, share := range []float64{0.1, 1} {
			t.Run(fmt.Sprintf("%s/%v", name, share), func(t *testing.T) {
				t.Parallel()
				f := newFarm(t)
				f.work("w1", squares{}.kind(), 1)
				f.work("liar", squares{lie: some(share, lie)}.kind(), 1)
				r := f.begin(filepath.Join(t.TempDir(), "run"), Untrusted, squares{}.kind())
				wholly(t, r, 500)
				_, shut := r.record.shut["liar"]
				if want := name != "failing" && name != "panicking"; shut != want {
					t.Errorf("shut out: %v", r.record.shut)
				}
			})
		}
	}
}

// TestBrokenRecord has the record of a run fail: no answer is made up, and Close says why the
// others are missing.
func TestBrokenRecord(t *testing.T) {
	f := newFarm(t)
	f.work(FirstWorker, squares{}.kind(), 1)
	r := f.begin(filepath.Join(t.TempDir(), "run"), Trusted, squares{}.kind())
	got := 0
	for a := range r.Ask(t.Context(), upTo(300), checkSquare) {
		if a.Err != nil || !bytes.Equal(a.Bytes, square(uint64(got))) {
			t.Fatalf("answer %d: %x, %v", got, a.Bytes, a.Err)
		}
		if got++; got == 100 {
			require.NoError(t, r.record.db.Close())
		}
	}
	if err := r.Close(); err == nil || got == 300 {
		t.Errorf("%d answers, and the error %v", got, err)
	}
}

// TestFound counts how many answers a liar gives before it is found, and how many false ones are
// delivered: none without trust, and in no case a false one that claims to be proved. With -v it
// prints the table of docs/cluster.md.
func TestFound(t *testing.T) {
	if !boards.Large {
		t.Skip("the tag large counts what liars achieve")
	}
	lies := []struct {
		name string
		lie  func(n uint64) ([]byte, error)
	}{
		{"false win", func(n uint64) ([]byte, error) { return binary.BigEndian.AppendUint64(square(n + 2)[:8], n), nil }},
		{"false no", func(n uint64) ([]byte, error) { return square(n + 1 + n%2)[:8], nil }},
		{"malformed", func(uint64) ([]byte, error) { return []byte("?"), nil }},
		{"failing", func(uint64) ([]byte, error) { return nil, errors.New("no wish to") }},
	}
	var mu sync.Mutex
	var rows []string
	t.Cleanup(func() {
		slices.Sort(rows)
		t.Log("\n| lies | share | trust | found after | false ones delivered |\n| --- | --- | --- | --- | --- |\n" + strings.Join(rows, "\n"))
	})
	for _, l := range lies {
		for _, share := range []float64{0.1, 0.5, 1} {
			for _, trust := range []Trust{Trusted, Untrusted} {
				t.Run(fmt.Sprintf("%s/%v/%v", l.name, share, trust), func(t *testing.T) {
					t.Parallel()
					f := newFarm(t)
					var told atomic.Int64
					random := rand.New(rand.NewPCG(7, uint64(share*10)))
					f.work(FirstWorker, squares{sleep: 4 * time.Millisecond}.kind(), 1)
					f.work("liar", squares{sleep: 4 * time.Millisecond, count: &told, lie: func(n uint64) ([]byte, error) {
						if random.Float64() < share {
							return l.lie(n)
						}
						return nil, nil
					}}.kind(), 1)
					r := f.begin(filepath.Join(t.TempDir(), "run"), trust, squares{}.kind())
					falsehoods, n := 0, uint64(0)
					for a := range r.Ask(t.Context(), upTo(1000), checkSquare) {
						if truth := square(n); a.Err != nil || !bytes.Equal(a.Bytes, truth) {
							falsehoods++
							if trust == Untrusted || a.Err != nil || len(a.Bytes) != 8 {
								t.Errorf("the answer to %d is %x, %v", n, a.Bytes, a.Err)
							}
						}
						n++
					}
					err := r.Close()
					_, shut := r.record.shut["liar"]
					if errors.Is(err, ErrFalse) != (shut && falsehoods > 0) {
						t.Errorf("%d false answers, shut out: %v, and Close says %v", falsehoods, shut, err)
					}
					found := "not found"
					if shut {
						found = fmt.Sprintf("%d answers", told.Load())
					}
					mu.Lock()
					defer mu.Unlock()
					rows = append(rows, fmt.Sprintf("| %s | %.0f %% | %s | %s | %d |", l.name, 100*share, map[Trust]string{Trusted: "trusted", Untrusted: "untrusted"}[trust], found, falsehoods))
				})
			}
		}
	}
}

// TestOtherRun begins runs in the directory of one that was interrupted: another kind, other options, another
// version and other arguments are refused, and its answers stay.
func TestOtherRun(t *testing.T) {
	f := newFarm(t)
	f.work(FirstWorker, squares{}.kind(), 1)
	dir := filepath.Join(t.TempDir(), "run")
	first := RunOptions{Dir: dir, Kind: squares{}.kind(), Options: []byte("o"), Asked: []byte("a"), Signature: "s", Version: "v", Memory: 1 << 20, Say: func(string) {}}
	begin := func(change func(*RunOptions)) (*Run, error) {
		o := first
		change(&o)
		return Begin(f.ctx, connected(t, f.dir, ""), o)
	}
	r, err := begin(func(*RunOptions) {})
	require.NoError(t, err)
	for range r.Ask(deadline(t, time.Minute), upTo(100), checkSquare) {
		break
	}
	require.NoError(t, r.Close())
	for what, change := range map[string]func(*RunOptions){
		"another kind":    func(o *RunOptions) { o.Kind.Name = "cubes" },
		"other options":   func(o *RunOptions) { o.Options = []byte("p") },
		"other arguments": func(o *RunOptions) { o.Asked = []byte("b") },
		"another version": func(o *RunOptions) { o.Signature = "t" },
		"joined":          func(o *RunOptions) { o.Options, o.Asked = []byte("oa"), nil },
	} {
		if r, err := begin(change); !errors.Is(err, ErrOtherRun) {
			t.Errorf("%s: %v", what, err)
			if err == nil {
				require.NoError(t, r.Close())
			}
		}
	}
	r, err = begin(func(o *RunOptions) { o.Version, o.Command, o.Total = "w", "the same", 100 })
	require.NoError(t, err)
	if len(r.record.have) == 0 {
		t.Error("the answers are gone")
	}
	require.NoError(t, r.Close())
}
