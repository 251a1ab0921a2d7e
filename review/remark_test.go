package review_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/arimaa"
	"goalproof/review"
)

// TestAnnotated writes a game with comments and variations, and reads it again.
func TestAnnotated(t *testing.T) {
	r := read(t, race)
	r.Gold, r.Silver = "ann", "bob"
	r.Details = arimaa.Details{GoldRating: "1500", SilverRating: "1600", TimeControl: "15s/90s", Event: "friendly"}
	text := play(t, r, 2).Annotated()
	for _, want := range []string{
		"[Gold \"ann\"]\n", "[Result \"0-1\"]\n", "\n1g Ra6 Ee1\n1s ec8 rh7\n",
		"2g Ra6n ?? {THROWS AWAY the win in 1: there is none in 2; the opponent now wins in 2}\n    (2g Ra6n Ra7n {wins in 1})\n",
		"3s rh5s rh4s rh3s rh2s {wins}\n{From 2s on silver has a proved win.} 0-1\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	a, err := arimaa.ReadAnnotated("again", text)
	if err != nil {
		t.Fatal(err)
	}
	again := review.FromTags("test", a)
	if diff := cmp.Diff(r.Game.Turns(), again.Game.Turns()); diff != "" {
		t.Errorf("read again (-want +got):\n%s", diff)
	}
	if want := "test: ann (gold, 1500) - bob (silver, 1600), 15s/90s"; r.Title() != want || again.Title() != want || again.Details != r.Details {
		t.Errorf("titles %q, %q, want %q", r.Title(), again.Title(), want)
	}
	if again.Gold != "ann" || again.Silver != "bob" || again.Winner != arimaa.Silver || again.Ended != "goal" {
		t.Errorf("read again it is %+v", again)
	}
}

// TestAnnotatedPositions does so for games from positions given by hand, with either side to move first.
func TestAnnotatedPositions(t *testing.T) {
	for _, game := range []string{
		"1w Ra1 Ee1\n1b ec8 rh7\n2w pass\n2b rh7s\n3w Ee1n\n",
		"1w Ra1 Ee1\n1b ec8 rh7\n34w Ee1n\n34b\n",
		"1w Ra1 Ee1\n1b ec8 rh7\n34b rh7s\n35w Ee1n\n",
		"1w Ra2 Ee2\n1b ea8 rh5\n2w Ra2n\n2b rh5s rh4s rh3s rh2s\n",
	} {
		r := read(t, game)
		text := play(t, r, 1).Annotated()
		a, err := arimaa.ReadAnnotated("again", text)
		if err != nil {
			t.Errorf("%v:\n%s", err, text)
			continue
		}
		if diff := cmp.Diff(r.Game.Turns(), a.Game.Turns()); diff != "" {
			t.Errorf("read again (-want +got):\n%s", diff)
		}
	}
}

// TestFromArchive takes the end from the board, and else from the archive.
func TestFromArchive(t *testing.T) {
	const header = "id\twusername\tbusername\tresult\ttermination\tmovelist\n"
	for _, test := range []struct {
		row    string
		winner arimaa.Side
		ended  string
	}{
		{"w\tt\t1w Ra6 Ee1\\n1b ec8 rh7\\n2w Ee1n", arimaa.Gold, "time"},
		{"b\tr\t1w Ra6 Ee1\\n1b ec8 rh7\\n2w", arimaa.Silver, "resignation"},
		{"b\t?\t1w Ra6 Ee1\\n1b ec8 rh7\\n2w", arimaa.Silver, "unknown"},
		{"b\tt\t1w Ra6 Ee1\\n1b ec8 rh7\\n2w Ra6n Ra7n", arimaa.Gold, "goal"},
		{"\t\t1w Ra6 Ee1\\n1b ec8 rh7\\n2w Ee1n", arimaa.Gold, ""},
		{"\t\t1w Ra6 Ee1\\n1b ec8 rh7\\n2w lost", arimaa.Silver, "loss"},
		{"\t\t1w Ra6 Ee1\\n1b ec8 rh7\\n2w resigns", arimaa.Silver, "resignation"},
	} {
		rows, err := arimaa.ReadArchive("test", header+"7\tann\tbob\t"+test.row+"\n")
		if err != nil {
			t.Fatal(err)
		}
		g, err := rows[0].Game()
		if err != nil {
			t.Fatal(err)
		}
		r := review.FromArchive(rows[0], arimaa.Details{}, g)
		if r.Name != "7" || r.Gold != "ann" || r.Silver != "bob" || r.Ended != test.ended || r.Finished() && r.Winner != test.winner {
			t.Errorf("%s: %+v", test.row, r)
		}
	}
}
