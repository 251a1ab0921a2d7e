//go:build stress

package cluster

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"goalproof/internal/testkit/boards"
)

// stallAll lets a run begin, and then holds everything back at some proxies.
func stallAll(ctx context.Context, all []*proxy) {
	pause(ctx, 3*time.Second)
	for _, p := range all {
		p.stall(true)
	}
	pause(ctx, 65*time.Second)
	for _, p := range all {
		p.stall(false)
	}
}

// TestStalled holds everything back for more than a minute, longer than signs of life, jobs and
// answers wait for one another, at the coordinator, a worker, or all of them. The connections are
// not closed. Without the tag deep, two of the six cases are tried.
func TestStalled(t *testing.T) {
	for name, which := range map[string]func(f *far) []*proxy{
		"coordinator": func(f *far) []*proxy { return []*proxy{f.boss} },
		"worker":      func(f *far) []*proxy { return f.workers[:1] },
		"all":         func(f *far) []*proxy { return append(f.workers, f.boss) },
	} {
		for _, trust := range []Trust{Trusted, Untrusted} {
			if !boards.Deep && (name == "worker" || (name == "all") != (trust == Untrusted)) {
				continue
			}
			t.Run(fmt.Sprintf("%s/%v", name, trust), func(t *testing.T) {
				t.Parallel()
				var count atomic.Int64
				f := newFar(t, squares{sleep: 200 * time.Millisecond, count: &count}.kind(), 2, trust)
				const n = 400
				f.honest(t, n, func(ctx context.Context) { stallAll(ctx, which(f)) })
				most := int64(n + n/5)
				if trust == Untrusted {
					most *= 2
				}
				if answers := count.Load(); answers > most {
					t.Errorf("%d answers to %d questions", answers, n)
				}
				t.Logf("%d answers to %d questions", count.Load(), n)
			})
		}
	}
}
