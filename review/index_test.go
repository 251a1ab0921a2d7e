//go:build browser

package review_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
	"goalproof/review"
)

// TestIndex opens an index of two games, and looks for a player.
func TestIndex(t *testing.T) {
	x := review.NewIndex("Two <games>")
	for _, game := range []struct{ name, gold, turns string }{{"one", "Ann", race}, {"two", "<b>Bob", waits}} {
		r := read(t, game.turns)
		r.Name, r.Gold = game.name, game.gold
		x.Add(playEvaluated(t, r, 1, 100), game.name+".html")
	}
	var page bytes.Buffer
	require.NoError(t, x.Write(&page))
	for _, want := range []string{"Two &lt;games&gt;", "&lt;b&gt;Bob", `href="one.html"`, "Silver won by goal.", "Gold: 1 blunder,", "<polyline points="} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	b := browser.Open(t, page.String())
	b.Look(*shots)
	shown := browser.Evaluate[[]string](b, `(() => {
		const search = document.getElementById("name");
		search.value = "bob";
		search.dispatchEvent(new Event("input"));
		return [...document.querySelectorAll("article")].filter(e => e.checkVisibility()).map(e => e.querySelector("a").getAttribute("href"));
	})()`)
	if !slices.Equal(shown, []string{"two.html"}) {
		t.Errorf("for bob it shows %v", shown)
	}
	b.Alone()
}
