//go:build browser

package studio_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"goalproof/internal/testkit/browser"
	"goalproof/studio"
)

// Positions of the examples of goalproof: gold wins in 2, with one solution, and has no win in 2,
// with one near try.
const (
	winIn2   = "g [r       Rr     r   E dr                    e  r        RR  RR  R]"
	noWinIn2 = "g [       r  E   rR   r                 e          rrR    RRR      ]"
)

// asks asks a question of the card by its chip.
func (w window) asks(chip string) {
	w.Helper()
	w.until("the chips", `document.querySelectorAll(".asks .chip").length === 4`)
	w.button(chip)
}

// tab opens a part of the answer.
func (w window) tab(id string) {
	w.Helper()
	w.press("#verdict-" + id)
	w.until(id, fmt.Sprintf(`document.querySelector("#verdict-%s").ariaSelected === "true"`, id))
}

// line presses the turn with a text in the open part of the answer.
func (w window) line(turn string) {
	w.Helper()
	const mark = `(() => {
		for (const e of document.querySelectorAll("[data-line]")) delete e.dataset.line;
		const found = [...document.querySelectorAll("#verdict-panel .line")].find(e => e.querySelector(".turn").textContent === %q);
		if (found) found.dataset.line = "";
		return found;
	})()`
	w.until(turn, fmt.Sprintf(mark, turn))
	w.press("[data-line]")
}

// played waits until the board shows the position after these turns.
func (w window) played(turns ...string) {
	w.Helper()
	until(w.T, fmt.Sprint(turns), func() bool { return slices.Equal(w.study().Turns, turns) })
}

// TestBrowserAnswer asks whether a position is won, and looks at the parts of the answer: none is
// lost when another one is asked for, nor when the page is loaded again. Another position has no
// answer.
func TestBrowserAnswer(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c, boardAt(winIn2))
	w.is(c, winIn2)
	w.has(".sentence", "Does gold win?")
	w.Press(kb.Enter) // on the page, where nothing has the focus
	w.has(".sentence", "Gold wins in 2 turns.")
	w.has(".badge", "Proved")
	w.has("#verdict-panel", "wins by goal")
	w.tab("solutions")
	w.has("#verdict-panel", "First turns that win in 2: unique.")
	w.tab("defences")
	w.has("#verdict-panel", "threatens Ec7s Ec6x rb7e Ra7e Rb7n")
	w.hears("The defences are listed.")
	w.press("#verdict-panel summary")
	w.has("#verdict-panel details[open]", "wins by goal")
	w.has(".away", "The answer is about 2g.")
	w.button("Back to 2g")
	w.is(c, winIn2)
	w.tab("tries")
	w.has("#verdict-panel", "Near tries for a win in 2: none.")
	w.button("Write a certificate")
	w.has(".verdict footer", "Save the certificate")
	w.tab("solutions")
	w.line("Re1e Rh2w Ed6n Ed7w")
	w.played("Re1e Rh2w Ed6n Ed7w")
	w.tab("line")
	w.has(".sentence", "Gold wins in 2 turns.")
	w.line("ed3s")
	w.has("#verdict-panel .line[aria-current]", "ed3s")
	w.Press(kb.ArrowLeft)
	w.played("Re1e Rh2w Ed6n Ed7w")
	w.Press(kb.ArrowRight)
	w.Press(kb.ArrowRight)
	w.played("Re1e Rh2w Ed6n Ed7w", "ed3s", "Ec7s Ec6x rb7e Ra7e Rb7n")
	w.has("#verdict-panel .line[aria-current]", "wins by goal")
	w.Press(kb.Home)
	w.played("Re1e Rh2w Ed6n Ed7w")
	w.Press(kb.End)
	w.played("Re1e Rh2w Ed6n Ed7w", "ed3s", "Ec7s Ec6x rb7e Ra7e Rb7n")
	w.look("answer")

	browser.Evaluate[any](w.Browser, `location.reload(), null`)
	w.until("the page", `document.readyState === "complete" && document.querySelector(".away")`)
	w.has(".sentence", "Gold wins in 2 turns.")
	w.tab("solutions")
	w.has("#verdict-panel", "First turns that win in 2: unique.")

	browser.Evaluate[any](w.Browser, fmt.Sprintf(`location.hash = %q, null`, boardAt(noWinIn2)))
	w.is(c, noWinIn2)
	w.has(".badge", "Not asked")
	if card := w.text(".verdict"); card == "" || strings.Contains(card, "Proved") || strings.Contains(card, "unique") {
		t.Errorf("the card of another position: %q", card)
	}
	w.asks("in 2")
	w.has(".sentence", "Gold has no win in 2 turns")
	w.has(".badge", "Disproved")
	w.has("#verdict-panel", "No win is proved, so there is no solution to show.")
	w.tab("tries")
	w.button("Look for tries")
	w.has("#verdict-panel", "ef4e eg4e eh4n eh5n")
	w.line("ef4e eg4e eh4n eh5n")
	w.has(".away", "The answer is about 2g.")
	w.hasNoMarkup()
}

// TestBrowserChips clicks twice on a question, which is asked once. Its chip stays pressed when
// parts of the answer are asked for, and when the page is loaded again.
func TestBrowserChips(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c, boardAt(winIn2))
	w.is(c, winIn2)
	w.until("the chips", `document.querySelectorAll(".asks .chip").length === 4`)
	browser.Evaluate[any](w.Browser, `{
		const any = [...document.querySelectorAll(".asks .chip")].at(-1);
		any.click();
		any.click();
	} null`)
	w.has(".badge", "Proved")
	if all := c.jobs(); len(all) != 1 {
		t.Errorf("%d jobs: %+v", len(all), all)
	}
	w.tab("solutions")
	w.has("#verdict-panel", "First turns that win in 2: unique.")
	w.has(`.asks .chip[aria-pressed="true"]`, "any")
	w.tab("defences")
	w.has("#verdict-panel", "threatens")
	w.has(`.asks .chip[aria-pressed="true"]`, "any")
	w.Reload()
	w.has(".badge", "Proved")
	w.has(`.asks .chip[aria-pressed="true"]`, "any")
}

// TestBrowserJudge asks whether a turn keeps the win, under way and ended, writes the answer down,
// and lets the defence answer.
func TestBrowserJudge(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c, boardAt(winIn2))
	w.is(c, winIn2)
	w.steps("h2g2")
	w.button("Did my turn keep the win?")
	w.has(".sentence", "With Rh2w gold has no win in 2 turns")
	w.has(".verdict", "The reply ed3e rg3w rf3s rf2s refutes it")
	w.Press("e")
	w.played("Rh2w")
	w.has(".sentence", "Does silver win?")
	w.button("Did my turn keep the win?")
	w.has(".away", "The answer is about 2g.")
	w.button("Write it down in the game")
	w.hears("The answer is in the game now")
	type desk struct {
		Games []struct {
			Nodes []struct{ Turn, Comment string }
		}
	}
	until(t, "the comment", func() bool {
		games := kept[desk](w, "desk").Games
		nodes := games[len(games)-1].Nodes
		return len(nodes) == 3 && strings.Contains(nodes[1].Comment, "Disproved: with Rh2w") && nodes[2].Turn == "ed3e rg3w rf3s rf2s"
	})

	w.button("Back to 2g")
	w.is(c, winIn2)
	w.button("Search")
	w.button("When a turn ends, the defence answers with its best reply")
	w.steps("e1f1", "h2g2", "d6d7", "d7c7")
	w.Press("e")
	w.played("Re1e Rh2w Ed6n Ed7w", "ed3s")
	w.has(".sentence", "With Re1e Rh2w Ed6n Ed7w gold wins in 2 turns.")
	w.has(".verdict", "Gold wins in at most 1 turn, by the line of 2g.")
}

// TestBrowserKnown ends a turn where a win is proved: it is judged without a question. The bar shows
// the proof at the position alone, not within a turn.
func TestBrowserKnown(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c, boardAt(winIn2))
	w.is(c, winIn2)
	w.asks("in 2")
	w.has(".badge", "Proved")
	w.until("the bar", `document.querySelector(".strength").ariaValueText?.startsWith("Proved")`)
	w.steps("h2g2")
	w.until("no proof within the turn", `document.querySelector(".strength.none")`)
	w.Press("e")
	w.has(".sentence", "With Rh2w gold has no win in 2 turns")
	w.has(".away", "The answer is about 2g.")
	if n := len(c.jobs()); n != 2 {
		t.Errorf("%d jobs", n)
	}
}

// TestBrowserStop pastes a position, which Enter then asks about. It shows how far the search is, and
// stops it: what it has found stays.
func TestBrowserStop(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.paste(noWinIn2)
	w.is(c, noWinIn2)
	w.until("the focus", `document.activeElement.textContent === "any"`)
	w.Press(kb.Enter)
	w.has(".badge", "Searching")
	w.has(".searching", "Known: no win in 2")
	w.button("Stop")
	w.has(".badge", "Unknown")
	w.has(".sentence", "Interrupted while looking for a win")
	w.until("no search", `!document.querySelector(".searching")`)
	// A position that no game leads to is answered only if a person says so.
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`location.hash = %q, null`, boardAt("Ra5 Ed4 rh7 rc3 g")))
	w.has(".verdict", "No game leads to this position")
	w.asks("in 1")
	w.hears("no game leads to this position")
	w.button("Answer nevertheless, although no game leads here")
	w.asks("in 1")
	w.has(".sentence", "in 1 turn")
}

// TestBrowserTree looks at a search as a tree: it is begun, stepped, run, saved, loaded and deleted,
// and the board follows the node that is looked at.
func TestBrowserTree(t *testing.T) {
	c := start(t, studio.Options{Workspace: workspace(t)})
	w := open(t, c, boardAt(winIn2))
	w.is(c, winIn2)
	w.tab("tree")
	w.button("Begin paused")
	w.has("#verdict-panel", "Paused. A win in 2: not known.")
	w.has(".badge", "Not asked")
	w.button("Step")
	w.until("children", `document.querySelectorAll(".children tbody tr").length > 5`)
	w.button("Ra1e")
	until(t, "the node on the board", func() bool { return w.study().Steps == "Ra1e" })
	w.button("root")
	until(t, "the root on the board", func() bool { return w.study().Steps == "" })
	w.button("Begin again") // and run
	w.has("#verdict-panel", "Decided. A win in 2: proved.")
	w.has(".badge", "Proved")
	w.has(".sentence", "Gold wins in at most 2 turns, by the search as a tree.")
	w.button("To the most-proving node")
	w.played("Re1e Rh2w Ed6n Ed7w")
	w.has("#verdict-panel", "AND node, 1 turn of the attacker left: proved.")
	w.set(`.searchtree input[maxlength]`, "small")
	w.button("Save the search")
	w.hears("The search is saved as small.")
	w.button("Drop the search")
	w.has("#verdict-panel", "that can be looked at while it grows")
	w.button("Saved searches")
	w.line("small")
	w.has("#verdict-panel", "Decided. A win in 2: proved.")
	w.is(c, winIn2)
	w.until("the children", `document.querySelectorAll(".children tbody tr").length > 5`)
	w.look("tree")
	w.button("Delete small")
	w.until("the question", `document.querySelector("dialog[open]")`)
	w.button("Delete")
	w.has("#verdict-panel", "There is none.")
}

// TestBrowserAnalysis switches the analysis of the board on, which opens its tab, and off: its
// lines are about the position on the board alone.
func TestBrowserAnalysis(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c, boardAt(winIn2))
	w.is(c, winIn2)
	w.Press("a")
	w.has("#verdict-panel", "proved: wins within 2 turns")
	w.until("the bar", `document.querySelector(".strength").ariaValueNow === "1"`)
	w.line("Rh2w Ed6n Ed7w Re1e")
	w.played("Rh2w Ed6n Ed7w Re1e")
	w.has("#verdict-panel", "2s")
	w.has("#verdict-panel", "loses within 1 turn")
	// Where the game is over, nothing is analysed, and nothing of another position stays.
	won := []string{"Re1e Rh2w Ed6n Ed7w", "ed3s", "Ec7s Ec6x rb7e Ra7e Rb7n"}
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`location.hash = %q, null`, boardAt(winIn2)+"&turns="+url.QueryEscape(strings.Join(won, "."))))
	w.played(won...)
	w.until("no lines of another position", `!document.querySelector("#verdict-panel .line")`)
	w.Press(kb.ArrowLeft)
	w.has("#verdict-panel", "Ec7e rb7e Ra7e Rb7n")
	w.Press("a")
	w.until("no lines", `!document.querySelector("#verdict-panel .line")`)
	until(t, "no analysis", func() bool {
		return !slices.ContainsFunc(c.jobs(), func(j studio.Brief) bool { return j.State == "running" })
	})
}
