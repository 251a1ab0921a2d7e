// Package interrupt ends the work of a program at a signal.
package interrupt

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Context returns a context that ends with an interrupt from the keyboard, a request to terminate,
// or the loss of the terminal (SIGHUP), unless the program was started to outlive that, as nohup
// does. The next interrupt or request ends the program at once. A further SIGHUP does not: a shell
// that goes away sends several.
func Context() context.Context {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
		// Nobody listens here. But as long as a channel is notified, a SIGHUP does not end the
		// program; signal.Ignore, once the first has come, would let it for an instant.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)
	return ctx
}
