package answer

import (
	"context"
	"errors"
)

// StopOf returns why a search stopped whose context is done: Nodes if they are spent, Time if the
// deadline passed, else Interrupted, as for nil.
func StopOf(ctx context.Context) Stop {
	switch {
	case ctx == nil:
	case errors.Is(context.Cause(ctx), errSpent):
		return Nodes
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return Time
	}
	return Interrupted
}

// Explain returns err, or if it is that of ctx, an error that says in the words of [Stop] why ctx
// is done.
func Explain(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return errors.New(StopOf(ctx).String())
	}
	return err
}
