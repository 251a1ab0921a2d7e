//go:build browser

package main

import (
	"path/filepath"
	"testing"

	"goalproof/internal/testkit/browser"
	"goalproof/internal/testkit/require"
)

// TestBrowserStudioDefault saves a game on the page of a studio that was started without flags.
func TestBrowserStudioDefault(t *testing.T) {
	data := t.TempDir()
	t.Setenv("XDG_DATA_HOME", data)
	s := openStudio(t)
	b := browser.Visit(t, s.base+"/#"+s.token)
	const pieces = `document.querySelectorAll('.stage svg use[href^="#piece"]').length > 0`
	b.Until("a puzzle, on the first visit", pieces+` && location.hash.startsWith("#/puzzles")`)
	browser.Evaluate[any](b, `location.hash = "#/board", null`)
	b.Until("the board", pieces+` && document.getElementById("game-name")`)
	browser.Evaluate[any](b, `{
		const name = document.getElementById("game-name");
		name.value = "mine";
		name.dispatchEvent(new Event("change", {bubbles: true}));
	} null`)
	b.Until("saved", `[...document.querySelectorAll("[role=status]")].some(e => e.textContent.includes("Saved as mine."))`)
	kept, err := s.game("mine")
	require.NoError(t, err)
	found, err := filepath.Glob(filepath.Join(data, "goalproof", "studio", "*.game"))
	if err != nil || len(found) != 1 || filepath.Base(found[0]) != "mine.game" || kept.Version == "" {
		t.Errorf("%+v, %v, %v", kept, found, err)
	}
}
