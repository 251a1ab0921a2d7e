//go:build browser

package studio_test

import (
	"fmt"
	"strings"
	"testing"

	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// history goes so many steps in the history of the window.
func (w window) history(by int) {
	w.Helper()
	browser.Evaluate[any](w.Browser, fmt.Sprintf("history.go(%d), null", by))
}

// at waits until the address of the page, behind the #, begins like this.
func (w window) at(begins string) {
	w.Helper()
	w.until(begins, fmt.Sprintf(`location.hash.startsWith("#" + %q)`, begins))
}

// named waits until the Board shows the game of a file, and a turn of it, "": the first position.
func (w window) named(name, turn string) {
	w.Helper()
	w.until(name, fmt.Sprintf(`document.querySelector("#game-name")?.value === %q`, name))
	current := fmt.Sprintf(`document.querySelector(".turns .turn[aria-current]")?.textContent.startsWith(%q)`, turn)
	if turn == "" {
		current = `!document.querySelector(".turns .turn[aria-current]")`
	}
	w.until(turn, current)
}

// TestBrowserAddresses goes through games, puzzles and places, back and forward, and loads the page
// again at each of them: it shows the same. No address has the token.
func TestBrowserAddresses(t *testing.T) {
	root := workspace(t)
	require.NoError(t, root.WriteFile("mine.game", []byte(shortGame), 0o666))
	require.NoError(t, root.WriteFile("yours.game", []byte("1g Ra1 Eb2 1s rh8 eg7\n2g Eb2n 2s eg7s *\n"), 0o666))
	c := start(t, studio.Options{Workspace: root})
	w := open(t, c, "/game/mine?at=1")
	w.named("mine", "Eb2n")
	w.turn("2s rh5s") // another turn is no step of the history
	w.at("/game/mine?at=2")
	w.place("Library")
	w.until("the files", `document.querySelectorAll(".searchlist .item").length === 2`)
	w.at("/library")
	w.press(`.searchlist li:last-child .item`)
	w.named("yours", "eg7s")
	w.at("/game/yours")
	w.place("Puzzles")
	w.until("an exercise", `/^#\/puzzles\/collection\/\d+$/.test(location.hash)`)
	first := browser.Evaluate[string](w.Browser, `location.hash.slice(1)`)
	var puzzles []string // the last two of the shelf
	for _, n := range []int{1, 2} {
		which := fmt.Sprintf(".shelf li:nth-last-child(%d) .puzzle", n)
		puzzles = append(puzzles, strings.ToLower(w.text(which+" strong")))
		w.press(which)
		w.has("section.verdict", puzzles[n-1]+" of")
	}
	exercise := func(k int) string { return "/puzzles/collection/" + strings.TrimPrefix(puzzles[k], "puzzle ") }

	steps := []struct {
		address string
		shown   func()
	}{
		{"/game/mine?at=2", func() { w.named("mine", "rh5s") }},
		{"/library", func() {
			w.until("the files", `document.querySelectorAll(".place-library .searchlist .item").length === 2`)
		}},
		{"/game/yours", func() { w.named("yours", "eg7s") }},
		{exercise(0), func() { w.has("section.verdict", puzzles[0]+" of") }},
		{exercise(1), func() { w.has("section.verdict", puzzles[1]+" of") }},
	}
	show := func(k int) {
		t.Helper()
		w.at(steps[k].address)
		steps[k].shown()
		w.tokenless(c)
	}
	w.history(-1)
	show(3)
	w.history(-1)
	w.at(first)
	w.has("section.verdict", "puzzle "+first[strings.LastIndexByte(first, '/')+1:]+" of")
	w.history(-1)
	show(2)
	w.history(-2)
	show(0)
	w.history(1)
	show(1)
	w.history(4)
	show(4)
	for k := len(steps) - 1; k >= 0; k-- {
		w.to(steps[k].address)
		show(k)
		w.Reload()
		show(k)
	}
}

// TestBrowserTabs opens the address of a position, with its turns, in a second tab of the same
// studio, which shows it. A tab without the token says what to do.
func TestBrowserTabs(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c, boardAt("Ed4 rd5 Ra1 ra8 g"))
	w.is(c, "Ed4 rd5 Ra1 ra8 g")
	w.steps("d4d3")
	w.Press("e")
	w.is(c, "Ed3 rd5 Ra1 ra8 s")
	w.at("/board?position=")
	w.until("the turn in the address", `location.hash.includes("turns=Ed4s")`)
	address := browser.Evaluate[string](w.Browser, "location.href")
	w.tokenless(c)

	browser.Evaluate[any](w.Browser, `window.tab = window.open(location.href), null`)
	shows := fmt.Sprintf(`tab?.document.querySelectorAll(%q).length === 4 && tab.document.querySelector(%q)?.ariaLabel.includes("elephant")`, pieces, square("d3"))
	w.until("the position in the second tab", shows)
	w.until("the address in the second tab", `tab.location.href === location.href`)
	w.until("the turns in the second tab", `tab.document.querySelector(".turns .turn[aria-current]")?.textContent.trim() === "Ed4s"`)

	// What is played in one of them does not change the other.
	w.to(boardAt("Ra5 rh7 g"))
	w.is(c, "Ra5 rh7 g")
	if !browser.Evaluate[bool](w.Browser, shows) {
		t.Error("the second tab has followed the first")
	}

	stranger := window{browser.Visit(t, address)}
	stranger.hears("open the address that goalproof studio printed")
	stranger.reopen(c.studio.Address())
	stranger.until("the page", fmt.Sprintf("document.querySelector(%q)", pieces))
	stranger.to(address[len(c.base+"/#"):])
	stranger.is(c, "Ed3 rd5 Ra1 ra8 s")
	stranger.tokenless(c)
}

// TestBrowserWrongAddresses shows addresses of what there is not: the page says so, and stays usable.
func TestBrowserWrongAddresses(t *testing.T) {
	c := start(t, studio.Options{Workspace: workspace(t)})
	w := open(t, c)
	for address, says := range map[string]string{
		"/game/none":                   "no game of this name",
		"/job/none-1":                  "no such job",
		"/board?position=Xx9":          "1:",
		"/library/archives/none":       "no archive of this name",
		"/board?position=<img src=x>g": "<img",
	} {
		browser.Evaluate[any](w.Browser, fmt.Sprintf(`location.hash = %q, null`, address))
		w.hears(says)
		w.hasNoMarkup()
	}
	browser.Evaluate[any](w.Browser, `location.hash = "/puzzles/none-1", null`)
	w.has(".set", "The set is gone")
	w.to(boardAt("Ra5 rh7 g"))
	w.is(c, "Ra5 rh7 g")
}
