//go:build browser

package studio_test

import (
	"os"
	"os/exec"
	"testing"

	"goalproof/studio"
)

// puppeteer is the environment variable that names the folder of puppeteer-core.
const puppeteer = "GOALPROOF_PUPPETEER"

// script runs a script that drives the page of a studio by puppeteer-core.
func script(t *testing.T, file string) {
	if os.Getenv(puppeteer) == "" {
		t.Skip("needs in " + puppeteer + " the folder of puppeteer-core (npm install puppeteer-core)")
	}
	c := start(t, studio.Options{Workspace: workspace(t)})
	out, err := exec.CommandContext(t.Context(), "node", file, c.studio.Address()).CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}

// TestBrowserFirefox visits the places in Firefox.
func TestBrowserFirefox(t *testing.T) {
	if _, err := exec.LookPath("firefox-esr"); err != nil {
		t.Skip("needs Firefox (apt-get install firefox-esr)")
	}
	script(t, "testdata/firefox/smoke.mjs")
}

// TestBrowserTasks performs the tasks whose acts are counted.
func TestBrowserTasks(t *testing.T) { script(t, "testdata/tasks/tasks.mjs") }
