package proof

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"goalproof/proof/referee"
)

// manyResults is the number of distinct results of turns that each worker enumerates. If there are
// more, only one worker at a time continues, up to maxReplies.
const manyResults = 100_000

// ErrTooLarge is in the error of a check that comes to a position in which a turn has more than a
// million distinct results. The refutation is neither accepted nor rejected.
var ErrTooLarge = fmt.Errorf("there are more than %d distinct turns, more than are checked", maxReplies)

// Check decides whether the refutation proves what it claims, with all cores. Nil means that it is
// accepted. Otherwise the error is a *[Hole], always the same one, or wraps [ErrTooLarge], or is
// the context's if the context was done first. progress may be nil; its calls do not overlap, and
// it gets the numbers of replies checked and of all. The refutation is only read. A nil one has a
// hole, and a nil context sets no limit.
func (r *Refutation) Check(ctx context.Context, progress func(done, total int)) error {
	_, _, err := r.CheckSample(ctx, math.MaxInt, 0, progress)
	return err
}

// CheckSample is like [Refutation.Check], but checks only a sample of n replies, drawn by the seed.
// It still makes sure that no turn is missing. It returns how many replies were to be checked, and
// how many there are. If these are the same, no error means that the refutation is accepted, and
// otherwise that the sample is.
func (r *Refutation) CheckSample(ctx context.Context, n int, seed uint64, progress func(done, total int)) (checked, all int, err error) {
	if r == nil {
		return 0, 0, &Hole{Reason: noRefutation}
	}
	ctx = cmp.Or(ctx, context.Background())
	if err := ctx.Err(); err != nil {
		return 0, 0, err
	}
	k, err := newRefutationChecker(ctx, r)
	if err != nil {
		return 0, 0, err
	}
	if err := k.complete(ctx); err != nil {
		return 0, 0, err
	}
	var order []*Refuted
	for i := range r.Refuted {
		if f := &r.Refuted[i]; f.Reply != "" {
			order = append(order, f)
		}
	}
	if all = len(order); n < all {
		chosen := rand.New(rand.NewPCG(seed, 0)).Perm(all)[:max(n, 0)]
		slices.Sort(chosen)
		for i, c := range chosen {
			order[i] = order[c]
		}
		order = order[:len(chosen)]
	}
	return len(order), all, k.replies(ctx, order, progress)
}

// noRefutation is the reason of the hole of a nil refutation.
const noRefutation = "there is no refutation"

// refutationChecker is a refutation that is being checked.
type refutationChecker struct {
	*Refutation
	root               referee.State
	attacker, defender referee.Side
	listed             map[referee.Board]*Refuted // by the board after the turn
	limit              int                        // maxReplies, except in tests
	many               sync.Mutex                 // held by the worker that enumerates more than manyResults
}

// newRefutationChecker reads a refutation and plays its first turns. The error is a *Hole for what
// can be seen without replies, or the context's.
func newRefutationChecker(ctx context.Context, r *Refutation) (*refutationChecker, error) {
	if err := claimForm(r.Turns); err != nil {
		return nil, &Hole{Reason: err.Error()}
	}
	root, err := readPosition(r.Position)
	if err != nil {
		return nil, &Hole{Line: r.line, Position: r.Position, Reason: err.Error()}
	}
	k := &refutationChecker{Refutation: r, root: root, attacker: root.Side, defender: root.Side.Other(),
		listed: make(map[referee.Board]*Refuted, len(r.Refuted)), limit: maxReplies}
	for i := range r.Refuted {
		if i%tries == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := k.first(&r.Refuted[i]); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// first plays a first turn. The error is a *Hole.
func (k *refutationChecker) first(f *Refuted) error {
	if k.Turns == 1 {
		return k.hole(f, "the turn %s is not needed: the claim is no win in 1", f.Turn)
	}
	if err := f.wellFormed(); err != nil {
		return k.hole(f, "%v", err)
	}
	after, err := playTurn(k.root, f.Turn)
	if err != nil {
		return k.hole(f, "the turn %s is illegal: %v", f.Turn, err)
	}
	if same := k.listed[after.Board]; same != nil {
		return k.hole(f, "the turn %s has the same result as %s%s", f.Turn, same.Turn, onLine(same.line))
	}
	k.listed[after.Board] = f
	winner, reason, over := referee.Outcome(after.Board, k.attacker)
	switch {
	case over && winner == k.attacker:
		return k.hole(f, "the turn %s wins at once (%v)", f.Turn, reason)
	case over && f.Reply != "":
		return k.hole(f, "the reply %s is not needed: the turn %s loses at once (%v)", f.Reply, f.Turn, reason)
	case !over && f.Reply == "":
		return k.hole(f, "the turn %s has no reply", f.Turn)
	}
	return nil
}

// complete looks at every turn of the attacker: none wins at once, and none is missing. The error
// is a *Hole, wraps ErrTooLarge, or is the context's.
func (k *refutationChecker) complete(ctx context.Context) error {
	seen := 0
	for b := range referee.Ends(k.root) {
		if seen++; seen%tries == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if seen > k.limit {
			return fmt.Errorf("%s: %w", k.Position, ErrTooLarge)
		}
		wins := k.wins(b)
		if !wins && (k.Turns == 1 || k.listed[b] != nil) {
			continue
		}
		reason := "the turn %s is missing"
		if wins {
			reason = "the turn %s wins at once"
		}
		return &Hole{Line: k.line, Position: k.Position, Reason: fmt.Sprintf(reason, turnTo(k.root, b)),
			After: referee.NewState(b, k.defender).Position()}
	}
	return nil
}

// wins reports whether a turn of the attacker that ends with this board wins at once.
func (k *refutationChecker) wins(b referee.Board) bool {
	winner, _, over := referee.Outcome(b, k.attacker)
	return over && winner == k.attacker
}

// replies checks the replies to first turns. The error is that of the first of them that has one,
// or the context's.
func (k *refutationChecker) replies(ctx context.Context, order []*Refuted, progress func(done, total int)) error {
	var (
		mu     sync.Mutex // guards all below
		next   int
		done   int
		failed = len(order) // the first that has failed
		why    error
	)
	// Workers take the turns in order, so every turn before one that fails has been taken and is
	// finished.
	worker := func() {
		for {
			mu.Lock()
			i := next
			next++
			stop := i >= failed || ctx.Err() != nil
			mu.Unlock()
			if stop {
				return
			}
			err := k.reply(ctx, order[i])
			mu.Lock()
			if done++; err != nil && i < failed {
				failed, why = i, err
			} else if progress != nil && err == nil {
				progress(done, len(order))
			}
			mu.Unlock()
		}
	}
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(order)) {
		workers.Go(worker)
	}
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	return why
}

// reply checks the reply to a first turn. The error is a *Hole, wraps ErrTooLarge, or is the
// context's.
func (k *refutationChecker) reply(ctx context.Context, f *Refuted) error {
	after, _ := playTurn(k.root, f.Turn) // it is legal
	st, err := playTurn(after, f.Reply)
	if err != nil {
		return k.hole(f, "after the turn %s the reply %s is illegal: %v", f.Turn, f.Reply, err)
	}
	if winner, reason, over := referee.Outcome(st.Board, k.defender); over {
		if winner == k.attacker {
			return k.hole(f, "after the turn %s the reply %s loses at once (%v)", f.Turn, f.Reply, reason)
		}
		return nil
	}
	end, wins, err := k.win(ctx, st)
	switch {
	case errors.Is(err, ErrTooLarge):
		return fmt.Errorf("%safter the turn %s and the reply %s %w", place(f.line, k.Position), f.Turn, f.Reply, err)
	case err != nil || !wins:
		return err
	}
	hole := k.hole(f, "after the turn %s and the reply %s the attacker wins at once by %s", f.Turn, f.Reply, turnTo(st, end))
	hole.After = st.Position()
	return hole
}

// win looks for a turn of the attacker that wins at once, and returns the board with which it ends.
// The error is ErrTooLarge or the context's.
func (k *refutationChecker) win(ctx context.Context, st referee.State) (end referee.Board, wins bool, err error) {
	seen := 0
	for b := range referee.Ends(st) {
		switch seen++; {
		case seen == manyResults:
			k.many.Lock()
			defer k.many.Unlock()
		case seen > k.limit:
			return end, false, ErrTooLarge
		case seen%tries == 0 && ctx.Err() != nil:
			return end, false, ctx.Err()
		}
		if k.wins(b) {
			return b, true, nil
		}
	}
	return end, false, nil
}
