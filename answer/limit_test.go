package answer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// spendAll spends nodes one at a time until none are left, and returns how many there were.
func spendAll(ctx context.Context) (n uint64) {
	for b := BudgetOf(ctx); ; {
		n++
		if b.Spend(1) {
			return n
		}
	}
}

// TestLimit starts limits: what a context has of each, and why it is done when they are reached.
func TestLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, l := range []Limit{{}, {Nodes: 7}, {Time: time.Minute}, {Nodes: 7, Time: time.Minute}, {Nodes: math.MaxUint64}} {
			ctx, cancel := l.Start(t.Context())
			_, timed := ctx.Deadline()
			b := BudgetOf(ctx)
			if timed != (l.Time > 0) || (b != nil) != (l.Nodes > 0) || l.None() != (l == Limit{}) || ctx.Err() != nil {
				t.Errorf("%+v: deadline %t, budget %v, %v", l, timed, b, ctx.Err())
			}
			if l.Nodes == 7 {
				if n := spendAll(ctx); n != 7 || ctx.Err() == nil || StopOf(ctx) != Nodes || b.Left() != 0 || Cut(ctx) {
					t.Errorf("%+v: %d nodes, %v, %v, %d left, cut %t", l, n, ctx.Err(), StopOf(ctx), b.Left(), Cut(ctx))
				}
				if !b.Spend(1) || b.Left() != 0 {
					t.Errorf("%+v: there is more than all", l)
				}
			}
			if cancel(); ctx.Err() == nil {
				t.Errorf("%+v: not cancelled", l)
			}
		}
		// Which of two limits is reached first is the reason; time then cuts.
		ctx, cancel := Limit{Nodes: 7, Time: time.Minute}.Start(t.Context())
		defer cancel()
		BudgetOf(ctx).Spend(3)
		time.Sleep(time.Minute)
		synctest.Wait()
		if StopOf(ctx) != Time || !Cut(ctx) || BudgetOf(ctx).Left() != 4 {
			t.Errorf("%v, cut %t", StopOf(ctx), Cut(ctx))
		}
		alone, cancel := Limit{Time: time.Minute}.Start(t.Context())
		defer cancel()
		time.Sleep(time.Minute)
		synctest.Wait()
		if StopOf(alone) != Time || Cut(alone) {
			t.Errorf("time alone: %v, cut %t", StopOf(alone), Cut(alone))
		}
		outer, interrupt := context.WithCancel(t.Context())
		ctx, cancel = Limit{Nodes: 7}.Start(outer)
		defer cancel()
		if interrupt(); StopOf(ctx) != Interrupted || Cut(ctx) {
			t.Errorf("interrupted: %v, cut %t", StopOf(ctx), Cut(ctx))
		}
	})
}

// TestNested spends nodes within two limits: the inner one ends alone, the outer one ends both, and
// a context that begins after the end is done at once.
func TestNested(t *testing.T) {
	outer, cancel := Limit{Nodes: 10}.Start(t.Context())
	defer cancel()
	inner, cancel := Limit{Nodes: 4}.Start(outer)
	defer cancel()
	if n := spendAll(inner); n != 4 || outer.Err() != nil || StopOf(inner) != Nodes || BudgetOf(outer).Left() != 6 {
		t.Errorf("%d nodes, outer %v with %d left", n, outer.Err(), BudgetOf(outer).Left())
	}
	wide, cancel := Limit{Nodes: 100}.Start(outer)
	defer cancel()
	if n := spendAll(wide); n != 6 || outer.Err() == nil || wide.Err() == nil || StopOf(wide) != Nodes || StopOf(outer) != Nodes {
		t.Errorf("%d nodes of the outer limit, %v, %v", n, StopOf(outer), StopOf(wide))
	}
	late, cancel := Limit{Nodes: 5}.Start(outer)
	defer cancel()
	if late.Err() == nil || StopOf(late) != Nodes {
		t.Errorf("begun after the end: %v", late.Err())
	}
}

// TestShare shares out the remaining nodes, or the remaining time where only the time is limited.
func TestShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, l := range []Limit{{Nodes: 1000}, {Nodes: 1000, Time: time.Minute}} {
			ctx, cancel := l.Start(t.Context())
			BudgetOf(ctx).Spend(200)
			share, end := Share(ctx, 10)
			rest, done := Reserve(ctx, 10)
			if a, b := BudgetOf(share).Left(), BudgetOf(rest).Left(); a != 80 || b != 720 {
				t.Errorf("%+v: %d and %d of 800 nodes", l, a, b)
			}
			before, timed := ctx.Deadline()
			if after, ok := share.Deadline(); ok != timed || !after.Equal(before) {
				t.Errorf("%+v: the share of a limit in nodes ends after %v", l, time.Until(after))
			}
			done()
			end()
			cancel()
		}
		ctx, cancel := Limit{Time: time.Minute}.Start(t.Context())
		defer cancel()
		for parts, want := range map[int]time.Duration{10: 6 * time.Second, 2: 30 * time.Second} {
			share, end := Share(ctx, parts)
			rest, done := Reserve(ctx, parts)
			a, _ := share.Deadline()
			b, _ := rest.Deadline()
			if time.Until(a) != want || time.Until(b) != time.Minute-want || BudgetOf(share) != nil {
				t.Errorf("one in %d: %v and %v", parts, time.Until(a), time.Until(b))
			}
			done()
			end()
		}
		share, end := Share(t.Context(), 10)
		defer end()
		if _, timed := share.Deadline(); timed || BudgetOf(share) != nil || share.Err() != nil {
			t.Error("a share of no limit is a limit")
		}
		small, cancel := Limit{Nodes: 3}.Start(t.Context())
		defer cancel()
		tenth, end := Share(small, 10)
		defer end()
		if BudgetOf(tenth).Left() != 1 {
			t.Errorf("a tenth of 3 nodes is %d", BudgetOf(tenth).Left())
		}
	})
}

// TestSpendTogether spends from many goroutines: exactly one sees the last node go, and all after
// it that none is left.
func TestSpendTogether(t *testing.T) {
	const nodes, spenders = 10_000, 8
	ctx, cancel := Limit{Nodes: nodes}.Start(t.Context())
	defer cancel()
	var spent [spenders]uint64
	var wait sync.WaitGroup
	for i := range spent {
		wait.Go(func() { spent[i] = spendAll(ctx) })
	}
	wait.Wait()
	all := uint64(0)
	for _, n := range spent {
		all += n
	}
	if all != nodes+spenders-1 {
		t.Errorf("%d nodes were spent, want %d and one more for each other goroutine", all, nodes)
	}
	var none *Budget
	if none.Spend(1 << 60) {
		t.Error("what has no budget has an end")
	}
}

// TestExplain says why a context is done, and leaves other errors as they are.
func TestExplain(t *testing.T) {
	ctx, cancel := Limit{Nodes: 1}.Start(t.Context())
	defer cancel()
	other := errors.New("another")
	if err := Explain(ctx, context.Canceled); err != context.Canceled {
		t.Errorf("before the end: %v", err)
	}
	BudgetOf(ctx).Spend(1)
	if err := Explain(ctx, fmt.Errorf("wrapped: %w", ctx.Err())); err.Error() != "the nodes are spent" {
		t.Error(err)
	}
	if err := Explain(ctx, other); err != other || Explain(ctx, nil) != nil {
		t.Error(err)
	}
}
