package review_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
	"goalproof/review"
)

// TestAnnotated writes a game with comments and variations, and reads it again.
func TestAnnotated(t *testing.T) {
	r := read(t, race)
	r.Gold, r.Silver = "ann", "bob"
	r.Details = notation.Details{GoldRating: "1500", SilverRating: "1600", TimeControl: "15s/90s", Event: "friendly"}
	text := play(t, r, 2).Annotated()
	for _, want := range []string{
		"[Gold \"ann\"]\n", "[ResultCode \"g\"]\n[Result \"0-1\"]\n\n{Silver won by goal. ", "}\n1g Ra6 Ee1\n1s ec8 rh7\n",
		"2g Ra6n ?? {THROWS AWAY the win in 1; the opponent now wins in 2}\n" +
			"(\n2g Ra6n Ra7n {wins in 1}\n)\n",
		"3s rh5s rh4s rh3s rh2s {wins}\n0-1\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	g, tags, err := notation.ReadAnnotated("again", text)
	require.NoError(t, err)
	again := review.FromTags("test", tags, g)
	if diff := cmp.Diff(notation.Turns(r.Game), notation.Turns(again.Game)); diff != "" {
		t.Errorf("read again (-want +got):\n%s", diff)
	}
	if want := "test: ann (gold, 1500) - bob (silver, 1600), 15s/90s"; r.Title() != want || again.Title() != want {
		t.Errorf("titles %q, %q, want %q", r.Title(), again.Title(), want)
	}
	if diff := cmp.Diff(r.Details, again.Details); diff != "" {
		t.Errorf("details (-want +got):\n%s", diff)
	}
	r.Winner, r.Ended, r.Gold = arimaa.Silver, "a {rule} of \"theirs\"\n", `ann\`
	if _, tags, err := notation.ReadAnnotated("again", play(t, r, 1).Annotated()); err != nil || tags["Gold"] != "ann/" {
		t.Errorf("with characters that mean something: %v, gold is %q", err, tags["Gold"])
	}
	if again.Gold != "ann" || again.Silver != "bob" || again.Winner != arimaa.Silver || again.Ended != "goal" {
		t.Errorf("read again it is %+v", again)
	}
}

// TestAnnotatedPositions does so for games from positions given by hand, with either side to move
// first.
func TestAnnotatedPositions(t *testing.T) {
	for _, game := range []string{
		"1w Ra1 Ee1\n1b ec8 rh7\n2w pass\n2b rh7s\n3w Ee1n\n",
		"1w Ra1 Ee1\n1b ec8 rh7\n34w Ee1n\n34b\n",
		"1w Ra1 Ee1\n1b ec8 rh7\n34b rh7s\n35w Ee1n\n",
		"1w Ra2 Ee2\n1b ea8 rh5\n2w Ra2n\n2b rh5s rh4s rh3s rh2s\n",
	} {
		r := read(t, game)
		text := play(t, r, 1).Annotated()
		again, _, err := notation.ReadAnnotated("again", text)
		if err != nil {
			t.Errorf("%v:\n%s", err, text)
			continue
		}
		if diff := cmp.Diff(notation.Turns(r.Game), notation.Turns(again)); diff != "" {
			t.Errorf("read again (-want +got):\n%s", diff)
		}
	}
}

// TestAnnotatedShape reads the text with evaluations as a client does: a line is a tag, a comment,
// a bracket, a result, or a turn behind the label that is due, with what belongs to it.
func TestAnnotatedShape(t *testing.T) {
	r := read(t, "1w Ra2 Ee2 Hb3\n1b ea8 rh7 dc6\n2w Ee2n\n2b ea8s\n3w Ee3n\n")
	v := playEvaluated(t, r, 1, 500)
	text := v.Annotated()
	_, moves, ok := strings.Cut(text, "\n\n")
	if !ok {
		t.Fatalf("there is no empty line behind the tags:\n%s", text)
	}
	turn := regexp.MustCompile(`^(\d+[gs]) ([A-Za-z][a-h][1-8]\S*(?: [A-Za-z][a-h][1-8]\S*)*)(?: [!?]+)?(?: \{[^{}]*\})?$`)
	main := v.Record.Game.At(0)
	var variation *arimaa.Game
	begins, variations, continuations := false, 0, 0
	for _, line := range strings.Split(strings.TrimSpace(moves), "\n")[3:] { // behind the comment and the setup
		switch found := turn.FindStringSubmatch(line); {
		case line == "*":
		case line == "(":
			if variation != nil {
				t.Fatal("a variation in a variation")
			}
			variation, begins = main.At(main.Len()), true
			variations++
		case line == ")":
			variation = nil
		case found == nil:
			t.Fatalf("not understood: %q", line)
		default:
			g := main
			if variation != nil {
				g = variation
			}
			if begins { // its label says whether it replaces the last turn or continues from it
				begins = false
				if g.Label(g.Len()) == found[1] {
					continuations++
				} else if err := g.TakeBack(); err != nil {
					t.Fatal(err)
				}
			}
			if due := g.Label(g.Len()); due != found[1] {
				t.Fatalf("label %s, and %s is due: %q", found[1], due, line)
			}
			if err := notation.Play(g, found[2]); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		}
		if len(line) > 122 {
			t.Errorf("%d characters: %q", len(line), line)
		}
	}
	if main.Len() != 3 || variations < 9 || continuations < 3 {
		t.Errorf("%d turns, %d variations, %d of them behind the last turn:\n%s", main.Len(), variations, continuations, text)
	}
}
