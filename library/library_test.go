package library

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/review"
)

// short is a game with both setups and two turns.
const short = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n" +
	"1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7\n" +
	"2g Ee2n Ee3n\n2s ed7s ed6s\n3g Ha2n\n"

// all returns the games that a filter selects.
func all(t testing.TB, l *Library, f *Filter) (games []*Game) {
	for g, err := range l.Games(context.Background(), f, Sort{}) {
		require.NoError(t, err)
		games = append(games, g)
	}
	return games
}

// TestTwins imports records that are equal in everything, or in their turns: none is dropped, and
// the same file again adds nothing.
func TestTwins(t *testing.T) {
	annotated := "[Gold \"ann\"]\n[Silver \"bob\"]\n\n" + short
	text := annotated + "\n" + annotated + "\n" + strings.Replace(annotated, "ann", "cho", 1)
	l := importText(t, 1, text)
	games := all(t, l, &Filter{})
	if len(games) != 3 || games[0].Twin != 0 || games[1].Twin != games[0].ID || games[2].Twin != games[0].ID {
		t.Errorf("%d games, %+v", len(games), games)
	}
	for _, source := range []string{"test", "another name"} {
		if im := addText(t, l, 1, source, text); im.Added != 0 || im.Known != 3 {
			t.Errorf("%s again: %+v", source, im)
		}
	}
	if im := addText(t, l, 1, "more", text+"\n"+annotated); im.Added != 1 || im.Known != 3 || im.Twins != 1 {
		t.Errorf("with one more: %d added, %d known, %d twins", im.Added, im.Known, im.Twins)
	}
	if n := len(all(t, l, &Filter{Twins: true})); n != 4 {
		t.Errorf("%d games have twins", n)
	}
	require.NoError(t, l.Verify(context.Background(), func(int) {}))
}

// TestAnnotated keeps comments, variations, marks and unusual tags, and a record that breaks off.
func TestAnnotated(t *testing.T) {
	text := `[Gold "ann"]
[GoldRating "about 1500"]
[Annotator "dot"]

` + strings.Replace(short, "2s ed7s", "{a {comment}} 2s ed7s", 1)
	text = strings.Replace(text, "2g Ee2n Ee3n", "2g Ee2n Ee3n !? {a comment} (2g Md2n {better})", 1)
	l := importText(t, 1, strings.Replace(text, "{a {comment}} ", "", 1)+"3s resigns\n")
	games := all(t, l, &Filter{})
	if len(games) != 1 {
		t.Fatalf("%d games", len(games))
	}
	w, err := games[0].Written()
	require.NoError(t, err)
	got := w.Game.Write()
	for _, want := range []string{"[Annotator \"dot\"]", "[GoldRating \"about 1500\"]", "!?", "{a comment}", "{better}", "resigns"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is lost:\n%s", want, got)
		}
	}
	if g := games[0]; g.Result != "gold" || g.Ending != "resignation" || g.GoldRating != 0 || g.Turns != 3 {
		t.Errorf("%+v", g.Header)
	}
	if im := addText(t, l, 1, "again", got); im.Known != 1 {
		t.Errorf("what was written is another game: %+v", im)
	}
	require.NoError(t, l.Verify(context.Background(), func(int) {}))
}

// TestSetups asks how both sides set up.
func TestSetups(t *testing.T) {
	mirrored := "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Hh2 Dg2 Cf2 Me2 Ed2 Cc2 Db2 Ha2\n" +
		"1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 hh7 dg7 cf7 ee7 md7 cc7 db7 ha7\n2g Ed2n\n"
	other := strings.Replace(short, "ed7 me7", "me7 ed7", 1)
	other = strings.NewReplacer("me7 ed7", "md7 ee7", "ed7s ed6s", "ee7s ee6s").Replace(other)
	text := ""
	for i, game := range []string{short, short, mirrored, other} {
		text += fmt.Sprintf("[Gold \"p%d\"]\n[Result \"%d-%d\"]\n\n%s\n", i, 1-i&1, i&1, game)
	}
	l := importText(t, 1<<10, text)
	const own, image = "HDCMECDH/RRRRRRRR", "HDCEMCDH/RRRRRRRR"
	for _, c := range []struct {
		after  string
		mirror bool
		want   string
	}{
		{"", false, own + " 3 1, " + image + " 1 1"},
		{"", true, image + " 4 2"},
		{own, false, image + " 2 1, " + own + " 1 0"},
		{own, true, image + " 3 2, " + own + " 1 0"},
		{image, true, own + " 3 2, " + image + " 1 0"},
		{"HD??????/????????", false, image + " 2 1, " + own + " 2 1"},
	} {
		tree, err := l.Setups(context.Background(), c.after, &Filter{Mirrored: c.mirror})
		require.NoError(t, err)
		var got []string
		for _, b := range tree.Branches {
			got = append(got, fmt.Sprint(b.Setup, " ", b.Games, " ", b.Gold))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("after %q, mirrored %t: %v, want %s", c.after, c.mirror, got, c.want)
		}
	}
}

// TestPuzzles imports a set, and finds its puzzles.
func TestPuzzles(t *testing.T) {
	position := "g [r       Rr     r   E dr                    e  r        RR  RR  R]"
	text := "position\tclaim\n" + position + "\t2\n" + boards.Mirror(position) + "\t3\n" + position + "\t2\n"
	l := importText(t, 1, text)
	p := boards.Parse(t, position)
	pattern, err := ParsePattern("Ra7 gold")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		f    PuzzleFilter
		want []int64
	}{
		"all":      {PuzzleFilter{}, []int64{1, 2, 3}},
		"claim":    {PuzzleFilter{Claim: Range{"2", "2"}}, []int64{1, 3}},
		"position": {PuzzleFilter{Position: &p}, []int64{1, 3}},
		"mirrored": {PuzzleFilter{Position: &p, Mirrored: true}, []int64{1, 2, 3}},
		"pattern":  {PuzzleFilter{Pattern: pattern}, []int64{1, 3}},
		"source":   {PuzzleFilter{Source: "te*"}, []int64{1, 2, 3}},
		"none":     {PuzzleFilter{Source: "te"}, nil},
	} {
		var got []int64
		for p, err := range l.Puzzles(context.Background(), &c.f, Sort{}) {
			require.NoError(t, err)
			got = append(got, p.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if im := addText(t, l, 1, "test", text); im.AddedPuzzles != 0 || im.KnownPuzzles != 3 {
		t.Errorf("again: %+v", im)
	}
}

// TestUnreviewed asks for games without a review: a review that found nothing is one.
func TestUnreviewed(t *testing.T) {
	l := importText(t, 1, "[Gold \"ann\"]\n\n"+short+"\n[Gold \"bob\"]\n\n"+short)
	by := newReviewer(t)
	for _, want := range []string{"ann bob", "bob", ""} {
		games := all(t, l, &Filter{Unreviewed: true})
		var names []string
		for _, g := range games {
			names = append(names, g.Gold)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("games without a review: %q, want %q", got, want)
		}
		keep(t, l, quick, games[:min(1, len(games))], func(g *Game) *review.Review { return by.of(t, g, &quick) })
		if n, err := l.Count(t.Context(), &Filter{Finding: "any"}); err != nil || n != 0 {
			t.Errorf("%d games with findings: %v", n, err)
		}
	}
}

// TestRefused asks what means nothing.
func TestRefused(t *testing.T) {
	l := importText(t, 1, short)
	for want, f := range map[string]*Filter{
		"name the player, too":             {Opponent: "ann"},
		"name the player who won":          {Result: "won"},
		"it is one of gold":                {Result: "green"},
		"is no whole number":               {Rating: Range{From: "high"}},
		"write a year, a month or a day":   {Date: Range{From: "June"}},
		"it has no hyphen":                 {Material: "ER"},
		"is no piece":                      {Material: "EX-r"},
		"there are more than 31 of a kind": {Material: "R32-r"},
		"a number is too large":            {Material: "R99999999999999999999-r"},
		"a side without rabbits has lost":  {Class: "E-r"},
		"it has not eight squares":         {Setup: "RRR"},
		"it is the setup of neither side":  {Setup: "Ra5 Rb5"},
	} {
		for _, err := range l.Games(context.Background(), f, Sort{}) {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: %v, want %q", f, err, want)
			}
		}
		if _, err := l.Count(context.Background(), f); err == nil {
			t.Errorf("%+v is counted", f)
		}
	}
	for _, text := range []string{"", "Eb9", "Xb6", "E", "[b6", "[]b6", "Eb6x", "!b6", "Ec-a1", "gold silver", "Ea-", "Ea1-"} {
		if p, err := ParsePattern(text); err == nil {
			t.Errorf("the pattern %q is %+v", text, p)
		}
	}
}

// TestInterrupted ends an import when its context is done: what was read by then is kept.
func TestInterrupted(t *testing.T) {
	l := importText(t, 1, "[Gold \"first\"]\n\n"+short)
	ctx, cancel := context.WithCancel(context.Background())
	im, err := l.Import()
	require.NoError(t, err)
	text := ""
	for i := range 500 {
		text += fmt.Sprintf("[Gold \"p%d\"]\n\n%s\n", i, short)
	}
	read := 0
	err = im.Text(ctx, "test", notation.Parts(notation.NewLines("test", strings.NewReader(text))), func(Read) {
		if read++; read == 20 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the import ended with %v", err)
	}
	require.NoError(t, im.Close())
	if n := len(all(t, l, &Filter{})); n != 1+im.Added || n < 20 || n == 501 {
		t.Errorf("%d games are there, %d were added, %d were read", n, im.Added, read)
	}
	if im := addText(t, l, 1, "test", text); im.Added+im.Known != 500 || im.Known < 20 {
		t.Errorf("the rest: %+v", im)
	}
}

// TestOneImport refuses a second import of a library, and one of a library that was opened for
// reading.
func TestOneImport(t *testing.T) {
	l := importText(t, 1, short)
	first, err := l.Import()
	require.NoError(t, err)
	if _, err := l.Import(); !errors.Is(err, ErrInUse) {
		t.Errorf("a second import: %v", err)
	}
	require.NoError(t, first.Close())
	reader, err := Open(context.Background(), l.path)
	require.NoError(t, err)
	defer reader.Close()
	if _, err := reader.Import(); err == nil {
		t.Error("a library that was opened for reading can be written")
	}
}

// TestNested asks while answers are read, from several goroutines, and verifies the library beside
// an import: each question has its own moment, and none waits for another.
func TestNested(t *testing.T) {
	text, half := "", ""
	for i := range 200 {
		if i == 100 {
			half = text
		}
		text += fmt.Sprintf("[Gold \"p%d\"]\n\n%s\n", i, short)
	}
	l := importText(t, 100, half)
	ctx := context.Background()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for g, err := range l.Games(ctx, &Filter{}, Sort{}) {
				if err != nil || g.ID > 3 {
					break
				}
				if _, err := l.Count(ctx, &Filter{}); err != nil {
					t.Error(err)
				}
			}
			if err := l.Verify(ctx, func(int) {}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Go(func() { addText(t, l, 50, "more", text) })
	all.Wait()
}

// TestDates keeps dates of several forms, and finds them by the day, the month and the year.
func TestDates(t *testing.T) {
	text := ""
	for _, date := range []string{"2020-05-06", "2020.05.06", "2020.05.??", "2020.??.??", "????.??.??", "6 May 2020"} {
		text += fmt.Sprintf("[Date \"%s\"]\n\n%s\n", date, short)
	}
	l := importText(t, 1, text)
	for dates, want := range map[string]int{"2020": 4, "2020-05": 3, "2020-05-06": 2, "2020-06..2021": 0, "..2019": 0} {
		if n := len(all(t, l, &Filter{Date: ParseRange(dates)})); n != want {
			t.Errorf("%s: %d games, want %d", dates, n, want)
		}
	}
	require.NoError(t, l.Verify(context.Background(), func(int) {}))
}

// TestQuotedTags keeps the tags of a game with comments as they are.
func TestQuotedTags(t *testing.T) {
	l := importText(t, 1, "[Gold \"a\\b\"]\n[Event \"the \"big\" one\"]\n\n"+strings.Replace(short, "Ee3n", "Ee3n {a comment}", 1))
	require.NoError(t, l.Verify(context.Background(), func(int) {}))
	for _, g := range all(t, l, &Filter{}) {
		w, err := g.Written()
		require.NoError(t, err)
		if w.Game.Tags["Gold"] != g.Gold || w.Game.Tags["Event"] != g.Event || g.Event == "" {
			t.Errorf("the tags are %v, the columns %+v", w.Game.Tags, g.Header)
		}
	}
}
