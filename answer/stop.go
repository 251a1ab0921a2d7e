package answer

import (
	"context"
	"errors"
)

// StopOf returns why a search stopped whose context is done: Nodes if they are spent, Time if the deadline passed, else
// Interrupted, as for nil.
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
