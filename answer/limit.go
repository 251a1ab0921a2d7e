package answer

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// Limit is how long a question may be searched: in nodes of the algorithm that answers it, in time, or both. 0 is no limit.
// With one thread a limit in nodes always ends a search at the same node; one in time does so wherever the machine happens to be.
type Limit struct {
	Nodes uint64
	Time  time.Duration
}

// None reports whether there is no limit.
func (l Limit) None() bool { return l == Limit{} }

// Start returns a context that is done when the limit is reached. Within a limit in nodes that ctx already has, the nodes
// count for both.
func (l Limit) Start(ctx context.Context) (context.Context, context.CancelFunc) {
	cancel := context.CancelFunc(func() {})
	if l.Nodes > 0 {
		b := &Budget{outer: BudgetOf(ctx)}
		b.left.Store(int64(min(l.Nodes, 1<<62)))
		inner, end := context.WithCancelCause(ctx)
		b.end = end
		ctx, cancel = context.WithValue(inner, budgetKey{}, b), func() { end(nil) }
	}
	if l.Time > 0 {
		outer := cancel
		limited, inner := context.WithTimeout(ctx, l.Time)
		return limited, func() { inner(); outer() }
	}
	return ctx, cancel
}

// Share returns a context with one in parts of the time and of the nodes that ctx has left; of what has no limit there is
// no share.
func Share(ctx context.Context, parts int) (context.Context, context.CancelFunc) {
	return share(ctx, 1, parts)
}

// Reserve returns a context that leaves one in parts of the time and of the nodes that ctx has.
func Reserve(ctx context.Context, parts int) (context.Context, context.CancelFunc) {
	return share(ctx, parts-1, parts)
}

func share(ctx context.Context, n, parts int) (context.Context, context.CancelFunc) {
	var l Limit
	if b := BudgetOf(ctx); b != nil {
		l.Nodes = max(b.Left()/uint64(parts)*uint64(n), 1)
	}
	if deadline, ok := ctx.Deadline(); ok {
		l.Time = max(time.Until(deadline)/time.Duration(parts)*time.Duration(n), 1)
	}
	if l.None() {
		return context.WithCancel(ctx)
	}
	return l.Start(ctx)
}

// Budget is a limit in nodes that is being spent. It may be used by several goroutines. A nil Budget has no end.
type Budget struct {
	left  atomic.Int64
	outer *Budget
	end   context.CancelCauseFunc
}

type budgetKey struct{}

// errSpent is the cause for which a context is done whose nodes are spent.
var errSpent = errors.New("the nodes are spent")

// BudgetOf returns the budget of a context, nil if it has none.
func BudgetOf(ctx context.Context) *Budget {
	b, _ := ctx.Value(budgetKey{}).(*Budget)
	return b
}

// Left returns the number of nodes that are left. A Budget that is not nil must be asked.
func (b *Budget) Left() uint64 { return uint64(max(b.left.Load(), 0)) }

// Spend counts nodes and reports whether none are left. The context is then done, before Spend returns: a search that counts
// its nodes in one goroutine ends at the same node each time.
func (b *Budget) Spend(nodes uint64) (spent bool) {
	for ; b != nil; b = b.outer {
		if b.left.Add(-int64(nodes)) <= 0 {
			spent = true
			b.end(errSpent)
		}
	}
	return spent
}
