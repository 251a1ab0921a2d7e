//go:build browser

package studio_test

import (
	"testing"

	"goalproof/studio"
)

// TestBrowserProgress follows a search that does not end: the page says what is known before it is
// stopped.
func TestBrowserProgress(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.set("win-in", "9")
	w.set("seconds", "600")
	w.press("#solve")
	w.says("progress", "Known: no win in ")
	var known studio.Job
	until(t, "known", func() bool {
		known = c.jobs()[0]
		return known.Refuted > 1
	})
	if known.Trying <= known.Refuted || known.Within != nil || known.First != "" || known.Repetition != "set aside" {
		t.Errorf("while it runs: %+v", known)
	}
	w.says("progress", "(the third repetition set aside)")
	w.look("progress")
	w.press("#stop")
	w.says("says", "Unknown")
	if ended := c.job(known.ID); ended.Result == nil || ended.Result.Refuted < known.Refuted {
		t.Errorf("stopped: %+v", ended)
	}
}
