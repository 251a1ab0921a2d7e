package browser

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// axeFile is the environment variable that names the file axe.min.js of axe-core, the accessibility
// checker of Deque.
const axeFile = "GOALPROOF_AXE"

// axeSource returns the program of axe-core.
var axeSource = sync.OnceValues(func() (string, error) {
	file := os.Getenv(axeFile)
	if file == "" {
		return "", fmt.Errorf("set %s to the file axe.min.js of axe-core (npm install axe-core)", axeFile)
	}
	source, err := os.ReadFile(file)
	return string(source), err
})

// axe reports what axe-core finds on the page.
func (b *Browser) axe(what string) {
	b.Helper()
	source, err := axeSource()
	if err != nil {
		b.Fatal(err)
	}
	if !Evaluate[bool](b, `typeof axe === "object"`) {
		Evaluate[any](b, source+"; null")
	}
	Evaluate[any](b, axeScript)
	for range 1200 {
		if Evaluate[bool](b, `window.axeFound !== null`) {
			for _, fault := range Evaluate[[]string](b, `window.axeFound`) {
				b.Errorf("%s: axe-core: %s", what, fault)
			}
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.Errorf("%s: axe-core has not ended", what)
}

const axeScript = `{
	window.axeFound = null;
	axe.run(document, {resultTypes: ["violations"], rules: {"duplicate-id": {enabled: true}}}).then(
		found => window.axeFound = found.violations.flatMap(v => v.nodes.map(n => v.id + ": " + v.help + ": " + n.html.slice(0, 90))),
		error => window.axeFound = [String(error)]);
} null`
