//go:build browser

package studio_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// rows waits until a list of the Library shows so many rows.
func (w window) rows(n int) {
	w.Helper()
	w.until(fmt.Sprint(n, " rows"), fmt.Sprintf(`document.querySelectorAll(".searchlist .item").length === %d`, n))
}

// TestBrowserLibraryArchive drops an archive of 10,000 games, turns its pages, searches it, and
// opens a game, whose row then says what was missed. The same from the workspace.
func TestBrowserLibraryArchive(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	require.NoError(t, root.WriteFile("many.tsv", []byte(archiveOf(150)), 0o666))
	w := open(t, c)
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`{
		const row = i => (i + 1) + "\tann" + i %% 7 + "\tbob<b>\tb\tr\t" + 86400 * (i + 1) + "\t1w Ra4 Eb2\\n1b rh5 eg7\\n2w Ra4n Ra5n\\n2b rh5s\\n\n";
		const rows = [%q];
		for (let i = 0; i < 10000; i++) rows.push(row(i));
		rows.push("# more\n".repeat(1e5));
		const files = new DataTransfer();
		files.items.add(new File(rows, "archive.tsv"));
		document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: files, bubbles: true, cancelable: true}));
	} null`, archiveHeader))
	w.has(".pages", "1 to 100 of 10,000")
	w.rows(100)
	w.has(".rows", "1970-01-02")
	w.button("Next page")
	w.has(".pages", "101 to 200 of 10,000")
	w.has(".rows", "bob<b>")
	w.look("archive")
	w.set("#library-text", "ann3 1997-05-19")
	w.rows(1)
	w.press(".searchlist .item")
	w.has("ol.turns", "Ra4n Ra5n")
	until(t, "the review", func() bool {
		jobs := c.jobs()
		return len(jobs) > 0 && jobs[0].Kind == "review" && jobs[0].State == "done"
	})
	browser.Evaluate[any](w.Browser, "history.back(), null")
	w.has(".searchlist .item", "missed wins: gold 1, silver 1")
	w.hasNoMarkup()
	w.button("Archives")
	w.has(".searchlist .item", "many")
	w.press(".searchlist .item")
	w.has(".searchlist", "150 games")
	w.button("Next page")
	w.has(".pages", "101 to 150 of 150")
	w.press(".searchlist .item")
	until(t, "another review", func() bool { return len(c.jobs()) == 2 })
	w.until("the board", `location.hash.startsWith("#/board")`)
}

// TestBrowserLibrarySight opens a long game of an archive far down in its list: the page shows its end,
// the last turn in the list of turns, and the whole board; on a phone, too.
func TestBrowserLibrarySight(t *testing.T) {
	root := workspace(t)
	moves := strings.Split(strings.TrimSpace(example(t, "game.turns")), "\n")
	row := func(i int) string {
		return fmt.Sprintf("%d\tann\tbob\tb\tg\t%d\t%s\n", i, 86400*i, strings.Join(moves[1:], `\n`))
	}
	var archive strings.Builder
	archive.WriteString(archiveHeader)
	for i := range 60 {
		archive.WriteString(row(i + 1))
	}
	require.NoError(t, root.WriteFile("long.tsv", []byte(archive.String()), 0o666))
	w := open(t, start(t, studio.Options{Workspace: root}), "/library/archives/long")
	w.rows(60)
	w.press(".rows li:last-child .item")
	const inSight = `(() => {
		const [turn, list, board] = [".turns .turn[aria-current]", ".turns", ".stage"].map(s => document.querySelector(s)?.getBoundingClientRect());
		const within = (a, top, bottom) => a && a.top >= top - 1 && a.bottom <= bottom + 1;
		return document.querySelectorAll(".turns .turn").length > 40 && scrollY === 0 && within(board, 0, innerHeight) &&
			within(turn, list.top, Math.min(list.bottom, innerHeight));
	})()`
	w.until("the last turn and the board in sight", inSight)
	w.Window(390, 844, true)
	w.until("the board in sight on a phone", `(b => b.top >= 0 && b.bottom <= innerHeight && scrollY === 0)(document.querySelector(".stage").getBoundingClientRect())`)
}

// TestBrowserLibraryImport imports an archive that was dropped, opens it by its address, renames it
// and deletes it by keys.
func TestBrowserLibraryImport(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	w := open(t, c)
	w.drops("body", "my games (old).tsv", archiveOf(5))
	w.has(".searchlist h3", "my games (old).tsv")
	w.button("Import into the Library")
	w.has(".searchlist h3", "my games -old-")
	w.rows(5)
	w.until("the address", `location.hash === "#/library/archives/my%20games%20-old-"`)
	w.button("Archives")
	w.rows(1)
	browser.Evaluate[any](w.Browser, `document.querySelector(".searchlist .item").focus(), null`)
	w.Press("\t")
	w.until("the button", `document.activeElement.ariaLabel === "Rename: my games -old-"`)
	w.Press("\r")
	w.set("#rename-name", "../out")
	w.button("Rename")
	w.has("dialog[open] .error", "begins with a letter")
	w.set("#rename-name", "old")
	w.button("Rename")
	w.until("the new name", `!document.querySelector("dialog[open]") && document.querySelector(".item strong").textContent === "old"`)
	w.button("Delete: old")
	w.has("dialog[open]", "Delete the archive old")
	w.button("Keep")
	w.rows(1)
	w.button("Delete: old")
	w.button("Delete")
	w.has(".empty", "Nothing here yet")
	if files, err := os.ReadDir(root.Name()); err != nil || len(files) > 0 {
		t.Errorf("deleted: %v, %v", files, err)
	}
}

// TestBrowserLibrarySearches loads a saved search, which then stands in the tree of the answer, and
// deletes it.
func TestBrowserLibrarySearches(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	tree := ask[studio.Tree](c, "POST", "/api/trees", map[string]any{"study": study(t, "win-in-2.txt"), "win_in": 2, "parameters": map[string]any{}})
	ask[any](c, "POST", "/api/trees/"+tree.ID+"/step", map[string]any{"expansions": 20})
	ask[any](c, "POST", "/api/trees/"+tree.ID+"/save", map[string]any{"name": "mine"})
	ask[any](c, "DELETE", "/api/trees/"+tree.ID, nil)
	w := open(t, c, "/library/searches")
	w.has(".searchlist .item", "mine")
	w.press(".searchlist .item")
	w.until("the tree", `document.querySelector("#verdict-tree")?.ariaSelected === "true" && document.querySelector(".children tbody tr")`)
	until(t, "the position", func() bool { return w.study().Position == study(t, "win-in-2.txt").Position })
	w.place("Library")
	w.button("Searches")
	w.button("Delete: mine")
	w.button("Delete")
	w.has(".empty", "Nothing here yet")
}

// TestBrowserLibraryOpen opens texts: one that does not say who is to move, a position whose answer
// comes by Enter, a game, a certificate, and one that is wrong. What was opened lately is opened
// again.
func TestBrowserLibraryOpen(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c, "/library")
	w.paste("Ra5 rh7 ed4 Eb2")
	w.has("dialog[open] .error", "nothing says who is to move")
	if got := browser.Evaluate[string](w.Browser, `document.querySelector("#open-text").value`); got != "Ra5 rh7 ed4 Eb2" {
		t.Errorf("the dialog has %q", got)
	}
	w.look("open")
	w.button("Silver")
	w.is(c, "Ra5 rh7 ed4 Eb2 s")
	w.until("the dialog is closed", `!document.querySelector("dialog[open]")`)
	w.until("the question", `document.activeElement.textContent === "any" && document.activeElement.className === "chip"`)
	w.paste("Ra5 rh7 ed4 Eb2 g")
	w.is(c, "Ra5 rh7 ed4 Eb2 g")
	w.until("the question", `document.activeElement.textContent === "any"`)
	w.Press("\r")
	w.has("section.verdict .sentence", "wins")
	w.paste("Ra5 rh7 Xd4 g")
	w.has("dialog[open] .error", "1:")
	w.button("Close")
	w.paste(archiveOf(1))
	w.has("ol.turns", "Ra4n Ra5n")
	w.hears("A game of ")
	w.press("#review")
	until(t, "the review", func() bool { jobs := c.jobs(); return jobs[0].Kind == "review" })
	w.button("Open")
	w.until("three texts with boards", `document.querySelectorAll("dialog[open] .item").length === 3 &&
		[...document.querySelectorAll("dialog[open] .item .mini")].every(b => b.querySelector("use"))`)
	w.press("dialog[open] li:nth-child(2) .item")
	w.is(c, "Ra5 rh7 ed4 Eb2 g")

	text := c.text("/api/jobs/" + c.ended(task{Kind: "certificate", Study: study(t, "win-in-2.txt"), WinIn: 2}).ID + "/certificate")
	w.paste(text)
	w.has(".toast .won", "win")
	w.press(".toast .quiet:not(.only)") // shows the position
	until(t, "the position", func() bool { return w.study().Position == study(t, "win-in-2.txt").Position })
	w.paste(strings.Replace(text, "\n", "\nx", 3))
	w.has("dialog[open] .error", "certificate:")
	w.hasNoMarkup()
}

// TestBrowserLibraryTray opens jobs from the list of jobs, and by their address, and stops one.
func TestBrowserLibraryTray(t *testing.T) {
	c := start(t, studio.Options{})
	start := &studio.Study{Position: "g [rrrrrrrrdhcemchd                                DHCMECHDRRRRRRRR]"}
	long := c.begin(task{Kind: "solve", Study: start, WinIn: 9, Seconds: 600})
	w := open(t, c, "/library")
	w.button("Jobs1 running")
	w.has("#tray", "Does the side to move win?")
	w.look("tray")
	w.press("#tray .pick")
	w.until("the board", `!document.querySelector("#tray:popover-open") && location.hash.startsWith("#/board")`)
	w.has("section.verdict .badge", "Searching")
	w.button("Jobs1 running")
	w.button("Stop: Does the side to move win?")
	c.end(long.ID)
	w.has("#tray", "Ended")
	done := c.ended(task{Kind: "solve", Study: study(t, "win-in-2.txt"), WinIn: 2})
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`location.hash = "#/job/%s", null`, done.ID))
	w.has("section.verdict .sentence", "wins in 2 turns")
	browser.Evaluate[any](w.Browser, `location.hash = "#/job/none-9", null`)
	w.has(".toast", "no such job")
}

// TestBrowserLibraryDatabase asks the database, opens a game of it, and goes through its openings.
func TestBrowserLibraryDatabase(t *testing.T) {
	c, _ := withLibrary(t, libraryFile(t))
	w := open(t, c, "/library/database")
	w.until("games", `document.querySelectorAll(".database .item").length > 0`)
	all := w.count(".database .item")
	w.set("#ask-turns", "..0")
	w.has(".empty", "Nothing found")
	w.set("#ask-turns", "no range..")
	w.until("an answer", `document.querySelector(".database .answers, .database .error")`)
	w.button("Clear")
	w.rows(all)
	w.look("database")
	w.button("Statistics")
	w.until("groups", `document.querySelectorAll(".database tbody tr").length > 0`)
	w.button("Openings")
	w.has(".database", "How Gold set up")
	w.press("#database-games")
	w.press(".database .item")
	w.until("the board", `location.hash.startsWith("#/board") && document.querySelector("ol.turns .turn")`)
	w.has(".toast", "of the database")
}

// TestBrowserLibraryNone says how a database is made where there is none, and what is missing
// without a workspace.
func TestBrowserLibraryNone(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c, "/library")
	w.has(".empty", "No workspace")
	w.button("Database")
	w.has(".empty", "goalproof library import")
	w.button("Settings")
	w.has("dialog[open]", "Games and searches last as long as this window")
	w.look("settings")
}
