package answer

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"time"
)

// Limit limits the search for an answer: in nodes of its algorithm, in time, or both. 0 is no
// limit.
//
// With one thread a limit in nodes ends a search at the same node on every machine. The nodes are
// counted in batches, of some hundreds or thousands, so a search may take a few thousand more than
// its limit, for each of its threads.
type Limit struct {
	Nodes uint64
	Time  time.Duration
}

// None reports whether there is no limit.
func (l Limit) None() bool { return l == Limit{} }

// Start returns a context that is done when the limit is reached. Within a limit in nodes that ctx
// already has, the nodes count for both.
func (l Limit) Start(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(ctx)
	cancel := func() { end(nil) }
	if l.Nodes > 0 {
		b := &Budget{outer: BudgetOf(ctx), end: end}
		b.left.Store(int64(min(l.Nodes, math.MaxInt64)))
		ctx = context.WithValue(ctx, budgetKey{}, b)
	}
	if l.Time > 0 {
		limited, stop := context.WithTimeout(ctx, l.Time)
		return limited, func() { stop(); cancel() }
	}
	return ctx, cancel
}

// Share returns a context with one in parts of the nodes that ctx has left or, if they have no
// limit, of its time. Time that only cuts off a limit in nodes is not shared: where the share ends
// would depend on the machine.
func Share(ctx context.Context, parts int) (context.Context, context.CancelFunc) {
	return share(ctx, 1, parts)
}

// Reserve returns a context that leaves one in parts of the nodes that ctx has left or, if they
// have no limit, of its time.
func Reserve(ctx context.Context, parts int) (context.Context, context.CancelFunc) {
	return share(ctx, parts-1, parts)
}

func share(ctx context.Context, n, parts int) (context.Context, context.CancelFunc) {
	if b := BudgetOf(ctx); b != nil {
		return Limit{Nodes: max(b.Left()/uint64(parts)*uint64(n), 1)}.Start(ctx)
	}
	if deadline, ok := ctx.Deadline(); ok {
		return Limit{Time: max(time.Until(deadline)/time.Duration(parts)*time.Duration(n), 1)}.Start(ctx)
	}
	return context.WithCancel(ctx)
}

// Cut reports whether time has ended a context that also has a limit in nodes: the findings then
// depend on the machine.
func Cut(ctx context.Context) bool {
	return BudgetOf(ctx) != nil && errors.Is(ctx.Err(), context.DeadlineExceeded)
}

// Budget is a limit in nodes that is being spent. It may be used by several goroutines. A nil
// Budget has no end.
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

// Left returns the number of nodes that are left, of a budget that is not nil.
func (b *Budget) Left() uint64 { return uint64(max(b.left.Load(), 0)) }

// Spend counts nodes and reports whether none are left. The context is then done, before Spend
// returns: a search that counts its nodes in one goroutine ends at the same node each time.
func (b *Budget) Spend(nodes uint64) (spent bool) {
	for ; b != nil; b = b.outer {
		if b.left.Add(-int64(nodes)) <= 0 {
			spent = true
			b.end(errSpent)
		}
	}
	return spent
}
