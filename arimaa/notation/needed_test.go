package notation

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// plain replaces letters that patterns take for s and k, and that nobody types.
var plain = strings.NewReplacer("\u017f", "s", "\u212a", "k")

// TestNeeded draws texts that a pattern matches: what is looked for before it is tried, because the
// pattern needs it, is in each of them.
func TestNeeded(t *testing.T) {
	small := func(words ...string) func(string) bool {
		return func(text string) bool { return mentions(strings.ToLower(text), words...) }
	}
	for name, c := range map[string]struct {
		pattern *regexp.Regexp
		needed  func(text string) bool
	}{
		"claims": {mayClaim, looksLikeClaim},
		"captions": {mayClaim, func(text string) bool {
			return len(text) > maxCaption || winIn(text) == (winClaim{}) || captionOf(line{text: text}) != (caption{})
		}},
		"rejections":       {rejected, isRejected},
		"who is to move":   {toMove, func(text string) bool { m, both := sideIn(toMove, text); return m.known || both }},
		"solutions":        {solutionBehind, small(solutionWords...)},
		"solution lines":   {solutionLine, small(solutionWords...)},
		"other positions":  {otherLine, small("last", "previous")},
		"tags":             {tagStart, isTagStart},
		"embedded squares": {embedded, mayEmbed},
		"fields":           {ofHeader, small(headings...)},
		"players":          {nextPlayer, func(text string) bool { return small(nextHeadings...)(text[1:]) }},
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text := plain.Replace(rapid.StringMatching(c.pattern.String()).Draw(t, "text"))
				if c.pattern.MatchString(text) && !c.needed(text) {
					t.Fatalf("%q", text)
				}
			})
		})
	}
}
