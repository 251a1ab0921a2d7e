//go:build browser

package studio_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
	"goalproof/puzzles/describe"
	"goalproof/puzzles/training"
	"goalproof/studio"
)

// puzzlesPage is a browser with the place Puzzles.
type puzzlesPage struct {
	window
}

// openPuzzles opens the place Puzzles with a set, and a puzzle of it.
func openPuzzles(t *testing.T, c *client, at string) puzzlesPage {
	t.Helper()
	p := puzzlesPage{window{browser.Visit(t, c.studio.Once())}}
	p.Until("the page", `document.querySelector(".squares")`)
	p.visit("#/puzzles/" + at)
	return p
}

// visit opens an address of the page.
func (p puzzlesPage) visit(address string) {
	p.Helper()
	browser.Evaluate[any](p.Browser, fmt.Sprintf("location.hash = %q, null", address))
	p.Until("the place", `document.querySelector("main.puzzles .set")`)
}

// has waits until what a selector selects has a text in it.
func (p puzzlesPage) has(selector, text string) {
	p.Helper()
	p.Until(selector+" with "+text, fmt.Sprintf("[...document.querySelectorAll(%q)].some(e => e.textContent.includes(%q))", selector, text))
}

// at waits until the board shows a position, of squares in the form of a study.
func (p puzzlesPage) at(position string) {
	p.Helper()
	p.Until(position, fmt.Sprintf(`JSON.parse(sessionStorage.getItem("studio.puzzle"))?.position === %q && !`+turns, position))
}

// turns is how many turns were played on the board since the first position.
const turns = `(JSON.parse(sessionStorage.getItem("studio.puzzle"))?.turns || []).length`

// play plays steps, each with the square from which a piece is taken and the one to which it goes,
// and ends the turn.
func (p puzzlesPage) play(steps ...string) {
	p.Helper()
	for _, s := range steps {
		p.press(cell(s[:2]))
		p.Until("taken", fmt.Sprintf(`document.querySelector('%s').ariaPressed === "true"`, cell(s[:2])))
		p.press(cell(s[2:]))
		p.Until("put down", fmt.Sprintf(`!/gold|silver/.test(document.querySelector('%s').ariaLabel) &&
			!document.querySelector(".squares .chosen")`, cell(s[:2])))
	}
	p.Press("e")
}

// moves are the steps of a turn without pushes, as play takes them.
func moves(turn string) (all []string) {
	for _, s := range strings.Fields(turn) {
		if s[3] != 'x' {
			to := map[byte][2]int{'n': {0, 1}, 's': {0, -1}, 'e': {1, 0}, 'w': {-1, 0}}[s[3]]
			all = append(all, s[1:3]+string([]byte{s[1] + byte(to[0]), s[2] + byte(to[1])}))
		}
	}
	return all
}

// look checks the place in all sizes, and takes pictures.
func (p puzzlesPage) look(name string) {
	p.Helper()
	directory := *shots
	if directory != "" {
		directory = filepath.Join(directory, name)
		require.NoError(p, os.MkdirAll(directory, 0o777))
	}
	for _, s := range sizes {
		p.Window(s.width, s.height, s.touch)
		p.Check(name + " " + s.name)
		p.Shoot(directory, s.name)
	}
	p.Window(browser.Desktop, 800, false)
}

// trainSet has two exercises, the second one easy, and a claim that is false.
func trainSet(t *testing.T) (set, two, one string) {
	two, one = study(t, "win-in-2.txt").Position, study(t, "goal-in-1-step.txt").Position
	return "position\tclaim\tsolution\tname\n" + two + "\t2\t\t<img src=x>\n" + one + "\t1\t\tone\n" +
		study(t, "no-win-in-2.txt").Position + "\t2\t\tfalse\n", two, one
}

// TestBrowserPuzzlesTrain plays a puzzle of a set: a wrong turn, which is refuted on the board, hints
// step by step, the right turn, which is answered. It is given up, and the solution walked through.
// Another one is solved.
func TestBrowserPuzzlesTrain(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	p := openPuzzles(t, c, "new")
	p.set("#set-text", "g [x]")
	p.has("main [role=alert]", "Line 1: the brackets hold 1 squares, not 64")
	set, two, one := trainSet(t)
	p.set("#set-text", set)
	p.has(".shelf", "3 puzzles")
	p.button("Train on these")
	p.has(".shelf", "of 2 exercises solved")
	p.Until("the easy one first", `document.querySelector(".shelf .puzzle strong").textContent === "Puzzle 2"`)
	p.press(".shelf li:nth-child(2) .puzzle")
	p.at(two)
	p.has(".task .sentence", "Gold wins in 2 turns.")
	const without = `/^Pasted puzzles: puzzle 1 of 3, difficulty \d\.\d$/.test(document.querySelector(".task .dim").textContent)`
	p.Until("the difficulty, without results", without)
	p.hasNoMarkup()

	p.play("d6d7", "d7c7")
	p.has(".task .badge", "Not this turn")
	p.has(".task", "Disproved: with Ed6n Ed7w gold has no win in 2 turns (the third repetition set aside). The reply ")
	p.Until("the refutation, and a cross on the square", `document.querySelector(".stamp.bad") && `+turns+` === 2`)
	recorded := func() []studio.Exercise { return ask[studio.Training](c, "GET", "/api/training", nil).Exercises }
	until(t, "the failure is recorded at once", func() bool {
		failed := recorded()
		return len(failed) == 1 && failed[0].Tries == 1 && failed[0].Solved == 0 && failed[0].ByResults == nil
	})
	p.has(".shelf li:nth-child(2)", "tried")
	p.Until("one attempt says too little", without)
	p.look("puzzles-wrong")
	p.button("Try again")
	p.at(two)
	p.has(".task .badge", "Your turn")
	p.Press("h")
	p.has(".hints", "moves first.")
	p.Until("a mark", `document.querySelector(".stage .mark, .stage .ring, .stage [class*=mark]")`)
	p.Press("h")
	p.has(".hints", "The turn begins with ")
	p.Until("the step as an arrow", `document.querySelectorAll(".stage .own").length === 1`)
	p.button("Hint: one more step")
	p.Until("two steps", `document.querySelectorAll(".stage .own").length === 2`)
	tries(t, root, training.Attempt{Position: two, WinIn: 2}, time.Now().AddDate(0, 0, 1), make([]bool, 8)...)
	p.Reload()
	p.has(".task .sentence", "Gold wins in 2 turns.")
	p.has(".hints", "Hint 3")
	p.at(two)
	results := recorded()[0].ByResults
	if results == nil {
		t.Fatal("there is no difficulty by the results")
	}
	p.has(".task .dim", fmt.Sprintf(", %.1f by your results", *results))
	p.has(".shelf li:nth-child(2)", fmt.Sprintf(", %.1f for you", *results))

	p.play("e1f1", "h2g2", "d6d7", "d7c7")
	p.has(".task .badge", "Right")
	p.has(".task", "The reply is ")
	p.has(".task .sentence", "1 left.")
	p.Until("the defence, and a tick on the square", `document.querySelector(".stamp.good") && `+turns+` === 2`)
	p.Press(kb.ArrowLeft) // on a square: this is no walk
	p.button("Show the solution")
	p.has(".task .badge", "Solution")
	p.Until("the whole line", `document.querySelectorAll(".walk .line").length === 3`)
	p.press(`[aria-label="First position"]`)
	p.at(two)
	p.press(`[aria-label="Last position"]`)
	p.has(".player", "the game is over, gold wins")
	p.press(".walk li:nth-child(1) .line")
	p.has(".player", "2s, silver to move")
	p.press(`[aria-label="Turn forward"]`)
	p.has(".player", "3g, gold to move")
	p.has(".shelf li:nth-child(2)", "tried")
	p.look("puzzles-solution")

	p.Press("n")
	p.at(one)
	p.Press("s")
	p.has(".task", "solution is ")
	turn := browser.Evaluate[string](p.Browser, `document.querySelector(".walk .line .turn").textContent`)
	p.button("Once more")
	p.has(".task .badge", "Your turn")
	p.press(".task .switch input") // Next by itself: off
	p.play(moves(turn)...)
	p.has(".task .badge", "Solved")
	p.has(".task", "Solved in ")
	p.has(".task", "without a mistake.")
	p.has(".task", "Streak 1")
	p.has(".shelf", "1 of 2 exercises solved")
	got := ask[studio.Training](c, "GET", "/api/training", nil)
	if len(got.Exercises) != 2 || got.Exercises[1].Clean != 1 || got.Exercises[1].Tries != 2 || got.Exercises[0].Solved != 0 {
		t.Errorf("%+v", got)
	}
	// Enter leads on, and the browser back.
	p.Press(kb.Enter)
	p.at(two)
	browser.Evaluate[any](p.Browser, "history.back(), null")
	p.at(one)

	// What failed comes again; what is unsolved is left.
	p.button("failed")
	p.Until("one failed", `[...document.querySelectorAll(".shelf strong")].map(e => e.textContent).join() === "Puzzle 1"`)
	p.Press("n")
	p.at(two)
	p.set("#train-length", "1")
	p.has(".empty", "No exercise of this choice has failed")
	p.button("Show all")
	p.button("Open on the board")
	p.Until("the Board", `document.querySelector(".place[aria-current]").textContent === "Board" && location.hash.startsWith("#/board?position=")`)
}

// TestBrowserPuzzlesNext solves an exercise without help: the next one comes by itself.
func TestBrowserPuzzlesNext(t *testing.T) {
	c := start(t, studio.Options{})
	set, two, one := trainSet(t)
	job := c.ended(task{Kind: "verify", Text: set, Describe: true, Seconds: 300})
	p := openPuzzles(t, c, job.ID+"/2")
	p.at(one)
	solved := c.work(task{Kind: "solve", Study: &studio.Study{Position: one}, WinIn: 1})
	p.play(moves(solved.Line.Line[0])...)
	p.has(".task .badge", "Solved")
	p.at(two)
	p.Until("its address", fmt.Sprintf(`location.hash === "#/puzzles/%s/1"`, job.ID))
	// A turn at another position is not judged.
	p.play("d6d7", "d7c7")
	p.has(".task .badge", "Not this turn")
	p.Until("the refutation", `document.querySelector(".stamp.bad") && `+turns+` === 2`)
	p.press(`[aria-label="Turn back"]`)
	p.has(".player", "2s, silver to move")
	p.play("a8b8")
	p.has("[role=status]", "This is not the position of the exercise")
}

// TestBrowserPuzzlesUnsent ends exercises while the studio's answers about what has become of them
// are lost: all of it is sent again, and counts once.
func TestBrowserPuzzlesUnsent(t *testing.T) {
	c := start(t, studio.Options{})
	set, two, one := trainSet(t)
	job := c.ended(task{Kind: "verify", Text: set, Describe: true, Seconds: 300})
	p := openPuzzles(t, c, job.ID+"/2")
	p.at(one)
	browser.Evaluate[any](p.Browser, `{
		const fetched = window.fetch;
		window.fetch = (...request) => String(request[0]).endsWith("api/training") && request[1]?.method === "POST"
			? fetched(...request).then(() => Promise.reject(new TypeError("no answer"))) : fetched(...request);
	} null`)
	p.button("Show the solution")
	p.has(".toast", "The studio does not answer.")
	p.visit("#/puzzles/" + job.ID + "/1")
	p.at(two)
	p.button("Show the solution")
	p.has(".task .badge", "Solution")
	p.Reload()
	until(t, "the attempts", func() bool {
		all := ask[studio.Training](c, "GET", "/api/training", nil).Exercises
		if len(all) > 0 && all[0].Tries != 1 {
			t.Fatalf("an attempt counts twice: %+v", all)
		}
		return len(all) == 2
	})
}

// TestBrowserPuzzlesCollection shows a puzzle of the collection to somebody who is here for the
// first time, and to nobody who has trained before. The shelf has pages, and is filtered.
func TestBrowserPuzzlesCollection(t *testing.T) {
	c := start(t, studio.Options{})
	all := collected(c)
	p := puzzlesPage{window{browser.Visit(t, c.studio.Once())}}
	p.Until("a puzzle", `/^#\/puzzles\/collection\/\d+$/.test(location.hash)`)
	p.has(".task", "Collection: puzzle ")
	p.has(".shelf", fmt.Sprintf("0 of %d exercises solved", len(all)))
	p.Until("boards", `document.querySelectorAll(".shelf .mini use").length > 20`)
	p.Until("a page", `document.querySelectorAll(".shelf .puzzle").length === 60 && document.querySelector(".shelf [aria-current=true]")`)
	p.has(".pages", fmt.Sprintf("1 to 60 of %d", len(all)))
	p.press(`[aria-label="Next page"]`)
	p.has(".pages", fmt.Sprintf("61 to 120 of %d", len(all)))
	p.Until("its first row in sight", `(r => r.top >= 0 && r.top < innerHeight)(document.querySelector(".shelf li").getBoundingClientRect())`)
	p.Window(browser.Phone, 844, true)
	p.button("Set")
	p.look("puzzles-page")
	p.Press("n") // leads to the page of the exercise, too
	p.Until("the page of the exercise", `document.querySelector(".shelf [aria-current=true]")`)

	// Filters, each compared with the list.
	count := func(filter string, fits func(e exercise) bool) {
		t.Helper()
		n := 0
		for _, e := range all {
			if fits(e) {
				n++
			}
		}
		p.Until(fmt.Sprintf("%d %s", n, filter), fmt.Sprintf(`document.querySelectorAll(".shelf .puzzle").length === %d`, min(n, 60)))
		if n > 60 {
			p.has(".pages", fmt.Sprintf(" of %d", n))
		} else if n == 0 || p.count(".pages") > 0 {
			t.Errorf("%s: %d", filter, n)
		}
	}
	p.set("#train-theme", "elimination")
	count("eliminations", func(e exercise) bool { return slices.Contains(e.Themes, "elimination") })
	p.set("#train-length", "2")
	count("eliminations in 2", func(e exercise) bool { return slices.Contains(e.Themes, "elimination") && e.WinIn == 2 })
	p.set("#train-theme", "")
	p.set("#train-difficulty", "4")
	count("in 2 of difficulty 4", func(e exercise) bool {
		return e.WinIn == 2 && strings.HasPrefix(fmt.Sprintf("%.1f", *e.Difficulty), "4.")
	})
	p.Press("n")
	p.Until("an exercise of the shelf", `document.querySelector(".shelf [aria-current=true]") && / difficulty 4\./.test(document.querySelector(".task").textContent)`)
	// The side that solves it is below, and f flips the board.
	p.Until("the side", `(document.querySelector(".squares button").dataset.square === "h1") === document.querySelector(".task").innerText.includes("Silver wins")`)
	first := browser.Evaluate[string](p.Browser, `document.querySelector(".squares button").dataset.square`)
	p.Press("f")
	p.Until("flipped", `document.querySelector(".squares button").dataset.square !== "`+first+`"`)
	p.look("puzzles-collection")
	p.Press("s")
	p.has(".task .badge", "Solution")
	at := int(browser.Evaluate[float64](p.Browser, `Number(location.hash.split("/").at(-1))`))
	p.has(".task .themes", all[at-1].Themes[0])
	p.has(".shelf", "tried")
	later := puzzlesPage{window{browser.Visit(t, c.studio.Once())}}
	later.Until("the Board", `location.hash.startsWith("#/board")`)

	// The idea is shown after the attempt alone.
	picked := slices.IndexFunc(all, func(e exercise) bool { return e.Idea != "" })
	p.visit(fmt.Sprintf("#/puzzles/collection/%d", picked+1))
	p.at(all[picked].Study.Position)
	idea := fmt.Sprintf(`document.querySelector(".task").textContent.includes(%q)`, all[picked].Idea)
	if browser.Evaluate[bool](p.Browser, idea+` || document.querySelector(".task .themes") !== null`) {
		t.Error("the idea or the themes are shown before the attempt")
	}
	p.Press("s")
	p.Until("the idea", idea)
	p.look("puzzles-idea")
}

// TestBrowserPuzzlesVerify verifies a set, filters it, shows its puzzles, and saves it.
func TestBrowserPuzzlesVerify(t *testing.T) {
	c := start(t, studio.Options{})
	p := openPuzzles(t, c, "new")
	two, none := study(t, "win-in-2.txt").Position, study(t, "no-win-in-2.txt").Position
	p.set("#set-text", "position\tclaim\tsolution\tname\n"+two+"\t2\tRe1e Rh2w Ed6n Ed7w\tright\n"+two+"\t2\tEd6n Ed7w\twrong\n"+
		none+"\t2\t\t<img src=x>\ng [x]\t\t\tbroken\n")
	p.press("#set-verify")
	p.press("#set-describe")
	p.button("Verify")
	if tab := browser.Evaluate[string](p.Browser, `document.querySelector("[role=tab][aria-selected=true]").id`); tab != "set-verify" {
		t.Errorf("the tab %s", tab)
	}
	p.press("main .filled")
	p.has(".set-state", "4 puzzles, 1 false claim, 1 not decided or broken.")
	p.Until("small boards", `document.querySelectorAll(".findings .board").length > 1 &&
		document.querySelectorAll(".findings tr:first-child use").length > 10`)
	p.has(".findings", "<img src=x>")
	p.hasNoMarkup()
	for _, test := range []struct {
		id, value string
		want      int
	}{{"set-finding", "false", 1}, {"set-finding", "wrong", 1}, {"set-finding", "second", 0}, {"set-finding", "unknown", 1}, {"set-finding", "", 4},
		{"set-length", "2", 2}, {"set-theme", "threat", 2}, {"set-length", "", 2}, {"set-theme", "", 4}} {
		p.set("#"+test.id, test.value)
		p.Until(fmt.Sprintf("%s %s: %d rows", test.id, test.value, test.want),
			fmt.Sprintf(`document.querySelectorAll(".findings tbody tr").length === %d`, test.want))
	}
	browser.Evaluate[any](p.Browser, `{
		window.saved = [];
		const made = URL.createObjectURL;
		URL.createObjectURL = b => (saved.push(b.size), made(b));
	} null`)
	p.button("Save and compare")
	for i, form := range []string{"a table", "a report", "texts as on arimaa.com", "this run, to compare"} {
		p.button(form)
		p.Until("a file", fmt.Sprintf("saved.length === %d && saved[%d] > 100", i+1, i))
	}
	p.button("Save and compare")
	p.press(".findings tbody tr:nth-child(1) button")
	p.at(two)
	p.Until("the solution as arrows", `document.querySelectorAll(".stage .own").length === 4`)
	p.has(".task", "Solution: Re1e Rh2w Ed6n Ed7w")
	p.Press(kb.ArrowDown) // to the next row
	p.Press(kb.Enter)
	p.has(".task .badge", "Wrong solution")
	p.has(".task", "The given solution does not win in 2 (the third repetition set aside)")
	p.Until("the refutation as arrows", `document.querySelectorAll(".stage .own").length === 2`)
	p.press(".walk li:nth-child(2) .line")
	p.Until("its reply", turns+` === 2`)
	const marked = `[...document.querySelectorAll(".findings tbody tr")].map(r => r.ariaCurrent === "true" ? 1 : 0).join("") === "0100"`
	p.Until("the row marked", marked)
	p.look("puzzles-verify")
	p.Reload()
	p.has(".set-state", "4 puzzles, 1 false claim, 1 not decided or broken.")
	p.Until("the row marked again", marked)
	p.button("Train on this")
	p.has(".task .sentence", "Gold wins in 2 turns.")
	// The number of the turn in its game stays.
	job := c.ended(task{Kind: "verify", Text: example(t, "win-in-2.txt"), Seconds: 300})
	p.visit("#/puzzles/" + job.ID + "/1")
	p.has(".player", "44g, gold to move")
	p.visit("#/puzzles/abcdef-1")
	p.has(".empty", "The set is gone")
}

// TestBrowserPuzzlesCompare compares a set with an earlier run: what has changed is marked, counted
// and filtered.
func TestBrowserPuzzlesCompare(t *testing.T) {
	c := start(t, studio.Options{Workspace: workspace(t)})
	id, run := earlierRun(t, c)
	run[0]["least"], run[0]["within"], run[2]["verdict"] = 3, 3, "unknown"
	p := openPuzzles(t, c, id)
	p.has(".task", "puzzle ") // moves the tabs down
	p.press("#set-verify")
	p.Until("all rows", `document.querySelectorAll(".findings tbody tr").length === 5`)
	p.button("Save and compare")
	give := func(text string) {
		t.Helper()
		quoted, err := json.Marshal(text)
		require.NoError(t, err)
		browser.Evaluate[any](p.Browser, fmt.Sprintf(`{const d = new DataTransfer(), e = document.querySelector('[type=file][aria-label="an earlier run"]');
			d.items.add(new File([%s], "<img src=x>.jsonl")); e.files = d.files; e.dispatchEvent(new Event("change", {bubbles: true}))} null`, quoted))
	}
	give(`{"schema": 1}`)
	p.has(".toast", "Object 1: verdict")
	give(lines(t, run))
	p.has(".compared", "4 puzzles compared, 2 changed.")
	p.has(".findings", "Changed (turns). Earlier: win in 3, 1 solution.")
	p.has(".findings", "Changed (verdict). Earlier: unknown.")
	p.set("#set-finding", "changed")
	p.Until("two rows", `document.querySelectorAll(".findings tbody tr").length === 2`)
	rows := browser.Evaluate[[]string](p.Browser, `[...document.querySelectorAll(".findings tbody button")]
		.map(e => e.textContent.trim().split(" ").slice(1).join(" "))`)
	if diff := cmp.Diff([]string{"two", "<img src=x>"}, rows); diff != "" {
		t.Errorf("changed: %s", diff)
	}
	p.hasNoMarkup()
	p.look("puzzles-compare")
	// A run is kept in the workspace, and compared with from there.
	p.button("Keep this run")
	p.has(".toast", "The run is kept as Pasted puzzles")
	p.Until("the run", `document.getElementById("set-run")?.options.length === 2`)
	p.set("#set-run", "Pasted puzzles")
	p.has(".compared", "4 puzzles compared, 0 changed.")
	p.has(".empty", "No such puzzle")
}

// TestBrowserPuzzlesMine mines a text, sees its puzzles after a reload, too, and trains on them.
func TestBrowserPuzzlesMine(t *testing.T) {
	c := start(t, studio.Options{})
	p := openPuzzles(t, c, "new")
	p.press("#set-mine")
	p.Until("themes", `document.querySelector("[name=theme]")`)
	themes := browser.Evaluate[[]string](p.Browser, `[...document.querySelectorAll("[name=theme]")].map(e => e.value)`)
	if all, err := describe.ParseThemes(themes); err != nil || len(all.Names()) != len(themes) || all<<1&^all != 1<<len(themes) {
		t.Errorf("the page offers %v: %v", themes, err)
	}
	text := minedText(t)
	want := len(minedBy(t, "pasted", text))
	p.set("#set-text", text)
	p.look("puzzles-mine-form")
	p.press("main .filled")
	state := fmt.Sprintf("%d puzzles in 6 positions of 0 games", want)
	p.has(".set-state", state)
	rows := fmt.Sprintf(`document.querySelectorAll(".findings tbody tr").length === %d`, want)
	p.Until("the puzzles", rows)
	p.has(".findings", "Difficulty")
	p.Reload()
	p.has(".set-state", state)
	p.Until("the puzzles again", rows)
	p.button("Train on these")
	p.has(".shelf", fmt.Sprintf("0 of %d exercises solved", want))
}
