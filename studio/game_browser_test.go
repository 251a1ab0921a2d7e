//go:build browser

package studio_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// openGame opens the page of a studio whose workspace has a game with the name mine, at a place of it.
func openGame(t *testing.T, text, place string) (*client, window, *os.Root) {
	t.Helper()
	root := workspace(t)
	require.NoError(t, root.WriteFile("mine.game", []byte(text), 0o666))
	c := start(t, studio.Options{Workspace: root})
	w := open(t, c, "/game/mine?at="+place)
	w.until("the game", `document.querySelector("#game-name")?.value === "mine"`)
	return c, w, root
}

// tree returns the turns of the game on the Board, each below the one before it, with signs and
// comments.
func (w window) tree() string {
	w.Helper()
	type games struct {
		Present int
		Games   []struct {
			ID    int
			Nodes []studio.GameNode
		}
	}
	desk := kept[games](w, "desk")
	for _, g := range desk.Games {
		if g.ID != desk.Present {
			continue
		}
		var tell func(i int) string
		tell = func(i int) string {
			n := g.Nodes[i]
			text := strings.ReplaceAll(n.Turn, " ", "") + n.Sign
			if n.Comment != "" {
				text += "{" + n.Comment + "}"
			}
			for k, child := range g.Nodes {
				if child.Parent == i {
					text += "(" + tell(k) + ")"
				}
			}
			return text
		}
		return tell(0)
	}
	return "no game"
}

// becomes waits for the tree of the game on the Board.
func (w window) becomes(want string) {
	w.Helper()
	until(w.T, want+", but "+w.tree(), func() bool { return w.tree() == want })
}

// turn clicks on a turn of the list, by its label and text.
func (w window) turn(text string) {
	w.Helper()
	selector := fmt.Sprintf(`.turns .turn[aria-label^=%q]`, text)
	w.press(selector)
	w.until(text, fmt.Sprintf(`document.querySelector(%q)?.getAttribute("aria-current") === "true"`, selector))
}

// comments opens the comment of the turn that is shown, unless it is open.
func (w window) comments() {
	w.Helper()
	if w.count("#comment") == 0 {
		w.button("Comment")
		w.until("the comment", `document.querySelector("#comment")`)
	}
}

// contains waits until a file of the workspace has a text in it.
func contains(t *testing.T, root *os.Root, file, text string) {
	t.Helper()
	until(t, file+" with "+text, func() bool {
		got, err := root.ReadFile(file)
		return err == nil && strings.Contains(string(got), text)
	})
}

// TestBrowserGame plays variations, comments on them, walks by keys, promotes and deletes them. No
// comment ever becomes markup.
func TestBrowserGame(t *testing.T) {
	const markup = `<img src=x onerror="document.title='broken'">`
	c, w, root := openGame(t, "[Gold \"ann "+strings.ReplaceAll(markup, `"`, "'")+
		"\"]\n[Silver \"bob\"]\n\n1g Ra4 Eb2 1s rh5 eg7\n2g Ra4n Ra5n 2s rh5s 3g Ra6n {"+markup+"} (3g Eb2n {aside})\n", "2")
	w.has(".gamecard h2", "ann <img src=x onerror=")
	w.becomes("(Ra4nRa5n(rh5s(Ra6n{" + markup + "})(Eb2n{aside})))")
	w.turn("2g Ra4n Ra5n")
	w.steps("g7g6")
	w.Press("e")
	w.becomes("(Ra4nRa5n(rh5s(Ra6n{" + markup + "})(Eb2n{aside}))(eg7s))")
	w.comments()
	w.set("#comment", "better "+markup)
	w.steps("b2c2")
	w.Press("e")
	w.becomes("(Ra4nRa5n(rh5s(Ra6n{" + markup + "})(Eb2n{aside}))(eg7s{better " + markup + "}(Eb2e)))")
	w.set("#sign", "?!")
	const grown = "(Ra4nRa5n(rh5s(Ra6n{" + markup + "})(Eb2n{aside}))(eg7s{better " + markup + "}(Eb2e?!)))"
	w.becomes(grown)
	w.hasNoMarkup()
	w.turn("3g Eb2e")
	for _, step := range []struct{ key, label string }{{kb.ArrowLeft, "2s eg7s"}, {kb.ArrowUp, "2s rh5s"}, {kb.ArrowRight, "3g Ra6n"},
		{kb.ArrowDown, "3g Eb2n"}, {kb.Home, "the first position"}, {kb.End, "3g Ra6n"}, {kb.ArrowLeft, "2s rh5s"}, {kb.ArrowDown, "2s eg7s"}} {
		w.Press(step.key)
		w.has("[for=comment]", "Comment on "+step.label)
	}
	w.look("game")
	// It is saved, and survives a reload.
	contains(t, root, "mine.game", "2s eg7s {better "+markup+"}\n3g Eb2e ?!\n")
	w.Reload()
	w.until("the list", `document.querySelectorAll(".turns .turn").length === 6`)
	w.becomes(grown)
	// The variation becomes the main line; a turn goes with all that follows it, and comes back.
	w.turn("3g Eb2e")
	w.comments()
	w.button("Make this the main line")
	const promoted = "(Ra4nRa5n(eg7s{better " + markup + "}(Eb2e?!))(rh5s(Ra6n{" + markup + "})(Eb2n{aside})))"
	w.becomes(promoted)
	w.turn("2s rh5s")
	w.button("Delete from here on")
	w.has("dialog[open]", "Delete 3 turns")
	w.button("Keep")
	w.button("Delete from here on")
	w.button("Delete")
	w.becomes("(Ra4nRa5n(eg7s{better " + markup + "}(Eb2e?!)))")
	w.button("Undo")
	w.becomes(promoted)
	w.is(c, "Ra6 Eb2 eg7 rh4 g")
}

// TestBrowserComment opens the comment, also where it is open: what is typed then goes into it, and is no
// key of the board.
func TestBrowserComment(t *testing.T) {
	c, w, _ := openGame(t, shortGame, "1")
	for _, text := range []string{"1", "2"} {
		w.button("Comment")
		w.until("the focus", `document.activeElement.id === "comment"`)
		w.Press(text)
	}
	w.becomes("(Eb2n{12}(rh5s(Ra4n)))")
	if n := len(c.jobs()); n > 0 {
		t.Errorf("%d jobs", n)
	}
}

// TestBrowserClosed types a comment and closes the page at once: it is saved.
func TestBrowserClosed(t *testing.T) {
	_, w, root := openGame(t, shortGame, "1")
	w.comments()
	browser.Evaluate[any](w.Browser, `{
		const e = document.querySelector("#comment");
		e.value = "typed at last";
		e.dispatchEvent(new Event("input", {bubbles: true}));
		location.href = "about:blank";
	} null`)
	contains(t, root, "mine.game", "2g Eb2n {typed at last}")
}

// TestBrowserConflict changes the file of a game elsewhere while it cannot be saved: the page asks,
// and keeps what was written as another game, or takes the other one.
func TestBrowserConflict(t *testing.T) {
	c, w, root := openGame(t, shortGame, "1")
	w.comments()
	theirs := func(comment string) {
		t.Helper()
		type file struct {
			Version string
			Game    studio.Game
		}
		f := ask[file](c, "GET", "/api/games/mine", nil)
		f.Game.Nodes[0].Comment = comment
		ask[any](c, "POST", "/api/games", map[string]any{"name": "mine", "version": f.Version, "game": f.Game})
	}
	// broken makes saving fail, or work again.
	broken := func(is bool) {
		w.Helper()
		browser.Evaluate[any](w.Browser, fmt.Sprintf(`window.asks ||= fetch, window.fetch = %v ? (path, more) =>
			path === "/api/games" && more.method === "POST" ? Promise.reject(new Error("broken")) : asks(path, more) : asks, null`, is))
	}
	broken(true)
	w.set("#comment", "mine is here")
	w.has(".file [role=status]", "Not saved: The studio does not answer.")
	theirs("theirs is here")
	w.has(".file [role=status]", "mine was changed elsewhere.")
	w.look("conflict")
	broken(false)
	w.button("Keep this one as another game")
	w.has(".file [role=status]", "Saved as ann bob.")
	contains(t, root, "ann bob.game", "{mine is here}")
	contains(t, root, "mine.game", "{theirs is here}")

	w.until("the address", `location.hash.startsWith("#/game/ann")`) // it follows what is shown
	browser.Evaluate[any](w.Browser, `location.hash = "/game/mine?at=1", null`)
	w.until("the game", `document.querySelector("#game-name").value === "mine"`)
	w.comments()
	broken(true)
	w.set("#comment", "again mine")
	w.has(".file [role=status]", "Not saved")
	theirs("theirs again")
	w.has(".file [role=status]", "changed elsewhere")
	broken(false)
	w.button("Take the other one")
	w.becomes("{theirs again}(Eb2n(rh5s(Ra4n)))")
	w.has(".file [role=status]", "Saved as mine.")
}

// TestBrowserStep shows one game in two windows, which stay in step, and renames it. Its file is
// then removed.
func TestBrowserStep(t *testing.T) {
	c, w, root := openGame(t, shortGame, "1")
	other := open(t, c, "/game/mine?at=2")
	other.until("the game", `document.querySelector("#game-name")?.value === "mine"`)
	w.comments()
	w.set("#comment", "one")
	other.becomes("(Eb2n{one}(rh5s(Ra4n)))")
	other.comments()
	other.set("#comment", "two")
	w.becomes("(Eb2n{one}(rh5s{two}(Ra4n)))")
	w.set("#game-name", "../out")
	w.hears("begins with a letter")
	w.set("#game-name", "yours")
	w.hears("The game is saved as yours.")
	contains(t, root, "yours.game", "{two}")
	other.has(".file [role=status]", "Saved as yours.")
	require.NoError(t, root.Remove("yours.game"))
	w.set("#comment", "three")
	w.has(".file [role=status]", "The file of yours was removed elsewhere.")
	w.button("Keep this one as another game")
	contains(t, root, "ann bob.game", "{three}")
}

// review begins the review of the game, and waits for its end.
func (w window) review() {
	w.Helper()
	w.press("#review")
	w.until("the page of the review", `document.querySelector(".review a")`)
}

// TestBrowserReview reviews a game in its place: signs, moments, remarks and what was better. The
// findings are taken at mistakes only. The review is that of its line alone, and is there again
// after a reload.
func TestBrowserReview(t *testing.T) {
	c, w, _ := openGame(t, shortGame, "3")
	w.review()
	w.hears("The losing turn was 3g")
	w.has(`.turns [data-node="1"]`, "??")
	w.press(".turning") // which says so, too, and leads there
	w.has(".remark", "3g")
	w.has(".turning", "The losing turn was 3g.")
	// Another window has it with its game, too.
	other := openBoard(t, c)
	other.paste(shortGame)
	other.has(`.turns [data-node="1"]`, "??")
	w.becomes("(Eb2n(rh5s(Ra4n)))") // the signs are not written into the game
	w.button("2g ??")
	w.is(c, "Ra4 Eb2 eg7 rh5 g")
	w.has(".remark", "2g Eb2n ?? THROWS AWAY the win in 1")
	w.look("review")
	w.press(".remark .turn")
	w.is(c, "Ra8 Eb2 eg7 rh5 s")
	w.becomes("(Eb2n(rh5s(Ra4n)))")
	w.has(".looked", "1 turn shown that is not part of the game")
	w.has(".remark", "2g Eb2n ??") // what could have been played in place of it
	page := window{browser.Visit(t, c.base+browser.Evaluate[string](w.Browser, `document.querySelector(".review a").getAttribute("href")`))}
	page.until("the board", `document.querySelectorAll("#board use").length > 0`)
	browser.Evaluate[any](page.Browser, `fetch("/api/jobs").then(() => document.title = "answered", () => document.title = "refused"), null`)
	page.until("refused", `document.title === "refused"`)

	w.Reload()
	w.until("the moments", `document.querySelectorAll(".moments button").length === 3`)
	w.turn("2g Eb2n")
	w.button("Take its findings into the game")
	w.until("the findings", `document.querySelectorAll(".turns .fold").length === 3`)
	until(t, "the findings", func() bool { // the window keeps them a little later
		return strings.Count(w.tree(), "THROWS AWAY") == 3 && strings.Contains(w.tree(), "(Ra4nRa5nRa6nRa7n{wins in 1})")
	})
	if n := w.count(`.turns [aria-expanded="true"]`); n > 0 {
		t.Errorf("%d places with variations are open", n)
	}
	w.button("Undo")
	w.becomes("(Eb2n(rh5s(Ra4n)))")
	// Another game has none.
	w.button("New")
	w.until("no review", `!document.querySelector(".review")`)
}

// TestBrowserNoMistakes takes the findings of a game without mistakes: no turn gets a comment.
func TestBrowserNoMistakes(t *testing.T) {
	_, w, _ := openGame(t, `1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Da2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Dh2
1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 da7 hb7 cc7 ed7 me7 cf7 hg7 dh7
2g Ee2n Ee3n 2s ed7s ed6s *
`, "2")
	w.review()
	w.button("Take its findings into the game")
	until(t, "the headline", func() bool { return strings.HasPrefix(w.tree(), "{") })
	if tree := w.tree(); !strings.HasSuffix(tree, "}(Ee2nEe3n(ed7sed6s))") || strings.Count(tree, "{") != 1 {
		t.Errorf("the findings: %s", tree)
	}
}

// TestBrowserTried plays other turns in a reviewed game: each is judged at once, beside its own
// position alone.
func TestBrowserTried(t *testing.T) {
	c, w, _ := openGame(t, shortGame, "3")
	w.review()
	w.button("2g ??")
	w.is(c, "Ra4 Eb2 eg7 rh5 g")
	w.steps("a4b4")
	w.Press("e")
	w.has(".tried", "Misses the win in 1")
	w.has(".tried", "2g Ra4e")
	for _, size := range [][2]int{{1024, 768}, {1920, 1080}, {browser.Desktop, 800}} {
		w.Window(size[0], size[1], false)
		w.until(fmt.Sprint("room for five turns, and the graph in sight, at ", size), `(() => {
			const list = document.querySelector(".turns"), row = list.querySelector(".pair").offsetHeight;
			const above = e => e.getBoundingClientRect().bottom <= document.querySelector(".gamecard > footer").getBoundingClientRect().top;
			return list.clientHeight >= 5 * row && above(document.querySelector(".plot")) && document.querySelector(".tried p:last-of-type").offsetHeight < 2 * row;
		})()`)
	}
	w.turn("2g Eb2n")
	w.until("no verdict", `!document.querySelector(".tried")`)
	w.button("2g ??")
	w.is(c, "Ra4 Eb2 eg7 rh5 g")
	w.steps("a4a5", "a5a6", "a6a7", "b2b3") // three steps are not enough
	w.Press("e")
	w.has(".tried", "2g Ra4n Ra5n Ra6n Eb2n")
	kinds := []string{}
	for _, j := range c.jobs() {
		kinds = append(kinds, j.Kind)
	}
	slices.Sort(kinds)
	if got, _ := json.Marshal(kinds); string(got) != `["review","try","try"]` {
		t.Errorf("jobs: %s", got)
	}
	// The turn of the game is not judged.
	w.button("2g ??")
	w.is(c, "Ra4 Eb2 eg7 rh5 g")
	w.steps("b2b3")
	w.Press("e")
	w.until("the turn", `document.querySelector('.turns [aria-label^="2g Eb2n"]').getAttribute("aria-current") === "true"`)
	if n := w.count(".tried"); n > 0 || len(c.jobs()) != 3 {
		t.Errorf("%d verdicts, %d jobs", n, len(c.jobs()))
	}
}

// TestBrowserLooking checks that undo does not undo looking, and that a comment is one edit.
func TestBrowserLooking(t *testing.T) {
	c, w, _ := openGame(t, shortGame, "2")
	w.comments()
	for _, text := range []string{"g", "go", "good"} {
		w.set("#comment", text)
	}
	w.becomes("(Eb2n(rh5s{good}(Ra4n)))")
	w.turn("2g Eb2n")
	w.turn("3g Ra4n")
	w.button("Undo")
	w.becomes("(Eb2n(rh5s(Ra4n)))")
	w.is(c, "Ra4 Eb3 eg7 rh4 g")
	w.button("Redo")
	w.becomes("(Eb2n(rh5s{good}(Ra4n)))")
}

// TestBrowserShare shows the position and the game in every form, and writes files.
func TestBrowserShare(t *testing.T) {
	c, w, _ := openGame(t, shortGame, "1")
	browser.Evaluate[any](w.Browser, `{window.texts = []; URL.createObjectURL = b => (b.text().then(t => texts.push(t)), "blob:none")} null`)
	w.button("Share")
	w.until("the forms", `document.querySelectorAll("#form option").length > 3`)
	names := browser.Evaluate[[]string](w.Browser, `[...document.querySelectorAll("#form option")].map(o => o.value)`)
	for _, name := range names {
		w.set("#form", name)
		text := browser.Evaluate[string](w.Browser, `document.querySelector("#copied").value`)
		if a := ask[readAnswer](c, "POST", "/api/read", map[string]any{"text": text}); len(a.Found) != 1 || a.Found[0].Error != "" {
			t.Errorf("%s: %+v", name, a)
		}
	}
	w.look("share")
	w.button("Copy")
	w.hears("Copied.")
	w.button("Save as a picture")
	w.until("a picture", `texts.some(t => t.startsWith("<svg"))`)
	w.button("Export with comments")
	w.until("a game", `texts.some(t => t.includes("2s rh5s\n"))`)
	address := browser.Evaluate[string](w.Browser, `document.querySelector("#address").value`)
	if !strings.HasSuffix(address, "/#/game/mine?at=1") {
		t.Errorf("the address is %s", address)
	}
	w.Press(kb.Escape)
	w.button("Share")
	w.until("the form chosen last", fmt.Sprintf(`document.querySelector("#form")?.value === %q`, names[len(names)-1]))
}
