package notation_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
)

// written turns a readable text of a test into the text that is read: its first line break is
// dropped, and signs stand for what an editor would not show.
func written(text string) string {
	text = strings.TrimPrefix(text, "\n")
	return strings.NewReplacer("→", "\t", "·", " ", "¶", "\r", "⌂", "\ufeff").Replace(text)
}

// sample is the position that the variants below show, with gold or with silver to move.
const (
	sampleSquares = "r  r c r" + " dh  m  " + "     E  " + " H     D" + "e       " + "   R    " + "R  C  M " + "       R"
	sampleGold    = "g [" + sampleSquares + "]"
	sampleSilver  = "s [" + sampleSquares + "]"
)

func TestReadShort(t *testing.T) {
	dotted := strings.ReplaceAll(sampleSquares, " ", ".")
	for _, test := range []struct {
		name, text string
		want       []string
		lines      []int
	}{
		{"spaces", sampleGold, []string{sampleGold}, []int{1}},
		{"dots", "s [" + dotted + "]\n", []string{sampleSilver}, []int{1}},
		{"older letters", "w [" + dotted + "]\nb [" + dotted + "]\n", []string{sampleGold, sampleSilver}, []int{1, 2}},
		{"CRLF", sampleGold + "\r\n" + sampleSilver + "\r\n", []string{sampleGold, sampleSilver}, []int{1, 2}},
		{"blanks around", " \t" + sampleGold + " \t \n", []string{sampleGold}, []int{1}},
		{"blanks before the bracket", "g \t  [" + dotted + "]", []string{sampleGold}, []int{1}},
		{"no blank before the bracket", "g[" + dotted + "]", []string{sampleGold}, []int{1}},
		{"further columns", sampleGold + "\t3\twin [2]\n" + sampleSilver + "  \t4\n", []string{sampleGold, sampleSilver}, []int{1, 2}},
		{"comments and blank lines", "# win in 2\n\n" + sampleGold + "\n  # claimed\n \t\n" + sampleSilver, []string{sampleGold, sampleSilver}, []int{3, 6}},
		{"byte order mark", "\ufeff" + sampleGold, []string{sampleGold}, []int{1}},
		{"byte order mark before a comment", "\ufeff#positions\tremarks\r\n" + sampleGold + "\tno\r\n", []string{sampleGold}, []int{2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			diagrams, err := notation.ReadPositions("p.txt", test.text)
			require.NoError(t, err)
			var got []string
			var lines []int
			for _, d := range diagrams {
				got, lines = append(got, d.Position.String()), append(lines, d.Line)
				if d.Number != 2 {
					t.Errorf("number %d, want 2", d.Number)
				}
				if d.Position.StepsLeft() != 4 {
					t.Errorf("%d steps left, want 4", d.Position.StepsLeft())
				}
			}
			if d := cmp.Diff(test.want, got); d != "" {
				t.Errorf("positions (- want, + got):\n%s", d)
			}
			if d := cmp.Diff(test.lines, lines); d != "" {
				t.Errorf("lines (- want, + got):\n%s", d)
			}
			if len(test.want) == 1 && !strings.Contains(test.text, "#") {
				p, err := notation.ParsePosition(test.text)
				if err != nil || p.String() != test.want[0] {
					t.Errorf("ParsePosition: %v, %v", p, err)
				}
			}
		})
	}
}

// longVariants all show the sample position before turn 47g, in ways that TestBorderVariants does
// not draw or does not demand to be read. Where blanks or line ends matter they are written ·
// (blank), → (tab), ¶ (carriage return), ⌂ (byte order mark).
var longVariants = []struct{ name, text string }{
	{"as published", `
47g
 +-----------------+
8| r     r   c   r |
7|   d h     m     |
6|     x     E     |
5|   H           D |
4| e               |
3|     x R   x     |
2| R     C     M   |
1|               R |
 +-----------------+
   a b c d e f g h
`},
	{"rank numbers on the right", `
47g
   a b c d e f g h
  +---------------+
  |r     r   c   r|8
  |  d h     m    |7
  |    x     E    |6
  |  H           D|5
  |e              |4
  |    x R   x    |3
  |R     C     M  |2
  |              R|1
  +---------------+
   a b c d e f g h
`},
	{"rank numbers on both sides, blanks before the bars", `
47g
    a b c d e f g h
  ===================
8 | r     r   c   r | 8
7 |   d h     m     | 7
6 |     x     E     | 6
5 |   H           D | 5
4 | e               | 4
3 |     x R   x     | 3
2 | R     C     M   | 2
1 |               R | 1
  ===================
    a b c d e f g h
`},
	{"file letters in the border, corners of other kinds", `
47g
 /-a-b-c-d-e-f-g-h-\
8| r     r   c   r |
7|   d h     m     |
6|     x     E     |
5|   H           D |
4| e               |
3|     x R   x     |
2| R     C     M   |
1|               R |
 \-----------------/
 *******************
`},
	{"a narrow border", `
47g
 -
8| r     r   c   r |
7|   d h     m     |
6|     x     E     |
5|   H           D |
4| e               |
3|     x R   x     |
2| R     C     M   |
1|               R |
 ++
`},
	{"a rule below each rank", `
47g
 |-----------------|
8| r     r   c   r |
 |-----------------|
7|   d h     m     |
 |-----------------|
6|     x     E     |
 |-----------------|
5|   H           D |
 |-----------------|
4| e               |
 |-----------------|
3|     x R   x     |
 |-----------------|
2| R     C     M   |
 |-----------------|
1|               R |
 |-----------------|
`},
	{"bars on the left alone, trailing blanks lost", `
47g
 +-----------------
8| r     r   c   r
7|   d h     m
6|     x     E
5|   H           D
4| e
3|     x R   x
2| R     C     M
1|               R
 +-----------------
   a b c d e f g h
`},
	{"the same with blank traps", `
47g
8| r     r   c   r
7|   d h     m
6|           E
5|   H           D
4| e
3|       R
2| R     C     M
1|               R
`},
	{"the same with a blank after each square", `
47g
8|r     r   c   r
7|  d h     m
6|    x     E
5|  H           D
4|e
3|    x R   x
2|R     C     M
1|              R
`},
	{"the same, compact", `
47g
8|r  r c r
7| dh  m
6|  x  E
5| H     D
4|e
3|  xR x
2|R  C  M
1|       R
`},
	{"bars on the left alone, trailing blanks kept", `
47g
8| r     r   c   r··
7|   d h     m     ·
6|     x     E     ·
5|   H           D··
4| e               ·
3|     x R   x     ·
2| R     C     M   ·
1|               R··
`},
	{"bars on the right alone", `
47g
  a b c d e f g h
  ----------------
  r . . r . c . r |8
  . d h . . m . . |7
  . . x . . E . . |6
  . H . . . . . D |5
  e . . . . . . . |4
  . . x R . x . . |3
  R . . C . . M . |2
  . . . . . . . R |1
  ----------------
`},
	{"bars on the right alone behind rank numbers", `
47g
8 r     r   c   r |
7   d h     m     |
6     x     E     |
5   H           D |
4 e               |
3     x R   x     |
2 R     C     M   |
1               R |
`},
	{"no bars behind rank numbers", `
47g
8 r . . r . c . r
7 . d h . . m . .
6 . . x . . E . .
5 . H . . . . . D
4 e . . . . . . .
3 . . x R . x . .
2 R . . C . . M .
1 . . . . . . . R
  a b c d e f g h
`},
	{"no bars well behind rank numbers", `
47g
8   r . . r . c . r
7   . d h . . m . .
6   . . x . . E . .
5   . H . . . . . D
4   e . . . . . . .
3   . . x R . x . .
2   R . . C . . M .
1   . . . . . . . R
`},
	{"no border at all", `
47g
r . . r . c . r
. d h . . m . .
. . x . . E . .
. H . . . . . D
e . . . . . . .
. . x R . x . .
R . . C . . M .
. . . . . . . R
`},
	{"no border at all, compact", `
47g
r..r.c.r
.dh..m..
..x..E..
.H.....D
e.......
..xR.x..
R..C..M.
.......R
`},
	{"CRLF, blank lines, comments", `
⌂# from a game¶
¶
47g¶
 +-----------------+¶
8| r     r   c   r |¶
7|   d h     m     |¶
# half-way¶
6|     x     E     |¶
5|   H           D |¶
4| e               |¶
¶
3|     x R   x     |¶
2| R     C     M   |¶
1|               R |¶
 +-----------------+¶
   a b c d e f g h¶
`},
	{"tabs and blanks before and behind", `
·→47g→·
→+-----------------+→
→8| r     r   c   r |→
→7|   d h     m     |·
→6|     x     E     |→·
··5|   H           D |
→4→|·e               |→4→
→3|     x R   x     |
→2| R     C     M   |
→1|               R |
→+-----------------+
→→a b c d e f g h→
`},
	{"tabs between squares", `
47g
8|r→→→r→→c→→r|
7|→d→h→→→m→→|
6|→→x→→→E→→|
5|→H→→→→→→D|
4|e→→→→→→→|
3|→→x→R→→x→→|
2|R→→→C→→→M→|
1|→→→→→→→R|
→a→b→c→d→e→f→g→h
`},
	{"tabs between squares and bars", `
47g
8→|→r→→→r→→c→→r→|
7→|→→d→h→→→m→→→|
6→|→→→x→→→E→→→|
5→|→→H→→→→→→D→|
4→|→e→→→→→→→→|
3→|→→→x→R→→x→→→|
2→|→R→→→C→→→M→→|
1→|→→→→→→→→R→|
`},
	{"tabs between squares shown as dots, no bars", `
47g
r·→.→.·→r→.→c→.→·r
.→d→h→.→.→m→.→.
.→.→x→.→.→E→.→.
.→H→.→.→.→.→.→D
e→.→.→.→.→.→.→.
.→.→x→R→.→x→.→.
R→.→.→C→.→.→M→.
.→.→.→.→.→.→.→R
`},
	{"a tab after each square", `
47g
8|r→→→r→→c→→r→|
7|→d→h→→→m→→→|
6|→→x→→→E→→→|
5|→H→→→→→→D→|
4|e→→→→→→→→|
3|→→x→R→→x→→→|
2|R→→→C→→→M→→|
1|→→→→→→→R→|
`},
	{"a tab before each square", `
47g
8|→r→→→r→→c→→r|
7|→→d→h→→→m→→|
6|→→→x→→→E→→|
5|→→H→→→→→→D|
4|→e→→→→→→→|
3|→→→x→R→→x→→|
2|→R→→→C→→→M→|
1|→→→→→→→→R|
`},
	{"wide margins", `
47g
 +-------------------------+
8|     r . . r . c . r     |
7|     . d h . . m . .     |
6|     . . x . . E . .     |
5|     . H . . . . . D     |
4|     e . . . . . . .     |
3|     . . x R . x . .     |
2|     R . . C . . M .     |
1|     . . . . . . . R     |
 +-------------------------+
       a b c d e f g h
`},
	{"tabs for some blanks", `
47g
8|→r     r   c   r→|
7|   d→h     m→    |
6|     x     E     |
5| ··H ····· ····D |
4|→e ···· ···· ····|
3|     x R→··x     |
2| R     C     M   |
1|               R |
`},
}

func TestReadLong(t *testing.T) {
	for _, test := range longVariants {
		t.Run(test.name, func(t *testing.T) {
			text := written(test.text)
			diagrams, err := notation.ReadPositions("p.txt", text)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if len(diagrams) != 1 {
				t.Fatalf("%d positions", len(diagrams))
			}
			d := diagrams[0]
			if got := d.Position.String(); got != sampleGold {
				t.Errorf("got  %s\nwant %s", got, sampleGold)
			}
			if line := 1 + strings.Count(text[:strings.Index(text, "47")], "\n"); d.Number != 47 || d.Line != line {
				t.Errorf("number %d in line %d, want 47 in line %d", d.Number, d.Line, line)
			}
		})
	}
}

// TestReadLongHead reads the first line in its forms.
func TestReadLongHead(t *testing.T) {
	_, board, _ := strings.Cut(written(longVariants[0].text), "\n")
	for head, want := range map[string]notation.Diagram{
		"47s":     {Position: boards.Parse(t, sampleSilver), Number: 47, Line: 1},
		"47b":     {Position: boards.Parse(t, sampleSilver), Number: 47, Line: 1},
		"1g":      {Position: boards.Parse(t, sampleGold), Number: 1, Line: 1},
		"100000w": {Position: boards.Parse(t, sampleGold), Number: 100_000, Line: 1},
		"s":       {Position: boards.Parse(t, sampleSilver), Number: 2, Line: 1},
		" w \t":   {Position: boards.Parse(t, sampleGold), Number: 2, Line: 1},
	} {
		got, err := notation.ReadPositions("", head+"\n"+board)
		if err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%q: %v, %v", head, got, err)
		}
	}
}

func TestPositionErrors(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", `p.txt:1: there is no position in it`},
		{"comments alone", "# a\n\n \t\n# b\n", `p.txt:1: there is no position in it`},
		{"some other text", "hello\n", `p.txt:1:1: a position begins with a line such as 47g (turn number and side), or is written g [64 squares]`},
		{"a number without side", "47\n", `p.txt:1:1: this looks like the label of a turn, but it is not one: write a number from 1 to 100000 and g or s, for example 47g`},
		{"turn 0", "# a\n0g\n", `p.txt:2:1: this looks like the label of a turn, but it is not one: write a number from 1 to 100000 and g or s, for example 47g`},
		{"a number too great", "100001g\n", `p.txt:1:1: this looks like the label of a turn, but it is not one: write a number from 1 to 100000 and g or s, for example 47g`},
		{"a number beyond all words", "99999999999999999999g\n", `p.txt:1:1: this looks like the label of a turn, but it is not one: write a number from 1 to 100000 and g or s, for example 47g`},
		{"a turn without a position", "47g Ee2n\n", `p.txt:1:1: turn 47g: there is no piece on the board: a list of turns begins with the setup, 1w Ra1 Rb1 ... and 1b ra8 rb8 ...`},

		{"63 squares", "g [" + sampleSquares[1:] + "]", `p.txt:1:3: the brackets hold 63 squares, not 64`},
		{"65 squares", "g [" + sampleSquares + ".]", `p.txt:1:3: the brackets hold 65 squares, not 64`},
		{"no squares", "g []", `p.txt:1:3: the brackets hold 0 squares, not 64`},
		{"an unknown letter", "g [" + sampleSquares[:10] + "k" + sampleSquares[11:] + "]", `p.txt:1:14: unknown letter 'k' on c7`},
		{"a trap shown", "g [" + sampleSquares[:18] + "x" + sampleSquares[19:] + "]", `p.txt:1:22: unknown letter 'x' on c6`},
		{"a tab for a square", "g [" + sampleSquares[:1] + "\t" + sampleSquares[2:] + "]", `p.txt:1:5: unknown letter '\t' on b8`},
		{"a letter of two bytes", "g [" + sampleSquares[:63] + "é]", `p.txt:1:67: unknown letter 'é' on h1`},
		{"a letter behind one of two bytes", "g [é" + sampleSquares[1:5] + "ü" + sampleSquares[6:] + "]", `p.txt:1:4: unknown letter 'é' on a8`},
		{"a byte that is no letter", "g [" + sampleSquares[:63] + "\xff]", `p.txt:1: the text is not in UTF-8: save it in that encoding`},
		{"no closing bracket", "g [" + sampleSquares, `p.txt:1:68: the closing bracket is missing`},
		{"steps behind the bracket", sampleGold + " ea4n", `p.txt:1:70: text after the position`},
		{"text right behind the bracket", sampleGold + "2", `p.txt:1:69: text after the position`},
		{"in a later line", "# two\n" + sampleGold + "\r\n  g [" + sampleSquares[1:] + "]\r\n", `p.txt:3:5: the brackets hold 63 squares, not 64`},
		{"another side in a later line", sampleGold + "\nx [" + sampleSquares + "]\n", `p.txt:2:1: a position in short form begins with g or s, not 'x'`},
		{"no bracket in a later line", sampleGold + "\ns rrr\n", `p.txt:2:2: after the side letter there must be the squares in brackets: g [...]`},
		{"a byte order mark is no column", "\ufeffg [" + sampleSquares + "?]", `p.txt:1:3: the brackets hold 65 squares, not 64`},

		{"the first line alone", "47g\n", `p.txt:1:4: the board has 0 of 8 ranks`},
		{"seven ranks", `
47g
 +-----------------+
8|                 |
7|                 |
6|                 |
5|                 |
4|                 |
3|                 |
2|                 |
 +-----------------+

`, `p.txt:10:21: the board has 7 of 8 ranks`},
		{"nine ranks", `
47g
8|                 |
7|                 |
6|                 |
5|                 |
4|                 |
3|                 |
2|                 |
1|                 |
0|                 |
`, `p.txt:10:1: a line after the eighth rank of the board`},
		{"a rank cut off", `
47g
8|                 |
7|                 |
6|     x   r x     |
5|                 |
4| R   h
3|     x     x     |
2|                 |
1|                 |
`, `p.txt:6:9: rank 4 ends here, without the bar that ends other ranks`},
		{"a rank left out", `
47g
 +-----------------+
8|                 |
6|                 |
`, `p.txt:4:1: rank 6 stands where rank 7 is expected`},
		{"the first rank first", `
47g
 1|                 |
`, `p.txt:2:2: rank 1 stands where rank 8 is expected`},
		{"an unknown letter on the board", `
47g
8|                 |
7|                 |
6|     x     x     |
5|         k       |
4|                 |
3|     x     x     |
2|                 |
1|                 |
`, `p.txt:5:12: unknown letter 'k' on e5`},
		{"a trap on another square", `
47g
8|                 |
7|                 |
6|     x   x x     |
5|                 |
4|                 |
3|     x     x     |
2|                 |
1|                 |
`, `p.txt:4:12: unknown letter 'x' on e6`},
		{"an unknown letter between tabs", `
47g
8|→→→→→→→|
7|→→→→→→→|
6|→→→→ é→→→|
5|→→→→→→→|
4|→→→→→→→|
3|→→→→→→→|
2|→→→→→→→|
1|→→→→→→→|
`, `p.txt:4:8: unknown letter 'é' on e6`},
		{"a square too many", `
47g
8|                   |
`, `p.txt:2:3: rank 8 does not have 8 squares`},
		{"a square too few", `
47g
8|                 |
7|           |
`, `p.txt:3:3: rank 7 does not have 8 squares`},
		{"seven squares with a blank before each", `
47g
8| r r r r r r r|
`, `p.txt:2:3: rank 8 does not have 8 squares`},
		{"seven squares with blanks around", `
47g
8| r r r r r r r |
`, `p.txt:2:3: rank 8 does not have 8 squares`},
		{"seven squares with a blank after each", `
47g
8|r r r r r r r |
`, `p.txt:2:3: rank 8 does not have 8 squares`},
		{"seven squares without blanks", `
47g
8|rrrrrrr|
`, `p.txt:2:3: rank 8 does not have 8 squares`},
		{"seven columns between tabs", `
47g
8|r→r→r→r→r→r→r|
`, `p.txt:2:3: rank 8 does not have 8 squares`},
		{"a piece in a margin of unknown width", `
47g
8|      r     |
`, `p.txt:2:3: rank 8 does not have 8 squares`},
		{"a column too many between tabs", `
47g
8|r→r→r→r→r→r→r→r→r|
`, `p.txt:2:3: rank 8 does not have 8 squares`},
		{"two pieces between tabs", `
47g
8|r→r→r→r→r→r→r→rr|
`, `p.txt:2:3: rank 8 does not have 8 squares`},
		{"a piece between two squares", `
47g
8| r r             |
7|   rr            |
`, `p.txt:3:3: rank 7 does not have 8 squares`},
		{"ranks of two widths", `
47g
8| r r             |
7|r       |
`, `p.txt:3:3: rank 7 does not have 8 squares`},
		{"another number at the end", `
47g
8|                 | 8
7|                 | 8
`, `p.txt:3:21: text after the end of the rank`},
		{"a rank number alone", `
47g
8
`, `p.txt:2:2: rank 8 does not have 8 squares`},
		{"empty squares that may be margin", `
47g
  r   r
`, `p.txt:2:3: a line of the board looks like 8| r r   r   c   r |`},
		// The rabbits may stand on a8 and b8, each behind a blank, or on b8 and d8.
		{"two ways to tell the squares", `
47g
8| r r
7|
6|
5|
4|
3|
2|
1|
`, `p.txt:2:3: the squares of the board can be told apart in several ways: end each rank with a bar, or write . for empty squares`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := notation.ReadPositions("p.txt", written(test.text))
			checkParseError(t, got, err, test.want)
		})
	}
}

// checkParseError checks the whole text of an error, with its place.
func checkParseError(t testing.TB, got any, err error, want string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error but %v, want %s", got, want)
	}
	if _, ok := err.(*notation.ParseError); !ok {
		t.Errorf("the error is a %T", err)
	}
	if err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// TestParsePositionErrors checks those errors that a list of positions cannot have.
func TestParsePositionErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                         `1:1: there is no position in it`,
		" \t\r\n":                  `1:1: there is no position in it`,
		"x":                        `1:1: a position in short form begins with g or s, not 'x'`,
		"\n" + sampleGold:          `1:1: a position in short form begins with g or s, not '\n'`,
		" é [":                     `1:2: a position in short form begins with g or s, not 'é'`,
		"g":                        `1:2: after the side letter there must be the squares in brackets: g [...]`,
		"g ] [":                    `1:2: after the side letter there must be the squares in brackets: g [...]`,
		sampleGold + "\n" + "rest": `1:69: text after the position`,
	} {
		got, err := notation.ParsePosition(text)
		checkParseError(t, got, err, want)
	}
}

// TestParseErrorText leaves out the parts that are not known.
func TestParseErrorText(t *testing.T) {
	for _, test := range []struct {
		err  notation.ParseError
		want string
	}{
		{notation.ParseError{File: "f", Line: 3, Column: 4, Reason: "why"}, "f:3:4: why"},
		{notation.ParseError{File: "f", Line: 3, Reason: "why"}, "f:3: why"},
		{notation.ParseError{File: "f", Reason: "why"}, "f: why"},
		{notation.ParseError{Line: 3, Column: 4, Reason: "why"}, "3:4: why"},
		{notation.ParseError{Column: 4, Reason: "why"}, "why"},
		{notation.ParseError{Reason: "why"}, "why"},
	} {
		if got := test.err.Error(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// TestPositionRoundTrip writes random positions in both forms and reads them again.
func TestPositionRoundTrip(t *testing.T) {
	boards.Check(t, 1_000, 20_000, func(t *rapid.T) {
		text := boards.Position().Draw(t, "position")
		p := boards.Parse(t, text)
		if p.String() != text {
			t.Fatalf("%q is written %q", text, p)
		}
		d := notation.Diagram{Position: p, Number: rapid.IntRange(1, 100_000).Draw(t, "number"), Line: 1}
		got, err := notation.ReadPositions("", d.Long())
		if err != nil || len(got) != 1 || got[0] != d {
			t.Fatalf("%v, %v from\n%s", got, err, d.Long())
		}
	})
}

// TestLongWithoutNumber writes a diagram that was made without a turn number.
func TestLongWithoutNumber(t *testing.T) {
	want := "2g\n" + sampleBoard
	if d := cmp.Diff(want, (notation.Diagram{Position: boards.Parse(t, sampleGold)}).Long()); d != "" {
		t.Errorf("- want, + got:\n%s", d)
	}
}

// style is a way to draw a board.
type style struct {
	digitLeft, digitRight  bool
	barLeft, barRight      bool
	letters, border, strip bool
	before, after          string // of each square: a blank, a tab or nothing
	margin                 string // inside the bars
	empty, trap            string
	indent, ending         string
}

func drawStyle(t *rapid.T) style {
	coin := func(name string) bool { return rapid.Bool().Draw(t, name) }
	s := style{
		digitLeft: coin("number left"), digitRight: coin("number right"),
		barLeft: coin("bar left"), barRight: coin("bar right"),
		letters: coin("file letters"), border: coin("border"), strip: coin("stripped"),
		empty:  rapid.SampledFrom([]string{" ", "."}).Draw(t, "empty"),
		trap:   rapid.SampledFrom([]string{" ", ".", "x", "X", "*"}).Draw(t, "trap"),
		indent: rapid.SampledFrom([]string{"", " ", "\t", "   "}).Draw(t, "indent"),
		ending: rapid.SampledFrom([]string{"\n", "\r\n", " \t\n"}).Draw(t, "line end"),
	}
	around := rapid.SampledFrom([][2]string{{" ", ""}, {"", " "}, {"", ""}, {"", "\t"}, {"\t", ""}}).Draw(t, "around")
	s.before, s.after = around[0], around[1]
	// Without the second bar a margin cannot be told from an empty square.
	if rapid.IntRange(0, 3).Draw(t, "wide") == 0 && (s.shown() || s.barLeft && s.barRight) {
		s.margin = rapid.SampledFrom([]string{" ", "  ", "\t"}).Draw(t, "margin")
	}
	return s
}

// shown reports whether no square is a blank.
func (s style) shown() bool { return s.empty == "." && s.trap != " " }

// sure reports whether a board in this style can be read without doubt: the ranks have both bars
// and no further margin, or every square is shown.
func (s style) sure() bool {
	if s.before == "\t" || s.after == "\t" {
		return false // a tab at one end alone may be on either side of the squares
	}
	return s.barLeft && s.barRight && s.margin == "" || s.shown()
}

func (s style) draw(p arimaa.Position) string {
	var b strings.Builder
	line := func(text string) {
		text = s.indent + text
		if s.strip {
			text = strings.TrimRight(text, " \t")
		}
		b.WriteString(text + s.ending)
	}
	line(arimaa.TurnLabel(7, p.Side()))
	if s.border {
		line(" +-----------------+")
	}
	for rank := 8; rank >= 1; rank-- {
		var text string
		if s.digitLeft {
			text += fmt.Sprint(rank)
		}
		if s.barLeft {
			text += "|"
		}
		text += s.margin
		for file := range 8 {
			square := arimaa.Square(8*(rank-1) + file)
			letter := p.At(square).String()
			if letter == " " {
				letter = s.empty
				if arimaa.Traps.Has(square) {
					letter = s.trap
				}
			}
			text += s.before + letter + s.after
		}
		text += s.margin
		if s.barRight {
			text += "|"
		}
		if s.digitRight && s.barRight {
			text += fmt.Sprint(rank)
		}
		line(text)
	}
	if s.letters {
		line("   a b c d e f g h")
	}
	return b.String()
}

// TestBorderVariants draws random positions in random styles. No style is ever read as another
// position; a style that leaves doubt may be refused.
func TestBorderVariants(t *testing.T) {
	boards.Check(t, 2_000, 100_000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Position().Draw(t, "position"))
		s := drawStyle(t)
		text := s.draw(p)
		got, err := notation.ReadPositions("", text)
		switch {
		case err != nil && s.sure():
			t.Fatalf("%v\n%s", err, text)
		case err == nil && got[0].Position != p:
			t.Fatalf("read as %v:\n%s", got[0].Position, text)
		}
	})
}

// TestPublishedPositions reads every published position; the long forms are written again as they
// were published.
func TestPublishedPositions(t *testing.T) {
	dir := published.Dir(t)
	var files []string
	for _, pattern := range []string{"win-in-2/reduced/*.txt", "win-in-2/big/*.txt", "puzzles/*.txt"} {
		found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		require.NoError(t, err)
		files = append(files, found...)
	}
	if len(files) != 51+50+4 {
		t.Errorf("%d files, want %d", len(files), 51+50+4)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		diagrams, err := notation.ReadPositions(filepath.Base(file), string(text))
		if err != nil {
			t.Error(err)
			continue
		}
		if d := cmp.Diff(tidy(string(text)), tidy(diagrams[0].Long())); len(diagrams) != 1 || d != "" {
			t.Errorf("%s (- published, + written):\n%s", filepath.Base(file), d)
		}
		p := diagrams[0].Position
		if again, err := notation.ParsePosition(p.String()); err != nil || again != p {
			t.Errorf("%s: %v, %v", filepath.Base(file), again, err)
		}
	}
	for _, name := range []string{"goal-this-turn/composed.tsv", "goal-this-turn/from-games.tsv", "endings.tsv"} {
		diagrams, err := notation.ReadPositions(name, published.Read(t, name))
		if err != nil {
			t.Error(err)
		}
		if rows := len(published.Rows(t, name)); len(diagrams) != rows {
			t.Errorf("%s: %d positions in %d rows", name, len(diagrams), rows)
		}
	}
}

// tidy takes away what readers pass over: line ends, blank lines, blanks at the end of a line and
// the difference between X and x.
func tidy(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "X", "x"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r")
	}
	return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return l == "" }), "\n")
}
