// Command goalproof proves things about Arimaa positions. See goalproof --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], terminal{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}
