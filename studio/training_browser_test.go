//go:build browser

package studio_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
	"goalproof/internal/testkit/trainee"
	"goalproof/solve"
	"goalproof/studio"
)

// trainingPage is a person who trains at a page on the collection.
type trainingPage struct {
	puzzlesPage
	c       *client
	solver  *solve.Solver
	all     []exercise
	results []trainee.Result
}

// shown is the number of the exercise that the page shows, once it is ready to be tried.
func (p *trainingPage) shown() int {
	p.Helper()
	p.Until("an exercise", `location.hash.startsWith("#/puzzles/collection/") && document.querySelector(".task .badge")?.textContent === "Your turn" &&
		document.querySelector(".task").textContent.includes("puzzle " + location.hash.split("/").pop() + " of ")`)
	return browser.Evaluate[int](p.Browser, `+location.hash.split("/").pop()`)
}

// plays plays a turn on the board, as the keyboard does, and ends it.
func (p *trainingPage) plays(at arimaa.Position, turn arimaa.Turn) {
	p.Helper()
	steps, err := json.Marshal(moves(at.Notation(turn)))
	require.NoError(p, err)
	p.Until("a board", `document.querySelector(".squares button")`)
	browser.Evaluate[any](p.Browser, fmt.Sprintf(`{
		window.played = false;
		const cell = square => document.querySelector('.squares [data-square="' + square + '"]');
		const until = async done => { while (!done()) await new Promise(requestAnimationFrame); };
		(async () => {
			for (const step of %s) {
				const from = step.slice(0, 2), to = step.slice(2);
				cell(from).click();
				await until(() => cell(from).ariaPressed === "true");
				cell(to).click();
				await until(() => !/gold|silver/.test(cell(from).ariaLabel) && !document.querySelector(".squares .chosen"));
			}
			window.played = true;
		})();
	} null`, steps))
	p.Until("the steps", "window.played")
	p.Press("e")
}

// fails makes the mistake, or takes the help, of a plan.
func (p *trainingPage) fails(how string, at arimaa.Position, winIn int) {
	p.Helper()
	switch how {
	case "turn":
		p.plays(at, trainee.Turn(p, p.solver, at, winIn, false))
		p.has(".task .badge", "Not this turn")
		p.Until("the refutation", turns+` === 2`)
		p.button("Try again")
		p.at(at.String())
	case "hint":
		p.Press("h")
		p.has(".hints", "moves first.")
	case "solution":
		p.Press("s")
		p.has(".task .badge", "Solution")
	}
}

// solves plays the turns that win, and the page the replies.
func (p *trainingPage) solves(e exercise) {
	p.Helper()
	first, err := notation.ParsePosition(e.Study.Position)
	require.NoError(p, err)
	game := arimaa.NewGame(first, arimaa.FirstTurn)
	for left := e.WinIn; ; left-- {
		turn := trainee.Turn(p, p.solver, game.Last(), left, true)
		p.plays(game.Last(), turn)
		require.NoError(p, game.Play(turn))
		if left == 1 {
			p.has(".task .badge", "Solved")
			return
		}
		p.has(".task .badge", "Right")
		p.Until("the reply", fmt.Sprintf(turns+" === %d", game.Len()+1))
		reply := browser.Evaluate[string](p.Browser, `JSON.parse(sessionStorage.getItem("studio.puzzle")).turns.at(-1)`)
		require.NoError(p, notation.Play(game, reply))
	}
}

// told takes the studio's word for what has become of the last exercise. Each attempt counts once.
func (p *trainingPage) told(e exercise) {
	p.Helper()
	var got studio.Training
	until(p.T, "the attempt", func() bool {
		got = ask[studio.Training](p.c, "GET", "/api/training", nil)
		tries := 0
		for _, x := range got.Exercises {
			tries += x.Tries
		}
		if tries > len(p.results)+1 {
			p.Fatalf("%d attempts after %d", tries, len(p.results)+1)
		}
		return tries == len(p.results)+1
	})
	last := got.Exercises[len(got.Exercises)-1]
	if last.Position != e.Study.Position || last.Rating == nil {
		p.Fatalf("%+v is recorded after %+v", last, e)
	}
	p.results = append(p.results, trainee.Result{Name: e.Label, Rating: got.Rating, Deviation: got.Deviation, Puzzle: *last.Rating})
	p.has(".task", fmt.Sprintf("Rating %.0f", math.Floor(got.Rating+0.5)))
}

// TestBrowserFifty trains on fifty exercises of the collection at the page, and fails by plan. Each
// rating is that of a plain computation, and what failed comes back after three others. The studio
// is killed several times, also when the page has not heard that an attempt is recorded: each
// attempt counts once.
func TestBrowserFifty(t *testing.T) {
	const n = 50
	directory := t.TempDir()
	c, address, kill := process(t, directory, "127.0.0.1:0")
	at := strings.TrimPrefix(c.base, "http://")
	p := &trainingPage{c: c, all: collected(c)}
	var err error
	p.solver, err = solve.New(solve.Options{Threads: 1, Memory: 64 << 20})
	require.NoError(t, err)
	visit := func() { // a browser ends after two minutes
		p.puzzlesPage = puzzlesPage{window{browser.Visit(t, address)}}
		p.Until("the page", `document.querySelector(".squares")`)
		p.visit("#/puzzles/collection")
		p.shown()
		p.press(".task .switch input") // Next by itself: off
	}
	killed := func() {
		kill()
		p.c, address, kill = process(t, directory, at)
		p.reopen(address)
		p.visit("#/puzzles/collection")
	}
	for i := range n {
		if i%10 == 0 {
			visit()
		}
		e := p.all[p.shown()-1]
		first, err := notation.ParsePosition(e.Study.Position)
		require.NoError(t, err)
		p.at(first.String())
		how := trainee.Plan(i)
		p.fails(how, first, e.WinIn)
		if i == 17 { // in the middle of an attempt, after a mistake
			killed()
			p.shown()
			p.at(first.String())
		}
		if how != "solution" {
			p.solves(e)
		}
		if i%20 == 7 { // the answer to the request that records it may be lost
			killed()
		}
		p.told(e)
		p.Press("n")
	}
	trainee.Check(t, p.results)
}

// TestBrowserHint takes a step while the page looks for a hint, which does not undo it. A number that
// the collection does not have leads to one that it has.
func TestBrowserHint(t *testing.T) {
	c := start(t, studio.Options{Workspace: workspace(t)})
	p := &trainingPage{puzzlesPage: puzzlesPage{open(t, c)}, c: c, all: collected(c)}
	p.visit("#/puzzles/collection")
	p.shown()
	p.press(".task .switch input") // Next by itself: off
	p.visit(fmt.Sprintf("#/puzzles/collection/%d", len(p.all)+1))
	p.hears(fmt.Sprintf("This set has the puzzles 1 to %d.", len(p.all)))
	p.shown()
	e := p.all[p.shown()-1]
	first, err := notation.ParsePosition(e.Study.Position)
	require.NoError(t, err)
	p.at(e.Study.Position)
	at := arimaa.NewState(first)
	steps := at.Steps(nil)
	step := steps[slices.IndexFunc(steps, func(s arimaa.Step) bool { return s.Piece().Side() == first.Side() })]
	browser.Evaluate[any](p.Browser, fmt.Sprintf(`{
		document.querySelector("main").dispatchEvent(new KeyboardEvent("keydown", {key: "h", bubbles: true}));
		for (const square of [%q, %q]) document.querySelector('.squares [data-square="' + square + '"]').click();
	} null`, step.From(), step.To()))
	p.until("the hint", `document.querySelector(".hints")?.textContent.includes("moves first.")`)
	p.Until("the step", fmt.Sprintf(`JSON.parse(sessionStorage.getItem("studio.puzzle")).steps?.startsWith(%q)`, first.Notation(arimaa.Turn{}.With(step))))
}
