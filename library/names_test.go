package library

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
)

// unusual are names that mean something to SQL, to its patterns, to terminals or to readers of
// text.
var unusual = []string{
	"Robert'); DROP TABLE game;--", `"quoted"`, "it's", "''", "`tick`", "[bracket]", `back\slash`, `\`, "semi;colon", "100%", "%", "_", "a_c", "abc", "a*c",
	"?", "?1", ":name", "@p1", "$x", "--", "/* x */", "NULL", "bad\xff\xfeutf8", "bad\xffutf8", "over\u202eride", "\u202e\u2066\u2069",
	"esc\x1b[31mape", "bell\a", "new\u2028line", "Ünïcode", "日本語", "e\u0301", "\u00e9", "\U0001f407", "\u200b", strings.Repeat("long", 2_500),
}

// direct adds a game to a library whose header has a name everywhere, as no reader of texts gives
// it.
func direct(t *testing.T, im *Import, name string) {
	t.Helper()
	for part := range notation.Parts(notation.NewLines("test", strings.NewReader(short))) {
		p, err := prepare(context.Background(), struct{}{}, &part)
		require.NoError(t, err)
		h := &p.game.Header
		h.Name, h.Gold, h.Silver, h.Event, h.TimeControl = name, name, "other", name, name
		require.NoError(t, im.add("file "+name, &p, map[[16]byte]int{}))
	}
}

// TestNames imports games whose players, events, files and ids have unusual names, directly and
// from a text, whose reader replaces what terminals would act on. Each is found by exactly the name
// it has.
func TestNames(t *testing.T) {
	l := importText(t, 1, short)
	text := "id\twusername\tevent\tmovelist\n"
	for _, name := range unusual {
		text += strings.Join([]string{name, name, name, strings.ReplaceAll(strings.TrimSpace(short), "\n", `\n`)}, "\t") + "\n"
	}
	if im := addText(t, l, 1, "text", text); im.Added != len(unusual) {
		t.Errorf("%+v", im)
	}
	require.NoError(t, l.Verify(context.Background(), func(int) {}))
	im, err := l.Import()
	require.NoError(t, err)
	var valid []string // readers never give other ones
	for _, name := range unusual {
		if utf8.ValidString(name) {
			valid = append(valid, name)
			direct(t, im, name)
		}
	}
	require.NoError(t, im.Close())
	games := all(t, l, &Filter{})
	for i, name := range valid {
		if g := games[1+len(unusual)+i]; g.Gold != name || g.Event != name || g.Name != name || g.Source != "file "+name {
			t.Errorf("%q: %+v of %q", name, g.Header, g.Source)
		}
	}
	fold := strings.EqualFold
	part := func(got, want string) bool { return strings.Contains(strings.ToLower(got), strings.ToLower(want)) }
	for _, g := range games[1:] {
		if strings.Contains(g.Gold+g.Name, "*") {
			continue // it stands for any characters
		}
		for what, c := range map[string]struct {
			f     Filter
			wants func(o *Game) bool
		}{
			"player":   {Filter{Player: g.Gold}, func(o *Game) bool { return fold(o.Gold, g.Gold) }},
			"gold":     {Filter{Gold: g.Gold}, func(o *Game) bool { return fold(o.Gold, g.Gold) }},
			"opponent": {Filter{Player: "other", Opponent: g.Gold}, func(o *Game) bool { return o.Silver == "other" && fold(o.Gold, g.Gold) }},
			"event":    {Filter{Event: g.Event}, func(o *Game) bool { return part(o.Event, g.Event) }},
			"id":       {Filter{Name: g.Name}, func(o *Game) bool { return o.Name == g.Name }},
			"source":   {Filter{Source: g.Source}, func(o *Game) bool { return fold(o.Source, g.Source) }},
		} {
			var want, got []int64
			for _, o := range games[1:] {
				if c.wants(o) {
					want = append(want, o.ID)
				}
			}
			for _, o := range all(t, l, &c.f) {
				got = append(got, o.ID)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%.100q as %s: games %v, want %v", g.Gold, what, got, want)
			}
		}
	}
	if n, err := selected(t, l, "SELECT DISTINCT gold FROM games", Limits{}); err != nil || n <= len(valid) {
		t.Errorf("%d names: %v", n, err)
	}
	if got := fmt.Sprint(l.Totals(context.Background())); !strings.HasPrefix(got, fmt.Sprintf("{%d ", 1+len(valid)+len(unusual))) {
		t.Errorf("totals: %s", got)
	}
}
