//go:build browser

package studio_test

import (
	"fmt"
	"testing"

	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// TestBrowserArchive drops an archive of 10,000 games, turns its pages, filters it, and opens a
// game, whose row then says what was missed. The same from the workspace.
func TestBrowserArchive(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	require.NoError(t, root.WriteFile("many.tsv", []byte(archiveOf(150)), 0o666))
	w := open(t, c)
	w.press(`[data-view="game"]`)
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`{
		const row = i => (i + 1) + "\tann" + i %% 7 + "\tbob<b>\tb\tr\t" + 86400 * (i + 1) + "\t1w Ra4 Eb2\\n1b rh5 eg7\\n2w Ra4n Ra5n\\n2b rh5s\\n\n";
		const rows = [%q];
		for (let i = 0; i < 10000; i++) rows.push(row(i));
		rows.push("# more\n".repeat(1e5));
		const files = new DataTransfer();
		files.items.add(new File(rows, "archive.tsv"));
		dispatchEvent(new DragEvent("drop", {dataTransfer: files, cancelable: true}));
	} null`, archiveHeader))
	w.says("games-shown", "10,000 of 10,000 games")
	w.says("games-page", "1 to 100")
	visible := func() int {
		return w.count("#games tbody tr")
	}
	if n := visible(); n != 100 {
		t.Errorf("%d rows are drawn", n)
	}
	w.says("games-table", "1970-01-02")
	w.press("#games-after")
	w.says("games-page", "101 to 200")
	w.says("games-table", "bob<b>")
	w.look("archive")
	w.set("games-filter", "1997-05-19")
	w.says("games-shown", "1 of 10,000 games")
	w.press("#games tbody button")
	w.until("a page", `!document.getElementById("review-page").hidden`)
	w.says("turns", "2g Ra4n Ra5n")
	w.says("game-about", "ann3 against bob<b>, 1997-05-19")
	w.press(`[data-view="texts"]`)
	w.says("games-table", "missed wins: gold 1, silver 1")
	w.hasNoMarkup()
	w.press("#archives-part summary")
	w.says("archives", "many: ")
	w.press("#archives button")
	w.says("games-shown", "150 of 150 games")
	w.set("games-filter", "")
	w.press("#games-after")
	w.says("games-page", "101 to 150")
	w.press("#games tbody button")
	w.says("game-about", "1970-04-12")
}
