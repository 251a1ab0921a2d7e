//go:build browser

package studio_test

import (
	"testing"
	"time"

	"goalproof/internal/testkit/browser"
	"goalproof/studio"
)

// TestBrowserIdle expects that an idle page asks for nothing.
func TestBrowserIdle(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for two seconds")
	}
	w := open(t, start(t, studio.Options{}))
	requests := `performance.getEntriesByType("resource").length`
	before := browser.Evaluate[int](w.Browser, requests)
	time.Sleep(2 * time.Second)
	if after := browser.Evaluate[int](w.Browser, requests); after != before {
		t.Errorf("%d requests of an idle page", after-before)
	}
}
