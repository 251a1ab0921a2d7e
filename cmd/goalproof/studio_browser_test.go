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
	b.Until("the board", `document.querySelectorAll("#pieces use").length > 0`)
	browser.Evaluate[any](b, `document.querySelector('[data-view="game"]').click()`)
	browser.Evaluate[any](b, `{document.getElementById("game-name").value = "mine"; document.getElementById("game-save").click()} null`)
	b.Until("saved", `document.getElementById("status").textContent.includes("The game has been saved as mine.")`)
	kept, err := s.game("mine")
	require.NoError(t, err)
	found, err := filepath.Glob(filepath.Join(data, "goalproof", "studio", "*.game"))
	if err != nil || len(found) != 1 || filepath.Base(found[0]) != "mine.game" || kept.Version == "" {
		t.Errorf("%+v, %v, %v", kept, found, err)
	}
}
