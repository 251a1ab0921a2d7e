package web_test

import (
	"flag"
	"testing"
	"time"

	"goalproof/internal/browser"
	"goalproof/web"
)

var shots = flag.String("shots", "", "write pictures of the page at desktop and phone width to this directory")

func TestBrowser(t *testing.T) {
	s := start(t, web.Options{})
	b := browser.Visit(t, s.studio.Once())
	time.Sleep(time.Second)
	b.Log(browser.Evaluate[string](b, "document.getElementById('where').textContent + location.href + document.getElementById('status').textContent + document.querySelectorAll('#squares button').length"))
	b.Look(*shots)
}
