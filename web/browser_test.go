package web_test

import (
	"context"
	"flag"
	"net"
	"testing"
	"time"

	"goalproof/internal/browser"
	"goalproof/web"
)

var shots = flag.String("shots", "", "write pictures of the page at desktop and phone width to this directory")

// start starts a studio, which ends with the test.
func start(t *testing.T, o web.Options) *web.Server {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if o.Memory == 0 {
		o.Memory = 128 << 20
	}
	s, err := web.New(ctx, l, o)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestBrowser(t *testing.T) {
	s := start(t, web.Options{})
	b := browser.Visit(t, s.Once())
	time.Sleep(time.Second)
	b.Log(browser.Evaluate[string](b, "document.getElementById('where').textContent + location.href + document.getElementById('status').textContent + document.querySelectorAll('#squares button').length"))
	b.Look(*shots)
}
