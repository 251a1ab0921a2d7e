package studio_test

import (
	"strings"
	"testing"

	"goalproof/studio"
)

// TestPicture draws a board with marks, in a view and as a file.
func TestPicture(t *testing.T) {
	c := start(t, studio.Options{})
	body := func(marks ...string) map[string]any {
		return map[string]any{"study": studio.Study{Position: "Ed4 rd5 Ra1 ra8 g"}, "show": "Ed4w", "marks": marks}
	}
	v := viewOf(c, "view", body("d5", "a1a8", "d4e6"))
	classes := map[string]int{}
	for _, s := range v.Shapes {
		classes[s.Class]++
	}
	if classes["ring"] != 1 || classes["pointer"] != 2 || classes["own"] != 1 {
		t.Errorf("drawn: %v", classes)
	}
	if !strings.Contains(v.Shows, "Marks: d5, a1 to a8, d4 to e6.") {
		t.Errorf("for screen readers: %s", v.Shows)
	}
	type answer struct{ SVG string }
	svg := ask[answer](c, "POST", "/api/picture", body("d5", "a1a8")).SVG
	if !strings.HasPrefix(svg, "<svg xmlns=") || strings.Count(svg, `class="pointer"`) != 1 || strings.Count(svg, `class="own"`) != 1 {
		t.Errorf("the file: %s", svg)
	}
	for _, wrong := range []string{"", "d", "d9", "i4", "d4d4", "d4e", "d4e9", "<script>", "d4e6f7"} {
		for _, path := range []string{"view", "picture"} {
			c.refusedFor(0, "marks:", "POST", "/api/"+path, body(wrong))
		}
	}
	many := make([]string, 201)
	for i := range many {
		many[i] = "a1"
	}
	c.refusedFor(0, "there may be 200", "POST", "/api/view", body(many...))
	viewOf(c, "view", body(many[1:]...))
}
