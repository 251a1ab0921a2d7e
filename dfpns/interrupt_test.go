package dfpns

import (
	"context"
	"errors"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/internal/testkit/boards"
)

// long are questions that take much longer than any of these tests: whole armies, and pieces that
// stand free with many turns.
var long = []struct {
	board string
	n     int
}{
	{"g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]", 4},
	{"s [rrr  rrr  dc cr    h     r Rm     Ed M   H eR H  h     R      R ]", 3},
}

// TestInterrupted stops searches and listings from outside. They stop within 100 ms on an idle
// machine; the test allows for a busy one. The same solver then answers the next question as ever.
func TestInterrupted(t *testing.T) {
	soon := 5 * time.Millisecond
	tests := []struct {
		name string
		ctx  func() (context.Context, context.CancelFunc)
		want answer.Stop
	}{
		{"cancelled before", func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			return ctx, cancel
		}, answer.Interrupted},
		{"cancelled", func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(soon, cancel)
			return ctx, cancel
		}, answer.Interrupted},
		{"cancelled for a reason, with a deadline far away", func() (context.Context, context.CancelFunc) {
			parent, cancel := context.WithCancelCause(context.Background())
			time.AfterFunc(soon, func() { cancel(errors.New("enough")) })
			return context.WithTimeout(parent, time.Hour)
		}, answer.Interrupted},
		{"deadline over before", func() (context.Context, context.CancelFunc) {
			return context.WithTimeout(context.Background(), -time.Second)
		}, answer.Time},
		{"deadline", func() (context.Context, context.CancelFunc) {
			return context.WithTimeout(context.Background(), soon)
		}, answer.Time},
		{"deadline of a parent, with a reason", func() (context.Context, context.CancelFunc) {
			parent, cancel := context.WithTimeoutCause(context.Background(), soon, errors.New("too slow"))
			ctx, cancel2 := context.WithCancel(parent)
			return ctx, func() { cancel(); cancel2() }
		}, answer.Time},
	}
	s := newSolver(16<<20, 2)
	limit := 5 * time.Second // in fact a few milliseconds; machines stall
	for _, q := range long {
		p := boards.Parse(t, q.board)
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				ctx, cancel := tt.ctx()
				begin := time.Now()
				got, err := s.Solve(ctx, Question{Position: p, N: q.n})
				took := time.Since(begin)
				cancel()
				if took > limit {
					t.Errorf("the search stopped after %v", took)
				}
				if err != nil || got.Verdict != answer.Unknown || got.Stop != tt.want || got.Turn.Len() > 0 {
					t.Errorf("%+v, %v, want it unknown because of %v", got, err, tt.want)
				}

				ctx, cancel = tt.ctx()
				begin = time.Now()
				_, stop, err := s.All(ctx, Question{Position: p, N: q.n})
				took = time.Since(begin)
				cancel()
				if took > limit {
					t.Errorf("the listing stopped after %v", took)
				}
				if err != nil || stop != tt.want {
					t.Errorf("the listing: %v, %v, want %v", stop, err, tt.want)
				}
			})
		}
	}
	for _, q := range two {
		if got, want := ask(t, s, boards.Parse(t, q.board), 2), verdict(q.least > 0); got.Verdict != want {
			t.Errorf("%s: after interruptions %v, want %v", q.board, got.Verdict, want)
		}
	}
}

// TestInterruptedWhileListing stops a search while it looks at each of the attacker's turns in a
// position where the detector takes long, because the defender has few pieces that can move.
// Nothing that was listed in part counts as refuted.
func TestInterruptedWhileListing(t *testing.T) {
	s := newSolver(1<<20, 2)
	p := boards.Parse(t, "g [                    rD      EDM     R       rRm                 ]")
	for _, after := range []time.Duration{0, 20 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(context.Background(), after)
		begin := time.Now()
		got, err := s.Solve(ctx, Question{Position: p, N: 4})
		took := time.Since(begin)
		cancel()
		if err != nil || got.Verdict != answer.Unknown || got.Stop != answer.Time {
			t.Fatalf("%+v, %v, want it unknown because of time", got, err)
		}
		if took > after+5*time.Second {
			t.Errorf("stopped after %v, it was given %v", took, after)
		}
	}
}

// TestLateCancel cancels contexts just when their searches end. The next search does not notice.
func TestLateCancel(t *testing.T) {
	s := newSolver(1<<20, 2)
	quick := Question{Position: boards.Parse(t, "g [cm      R                              r                        ]"), N: 2}
	want := ask(t, s, quick.Position, quick.N).Verdict
	for range 200 {
		ctx, cancel := context.WithCancel(context.Background())
		go cancel()
		if got, err := s.Solve(ctx, quick); err != nil || got.Verdict != want && got.Stop != answer.Interrupted {
			t.Fatalf("%+v, %v", got, err)
		}
		cancel()
		if got := ask(t, s, quick.Position, quick.N); got.Verdict != want {
			t.Fatalf("%v, it was %v", got.Verdict, want)
		}
	}
}

// TestNodesWhileSearching reads the number of nodes from another goroutine: it grows while a search
// is under way, and the result holds all of them.
func TestNodesWhileSearching(t *testing.T) {
	s := newSolver(16<<20, 2)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan Result, 1)
	go func() {
		got, err := s.Solve(ctx, Question{Position: boards.Parse(t, long[0].board), N: long[0].n})
		if err != nil {
			t.Error(err)
		}
		done <- got
	}()
	last := uint64(0)
	for last < 5_000 {
		select {
		case got := <-done:
			t.Fatalf("the search has ended: %+v", got)
		case <-time.After(time.Millisecond):
		}
		n := s.Nodes()
		if n < last {
			t.Fatalf("%d nodes after %d", n, last)
		}
		last = n
	}
	cancel()
	if got := <-done; got.Nodes < last || got.Nodes != s.Nodes() || got.Stop != answer.Interrupted {
		t.Errorf("%+v, %d counted", got, s.Nodes())
	}
}
