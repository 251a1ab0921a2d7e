package puzzles

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
	"goalproof/solve"
)

// TestOrigin writes a report twice: only the line that says when it was made differs.
func TestOrigin(t *testing.T) {
	two := example(t, "win-in-2.txt")
	two.Claim = 3
	report := NewReport("A set")
	for _, r := range all(t, []Puzzle{two}, Options{}) {
		report.Add(&r)
	}
	o := Origin{Version: "v1.2.3", Limits: "1s for each <puzzle>", Command: "goalproof verify 'a b'"}
	write := func(o Origin) []string {
		var b bytes.Buffer
		require.NoError(t, report.Write(&b, "One puzzle.", o))
		return strings.Split(b.String(), "\n")
	}
	none := write(o)
	o.Made, o.Took = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), 1250*time.Millisecond
	first := write(o)
	o.Made, o.Took = o.Made.Add(time.Hour), time.Minute
	second := write(o)
	for _, want := range []string{
		`<p class="note">Limits: 1s for each &lt;puzzle&gt;.</p>`,
		`<p class="note">Command: <code>goalproof verify &#39;a b&#39;</code></p>`,
		`<p class="note">Version: goalproof v1.2.3.</p>`,
		`<p class="note" id="made">Made on 2 January 2026, 03:04:05 UTC, in 1.2 s.</p>`,
	} {
		if !slices.Contains(first, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if len(first) != len(second) || len(none) != len(first)-1 {
		t.Fatalf("%d, %d and %d lines", len(none), len(first), len(second))
	}
	for i := range first {
		if made := strings.Contains(first[i], `id="made"`); (first[i] != second[i]) != made {
			t.Errorf("line %d: %q, then %q", i+1, first[i], second[i])
		}
	}
}

// TestOrderAndColour checks that false claims come first, and that no certificate looks accepted
// that was not checked in full.
func TestOrderAndColour(t *testing.T) {
	position := example(t, "win-in-2.txt").Position
	report := NewReport("A set")
	for _, c := range []struct {
		name        string
		claim       int
		certificate Certificate
	}{{"a", 2, Accepted}, {"b", 1, Sampled}, {"c", 2, Written}, {"d", 3, Rejected}} {
		report.Add(&Result{Puzzle: Puzzle{Name: c.name, Position: position, Claim: c.claim}, Verdict: answer.Proved, Bounds: answer.Bounds{Within: 2, Refuted: 1}, Certificate: c.certificate})
	}
	page := pageOf(t, report)
	var names []string
	for _, part := range strings.Split(page, "<h2>")[1:] {
		names = append(names, part[:1])
	}
	same(t, "false claims first", names, "b", "d", "a", "c")
	for _, want := range []string{
		`<span class="good">certificate accepted</span>`, `<span class="open">certificate sampled, which is no proof</span>`,
		`<span>certificate written, not checked</span>`, `<span class="bad">certificate rejected</span>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// TestNumbered checks the labels of a line: the number grows when Gold is to move again, and is
// that of the game where it is known.
func TestNumbered(t *testing.T) {
	line := []string{"ra2s", "Ra1n", "ra2e"}
	const position = "[r                                      R                        ]"
	for text, want := range map[string][]string{
		"s " + position: {"1s ra2s", "2g Ra1n", "2s ra2e"},
		"g " + position: {"1g ra2s", "1s Ra1n", "2g ra2e"},
		"1w Ra1\n1b rh8\n2w Ra1n\n2b rh8w\n3w Ra2n\n3b":                                                      {"3s ra2s", "4g Ra1n", "4s ra2e"},
		`{"position":"s [       r                                                        ]","history":null}`: {"1s ra2s", "2g Ra1n", "2s ra2e"},
		"position\n" + "s " + position + "\n":                                                                {"1s ra2s", "2g Ra1n", "2s ra2e"},
		"id\tmovelist\tstartmove\nx\t1w Ra1\\n1b rh8\\n2w Ra1n\\n2b rh8w\\n3w Ra2n\\n3b\t2b\n":               {"2s ra2s", "3g Ra1n", "3s ra2e"},
		"mode=selfPlay\n&movelist=1w Ra1%0d1b rh8%0d2w Ra1n%0d2b rh8w%0d&startmove=2w\n":                     {"2g ra2s", "2s Ra1n", "3g ra2e"},
	} {
		for _, p := range parseAll("text", text) {
			if p.Err != nil {
				t.Errorf("%s: %v", text, p.Err)
			}
			same(t, text, arimaa.Labelled(p.Number, p.Position.Side(), line), want...)
		}
	}
	games := 0
	text := "id\tmovelist\nx\t1w Ra1\\n1b rh8\\n2w Ra1n\\n2b rh8w\\n3w Ra2n\\n3b\n"
	var labels []string
	for p := range Places(notation.Parts(notation.NewLines("games", strings.NewReader(text))), &games) {
		labels = append(labels, p.Name, arimaa.Labelled(p.Number, p.Position.Side(), line[:1])[0])
	}
	same(t, "places", labels, "x 2g", "2g ra2s", "x 2s", "2s ra2s", "x 3g", "3g ra2s", "x 3s", "3s ra2s")
}

// TestGaps checks what counts as not known.
func TestGaps(t *testing.T) {
	for _, c := range []struct {
		claim int
		a     solve.Answer
		truth string
		open  []Gap
	}{
		{2, solve.Answer{Verdict: answer.Proved, Bounds: answer.Bounds{Within: 2, Refuted: 1}}, "win in 2", nil},
		{2, solve.Answer{Verdict: answer.Proved, Bounds: answer.Bounds{Within: 2, Refuted: 1}, Listing: answer.Time}, "win in 2", []Gap{{"list of solutions", "time is up"}}},
		{2, solve.Answer{Verdict: answer.Disproved, Bounds: answer.Bounds{Refuted: 2}}, "no win in 2", nil},
		{2, solve.Answer{Bounds: answer.Bounds{Refuted: 1}, Stop: answer.Memory}, "no win in 1", []Gap{{"verdict", "memory is full"}}},
		{2, solve.Answer{Stop: answer.Memory}, "unknown", []Gap{{"verdict", "memory is full"}}},
		{0, solve.Answer{Bounds: answer.Bounds{Refuted: 1}, Stop: answer.Nodes}, "no win in 1", []Gap{{"longer wins", "the nodes are spent"}}},
		{0, solve.Answer{Stop: answer.Nodes}, "unknown", []Gap{{"verdict", "the nodes are spent"}}},
		{0, solve.Answer{}, "error", nil},
		{0, solve.Answer{Verdict: answer.Proved, Bounds: answer.Bounds{Within: 4, Refuted: 1}, Stop: answer.Interrupted}, "win in at most 4", []Gap{{"least number of turns", "interrupted"}}},
	} {
		r := Result{Puzzle: Puzzle{Claim: c.claim}}
		r.answer(c.a)
		if r.Truth() != c.truth || !slices.Equal(r.Open, c.open) {
			t.Errorf("claim %d, %+v: %q, open is %v, want %q, %v", c.claim, c.a, r.Truth(), r.Open, c.truth, c.open)
		}
	}
}

// pageOf returns the page of a report.
func pageOf(t *testing.T, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, r.Write(&b, "A <summary>.", Origin{}))
	return b.String()
}

// same reports a difference of lists.
func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
