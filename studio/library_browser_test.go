//go:build browser

package studio_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
	"goalproof/library"
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
	browser.Evaluate[any](w.Browser, `document.querySelector(".rows").scrollTop = 1e6, null`)
	w.button("Next page")
	w.has(".pages", "101 to 200 of 10,000")
	w.until("the first row of the page", `document.querySelector(".rows").scrollTop < 10`)
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

// TestBrowserLibrarySight opens a long game of an archive far down in its list: the page shows its
// end, the last turn in the list of turns, and the whole board; on a phone, too.
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
	w.drops("body", "my games (old).tsv", archiveOf(5)) // once more
	w.has(".searchlist h3", "my games (old).tsv")
	w.button("Import into the Library")
	w.has(".searchlist h3", "my games -old--2")
	w.button("Archives")
	w.rows(2)
	w.button("Delete: my games -old--2")
	w.button("Delete")
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
	w.has("dialog[open] .error", "Line 1: ")
	w.button("Close")
	w.paste(archiveOf(1))
	w.has("ol.turns", "Ra4n Ra5n")
	w.hears("A game of ")
	w.press("#review")
	until(t, "the review", func() bool { jobs := c.jobs(); return jobs[0].Kind == "review" })
	w.button("Open")
	w.until("three texts with boards", `document.querySelectorAll("dialog[open] .item").length === 3 &&
		[...document.querySelectorAll("dialog[open] .item .mini")].every(b => b.querySelector("use"))`)
	w.has("dialog[open] li:nth-child(2) .item", "Ra5 rh7 ed4 Eb2 g")
	w.has("dialog[open] li:nth-child(2) .item", "just now")
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

// TestBrowserLibraryDatabase asks the database, opens a game and a puzzle of it, and goes through
// its openings. A question that takes long is withdrawn when another one is asked.
func TestBrowserLibraryDatabase(t *testing.T) {
	c, _ := withLibrary(t, libraryFile(t))
	w := open(t, c, "/library/database")
	w.until("games", `document.querySelectorAll(".database .item").length > 0`)
	all := w.count(".database .item")
	w.set("#ask-turns", "..0")
	w.has(".empty", "Nothing found")
	w.press("#database-stats")
	w.until("no group", `document.querySelector("#database-stats[aria-selected=true]") && document.querySelector(".empty")`)
	w.press("#database-games")
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

	w.button("Edit")
	w.until("the palette", `document.querySelector(".palette")`)
	w.to("/library/database/puzzles")
	w.press(".database .item")
	w.has("section.verdict", "Not asked")
	w.to("/library/database/games")
	w.rows(all)
	browser.Evaluate[any](w.Browser, `{
		const real = fetch, long = (_, no, signal) => signal.addEventListener("abort", () => no(withdrawn = signal.reason));
		window.withdrawn = null;
		window.fetch = (path, ask) => /slow/.test(ask.body) ? new Promise((yes, no) => long(yes, no, ask.signal)) : real(path, ask);
	} null`)
	w.set("#ask-player", "slow")
	w.until("the question", `document.querySelector(".answers").ariaBusy === "true" && document.querySelector(".asking [role=progressbar]") &&
		!document.querySelector(".asking [role=status]").textContent`)
	w.set("#ask-player", "")
	w.until("the answer to the other question", `withdrawn && document.querySelector(".answers").ariaBusy === "false"`)
	w.rows(all)
}

// TestBrowserLibraryPosition asks for the position on the board, as a whole and by a pattern, and
// walks its hits. The question stays that of the position, wherever a hit leads.
func TestBrowserLibraryPosition(t *testing.T) {
	c, l := withLibrary(t, libraryFile(t))
	game, err := l.Game(t.Context(), 2)
	require.NoError(t, err)
	played, err := game.Played()
	require.NoError(t, err)
	p := played.Position(4)
	text := p.String()
	hits := func(filter object) int {
		return len(ask[answerOf](c, "POST", "/api/library/games", object{"filter": filter}).Games)
	}
	w := open(t, c, boardAt(text))
	w.is(c, text)
	w.place("Library")
	w.button("Database")
	w.until("games", `document.querySelector(".database .item")`)
	w.Window(browser.Desktop, 800, false)
	w.until("four hits in sight", `[...document.querySelectorAll(".database .item")].filter(e => e.getBoundingClientRect().bottom < innerHeight).length > 3`)
	w.press("#ask-here")
	w.rows(hits(object{"position": text}))
	w.has(".asking [role=status]", "1 game")
	w.has(".database .item", "at ")
	w.until("the position", `document.querySelector(".asking .mini use[href^='#piece']")`)
	w.press(".database .item")
	w.is(c, text)
	w.until("the turn", `document.querySelector("ol.turns .turn")`)
	w.Press(kb.ArrowRight)
	next := played.Position(5)
	w.is(c, next.String())
	browser.Evaluate[any](w.Browser, "history.back(), null")
	w.until("the hit again", `document.activeElement.matches(".database .item[aria-current]")`)
	w.rows(hits(object{"position": text}))
	w.look("database-position")

	w.button("Openings")
	w.has(".answers .words", "What was played from here")
	w.press(".answers .item")
	w.has(".answers .words .dim:last-child", strings.Fields(p.Notation(played.Turn(4)))[0])
	w.button("Show on the board")
	w.is(c, next.String())
	browser.Evaluate[any](w.Browser, "history.back(), null")
	w.until("the branch again", `document.querySelector(".answers .words strong")?.textContent === "What was played from here" &&
		document.querySelector(".answers").ariaBusy === "false"`)
	w.Reload()
	w.has(".answers .words .dim:last-child", strings.Fields(p.Notation(played.Turn(4)))[0])

	w.press("#database-games")
	w.press("#ask-here") // not any more
	w.rows(hits(object{}))
	w.button("All filters")
	const words = "Eb2 !rc7"
	n := hits(object{"pattern": words, "mirrored": true})
	w.set("#ask-pattern", words)
	w.press("#ask-mirrored")
	w.rows(n)
	if all := w.count(".database .item"); all == 0 || all == hits(object{}) {
		t.Errorf("%d games have the pattern", all)
	}
	w.button("All filters 2 set") // what is asked stays in sight
	w.until("the pattern", `document.querySelector("#ask-pattern").checkVisibility() && !document.querySelector("#ask-gold").checkVisibility()`)
	w.set("#ask-pattern", "Qz9")
	w.has(".database .error", "pattern")
	w.look("database-error")
}

// TestBrowserLibraryFindings asks for missed wins, opens one before its turn, and trains on them.
func TestBrowserLibraryFindings(t *testing.T) {
	c, l := withLibrary(t, libraryFile(t))
	found := direct(t, l.Findings(t.Context(), &library.Filter{Finding: "missed"}, library.Sort{}), (*library.Finding).Row)
	w := open(t, c, "/library/database/findings")
	w.has(".answers", "To train on findings, choose a kind")
	w.set("#ask-finding", "missed")
	w.rows(len(found))
	w.look("database-findings")
	found = slices.DeleteFunc(found, func(f library.FindingRow) bool { return f.Number != 4 })
	w.button("All filters 1 set")
	w.set("#ask-number", "4")
	w.rows(1)
	w.has(".asking [role=status]", "1 finding")
	w.press(".database .item")
	w.is(c, found[0].Position)
	w.has(".toast", "which a review has looked at")
	browser.Evaluate[any](w.Browser, "history.back(), null")
	w.button("Train on these")
	w.has(".shelf", "0 of 1 exercise solved")
	train := puzzlesPage{w}
	train.at(found[0].Position)
	train.has(".task .badge", "Your turn")
	train.play(moves(*found[0].Better)...)
	train.has(".task .badge", "Right")
	browser.Evaluate[any](w.Browser, `location.hash = "#/library/database/puzzles", null`)
	w.set("#ask-game_number", fmt.Sprint(minedGame))
	w.has(".asking [role=status]", "1 puzzle")
	w.button("Train on these")
	w.has(".shelf .puzzle", "Puzzle 1")
	w.has(".shelf", "0 of 1 exercise solved")
}

// TestBrowserLibraryNone says how a database is made where there is none, and what is missing
// without a workspace.
func TestBrowserLibraryNone(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c, "/library")
	w.has(".empty", "No workspace")
	w.button("Database")
	w.has(".empty", "goalproof library import")
	w.look("database-none")
	w.button("Settings")
	w.has("dialog[open]", "Games last as long as this window")
	w.look("settings")
}

// TestBrowserLibraryUnreviewed says what to do where games have no reviews and no puzzles.
func TestBrowserLibraryUnreviewed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	l, err := library.Create(t.Context(), path)
	require.NoError(t, err)
	addText(t, l, "annotated", annotatedGame)
	require.NoError(t, l.Close())
	c, _ := withLibrary(t, path)
	w := open(t, c, "/library/database/findings")
	w.has(".empty", "goalproof library review")
	w.press("#database-puzzles")
	w.has(".empty", "goalproof library mine")
	w.press("#database-games")
	w.rows(1)
	w.hasNoMarkup()
}

// TestBrowserLibraryFiles opens a certificate, which is checked, and a run, which waits for its set.
func TestBrowserLibraryFiles(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	keep := func(name string, what task) {
		ask[any](c, "POST", "/api/jobs/"+c.ended(what).ID+"/keep", map[string]any{"name": name})
	}
	keep("proof", task{Kind: "certificate", Study: study(t, "win-in-2.txt"), WinIn: 2})
	set, _, _ := trainSet(t)
	keep("earlier", task{Kind: "verify", Text: set, Seconds: 60})
	w := open(t, c, "/library")
	w.rows(2)
	w.look("files")
	w.button("Certificates")
	w.has(".rows", "Not checked: gold wins in 2 turns")
	w.press(".searchlist .item")
	w.has(".toast .won", "Accepted")
	w.press(".toast .quiet:not(.only)") // shows the position
	until(t, "the position", func() bool { return w.study().Position == study(t, "win-in-2.txt").Position })
	w.to("/library/runs")
	w.press(".searchlist .item")
	w.has(".toast", "earlier.jsonl is ready to be compared")
}
