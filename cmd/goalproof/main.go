// Command goalproof proves things about Arimaa positions. See goalproof --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	code := run(interruptible(), os.Args[1:], terminal{in: os.Stdin, out: os.Stdout, err: os.Stderr})
	os.Exit(code)
}

// interruptible returns a context that a signal ends. A second signal ends the program at once.
func interruptible() context.Context {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx
}
