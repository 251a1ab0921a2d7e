//go:build browser

package studio_test

import (
	"fmt"
	"testing"

	"goalproof/internal/testkit/browser"
	"goalproof/studio"
)

// TestBrowserView renders a component with signals, hooks and a context on a page of the studio.
// Nothing of that offends the policy, and a text stays a text.
func TestBrowserView(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	browser.Evaluate[any](w.Browser, `{
		window.violations = [];
		addEventListener("securitypolicyviolation", e => violations.push(e.violatedDirective + " " + e.blockedURI));
	} null`)
	browser.Evaluate[any](w.Browser, fmt.Sprintf(`{
		import(%q).then(({html, render, signal, computed, createContext, useContext, useEffect, useSignal, useState}) => {
			window.turns = signal(["<b>Ee2n</b>"]);
			const count = computed(() => turns.value.length), Side = createContext("gold");
			const Turn = ({text}) => html`+"`<li style=${{color: 'rgb(1, 2, 3)'}}>${useContext(Side)}: ${text}</li>`"+`;
			const List = () => {
				const [seen, see] = useState(false), local = useSignal(1);
				useEffect(() => see(true), []);
				return html`+"`<p id=\"made\">${count} ${seen && 'seen'} ${local}</p><ol>${turns.value.map(t => html`<${Turn} key=${t} text=${t}/>`)}</ol><button onClick=${() => { local.value++; turns.value = [...turns.value, 'rd5s']; }}>More</button>`"+`;
			};
			const root = document.createElement("div");
			root.id = "components";
			document.body.prepend(root);
			render(html`+"`<${Side.Provider} value=\"silver\"><${List}/><//>`"+`, root);
		}).catch(error => window.failed = String(error));
	} null`, c.asset("lib/view.js")))
	w.until("a component", `window.failed || document.getElementById("made")?.textContent === "1 seen 1"`)
	w.press("#components button")
	w.until("two turns", `document.getElementById("made").textContent === "2 seen 2" && document.querySelectorAll("#components li").length === 2`)
	if got := browser.Evaluate[[]string](w.Browser, `[...document.querySelectorAll("#components li")].map(e => getComputedStyle(e).color + " " + e.textContent)`); got[0] != "rgb(1, 2, 3) silver: <b>Ee2n</b>" || got[1] != "rgb(1, 2, 3) silver: rd5s" {
		t.Errorf("the list is %q", got)
	}
	if n := w.count("#components b"); n > 0 {
		t.Error("a text has become markup")
	}
	if got := browser.Evaluate[[]string](w.Browser, `violations`); len(got) > 0 {
		t.Errorf("the policy is violated: %q", got)
	}
	// The listener hears of violations.
	browser.Evaluate[any](w.Browser, `{ try { document.getElementById("components").innerHTML = "<b>a</b>"; } catch {} } null`)
	w.until("a violation", `violations.length > 0`)
}
