//go:build browser

package studio_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// longGame returns a game of random turns that has not ended.
func longGame(t *testing.T, turns int) *studio.Study {
	first := "g [rrrrrrrrdhcemchd                                DHCMECHDRRRRRRRR]"
	p, err := notation.ParsePosition(first)
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(180, 0))
	var g arimaa.Generator
	game, s := arimaa.NewGame(p, arimaa.FirstTurn), &studio.Study{Position: first}
	for range 100 * turns {
		last := game.Last()
		turn := g.Turn(random.IntN(g.Generate(&last)))
		after := last.AfterTurn(turn)
		if after.Ended(last.Side()).Over() || game.Play(turn) != nil {
			continue
		}
		if s.Turns = append(s.Turns, last.Notation(turn)); len(s.Turns) == turns {
			return s
		}
	}
	t.Fatal("the game has come to its end")
	return nil
}

// TestBrowserIdle logs when the page is first drawn, and how long it takes to go to another position of a game of 180 turns. It expects that an idle page asks for nothing.
func TestBrowserIdle(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for two seconds")
	}
	w := open(t, start(t, studio.Options{}))
	paint := browser.Evaluate[float64](w.Browser, `performance.getEntriesByName("first-contentful-paint")[0]?.startTime || 0`)
	t.Logf("first contentful paint after %.0f ms", paint)
	requests := `performance.getEntriesByType("resource").length`
	before := browser.Evaluate[int](w.Browser, requests)
	time.Sleep(2 * time.Second)
	if after := browser.Evaluate[int](w.Browser, requests); after != before {
		t.Errorf("%d requests of an idle page", after-before)
	}

	text, err := json.Marshal(map[string]any{"study": longGame(t, 180), "view": "game"})
	require.NoError(t, err)
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`sessionStorage.setItem("studio", %q), null`, text))
	w.Reload()
	w.until("the turns", `document.querySelectorAll("#turns button").length === 181`)
	browser.Evaluate[any](w.Browser, `[...document.querySelectorAll("#turns button")].at(-1).click(), null`)
	w.until("the last turn", `document.getElementById("where").textContent.startsWith("91s")`)
	browser.Evaluate[any](w.Browser, `(async () => {
		window.took = [];
		for (let i = 0; i < 40; i++) {
			const began = performance.now(), viewed = new Promise(resolve => document.addEventListener("viewed", resolve, {once: true}));
			document.getElementById(i % 2 ? "redo" : "undo").click();
			await viewed;
			document.body.getBoundingClientRect();
			took.push(performance.now() - began);
		}
	})(), null`)
	w.until("forty changes", "took.length === 40")
	took := browser.Evaluate[[]float64](w.Browser, "took")
	slices.Sort(took)
	t.Logf("180 turns: the next position after %.1f ms (median), at most %.1f ms", took[len(took)/2], took[len(took)-1])
}
