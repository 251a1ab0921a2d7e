package studio_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"goalproof/studio"
)

// game is a short game that ends by a goal.
var game = studio.Study{Position: "Ra4 Eb2 rh5 eg7 g", Turns: []string{"Ra4n Ra5n", "rh5s", "Ra6n Ra7n"}}

// TestReview reviews a game. The page needs no token, only its secret name, and can do nothing to
// the studio.
func TestReview(t *testing.T) {
	c := start(t, studio.Options{})
	r := c.work(task{Kind: "review", Study: &game, WinIn: 1, Name: "<b>race</b>", Seconds: 60})
	if r.Verdict != "reviewed" || r.Says == "" || !strings.HasPrefix(r.Page, "/pages/") || len(r.Page) < 30 {
		t.Fatalf("%+v", r)
	}
	request := c.request("GET", r.Page, nil)
	request.Header.Del("Authorization")
	status, page, h := c.do(request)
	policy := h.Get("Content-Security-Policy")
	if status != 200 || !strings.Contains(page, "Ra4n Ra5n") || strings.Contains(page, "<b>race") || strings.Contains(page, c.token) {
		t.Errorf("%d %.200s", status, page)
	}
	if !strings.HasPrefix(policy, "sandbox allow-scripts; default-src 'none'") || strings.Contains(policy, "allow-same-origin") {
		t.Errorf("the policy of the page: %s", policy)
	}
	for _, path := range []string{"/pages/", "/pages/x", r.Page + "x", r.Page[:len(r.Page)-1]} {
		if status, _, _ := c.do(c.request("GET", path, nil)); status != 404 {
			t.Errorf("%s: %d", path, status)
		}
	}
	data := ask[struct {
		Complete  bool
		Positions []map[string]any
		Moments   []any
		Review    map[string]any
	}](c, "GET", "/api/jobs/"+c.jobs()[0].ID+"/review", nil)
	if !data.Complete || len(data.Positions) != 4 || data.Moments == nil || data.Review["headline"] != r.Says {
		t.Errorf("as data: %+v", data)
	}
	fields := slices.Sorted(maps.Keys(data.Positions[0]))
	same(t, "the fields of a position", strings.Fields("better chance examined facts label moment others played proved remark side sign within"), fields)
	c.refusedFor(404, "no such job", "GET", "/api/jobs/x/review", nil)
	refuses(c, "/api/jobs", map[string]task{
		"no study":             {Kind: "review"},
		"one at least":         {Kind: "review", Study: &studio.Study{Position: game.Position}},
		`unknown field "text"`: {Kind: "review", Study: &game, Text: "x"},
		"win_in -1":            {Kind: "review", Study: &game, WinIn: -1},
		"turn 2s: ra1n":        {Kind: "review", Study: &studio.Study{Position: game.Position, Turns: []string{"Ra4n", "ra1n"}}},
	})
}
