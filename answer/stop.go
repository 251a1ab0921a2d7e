package answer

import (
	"context"
	"errors"
)

// StopOf returns why a search stopped whose context is done: Time if the deadline passed, else Interrupted.
func StopOf(ctx context.Context) Stop {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return Time
	}
	return Interrupted
}
