//go:build browser

package studio_test

import (
	"slices"
	"testing"

	"goalproof/internal/testkit/browser"
	"goalproof/studio"
)

// dragScript drags the piece on e2 over the whole board for two seconds, with 250 movements of the pointer in a second, and notes when
// frames are drawn and where the piece is then.
const dragScript = `(() => {
	const grid = document.getElementById("squares"), area = grid.getBoundingClientRect();
	const from = document.querySelector('#squares [data-square="e2"]').getBoundingClientRect();
	const event = (type, x, y) => new PointerEvent(type, {clientX: x, clientY: y, button: 0, bubbles: true, pointerId: 1});
	window.drag = {times: [], places: [], handled: [], done: false};
	grid.dispatchEvent(event("pointerdown", from.left + from.width / 2, from.top + from.height / 2));
	const began = performance.now();
	let x = 0, y = 0;
	const timer = setInterval(() => {
		const angle = (performance.now() - began) / 1000 * 2 * Math.PI;
		x = area.left + area.width * (.5 + .4 * Math.cos(angle));
		y = area.top + area.height * (.5 + .4 * Math.sin(angle));
		const before = performance.now();
		window.dispatchEvent(event("pointermove", x, y));
		drag.handled.push(performance.now() - before);
	}, 4);
	const frame = time => {
		drag.times.push(time);
		drag.places.push(document.getElementById("ghost")?.style.transform || "");
		if (time - began < 2000 || drag.times.length < 10 || drag.handled.length < 10) return requestAnimationFrame(frame);
		clearInterval(timer);
		const g = document.getElementById("ghost").getBoundingClientRect();
		drag.off = Math.hypot(g.left + g.width / 2 - x, g.top + g.height / 2 - y);
		window.dispatchEvent(event("pointercancel", x, y));
		drag.left = document.getElementById("ghost") !== null;
		drag.done = true;
	};
	requestAnimationFrame(frame);
	return null;
})()`

// TestBrowserFrames logs how often the page draws while a piece is dragged, and how long a movement of the pointer takes. It expects
// only that the piece follows the pointer, whatever the machine.
func TestBrowserFrames(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes two seconds")
	}
	w := open(t, start(t, studio.Options{}))
	browser.Evaluate[any](w.Browser, dragScript)
	w.until("the end of the drag", "drag.done")
	d := browser.Evaluate[struct {
		Times, Handled []float64 // milliseconds
		Places         []string
		Off            float64 // pixels from the pointer to the middle of the piece
		Left           bool    // the piece is still there
	}](w.Browser, "drag")
	if d.Off > 1 || d.Left || len(slices.Compact(d.Places)) < 3 {
		t.Errorf("the piece does not follow: %v pixels off, left behind: %v, %d places", d.Off, d.Left, len(d.Places))
	}
	var gaps []float64
	for i := range d.Times[1:] {
		gaps = append(gaps, d.Times[i+1]-d.Times[i])
	}
	slices.Sort(gaps)
	slices.Sort(d.Handled)
	at := func(all []float64, part float64) float64 { return all[int(part*float64(len(all)-1))] }
	t.Logf("%d frames; between two: median %.1f ms, 95 %% below %.1f ms, at most %.1f ms", len(d.Times), at(gaps, .5), at(gaps, .95), at(gaps, 1))
	t.Logf("%d movements; each: median %.2f ms, 95 %% below %.2f ms, at most %.2f ms", len(d.Handled), at(d.Handled, .5), at(d.Handled, .95), at(d.Handled, 1))
}
