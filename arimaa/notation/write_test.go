package notation_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
)

// TestUnusual writes what a form can hold in most cases, but not as it stands here.
func TestUnusual(t *testing.T) {
	const moves = "1w Ra1 Ee2\n1b rh8 eh7\n2w Ee2n\n"
	for _, test := range []struct {
		name, form, moves string
		w                 notation.Written
		tags              map[string]string
		want              string // is in the text
		lost              string
	}{
		{"a date of chess", "archive", moves, notation.Written{}, map[string]string{"Date": "2026.01.31", "Event": "cup"}, "\tcup\t\t\t", "the tags"},
		{"a date", "archive", moves, notation.Written{}, map[string]string{"Date": "2026-01-31"}, "\t1769817600\t", ""},
		{"a tag without a column", "archive", moves, notation.Written{}, map[string]string{"Annotator": "ann"}, "", "the tags"},
		{"the end in words", "archive", moves, notation.Written{}, map[string]string{"Result": "0-1", "Termination": "by a rule"}, "\tb\t\t1w", "how the game ended"},
		{"the end in words that a letter says", "archive", moves, notation.Written{}, map[string]string{"Result": "0-1", "Termination": "Lost on time"}, "\tb\tt\t1w", ""},
		{"the end in words and by its letter", "archive", moves, notation.Written{}, map[string]string{"Result": "0-1", "Termination": "time", "ResultCode": "t"}, "\tb\tt\t1w", ""},
		{"a draw", "archive", moves, notation.Written{}, map[string]string{"Result": "1/2-1/2", "ResultCode": "n"}, "\td\tn\t", ""},
		{"no result", "archive", moves, notation.Written{}, map[string]string{"ResultCode": "a"}, "\tu\ta\t", ""},
		{"the side to move resigned", "archive", moves + "2b resigns\n", notation.Written{}, nil, "\tw\tr\t", ""},
		{"a goal", "archive", "1w Ra7 Ee2\n1b rh8 eh7\n2w Ra7n\n", notation.Written{}, map[string]string{"Result": "0-1"}, "\tw\tg\t", ""},
		{"a draw with tags", "annotated", moves, notation.Written{}, map[string]string{"Result": "1/2-1/2"}, "[Result \"1/2-1/2\"]\n\n", ""},
		{"a name that begins a comment", "archive", moves, notation.Written{Name: "#3"}, nil, "\n'#3\t", ""},
		{"a name that a spreadsheet computes", "archive", moves, notation.Written{}, map[string]string{"Gold": "=1+1\t"}, "\t'=1+1", ""},
		{"a tag that no text can name", "annotated", moves, notation.Written{}, map[string]string{"my tag": "x"}, "", "the tags"},
		{"a solution that is not legal", "puzzle", moves, notation.Written{Solution: "Ra1n"}, nil, "2w Ee2n\n&side=b\n&startmove=2b\n", "the solution"},
		{"a solution", "puzzle", moves, notation.Written{Solution: "eh7s"}, nil, "2w Ee2n%0d2b eh7s\n&side=b", ""},
		{"a claim in the title", "puzzle", moves, notation.Written{Claim: 2}, map[string]string{"title": "Silver wins in two"}, "2w Ee2n\n&title=Silver wins in two\n&side", ""},
		{"a claim in the chat", "puzzle", moves, notation.Written{Claim: 2}, map[string]string{"chat": "Win in 2, please"}, "2w Ee2n\n&chat=Win in 2, please\n&side", ""},
		{"a claim in the name", "puzzle", moves, notation.Written{Claim: 2, Name: "p: win in 2"}, nil, "2w Ee2n\n&chat=Silver to win in 2\n&title=p: win in 2\n&side", ""},
		{"another claim in the title", "puzzle", moves, notation.Written{Claim: 2}, map[string]string{"title": "Win in 3"}, "2w Ee2n\n&chat=Silver to win in 2\n&side", "the tags"},
		{"a claim about another position", "puzzle", moves, notation.Written{}, map[string]string{"chat": "Win in 3"}, "2w Ee2n\n&side", "the tags"},
		{"a claim beside the chat", "puzzle", moves, notation.Written{Claim: 2, Name: "p"}, map[string]string{"chat": "50% hard"}, "&chat=Silver to win in 2%0d50%25 hard\n&title=p\n", ""},
		{"brackets in a solution", "post", moves, notation.Written{Solution: "eh7s [/spoiler]\n[b]"}, nil, "Solution: eh7s (/spoiler) (b)[/spoiler]\n", "the turns before"},
		{"a result by time", "turns", moves, notation.Written{}, map[string]string{"Result": "0-1", "ResultCode": "t"}, "", "how the game ended"},
		{"a goal as turns", "turns", "1w Ra7 Ee2\n1b rh8 eh7\n2w Ra7n\n", notation.Written{}, map[string]string{"Result": "1-0", "ResultCode": "g"}, "", ""},
	} {
		g, err := notation.ReadGame("f", test.moves)
		require.NoError(t, err)
		w := test.w
		w.Game = notation.Line(g)
		w.Game.Tags = test.tags
		f, _ := notation.FormNamed(test.form)
		text, lost := f.Write(w)
		text = f.Head + text
		if !strings.Contains(text, test.want) || strings.Join(lost, ", ") != test.lost {
			t.Errorf("%s: %v is lost, want %q; in\n%s\nthere should be %q", test.name, lost, test.lost, text, test.want)
		}
	}
}

// TestBeside reads records with marks, comments and words beside their turns, and writes them again.
// The writer must name what it leaves out.
func TestBeside(t *testing.T) {
	const setup = "1g Ra1 Ee2\n1s rh8 eh7\n"
	for _, test := range []struct {
		text, form, want, lost string // want is in the text
	}{
		{setup + "2g Ee2n $1 $14 {a}\n", "annotated", "2g Ee2n ! {a}\n", "the marks"},
		{setup + "2g Ee2n $6 $6\n", "annotated", "2g Ee2n ?!\n", ""},
		{setup + "2g Ee2n $14\n", "annotated", "2g Ee2n\n", "the marks"},
		{setup + "2g Ee2n $14\n", "archive", `2w Ee2n\n`, "the marks"},
		{setup + "2g Ee2n ! ?\n", "annotated", "2g Ee2n !\n", "the marks"},
		{"1g Ra1 Ee2 !\n1s rh8 eh7\n2g Ee2n\n", "annotated", "2g Ee2n\n", "the marks"},
		{setup + "2g Ee2n\n2s takeback\n2g Ee2e\n", "annotated", "2g Ee2e\n", "the turns taken back"},
		{setup + "2g Ee2n\n2s takeback\n2g Ee2e\n", "turns", "2w Ee2e\n", "the turns taken back"},
		{setup + "2g Ee2n\n2s takeback\n2g Ee2e\n", "short", "s [", "the turns before"},
		{"1g Ra1\n1s takeback\n1g Ra1 Ee2\n1s rh8 eh7\n2g Ee2n\n", "turns", "2w Ee2n\n", "the turns taken back"},
		{setup + "2g Ee2n\n2s eh7s (2s eh7w resigns)\n", "annotated", "(\n2s eh7w {resigns}\n)\n", ""},
		{setup + "2g Ee2n\n2s eh7s (2s eh7w resigns)\n", "turns", "2b eh7s\n", "the comments, the variations"},
	} {
		for e, err := range entries("f", test.text) {
			require.NoError(t, err)
			w, err := e.Written()
			require.NoError(t, err)
			f, _ := notation.FormNamed(test.form)
			if text, lost := f.Write(w); !strings.Contains(text, test.want) || strings.Join(lost, ", ") != test.lost {
				t.Errorf("%s as %s: %v is lost, want %q; in\n%s\nthere should be %q", test.text, test.form, lost, test.lost, text, test.want)
			}
		}
	}
}

// TestTags turns rows of an archive into tags, and back into rows.
func TestTags(t *testing.T) {
	form, _ := notation.FormNamed("archive")
	for _, end := range []string{"w\tt", "b\tr", "d\tn", "u\ta", "\t"} {
		text := form.Head + "12\tann\tbob\t1500\t1600\tcup\t15s/90s\t1769817600\t" + end + "\t" + `1w Ra1 Ee2\n1b rh8 eh7\n2w Ee2n\n2b` + "\n"
		for e, err := range entries("f", text) {
			require.NoError(t, err)
			tags := e.Record.Tags()
			if tags["Source"] != "12" || tags["Gold"] != "ann" || tags["SilverRating"] != "1600" || tags["Date"] != "2026-01-31" {
				t.Errorf("tags %v", slices.Sorted(maps.Keys(tags)))
			}
			w, err := e.Written()
			require.NoError(t, err)
			if again, lost := form.Write(w); form.Head+again != text || len(lost) > 0 {
				t.Errorf("%v is lost:\n%s\nis written as\n%s", lost, text, again)
			}
		}
	}
}
