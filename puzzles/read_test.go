package puzzles

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/files"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
)

// near and far are positions in which gold wins in one turn and in more.
const (
	near = "g [                R                                r              ]"
	far  = "g [                                R                       r       ]"
)

// nearLong is near in long form.
const nearLong = `2g
 +-----------------+
8|                 |
7|                 |
6| R   x     x     |
5|                 |
4|                 |
3|     x     x     |
2|   r             |
1|                 |
 +-----------------+
   a b c d e f g h
`

// madeUp is a puzzle text as on arimaa.com.
const madeUp = `mode=selfPlay
&movelist=1w Ra5 Ee1%0d1b rh7 eh8%0d2w Ra5n Ra6n%0d2b rh7w rg7w%0d3w Ra7n%0d3b
&chat=Gold to win in two

&title=A made-up puzzle
&side=w
&startmove=2w
`

// shown is a puzzle as these tests write it: name, line, position, claim, solution, error.
func shown(p Puzzle) string {
	if p.Err != nil {
		return fmt.Sprintf("%s|%d|%v", p.Name, p.Line, p.Err)
	}
	return fmt.Sprintf("%s|%d|%v|%d|%s", p.Name, p.Line, p.Position, p.Claim, p.Solution)
}

// parseAll reads a text.
func parseAll(file, text string) []Puzzle {
	return slices.Collect(Parse(notation.NewLines(file, strings.NewReader(text))))
}

func TestParse(t *testing.T) {
	start := "g [       e       r                R                           E   ]"
	silver := "s [       e       r                R                           E   ]"
	setup := "1w Ra4 Ee1%0d1b rh7 eh8%0d"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"long form":       {nearLong, []string{"set|1|" + near + "|0|"}},
		"windows":         {"\ufeff" + strings.ReplaceAll(nearLong, "\n", "\r\n"), []string{"set|1|" + near + "|0|"}},
		"comment":         {"# position\n" + nearLong, []string{"set|2|" + near + "|0|"}},
		"several in long": {nearLong + "\n# the second\n" + nearLong, []string{"set:1|1|" + near + "|0|", "set:15|15|" + near + "|0|"}},
		"one broken in long": {nearLong + strings.Replace(nearLong, "R ", "? ", 1) + nearLong, []string{
			"set:1|1|" + near + "|0|", `set:17|17|set:17:4: unknown letter '?' on a6`, "set:25|25|" + near + "|0|"}},
		"a rank missing": {strings.Replace(nearLong, "2|   r             |\n", "", 1), []string{`set|9|set:9:1: rank 1 stands where rank 2 is expected`}},
		"short form":     {near + "\n" + far + "\tmore\n", []string{"set:1|1|" + near + "|0|", "set:2|2|" + far + "|0|"}},
		"broken in short": {"#\nx [" + near[3:] + "\n\n" + near + "\ng [RR]\nnothing\n" + far, []string{
			`set:2|2|set:2:1: a position in short form begins with g or s, not 'x'`, "set:4|4|" + near + "|0|",
			"set:5|5|set:5:3: the brackets hold 2 squares, not 64",
			`set:6|6|set:6:1: a position begins with a line such as 47g (turn number and side), or is written g [64 squares]`,
			"set:7|7|" + far + "|0|"}},
		"encoding in short": {near + "\ng [\xe9" + near[4:] + "\n" + far, []string{
			"set:1|1|" + near + "|0|", "set:2|2|set:2: " + "the text is not in UTF-8: save it in that encoding", "set:3|3|" + far + "|0|"}},
		"game": {"1w Ra4 Ee1\n1b rh7 eh8\n2w Ra4n\n2b rh7s\n", []string{
			"set|1|g [       e               rR                                   E   ]|0|"}},
		"empty":  {"", []string{"set|1|set:1: there is no position in it"}},
		"blank":  {" \n# none\n", []string{"set|1|set:1: there is no position in it"}},
		"binary": {"\x7fELF\x02\x01\x00", []string{"set|1|set:1: this is not a text: it holds binary data"}},
		"binary in a later line": {near + "\n" + near + "\x00", []string{
			"set:1|1|" + near + "|0|", "set:2|2|set:2: this is not a text: it holds binary data"}},
		"UTF-16":       {inUTF16(near), []string{"set|1|set:1: the text is in UTF-16: save it in UTF-8"}},
		"no text":      {"\xe9\xe8 tr\xe8s bien", []string{"set|1|set:1: " + "the text is not in UTF-8: save it in that encoding"}},
		"words":        {"Dear reader,\nthis is a letter.\n", []string{`set|1|set:1:1: a position begins with a line such as 47g (turn number and side), or is written g [64 squares]`}},
		"table":        {"position\tclaim\n" + near + "\t1\n" + far + "\t\n", []string{"set:2|2|" + near + "|1|", "set:3|3|" + far + "|0|"}},
		"table header": {"\ufeff# Position\tClaim\r\n" + far + "\tgold wins, claimed in 4\r\n", []string{"set|2|" + far + "|4|"}},
		"comments in a table": {"# a set\n# of mine\n\nname\tposition\n# here\nfirst\t" + near + "\n\nsecond\t" + far, []string{
			"first|6|" + near + "|0|", "second|8|" + far + "|0|"}},
		"all columns": {"id\ttitle\tsolution\tposition\tclaim\textra\n7\tWin in three\tRa6n Ra7n\t" + near + "\t1\t?\n8\tWin in three\t\t" + near + "\n", []string{
			"Win in three|2|" + near + "|1|Ra6n Ra7n", "Win in three|3|" + near + "|3|"}},
		"broken rows": {"position\tclaim\n" + near + "\tfew\n" + near + "\t0\n" + near + "\t201\n" + near + "\t1.5\n\t2\nnowhere\t2\n\xff\t1\n" + near + "\t1\n", []string{
			`set:2|2|set:2: claim "few": it is a number of turns`, `set:3|3|set:3: claim "0": it is a number of turns`,
			`set:4|4|set:4: claim 201: it is a number of turns, 1 to 200`, `set:5|5|set:5: claim "1.5": it is a number of turns`,
			`set:6|6|set:6: the row has no position`, `set:7|7|set:7: position: a position in short form begins with g or s, not 'n'`,
			"set:8|8|set:8: " + "the text is not in UTF-8: save it in that encoding", "set:9|9|" + near + "|1|"}},
		"a broken row with a claim out of reach": {"position\tclaim\nnowhere\t201\n", []string{"set|2|set:2: position: a position in short form begins with g or s, not 'n'"}},
		"empty table":                            {"position\tclaim\n", []string{"set|1|set:1: there is no row below the header"}},
		"archive": {"id\tmovelist\tclaim\tstartmove\n" + `5	1w Ra4 Ee1\n1b rh7 eh8\n2w Ra4n\n2b rh7s\n	2	` + "\n" + `6	1w Ra4 Ee1\n1b rh7 eh8\n2w Ra4n\n2b rh7s	2	2w` + "\n" + `7	1w Ra4 Ra4	2	` + "\n", []string{
			"5|2|g [       e               rR                                   E   ]|2|",
			"6|3|g [       e       r                R                           E   ]|2|Ra4n",
			`7|4|set:4: movelist: "Ra4": the square is taken`}},
		"arimaa.com": {madeUp, []string{"A made-up puzzle|1|g [       e       r        R                                   E   ]|2|Ra5n Ra6n"}},
		"4steps":     {puzzleOf4steps, []string{"set|1|" + near + "|0|Ra6n Ra7n"}},
		"4steps, several": {puzzleOf4steps + strings.Repeat("\xff", 36) + puzzleOf4steps, []string{"set:1|1|" + near + "|0|Ra6n Ra7n",
			"set:2|2|set:2: puzzle 2: the game is over: silver has won (elimination)", "set:3|3|" + near + "|0|Ra6n Ra7n"}},
		"on one line": {strings.ReplaceAll(madeUp, "\n", ""), []string{
			"A made-up puzzle|1|g [       e       r        R                                   E   ]|2|Ra5n Ra6n"}},
		"several texts": {madeUp + "\n" + strings.Replace(madeUp, "rh7", "Rh7", 1) + madeUp, []string{
			"A made-up puzzle|1|g [       e       r        R                                   E   ]|2|Ra5n Ra6n",
			`A made-up puzzle|10|set:10: movelist: "Rh7": this piece is not silver's`,
			"A made-up puzzle|16|g [       e       r        R                                   E   ]|2|Ra5n Ra6n"}},
		"bare setup":        {"movelist=" + setup + "\n&title=win in 3", []string{"win in 3|1|" + start + "|3|"}},
		"silver":            {"movelist=" + setup + "\n&side=b", []string{"set|1|" + silver + "|0|"}},
		"silver starts":     {"movelist=" + setup + "\n&startmove=2b", []string{"set|1|" + silver + "|0|"}},
		"silver by a pass":  {"movelist=" + setup + "2w pass%0d2b rh7s%0d3w\n&side=b\n&startmove=2b\n", []string{"set|1|" + silver + "|0|rh7s"}},
		"percent":           {"movelist=" + setup + "\n&title=100% sure%21", []string{"100% sure%21|1|" + start + "|0|"}},
		"control":           {"movelist=" + setup + "\n&title=%1b[2J a%0d%0ab", []string{"[2J a b|1|" + start + "|0|"}},
		"Latin-1 comment":   {"# tr\xe8s bien\n" + nearLong, []string{"set|2|" + near + "|0|"}},
		"bad escape":        {"mode=x\n&movelist=1w%0", []string{`set|2|set:2: movelist: invalid URL escape "%0"`}},
		"encoding in title": {"movelist=" + setup + "\n&title=\xe9", []string{"set|2|set:2: title: " + "the text is not in UTF-8: save it in that encoding"}},
		"escape of Latin-1": {"movelist=" + setup + "\n&title=%e9", []string{"é|1|g [       e       r                R                           E   ]|0|"}},
		"wrong side":        {"movelist=" + setup + "2w Ra4n%0d2b\n&side=w", []string{`set|1|set:1: side "w": in turn 2s silver is to move`}},
		"no side":           {"movelist=" + setup + "\n&side=first", []string{`set|1|set:1: side "first": it is gold or silver, g or s, or w or b`}},
		"side by its name":  {"movelist=" + setup + "\n&side=silver", []string{`set|1|s [       e       r                R                           E   ]|0|`}},
		"contradiction":     {"movelist=" + setup + "\n&side=w&startmove=2b", []string{`set|1|set:1: side "w": in turn 2g silver is to move`}},
		"no such turn":      {"movelist=" + setup + "2w Ra4n%0d2b\n&startmove=9w", []string{`set|1|set:1: startmove: the list has no turn 9w; it goes from 2g to 2s`}},
		"no turn":           {"movelist=" + setup + "\n&startmove=soon", []string{`set|1|set:1: startmove: "soon" is not a turn: write a number and a side, for example 34g`}},
		"movelist missing":  {madeUp + "mode=x\n&title=y\n", []string{"A made-up puzzle|1|g [       e       r        R                                   E   ]|2|Ra5n Ra6n", "y|8|set:8: there is no movelist"}},
		"illegal turn":      {"movelist=" + setup + "2w Ra4s%0d2b", []string{"set|1|set:1: movelist: turn 2w: Ra4s: a rabbit does not step backward"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, p := range parseAll("set", c.text) {
				got = append(got, shown(p))
				var e *notation.ParseError
				if p.Err != nil && (!errors.As(p.Err, &e) || e.File == "" || e.Line == 0 || e.Reason == "") {
					t.Errorf("the error %v does not say where and why", p.Err)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("what is read (-want +got):\n%s", diff)
			}
		})
	}
}

// inUTF16 writes a text as some editors do.
func inUTF16(text string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

func TestFirstTurn(t *testing.T) {
	p := boards.Parse(t, near)
	for _, text := range []string{"Ra6n Ra7n", " Ra6n  Ra7n ", "2g Ra6n Ra7n", "17w Ra6n Ra7n 17b ra2s 18w"} {
		if turn, err := ReadTurn(p, text); err != nil || turn.String() != "Ra6n Ra7n" {
			t.Errorf("%q is read as %v, %v", text, turn, err)
		}
	}
	for _, text := range []string{"", "2g", "2g 3g", "Ra6s", "Ra6n Ra7s", "Ra6n Ra7n Ra8e Rb8e Rc8e", "pass", "resign", "takeback",
		"Ra6n Ra7n rb2x", "Ee1n", "goal", "1. e4", "rb2s", "lost", "Ra6e Rb6w"} {
		if turn, err := ReadTurn(p, text); err == nil {
			t.Errorf("%q is read as %v", text, turn)
		}
	}
	silver := arimaa.NewPosition(p.Board, arimaa.Silver)
	if turn, err := ReadTurn(silver, "2s rb2s"); err != nil || turn.Len() != 1 {
		t.Errorf("a turn of silver is read as %v, %v", turn, err)
	}
}

func TestLabel(t *testing.T) {
	for text, want := range map[string]string{
		near: "sets/set.tsv", near + "\n" + near: "sets/set.tsv:1", "name\tposition\nA\t" + near: "sets/set.tsv:2 A",
	} {
		if got := parseAll("sets/set.tsv", text)[0]; got.Label() != want {
			t.Errorf("%q is called %q, want %q", text, got.Label(), want)
		}
	}
}

// write writes files into a new directory.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return dir
}

// readAll reads a set.
func readAll(t testing.TB, path string) []Puzzle {
	return slices.Collect(Read(files.NewSource(t.Context(), nil), path, nil))
}

func TestReadDirectory(t *testing.T) {
	dir := write(t, map[string]string{
		"b.txt": near, "a/x.txt": far, "a/y.tsv": "position\n" + near + "\n" + far, "readme.md": "not a puzzle", "a/list": near,
	})
	var got []string
	for _, p := range readAll(t, dir) {
		file, _ := filepath.Rel(dir, p.File)
		got = append(got, filepath.ToSlash(file)+" "+p.Name)
		if p.Err != nil {
			t.Error(p.Err)
		}
	}
	if diff := cmp.Diff([]string{"a/x.txt x", "a/y.tsv y:2", "a/y.tsv y:3", "b.txt b"}, got); diff != "" {
		t.Errorf("what is read (-want +got):\n%s", diff)
	}
	for path, reason := range map[string]string{
		filepath.Join(dir, "none.txt"):            "none.txt",
		write(t, map[string]string{"a.md": near}): "there is no .txt or .tsv file in this directory",
	} {
		if all := readAll(t, path); len(all) != 1 || all[0].Err == nil || !strings.Contains(all[0].Err.Error(), reason) {
			t.Errorf("%s is read as %v", path, all)
		}
	}
}

// puzzleOf4steps is the record of near in a puzzle file of 4steps: silver's rabbit on b2, gold's on
// a6, which goes Ra6n Ra7n.
var puzzleOf4steps = strings.Repeat("\xff", 4) + "\x1f" + strings.Repeat("\xff", 15) + "\xf0" + strings.Repeat("\xff", 11) + "\xe8\xf0\x00\x00"

// FuzzParse checks that there is always a puzzle, and that each has a position or an error with a
// place and a reason.
func FuzzParse(f *testing.F) {
	for _, text := range []string{nearLong, near + "\n" + far, madeUp, "position\tclaim\n" + near + "\t1\n", inUTF16(near), "",
		"id\tmovelist\n" + `5	1w Ra4\n1b rh7\n2w Ra4n\n`, puzzleOf4steps + puzzleOf4steps + "\x0f"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all := parseAll("set", text)
		if len(all) == 0 {
			t.Fatal("there is no puzzle")
		}
		lines := max(1+strings.Count(text, "\n")+strings.Count(text, "\r"), len(text)/36+1) // the latter in a puzzle file of 4steps, which has numbers instead
		for _, p := range all {
			var e *notation.ParseError
			if p.Err != nil && (!errors.As(p.Err, &e) || e.Line < 1 || e.Line > lines || e.Reason == "") {
				t.Errorf("the error %#v does not say where and why", p.Err)
			}
			if p.Name == "" || p.Line < 1 || p.Line > lines || p.Claim < 0 {
				t.Errorf("a puzzle of %d lines is %+v", lines, p)
			}
			if p.Err == nil && p.Solution != "" {
				_, _ = ReadTurn(p.Position, p.Solution)
			}
		}
	})
}
