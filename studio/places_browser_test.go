//go:build browser

package studio_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
	"goalproof/library"
	"goalproof/studio"
)

// places is the page of a studio with a workspace and a database, whose faults are collected.
type places struct {
	window
	c *client
}

// openPlaces opens the page, and collects what the policy of the page refuses and what the console
// is told of errors.
func openPlaces(t *testing.T) places {
	t.Helper()
	root := workspace(t)
	require.NoError(t, root.WriteFile("mine.game", []byte(shortGame), 0o666))
	require.NoError(t, root.WriteFile("many.tsv", []byte(archiveOf(30)), 0o666))
	l, err := library.Open(t.Context(), libraryFile(t))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	c := start(t, studio.Options{Workspace: root, Library: l})
	p := places{open(t, c), c}
	browser.Evaluate[any](p.Browser, `{
		window.violations = [];
		addEventListener("securitypolicyviolation", e => violations.push("refused by the policy: " + e.violatedDirective + " " + e.blockedURI));
		addEventListener("error", e => violations.push("error: " + e.message + " " + e.error?.stack));
		addEventListener("unhandledrejection", e => violations.push("error: " + e.reason));
		const plain = console.error;
		console.error = (...all) => (violations.push("console: " + all.join(" ")), plain(...all));
	} null`)
	return p
}

// seen looks at what is shown in all sizes, and in the other colours at one of them.
func (p places) seen(name string) {
	p.Helper()
	check := func(what string) {
		p.Helper()
		p.Check(name + ", " + what)
		for _, fault := range browser.Evaluate[[]string](p.Browser, faults) {
			p.Errorf("%s, %s: %s", name, what, fault)
		}
		p.Shoot(*shots, strings.ReplaceAll(name, " ", "-")+"-"+what)
	}
	for i := len(sizes) - 1; i >= 0; i-- { // it is left at the first
		p.Window(sizes[i].width, sizes[i].height, sizes[i].touch)
		check(sizes[i].name)
	}
	for _, theme := range []string{"dark", "contrast"} {
		browser.Evaluate[any](p.Browser, `document.documentElement.dataset.theme = "`+theme+`", null`)
		check(theme)
	}
	browser.Evaluate[any](p.Browser, `delete document.documentElement.dataset.theme, null`)
}

// TestBrowserPlacesBoard looks at the Board: an answer with each of its parts, a reviewed game, and
// its other modes.
func TestBrowserPlacesBoard(t *testing.T) {
	p := openPlaces(t)
	p.seen("nothing asked")
	p.to(boardAt(study(t, "win-in-2.txt").Position))
	p.button("in 2")
	p.has(".badge", "Proved")
	p.has("#verdict-panel", "wins by goal")
	p.seen("line")
	for _, part := range []struct{ tab, asks, shows string }{{"solutions", "", "unique"}, {"defences", "", "threatens"},
		{"tree", "", ""}, {"tries", "", ""}, {"engine", "", ""}} {
		p.press("#verdict-" + part.tab)
		p.has("#verdict-panel", part.shows)
		p.seen(part.tab)
	}
}

// TestBrowserPlacesGame looks at a reviewed game, and at the other modes of the Board.
func TestBrowserPlacesGame(t *testing.T) {
	p := openPlaces(t)
	p.to("/game/mine?at=3")
	p.named("mine", "Ra4n")
	p.review()
	p.button("2g ??")
	p.has(".remark", "THROWS AWAY")
	p.comments()
	p.seen("review")
	p.button("Edit")
	p.until("the palette", `document.querySelector(".palette")`)
	p.seen("edit")
	p.button("Play")
	p.seen("new game")
	p.begins(map[string]string{"seconds": "3600"})
	p.has("#play-says", "You play gold.")
	p.seen("play")
}

// TestBrowserPlacesPuzzles looks at exercises: one that is tried, one that was failed, and one that
// is solved; at a set with findings, and at a new one.
func TestBrowserPlacesPuzzles(t *testing.T) {
	p := openPlaces(t)
	p.to("/puzzles/collection/1")
	p.has("section.verdict", "puzzle 1 of")
	p.seen("task")
	p.button("Show the solution")
	p.until("the solution", `document.querySelector(".walk")`)
	p.seen("solution")
	verify := p.c.begin(task{Kind: "verify", Text: example(t, "win-in-2.txt") + "\n", Seconds: 60, Claim: 2})
	p.c.end(verify.ID)
	p.to("/puzzles/" + verify.ID + "/1")
	p.button("Verify")
	p.until("the findings", `document.querySelector(".findings")`)
	p.seen("set")
	p.button("New set")
	p.until("the form", `document.querySelector("#set-text")`)
	p.seen("new set")
}

// TestBrowserPlacesLibrary looks at the lists of the Library.
func TestBrowserPlacesLibrary(t *testing.T) {
	p := openPlaces(t)
	p.to("/library")
	p.rows(2)
	p.seen("library")
	p.to("/library/archives/many")
	p.rows(30)
	p.seen("archive")
	p.to("/library/database")
	p.until("games", `document.querySelector(".place-library .rows, .place-library tbody")`)
	p.seen("database")
}

// TestBrowserPlacesDialogs looks at dialogs, and at the tray.
func TestBrowserPlacesDialogs(t *testing.T) {
	p := openPlaces(t)
	for _, dialog := range []string{"Open", "Settings"} {
		p.button(dialog)
		p.until(dialog, `document.querySelector("dialog[open]")`)
		p.seen(dialog)
		p.Press(kb.Escape)
		p.until("closed", `!document.querySelector("dialog[open]")`)
	}
	p.Press("?")
	p.until("keys", `document.querySelector("dialog[open]")`)
	p.seen("keys")
	p.Press(kb.Escape)
	p.until("closed", `!document.querySelector("dialog[open]")`)
	p.button("Share")
	p.until("the forms", `document.querySelectorAll("#form option").length > 3`)
	p.seen("share")
	p.Press(kb.Escape)
	p.until("closed", `!document.querySelector("dialog[open]")`)
	p.c.begin(endlessTask)
	p.c.begin(endlessTask)
	p.press(`[popovertarget="tray"]`)
	p.until("jobs", `document.querySelectorAll("#tray .job").length === 2`)
	p.seen("tray")
}
