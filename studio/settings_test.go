package studio_test

import (
	"sync"
	"testing"

	"goalproof/studio"
)

// settings are those of the page.
type settings struct {
	Theme, Pieces                          string
	Coordinates, Sounds, Animate, Analysis bool
	Width                                  int
}

func defaults() settings {
	return settings{Coordinates: true, Animate: true, Width: 5}
}

// TestSettings changes settings: a studio that is started later knows them. Without a workspace
// they last as long as the studio.
func TestSettings(t *testing.T) {
	root := workspace(t)
	for _, o := range []studio.Options{{Workspace: root}, {}} {
		c := start(t, o)
		get := func(c *client) settings {
			t.Helper()
			return ask[settings](c, "GET", "/api/settings", nil)
		}
		same(t, "without a file", defaults(), get(c))
		want := settings{Theme: "contrast", Pieces: "letters", Sounds: true, Analysis: true, Width: 10}
		all := map[string]any{"theme": "contrast", "pieces": "letters", "coordinates": false, "sounds": true, "animate": false, "analysis": true, "width": 10}
		same(t, "all", want, ask[settings](c, "POST", "/api/settings", all))
		want.Theme, want.Animate = "", true
		same(t, "two of them", want, ask[settings](c, "POST", "/api/settings", map[string]any{"theme": "", "animate": true, "width": nil}))
		same(t, "none", want, ask[settings](c, "POST", "/api/settings", struct{}{}))
		for why, body := range map[string]any{
			`theme "red": it is light, dark, contrast or nothing`: map[string]any{"theme": "red", "sounds": false},
			`pieces "<b>": it is drawn, flat, letters or nothing`: map[string]any{"pieces": "<b>"},
			"width 0: it is 1 to 10":                              map[string]any{"width": 0},
			"width 11: it is 1 to 10":                             map[string]any{"width": 11},
		} {
			c.refusedFor(422, why, "POST", "/api/settings", body)
		}
		for _, body := range []any{map[string]any{"sounds": "yes"}, map[string]any{"version": 1}, map[string]any{"width": 1e99}, []int{}} {
			c.refusedFor(400, "", "POST", "/api/settings", body)
		}
		same(t, "after refusals", want, get(c))
		var wait sync.WaitGroup
		for _, body := range []any{map[string]any{"theme": "dark"}, map[string]any{"pieces": "flat"}, map[string]any{"coordinates": true}, map[string]any{"width": 1}} {
			wait.Go(func() {
				if status, text, _ := c.do(c.request("POST", "/api/settings", body)); status != 200 {
					t.Errorf("%d %s", status, text)
				}
			})
		}
		wait.Wait()
		want = settings{Theme: "dark", Pieces: "flat", Coordinates: true, Sounds: true, Animate: true, Analysis: true, Width: 1}
		same(t, "of many windows", want, get(c))
		if o.Workspace == nil {
			want = defaults()
		}
		same(t, "in a later studio", want, get(start(t, o)))
	}
}

// TestSettingsNotKept cannot write the file: the settings stay as they are.
func TestSettingsNotKept(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	if err := root.Mkdir("settings.json", 0o777); err != nil {
		t.Fatal(err)
	}
	c.refusedFor(422, "the settings were not saved", "POST", "/api/settings", map[string]any{"sounds": true})
	same(t, "settings", defaults(), ask[settings](c, "GET", "/api/settings", nil))
}
