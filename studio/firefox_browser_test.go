//go:build browser

package studio_test

import (
	"os"
	"os/exec"
	"testing"

	"goalproof/studio"
)

// puppeteer is the environment variable that names the folder of puppeteer-core, which drives
// Firefox.
const puppeteer = "GOALPROOF_PUPPETEER"

// TestBrowserFirefox visits the places in Firefox.
func TestBrowserFirefox(t *testing.T) {
	if _, err := exec.LookPath("firefox-esr"); err != nil || os.Getenv(puppeteer) == "" {
		t.Skip("needs Firefox (apt-get install firefox-esr) and, in " + puppeteer + ", the folder of puppeteer-core (npm install puppeteer-core)")
	}
	c := start(t, studio.Options{Workspace: workspace(t)})
	out, err := exec.CommandContext(t.Context(), "node", "testdata/firefox/smoke.mjs", c.studio.Address()).CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}
