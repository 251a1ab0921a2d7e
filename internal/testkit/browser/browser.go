// Package browser opens pages in headless Chromium, for tests with the build tag browser: it
// presses keys, asks the page for values, takes pictures, and looks for what would keep somebody
// from using it.
package browser

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// The widths at which pages are looked at, and the height of the window, in pixels.
const (
	Desktop = 1280
	Phone   = 390
	height  = 900
)

// Browser is Chromium with a page open.
type Browser struct {
	*testing.T
	ctx      context.Context
	address  string
	mu       sync.Mutex
	requests []string // of the page
}

// Open writes a page to a file and opens it as Visit does.
func Open(t *testing.T, page string) *Browser {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	return Visit(t, (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String())
}

// Visit opens an address at the width of a desktop. It fails the test if there is no Chromium. The
// profile is a new one, and nothing of the browser's own goes to the network.
func Visit(t *testing.T, address string) *Browser {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Fatal("Chromium is not installed: tests with the tag browser need it (apt-get install chromium)")
	}
	profile, err := os.MkdirTemp("", "chromium")
	if err != nil {
		t.Fatal(err)
	}
	// What a process of the browser writes while it is killed may be left behind; the test is not
	// about that.
	t.Cleanup(func() { os.RemoveAll(profile) })
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, chromedp.ExecPath(program), chromedp.UserDataDir(profile),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true))
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &Browser{T: t, ctx: ctx}
	err = chromedp.Listen(ctx, func(event any) {
		if e, ok := event.(*network.EventRequestWillBeSent); ok {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.requests = append(b.requests, e.Request.URL)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	b.address = address
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, network.Enable, network.EnableParams{})
		return err
	}), chromedp.EmulateViewport(Desktop, height), chromedp.Navigate(b.address))
	return b
}

// do runs actions.
func (b *Browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// Press presses a key.
func (b *Browser) Press(key string) {
	b.Helper()
	b.do(chromedp.KeyEvent(key))
}

// Click clicks on a place of the window, in pixels.
func (b *Browser) Click(x, y float64, with ...chromedp.MouseOption) {
	b.Helper()
	b.do(chromedp.MouseClickXY(x, y, with...))
}

// Drag presses the mouse at a place of the window, moves it to another one in some steps, and lets
// it go there.
func (b *Browser) Drag(x1, y1, x2, y2 float64) {
	b.Helper()
	const steps = 5
	actions := []chromedp.Action[chromedp.Void]{chromedp.MouseEvent(chromedp.MouseMoved, x1, y1),
		chromedp.MouseEvent(chromedp.MousePressed, x1, y1, chromedp.ButtonLeft)}
	for i := 1.0; i <= steps; i++ {
		actions = append(actions, chromedp.MouseEvent(chromedp.MouseMoved, x1+(x2-x1)*i/steps, y1+(y2-y1)*i/steps, chromedp.ButtonLeft))
	}
	b.do(append(actions, chromedp.MouseEvent(chromedp.MouseReleased, x2, y2, chromedp.ButtonLeft))...)
}

// Reload loads the page again.
func (b *Browser) Reload() {
	b.Helper()
	b.do(chromedp.Reload())
}

// Evaluate asks the page for a value. If the page is left before it has answered, the next one is
// asked.
func Evaluate[V any](b *Browser, script string) V {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[V](script))
	for range 100 {
		if err == nil || !strings.Contains(err.Error(), "target navigated") {
			break
		}
		time.Sleep(50 * time.Millisecond)
		v, err = chromedp.Run(b.ctx, chromedp.Evaluate[V](script))
	}
	if err != nil {
		b.Fatalf("%s: %v", script, err)
	}
	return v
}

// Until waits until a condition holds on the page, for a minute at most.
func (b *Browser) Until(what, condition string) {
	b.Helper()
	for range 1200 {
		if Evaluate[bool](b, "!!("+condition+")") {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.Fatalf("%s: after a minute not %s", what, condition)
}

// Width gives the window a width in pixels, that of a phone with a touch screen.
func (b *Browser) Width(width int) {
	b.Helper()
	b.Window(width, height, width <= Phone)
}

// Window gives the window a size in pixels; touch makes it that of a phone with a touch screen.
func (b *Browser) Window(width, height int, touch bool) {
	b.Helper()
	var with []chromedp.EmulateViewportOption
	if touch {
		with = append(with, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	b.do(chromedp.EmulateViewport(int64(width), int64(height), with...))
}

// Check looks for what keeps people from using the page as it is now.
func (b *Browser) Check(what string) {
	b.Helper()
	b.accessible(what)
	b.axe(what)
}

// Media chooses a medium, screen or print, and a light or dark scheme.
func (b *Browser) Media(medium, scheme string) {
	b.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: medium,
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return err
	}))
}

// Shoot writes a picture of the whole page to a directory, unless that is "".
func (b *Browser) Shoot(directory, name string) {
	b.Helper()
	if directory == "" {
		return
	}
	picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.Fatal(err)
	}
	name = strings.ReplaceAll(b.Name(), "/", "-") + "-" + name + ".png"
	if err := os.WriteFile(filepath.Join(directory, name), picture, 0o666); err != nil {
		b.Fatal(err)
	}
}

// Look takes pictures of the page at both widths, light and dark, and looks for what keeps people
// from using it.
func (b *Browser) Look(directory string) {
	b.Helper()
	for _, scheme := range []string{"light", "dark"} {
		b.Media("screen", scheme)
		for name, width := range map[string]int{"desktop": Desktop, "phone": Phone} {
			b.Width(width)
			b.Check(scheme + " " + name)
			b.Shoot(directory, name+"-"+scheme)
		}
	}
	b.Width(Desktop)
	b.Media("print", "light")
	b.Shoot(directory, "print")
	b.Media("", "light")
}

// Alone checks that the page has asked for nothing but itself.
func (b *Browser) Alone() {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	asked := slices.DeleteFunc(slices.Clone(b.requests), func(s string) bool { return s == "data:," }) // the icon
	if len(asked) != 1 || asked[0] != b.address {
		b.Errorf("the page %s asked for %v", b.address, asked)
	}
}
