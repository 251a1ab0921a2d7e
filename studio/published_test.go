//go:build browser && large

package studio_test

import (
	"fmt"
	"strings"
	"testing"

	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// TestBrowserPublished verifies the published wins in two on the page, and reviews a published game.
func TestBrowserPublished(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	set := "position\tclaim\tname\n"
	names := published.Names(t, "win-in-2/*/*")
	for _, name := range names {
		all, err := notation.ReadPositions(name, published.Read(t, name))
		require.NoError(t, err)
		set += fmt.Sprintf("%s\t2\t%s\n", all[0].Position, name)
	}
	w.press(`[data-view="set"]`)
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`document.getElementById("set-text").value = %q; null`, set))
	w.press("#verify")
	w.says("set-state", fmt.Sprintf("%d puzzles, ", len(names)))
	w.until("all rows", fmt.Sprintf(`document.querySelectorAll("#puzzles tbody tr").length === %d`, len(names)))
	w.look("published-set")

	text := published.Read(t, "games/archive-2026.tsv")
	rows, err := notation.ReadArchive("archive-2026.tsv", text)
	require.NoError(t, err)
	browser.Evaluate[any](w.Browser, `document.querySelector('[data-view="game"]').click(), null`) // in the view of sets a file is a set
	browser.Evaluate[any](w.Browser, `document.getElementById("turn-seconds").value = "0.1"; null`)
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`{
		const files = new DataTransfer();
		files.items.add(new File([%q], "archive-2026.tsv"));
		dispatchEvent(new DragEvent("drop", {dataTransfer: files, cancelable: true}));
	} null`, text))
	w.says("games-shown", fmt.Sprintf("%d of %d games", len(rows), len(rows)))
	w.press("#games tbody button")
	w.until("a page", `!document.getElementById("review-page").hidden`)
	w.look("published-game")
	page := window{browser.Visit(t, c.base+browser.Evaluate[string](w.Browser, `document.getElementById("review-link").getAttribute("href")`))}
	page.until("the board", `document.querySelectorAll("#board use").length > 0`)
	game, err := rows[0].Game()
	require.NoError(t, err)
	if n := browser.Evaluate[int](page.Browser, `document.querySelectorAll("#turns button").length`); n < game.Len() {
		t.Errorf("%d turns are listed, the game has %d", n, game.Len())
	}
	if got := browser.Evaluate[string](page.Browser, "document.title"); !strings.Contains(got, rows[0].Gold+" against "+rows[0].Silver) {
		t.Errorf("the page is about %q, the game is that of %s and %s", got, rows[0].Gold, rows[0].Silver)
	}
}
