package notation_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	archive "goalproof/internal/testkit/published/games"
	"goalproof/internal/testkit/require"
)

// heldBy has what each form holds besides the position and the side to move, and whether its text
// can still be read when line ends become blanks (joined), or blanks line ends (split).
var heldBy = map[string]struct {
	parts         string
	joined, split bool
}{
	"board":     {"number", false, false},
	"short":     {"", true, false},
	"ranks":     {"number", true, true},
	"4steps":    {"", true, false}, // one piece a line are turns without labels
	"link":      {"", true, true},
	"post":      {"number claim solution", false, false},
	"puzzle":    {"number title claim solution", true, true}, // its turns are in the text, but it is read as a position
	"turns":     {"number turns end", true, true},
	"annotated": {"number turns end result players tags title comments marks variations", true, true},
	"archive":   {"number turns end result players tags", false, false},
	"aei":       {"number turns", false, false},
}

// lostAs says how Form.Write names a part that a form does not hold.
var lostAs = map[string]string{
	"number": "the number of the turn", "turns": "the turns before", "end": "how the game ended", "result": "how the game ended",
	"players": "the tags", "tags": "the tags", "title": "the tags", "comments": "the comments", "marks": "the marks",
	"variations": "the variations", "claim": "the claim", "solution": "the solution",
}

// partsOf returns the parts of what is written or read, each as a text; those that are not there
// are left out.
func partsOf(w notation.Written) map[string]string {
	g, tags := w.Game.Main, w.Game.Tags
	all := map[string]string{
		"end": g.End(), "result": tags["Result"] + tags["ResultCode"], "players": tags["Gold"] + " " + tags["Silver"], "solution": w.Solution, "title": tags["title"],
	}
	if g.Outcome().Over() || g.End() != "" || all["result"] == "*" {
		delete(all, "result") // it is known without
	}
	if number := g.Number(g.Len()); number != arimaa.FirstTurn {
		all["number"] = fmt.Sprint(number)
	}
	for i := range g.Len() {
		p := g.Position(i)
		all["turns"] += fmt.Sprintln(p, p.Notation(g.Turn(i)))
	}
	for _, name := range slices.Sorted(maps.Keys(tags)) {
		if !slices.Contains([]string{"Result", "ResultCode", "Gold", "Silver", "title", "chat"}, name) {
			all["tags"] += name + "=" + tags[name] + ";"
		}
	}
	if w.Claim > 0 {
		all["claim"] = fmt.Sprint(w.Claim)
	}
	for i, n := range w.Game.Nodes {
		if n.Sign != "" {
			all["marks"] += fmt.Sprint(i, n.Sign)
		}
		if n.Comment != "" {
			all["comments"] += fmt.Sprintln(i, n.Comment)
		}
	}
	if len(w.Game.Nodes) > g.Len()+1 {
		for _, n := range w.Game.Nodes {
			all["variations"] += fmt.Sprintln(n.Parent, n.Turn)
		}
	}
	for name, text := range all {
		if strings.TrimSpace(text) == "" {
			delete(all, name)
		}
	}
	return all
}

// holds reports whether a form holds a part of what is written.
func holds(form, part string, w notation.Written) bool {
	g := w.Game.Main
	last := g.Last()
	switch {
	case part == "number" && form == "turns" && g.Len() == 0 && g.End() == "" && last.Side() == arimaa.Gold: // see Turns
		return false
	case part == "number" && form == "aei" && g.Number(0) != arimaa.FirstTurn: // it has no label
		return false
	}
	return slices.Contains(strings.Fields(heldBy[form].parts), part)
}

// compared returns how what is read differs from what was written in a form, "" if it does not in
// the position and these parts, as far as the form holds them.
func compared(form, text string, e notation.Entry, w notation.Written, parts string) string {
	again, err := e.Written()
	if err != nil {
		return err.Error()
	}
	if w.Game.Tags["Source"] == "" && form == "archive" {
		delete(again.Game.Tags, "Source") // a row always has an id
	}
	if got, want := again.Game.Main.Last(), w.Game.Main.Last(); got != want {
		return fmt.Sprintf("%v is read as %v", want, got)
	}
	got, want := partsOf(again), partsOf(w)
	for part := range strings.FieldsSeq(parts) {
		if got[part] != want[part] && holds(form, part, w) {
			return fmt.Sprintf("%s: %q is read as %q", part, want[part], got[part])
		}
	}
	return ""
}

// checkLost checks that what is lost is named, and nothing else.
func checkLost(t fataler, form string, lost []string, w notation.Written) {
	t.Helper()
	var want []string
	for part := range partsOf(w) {
		if !holds(form, part, w) && (part != "turns" || form != "puzzle") { // its text has them
			want = append(want, lostAs[part])
		}
	}
	slices.Sort(want)
	lost = slices.Sorted(slices.Values(lost))
	if want = slices.Compact(want); !slices.Equal(want, lost) {
		t.Fatalf("%s: %v are named as lost, want %v", form, lost, want)
	}
}

// decorations are what happens to texts on their way.
var decorations = []struct {
	name   string
	change func(text string) string
}{
	{"plain", func(text string) string { return text }},
	{"quoted", func(text string) string {
		return "> " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n> ") + "\n"
	}},
	{"CRLF", func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }},
	{"joined", func(text string) string { return strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", " ") + "\n" }},
	{"split", func(text string) string { return strings.ReplaceAll(text, " ", "\n") }},
}

// corpus has what was checked, by form and decoration: how the first text differs that is not read
// as what was written, "" if all are.
type corpus map[string]string

// check writes a game in every form, with every decoration, and reads it again.
func (c corpus) check(t *testing.T, name string, w notation.Written) {
	t.Helper()
	for _, f := range notation.Forms() {
		text, lost := f.Write(w)
		checkLost(t, f.Name, lost, w)
		text = f.Head + text
		for _, d := range decorations {
			key := f.Name + " " + d.name
			changed := d.change(text)
			survives := (d.name != "joined" || heldBy[f.Name].joined) && (d.name != "split" || heldBy[f.Name].split)
			if c[key] != "" {
				continue
			}
			if c[key] = readAgain(f.Name, changed, w, survives); c[key] != "" {
				c[key] = fmt.Sprintf("%s: %s\n%.3000s", name, c[key], changed)
			}
		}
	}
}

// readAgain reads a text and returns how it differs from what was written, "" if it does not. A
// text that does not survive may be refused, and may lose what stands beside its turns, but is not
// misread without a word.
func readAgain(form, text string, w notation.Written, survives bool) (why string) {
	n, parts := 0, heldBy[form].parts
	if !survives {
		parts = "number turns"
	}
	for e, err := range entries("f", text) {
		switch {
		case err != nil && survives:
			return err.Error()
		case err != nil:
			return ""
		}
		if why == "" {
			why = compared(form, text, e, w, parts)
		}
		n++
	}
	if n != 1 {
		return cmp.Or(why, fmt.Sprintf("%d entries", n))
	}
	return why
}

// annotatedAs returns a game with comments, marks and variations: at every tenth turn another legal
// turn, and a reply to it.
func annotatedAs(t *testing.T, g *arimaa.Game, tags map[string]string) *notation.Annotated {
	t.Helper()
	a := notation.Line(g)
	a.Tags = tags
	a.Nodes[0].Comment = "A game of the archive – invented comments"
	other := func(h *arimaa.Game) (arimaa.Turn, bool) {
		p := h.Last()
		for _, o := range p.Options(nil) {
			if turn := (arimaa.Turn{}).WithOption(o); (h.Len() >= g.Len() || turn != g.Turn(h.Len())) && h.Play(turn) == nil {
				return turn, true
			}
		}
		return arimaa.Turn{}, false
	}
	for i := g.Len() - 1; i >= 0; i-- { // as the nodes of a text are in order
		if i%7 == 3 {
			a.Nodes[i+1].Comment = fmt.Sprintf("after turn %s: good (or not); %d%%", g.Label(i), i)
		}
		if i%5 == 2 {
			a.Nodes[i+1].Sign = []string{"!", "?!", "??"}[i%3]
		}
		if i%10 != 9 {
			continue
		}
		h := g.At(i)
		turn, ok := other(h)
		if !ok {
			continue
		}
		a.Nodes = append(a.Nodes, notation.Node{Parent: i, Turn: turn, Sign: "?", Comment: "instead"})
		if h.Outcome().Over() {
			continue
		}
		if reply, ok := other(h); ok {
			a.Nodes = append(a.Nodes, notation.Node{Parent: len(a.Nodes) - 1, Turn: reply})
		}
	}
	return a
}

// TestCorpus writes published games in every form, as people pass texts on, and reads them again.
// Nothing is lost that the form can hold, and what is lost is named.
func TestCorpus(t *testing.T) {
	c := corpus{}
	var games []archive.Game
	for _, file := range []string{"archive-2026.tsv", "archive-2002.tsv"} {
		all := archive.Of(t, file)
		games = append(games, all[:min(len(all), boards.Sized(3, 10_000))]...)
	}
	for i, g := range games {
		a := annotatedAs(t, g.Game, g.Record.Tags())
		c.check(t, "game "+g.Record.ID, notation.Written{Game: a})

		// The position before the last turn, as a puzzle; and the game resigned there.
		last := g.Len() - 1
		p := g.Position(last)
		before := a.At(last)
		before.Tags = map[string]string{"title": fmt.Sprintf("Puzzle %d & 100%%", i)}
		c.check(t, "puzzle "+g.Record.ID, notation.Written{Game: before, Claim: 1 + i%3, Solution: p.Notation(g.Turn(last))})
		resigned := a.At(last)
		resigned.Tags = nil
		resigned.Main.SetEnd("resigns")
		c.check(t, "resigned "+g.Record.ID, notation.Written{Game: resigned})
		c.check(t, "position of "+g.Record.ID, notation.Written{Game: notation.Line(arimaa.NewGame(p, g.Number(last)))})
	}
	for key, why := range c {
		if why != "" {
			t.Errorf("%s: %s", key, why)
		}
	}
}

// TestSeveral writes several entries in each form of which a text can hold several, and reads them
// again.
func TestSeveral(t *testing.T) {
	for _, f := range notation.Forms() {
		if !f.Several {
			continue
		}
		text := f.Head
		type entry struct {
			position arimaa.Position
			claim    int
			solution string
		}
		var want, got []entry
		for i, turn := range []string{"Ee2n Ee3n", "Ee2e", "Ra1e", "Ra1n"} {
			g, err := notation.ReadGame("f", "1w Ra1 Ee2\n1b rh8 eh7\n2w "+turn+"\n2b eh7w")
			require.NoError(t, err)
			w := notation.Written{Game: notation.Line(g), Name: fmt.Sprint(i), Claim: i % 3, Solution: []string{"", "Ef2w", "", ""}[i]}
			part, lost := f.Write(w)
			if text += part + "\n"; slices.Contains(lost, "the claim") {
				w.Claim = 0
			}
			if slices.Contains(lost, "the solution") {
				w.Solution = ""
			}
			want = append(want, entry{g.Last(), w.Claim, w.Solution})
		}
		for e, err := range entries("f", text) {
			require.NoError(t, err)
			w, err := e.Written()
			require.NoError(t, err)
			if len(e.Notes) > 0 {
				t.Errorf("%s: %+v", f.Name, e.Notes)
			}
			got = append(got, entry{w.Game.Main.Last(), w.Claim, w.Solution})
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v, from\n%s", f.Name, got, want, text)
		}
	}
}

// TestAt cuts a game with variations: what stands before is kept, and the tags no longer say how it
// ended.
func TestAt(t *testing.T) {
	const text = "[Gold \"ann\"]\n[Result \"1-0\"]\n[ResultCode \"r\"]\n\n{first} 1g Ra1 Ee2 1s ra8 ee7\n2g Ee2n {a}\n(\n2g Ra1n {b}\n2s ee7s\n)\n" +
		"2s ee7s ! {c}\n(\n2s ee7w\n)\n3g Ee3n {d}\n(\n3g Ra1n\n)\n1-0\n"
	a, err := notation.ReadVariations("game", text)
	require.NoError(t, err)
	const head, second, third = "[Gold \"ann\"]\n[Result \"*\"]\n\n{first}\n1g Ra1 Ee2\n1s ra8 ee7\n", "2g Ee2n {a}\n(\n2g Ra1n {b}\n2s ee7s\n)\n", "2s ee7s ! {c}\n(\n2s ee7w\n)\n"
	for i, want := range []string{head + "*\n", head + second + "*\n", head + second + third + "*\n"} {
		if got := a.At(i).Write(); got != want {
			t.Errorf("before turn %d:\n%s\nwant\n%s", i, got, want)
		}
	}
	if a.At(3) != a || a.Tags["Result"] != "1-0" {
		t.Errorf("the whole game: %v", a.Tags)
	}
}
