//go:build browser

package solve

import (
	"flag"
	"testing"

	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
)

// shots is where TestVariationsPage writes pictures.
var shots = flag.String("shots", "", "write pictures of pages to this `directory`")

// TestVariationsPage looks at the page in a browser.
func TestVariationsPage(t *testing.T) {
	it := listed(t, "win-in-3.txt", 3)
	v := it.tree
	text, err := page(v, it.Number, "the win of gold & its <variations>")
	require.NoError(t, err)
	b := browser.Open(t, text)
	if n := browser.Evaluate[int](b, `document.querySelectorAll("details").length`); n < len(v.Groups) {
		t.Errorf("%d groups, want %d or more", n, len(v.Groups))
	}
	if got := browser.Evaluate[string](b, `document.querySelector("h1").textContent`); got != "the win of gold & its <variations>" {
		t.Errorf("the title is %q", got)
	}
	b.Alone()
	b.Look(*shots)
}
