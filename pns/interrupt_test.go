package pns

import (
	"context"
	"errors"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/internal/testkit/boards"
)

// long is a question that takes much longer than any of these tests.
const long = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]"

// TestInterrupted stops searches from outside. They stop within 100 ms on an idle machine; the test
// allows for a busy one.
func TestInterrupted(t *testing.T) {
	soon := 50 * time.Millisecond
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
	s := fresh(t, 64)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := tt.ctx()
			defer cancel()
			begin := time.Now()
			got := s.Solve(ctx, Question{Position: boards.Parse(t, long), N: 4})
			if took := time.Since(begin); took > 5*time.Second {
				t.Errorf("stopped after %v", took)
			}
			if got.Verdict != answer.Unknown || got.Stop != tt.want {
				t.Errorf("%v, %v, want it unknown because of %v", got.Verdict, got.Stop, tt.want)
			}
			if got.ProofNumber == 0 || got.DisproofNumber == 0 || got.Nodes == 0 || got.Turn.Len() > 0 {
				t.Errorf("%+v", got)
			}
		})
	}
	// The next question is answered as if nothing had been.
	f := fixed[0]
	if got := ask(s, Question{Position: boards.Parse(t, f.board), N: f.n}); got.Verdict != f.verdict || got.Nodes != f.nodes {
		t.Errorf("after interruptions: %+v, want %v with %d nodes", got, f.verdict, f.nodes)
	}
}

// TestLateCancel cancels contexts just when their searches end. The next search does not notice.
func TestLateCancel(t *testing.T) {
	s := fresh(t, 1)
	quick := Question{Position: boards.Parse(t, "g [r       R                                                      r]"), N: 1}
	f := fixed[0]
	other := Question{Position: boards.Parse(t, f.board), N: f.n}
	for i := range 100 {
		ctx, cancel := context.WithCancel(context.Background())
		go cancel()
		s.Solve(ctx, quick)
		cancel()
		if i%20 != 0 {
			continue
		}
		if got := ask(s, other); got.Stop == answer.Interrupted {
			t.Fatalf("after %d searches: a search that nobody stopped is interrupted", i)
		}
	}
}

// TestNodesWhileSearching reads the number of nodes from another goroutine.
func TestNodesWhileSearching(t *testing.T) {
	s := fresh(t, 64)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan Result)
	go func() { done <- s.Solve(ctx, Question{Position: boards.Parse(t, long), N: 4}) }()
	for last := uint64(0); last < 5_000; {
		select {
		case got := <-done:
			t.Fatalf("the search has ended: %+v", got)
		default:
		}
		// What an earlier search counted is forgotten; from then on the number grows.
		n := s.Nodes()
		if n < last {
			t.Fatalf("%d nodes after %d", n, last)
		}
		last = n
	}
	cancel()
	if got := <-done; got.Nodes < 5_000 || got.Stop != answer.Interrupted {
		t.Errorf("%+v", got)
	}
}
