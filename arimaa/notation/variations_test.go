package notation

import (
	"math/rand/v2"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"github.com/google/go-cmp/cmp"

	"goalproof/arimaa"
)

// shownNode is a node with its turn in words.
type shownNode struct {
	Parent              int
	Turn, Sign, Comment string
}

func shownNodes(a *Annotated) (all []shownNode) {
	for _, n := range a.Nodes {
		all = append(all, shownNode{n.Parent, n.Turn.String(), n.Sign, n.Comment})
	}
	return all
}

// TestReadVariations reads a game with all that may stand beside its turns, as other programs write
// it.
func TestReadVariations(t *testing.T) {
	a, err := ReadVariations("game", strings.ReplaceAll(`[Gold "ann"]

{before
 the setup} 1g Ra1 Ee2 1s ra8 ee7 {behind – it} (no variation)
2g Ee2n ?? {a} {b [c]} ({first} 2g Ee2e ! {d (e)} (2g Ra1n) 2s ee7s $4 (3g Ra1n {after}) (2s ee7e {instead}))
   (2g Ee9n) (2g) (2g Ra1n 2g Ra2n) (2s ee7w {before it})
2s ra8s (2g takeback) 3g Ee3n
3s takeback 3g Ee3e !? {the same again} (2s ra8e) *
`, "\n", "\r\n"))
	require.NoError(t, err)
	want := []shownNode{
		{-1, "", "", "before the setup behind – it (no variation)"},
		{0, "Ee2n", "??", "a b [c] (2g Ee9n) (2g) (2g Ra1n 2g Ra2n)"},
		{1, "ra8s", "", "(2g takeback)"},
		{2, "Ee3e", "!?", "the same again (2s ra8e)"}, // turn 2s is neither turn 3g nor the next one
		{1, "ee7w", "", "before it"},
		{0, "Ee2e", "!", "first d (e)"},
		{5, "ee7s", "??", "(3g Ra1n (after))"},
		{5, "ee7e", "", "instead"},
		{0, "Ra1n", "", ""},
	}
	if diff := cmp.Diff(want, shownNodes(a)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if a.Tags["Gold"] != "ann" || a.Main.Len() != 3 {
		t.Errorf("%v, %d turns", a.Tags, a.Main.Len())
	}
	if _, err := ReadVariations("game", "[Gold \"ann\"]\n1g Ra1 1s ra8 2g Ra2n"); err == nil || !strings.Contains(err.Error(), "game:2:18") {
		t.Errorf("a broken game: %v", err)
	}
}

// TestRemarks reads variations that end with words: they are a comment on the last turn. What has
// words in other places is a comment as a whole.
func TestRemarks(t *testing.T) {
	for variation, want := range map[string][]shownNode{
		"2s ee7s wins":                    {{1, "ee7s", "", "wins"}},
		"2s ee7s {so} $3 and wins":        {{1, "ee7s", "!!", "so and wins"}},
		"2s ee7s 3g Ra1n resigns":         {{1, "ee7s", "", ""}, {3, "Ra1n", "", "resigns"}},
		"2s ee7s {bad} 3g resigns":        {{1, "ee7s", "", "bad 3g resigns"}},
		"2s ee7s wins (2s ee7w loses)":    {{1, "ee7s", "", "wins"}, {1, "ee7w", "", "loses"}},
		"2s resigns":                      nil,
		"2s ee7s wins 3g Ra1n":            nil,
		"2s ee7s or 3g":                   nil,
		"2s ee7s 3g takeback":             nil,
		"2s ee7s on move 3":               nil,
		"2s ee7s resigns 3g Ra1n resigns": nil,
	} {
		a, err := ReadVariations("f", "1g Ra1 Ee2 1s ra8 ee7\n2g Ee2n\n2s ee7e ("+variation+")\n")
		require.NoError(t, err)
		main := []shownNode{{-1, "", "", ""}, {0, "Ee2n", "", ""}, {1, "ee7e", "", ""}}
		if want == nil {
			main[2].Comment = "(" + variation + ")"
		}
		if diff := cmp.Diff(append(main, want...), shownNodes(a)); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", variation, diff)
		}
	}
}

// grow returns a random tree of so many turns from a position.
func grow(t *testing.T, random *rand.Rand, p arimaa.Position, number, size int) *Annotated {
	words := []string{"good", "(2g Ra1n)", "{", "}", "–", "ÿ", "[Gold \"x\"]", "\n", "<b>", "!", "$1", "1-0", ";", "#", "\x00", "\t", "3g", "👨‍👩‍👧", "·", ">"}
	comment := func() string {
		text := ""
		for range random.IntN(6) {
			text += words[random.IntN(len(words))] + []string{" ", ""}[random.IntN(2)]
		}
		return Comment(text)
	}
	type place struct {
		*branch
		game *arimaa.Game
	}
	root := &branch{comments: []string{comment()}}
	all := []place{{root, arimaa.NewGame(p, number)}}
	for tries := 0; len(all) <= size && tries < 20*size; tries++ {
		at := all[max(0, len(all)-1-random.IntN(8))]
		s := arimaa.NewState(at.game.Last())
		var turn arimaa.Turn
		for range 1 + random.IntN(4) {
			steps := s.Steps(nil)
			if len(steps) == 0 {
				break
			}
			step := steps[random.IntN(len(steps))]
			if _, err := s.Play(step); err != nil {
				t.Fatal(err)
			}
			turn = turn.With(step)
		}
		g := at.game.At(at.game.Len())
		if g.Play(turn) != nil {
			continue
		}
		next := &branch{turn: turn, marks: [][]string{nil, nil, {"!"}, {"?!"}, {"??"}}[random.IntN(5)], comments: []string{comment()}}
		at.children = append(at.children, next)
		all = append(all, place{next, g})
	}
	a := &Annotated{Tags: map[string]string{"Gold": "a \\ \"b\"", "Event": "x"}}
	a.flatten(root, -1)
	a.Main = arimaa.NewGame(p, number)
	for n := root; len(n.children) > 0; n = n.children[0] {
		require.NoError(t, a.Main.Play(n.children[0].turn))
	}
	return a
}

// TestWriteVariations writes random trees and reads them again as the same, also through the reader
// of whole files, of which the main line is the game.
func TestWriteVariations(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		p, err := ParsePosition([]string{"Ra1 Ee2 Hd4 ra8 ee7 hd6 rh7 g", "Ra1 Ee2 Hd4 ra8 ee7 hd6 rh7 s"}[i%2])
		require.NoError(t, err)
		a := grow(t, random, p, []int{2, 2, 31, 31}[i%4], i%60)
		text := a.Write()
		b, err := ReadVariations("again", text)
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		if diff := cmp.Diff(shownNodes(a), shownNodes(b)); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%s", diff, text)
		}
		if b.Tags["Gold"] != "a / 'b'" || Turns(a.Main) != Turns(b.Main) {
			t.Errorf("tags %v, main line\n%swant\n%s", b.Tags, Turns(b.Main), Turns(a.Main))
		}
		if again := b.Write(); again != strings.Replace(text, "\\", "/", 1) {
			t.Errorf("written again:\n%s\nfirst\n%s", again, text)
		}
		entries := 0
		for e, err := range Read(NewLines("file", strings.NewReader(text))) {
			if entries++; err != nil || e.Game == nil || Turns(e.Game) != Turns(a.Main) {
				t.Errorf("%+v, %v:\n%s", e, err, text)
			}
		}
		if entries != 1 {
			t.Errorf("%d entries", entries)
		}
	}
}

// TestNesting reads variations within each other: those that lie deeper than MaxNesting are
// comments.
func TestNesting(t *testing.T) {
	text := "[Gold \"ann\"]\n1g Ra1 Ee2 1s ra8\n2g Ee2n"
	for range MaxNesting + 5 {
		text += " (2g Ee2e"
	}
	a, err := ReadVariations("deep", text+strings.Repeat(")", MaxNesting+5))
	if err != nil || len(a.Nodes) != MaxNesting+2 || !strings.HasPrefix(a.Nodes[MaxNesting+1].Comment, "(2g Ee2e (2g Ee2e") {
		t.Errorf("%v, %d nodes", err, len(a.Nodes))
	}
}

// FuzzReadVariations checks that what is read by ReadAnnotated is read, with the same main line,
// and that what is written is read as the same.
func FuzzReadVariations(f *testing.F) {
	f.Add(annotated)
	f.Fuzz(func(t *testing.T, text string) {
		g, _, err := ReadAnnotated("fuzz", text)
		a, err2 := ReadVariations("fuzz", text)
		if (err == nil) != (err2 == nil) {
			t.Fatalf("errors %v and %v", err, err2)
		}
		if err != nil {
			return
		}
		if Turns(g) != Turns(a.Main) {
			t.Fatalf("main lines\n%s\n%s", Turns(g), Turns(a.Main))
		}
		b, err := ReadVariations("again", a.Write())
		if err != nil {
			t.Fatalf("%v:\n%s", err, a.Write())
		}
		if diff := cmp.Diff(shownNodes(a), shownNodes(b)); diff != "" {
			t.Errorf("(-want +got):\n%s\n%s", diff, a.Write())
		}
	})
}
