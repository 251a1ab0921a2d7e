package notation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
)

// sampleRanks is the sample position with slashes between its ranks, sampleBoard its diagram
// without a first line.
const (
	sampleRanks = "r2r1c1r/1dh2m2/5E2/1H5D/e7/3R4/R2C2M1/7R"
	sampleBoard = ` +-----------------+
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
`
)

// afterSilver is the sample position after "ea4n": the elephant on f6 had no defender.
const afterSilver = "g [" + "r  r c r" + " dh  m  " + "        " + "eH     D" + "        " + "   R    " + "R  C  M " + "       R" + "]"

// puzzle is a position that a game may lead to.
const puzzle = "g [" + "r  r c r" + " dh  m  " + "    E   " + " H     D" + "e       " + "   R    " + "R  C  M " + "       R" + "]"

// shown tells what was read, one entry a line, in a form that these tests can hold: a label and a
// position, a game by its length and last position, or an error. The sample position is called so.
func shown(t *testing.T, lines *notation.Lines) string {
	t.Helper()
	names := strings.NewReplacer("["+sampleSquares+"]", "sample", puzzle[2:], "puzzle", afterSilver[2:], "after silver")
	position := func(label string, p arimaa.Position) string { return names.Replace(label + " " + p.String()[2:]) }
	var all []string
	for e, err := range notation.Read(lines) {
		switch {
		case err != nil:
			all = append(all, err.Error())
		case e.Position != nil:
			checkPosition(t, *e.Position)
			d := e.Position
			text := position(arimaa.TurnLabel(d.Number, d.Position.Side()), d.Position)
			if e.Solution != "" {
				text += " " + e.Solution
			}
			all = append(all, text)
		case e.Game != nil:
			checkGame(t, e.Game)
			g := e.Game
			all = append(all, fmt.Sprintf("%d turns to %s", g.Len(), position(g.Label(g.Len()), g.Last())))
		default:
			all = append(all, "game "+e.Record.ID)
		}
	}
	return strings.Join(all, "\n")
}

// TestPasted reads texts as people paste them.
func TestPasted(t *testing.T) {
	const noSide = "nothing says who is to move: write g (gold) or s (silver) before the position"
	quoted := func(mark, text string) string {
		return mark + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+mark) + "\n"
	}
	boxed := strings.NewReplacer("+-", "┌─", "-+", "─┐", "-", "─", "|", "│", " ", "\u00a0")
	dotted := strings.ReplaceAll(sampleSquares, " ", ".")
	for _, test := range []struct{ name, text, want string }{
		// One line.
		{"short form", sampleGold, "2g sample"},
		{"a turn before the squares", "23g [" + sampleSquares + "]", "23g sample"},
		{"an older label before the squares", "23b [" + dotted + "]", "23s sample"},
		{"turn 0", "0g [" + sampleSquares + "]", "f:1:1: the number of a turn is from 1 to 100000"},
		{"squares alone", "[" + sampleSquares + "]", "f:1:1: " + noSide},
		{"squares alone, one too few", "[" + sampleSquares[1:] + "]", "f:1:1: the brackets hold 63 squares, not 64"},
		{"blanks of a web page", strings.ReplaceAll(sampleGold, " ", "\u00a0"), "2g sample"},
		{"blanks without width", "\u200bg\u200b [" + sampleSquares[:9] + "\u200d" + sampleSquares[9:] + "]\u2060", "2g sample"},
		{"middle dots", "g [" + strings.ReplaceAll(sampleSquares, " ", "·") + "]", "2g sample"},
		{"a command", "setposition s [" + sampleSquares + "]", "2s sample"},
		{"commands, one a line", "setposition s [" + sampleSquares + "]\nsetposition g [" + sampleSquares + "]\n", "2s sample\n2g sample"},
		{"a command that is broken", "setposition g [" + sampleSquares + "\n", "f:1:80: the closing bracket is missing"},
		{"a command without a side", "setposition [" + sampleSquares + "]\n", "f:1:13: " + noSide},
		{"ranks, the side before", "g " + sampleRanks, "2g sample"},
		{"ranks, a turn before", "22s " + sampleRanks, "22s sample"},
		{"ranks, the side behind", sampleRanks + " b", "2s sample"},
		{"ranks below a turn", "22g\n" + sampleRanks + "\n", "22g sample"},
		{"ranks with dots", "g " + strings.NewReplacer("2", "..", "7", ".......", "1", ".").Replace(sampleRanks), "2g sample"},
		{"ranks alone", sampleRanks, "f:1:1: " + noSide},
		{"ranks with two sides", "g " + sampleRanks + " s", "f:1:44: the side to move stands before the ranks and behind them"},
		{"ranks with a letter of chess", "g rnbqkbnr/8/8/8/8/8/8/RRRRRRRR", "f:1:4: unknown letter 'n' on b8"},
		{"ranks with nine squares", "g r2r1c1r1/1dh2m2/5E2/1H5D/e7/3R4/R2C2M1/7R", "f:1:10: rank 8 has more than 8 squares"},
		{"ranks with seven squares", "g r2r1c/1dh2m2/5E2/1H5D/e7/3R4/R2C2M1/7R", "2g [r  r c   dh  m       E   H     De          R    R  C  M        R]"},
		{"seven ranks", "g r2r1c1r/1dh2m2/5E2/1H5D/e7/3R4/R2C2M1", "f:1:40: there are 7 of 8 ranks"},
		{"nine ranks", "g " + sampleRanks + "/8", "f:1:43: there are more than 8 ranks"},
		{"chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "f:1:2: unknown letter 'n' on b8"},
		{"pieces", "Rh1 Ra2 Cd2 Mg2 Rd3 Hb5 Dh5 Ef6 ea4 db7 hc7 mf7 ra8 rd8 cf8 rh8 s", "2s sample"},
		{"pieces without a side", "Rh1 ra8", "f:1:1: " + noSide},
		{"two pieces on a square", "Rh1 rh1 g", "f:1:5: \"rh1\": the square is taken"},
		{"the list goes on behind a broken line", sampleGold + "\n23g [r]\n22s " + sampleRanks + "\nhello\n" + sampleGold,
			"2g sample\nf:2:5: the brackets hold 1 squares, not 64\n22s sample\nf:4:1: a position begins with a line such as 47g (turn number and side), or is written g [64 squares]\n2g sample"},

		{"another encoding", sampleGold + "\n# \xe9\n" + sampleSilver + "\ng [\xe9]\n" + sampleGold,
			"2g sample\n2s sample\nf:4: the text is not in UTF-8: save it in that encoding\n2g sample"},

		// Diagrams.
		{"words behind the turn", "2w (gold to move)\n" + sampleBoard, "2g sample"},
		{"other words behind the turn", "2b (a puzzle by bob)\n" + sampleBoard, "2s sample"},
		{"words that say the other side", "2w (silver to move)\n" + sampleBoard, "f:1:1: the label says that gold is to move, the words behind it say silver"},
		{"no first line", sampleBoard, "f:2:1: " + noSide},
		{"the side in words above", "Silver to move.\n\n" + sampleBoard, "2s sample"},
		{"the side in words below", sampleBoard + "\n(Gold to move)\n", "2g sample"},
		{"the sides of two lines", "Silver to move\n" + sampleBoard + "Gold to move\n", "f:13:1: here gold is to move, but in the position above silver is"},
		{"words that do not say who is to move", "A win in two\n" + sampleBoard, "f:3:1: " + noSide},
		{"a claim says who is to move", "Gold to win in two\n" + sampleBoard, "2g sample"},
		{"the line above and the label", "Silver to move\n5g\n" + sampleBoard, "f:2:1: the label says that gold is to move, the line above says silver"},
		{"bot_sharp", "P = 0, S = 0, T = 22s, H = 1234567\n +--------+\n8|r..r.c.r|\n7|.dh..m..|\n6|..*..E..|\n5|.H.....D|\n4|e.......|\n3|..*R.*..|\n2|R..C..M.|\n1|.......R|\n +--------+\n  abcdefgh \n", "22s sample"},
		{"bot_sharp in the middle of a turn", "P = 0, S = 2, T = 22s, H = 1234567\n" + sampleBoard, "f:3:1: " + noSide},
		{"prose around", "Hello all,\n\nwho wins here - gold?\n\n47g\n" + sampleBoard + "\nI think so.\nBob\n", "47g sample"},
		{"quoted", quoted("> ", "bob wrote:\n\n47g\n"+sampleBoard), "47g sample"},
		{"quoted twice", quoted(">> ", "47g\n"+sampleBoard), "47g sample"},
		{"code of a forum", "[code]47g\n" + sampleBoard + "[/code]\nthanks", "47g sample"},
		{"code of a page", "<pre>\n47g\n" + sampleBoard + "</pre>\n", "47g sample"},
		{"code of a note", "```text\n47g\n" + sampleBoard + "```\n", "47g sample"},
		{"a box and blanks of a web page", "47g\n" + boxed.Replace(sampleBoard), "47g sample"},
		{"dashes in the border", "47g\n" + strings.NewReplacer("--", "—").Replace(sampleBoard), "47g sample"},
		{"Windows", "\ufeff" + strings.ReplaceAll("47g\n"+sampleBoard, "\n", "\r\n"), "47g sample"},
		{"two with prose between", "First:\n47g\n" + sampleBoard + "Second:\n48s\n" + sampleBoard + "Bye\n", "47g sample\n48s sample"},
		{"a broken one between", "47g\n" + sampleBoard + "\n48g\n" + strings.Replace(sampleBoard, "m", "k", 1) + "and\n49g\n" + sampleBoard,
			"47g sample\nf:17:14: unknown letter 'k' on f7\n49g sample"},
		{"a rank missing, then prose", "47g\n" + strings.Replace(sampleBoard, "4| e               |\n", "", 1) + "Nice!\n", "f:7:1: rank 3 stands where rank 4 is expected"},
		{"half a board", "Look:\n8| r     r   c   r |\n7|   d h     m     |\nNice!\n", "f:4:1: a line of the board looks like 8| r r   r   c   r |"},
		{"short form below prose", "What about\n  " + sampleGold + "\nthen?\n", "2g sample"},
		{"short form in a sentence", "What about " + sampleGold + " then?\n", "2g sample"},
		{"a letter too few in a sentence", "What about g [" + sampleSquares[1:] + "] then?\n",
			"f:1:14: this looks like a position in short form, but that is g and then 64 squares in brackets, g [...]"},
		{"a broken one below prose", "What about\ng [" + sampleSquares[2:] + "]\n", "f:2:3: the brackets hold 62 squares, not 64"},
		{"prose alone", "Dear reader,\nI saw a red deer (2 in fact).\n", "f:1:1: a position begins with a line such as 47g (turn number and side), or is written g [64 squares]"},
		{"a label in capitals", "Look:\n47G\n" + sampleBoard, "47g sample"},
		{"a turn alone", "What of\n  Ee2n Ee3n\n?\n", "f:2:3: this looks like a turn, but no position stands above it, and no list of turns with a setup"},
		{"a table of something else", "a | b | c\n", "f:1:1: this looks like a rank of a board, but it has other signs than pieces and empty squares, such as 8| r r   r   c   r |"},
		{"few squares in brackets", "Here: [rRe]\n", "f:1:7: this looks like a position in short form, but that is g and then 64 squares in brackets, g [...]"},
		{"an address", "See\nhttp://arimaa.com/arimaa/games/a/b/c/d/e\n", "f:1:1: a position begins with a line such as 47g (turn number and side), or is written g [64 squares]"},

		{"captions above", "Gold to move:\n" + sampleBoard + "\nSilver to move:\n" + sampleBoard, "2g sample\n2s sample"},
		{"a caption between, above or below", sampleBoard + "Silver to move\n" + sampleBoard,
			"f:14:1: the line above may say who is to move in this position, or in the one above it: say it in both\nf:14:1: " + noSide},
		{"a caption above a label", sampleBoard + "\nSilver to move\n\n48s\n" + sampleBoard,
			"f:15:1: the line above may say who is to move in this position, or in the one above it: say it in both\n48s sample"},
		{"a caption below, then a label", sampleBoard + "Silver to move\n\n48s\n" + sampleBoard, "2s sample\n48s sample"},
		{"a caption that only fits above", sampleBoard + "\nSilver to move\n\n47g\n" + sampleBoard, "2s sample\n47g sample"},
		{"a time before a command", "[12:03] setposition " + sampleGold + "\n", "2g sample"},
		{"a link above", "[Game 7](https://example.com/7)\n\n47g\n" + sampleBoard, "47g sample"},
		{"captions below", sampleBoard + "Gold to move\n\n---\nNext:\n" + sampleBoard + "Silver to move\n", "2g sample\n2s sample"},
		{"a contradiction further below", "47g\n" + sampleBoard + "\nSilver to move\nBye\n", "47g sample\nf:14:1: here silver is to move, but in the position above gold is"},
		{"a contradiction at the end", "47g\n" + sampleBoard + "\nSilver to move\n", "47g sample\nf:14:1: here silver is to move, but in the position above gold is"},
		{"a lost bracket among prose", "Two:\ng " + sampleSquares + "]\n" + sampleGold + "\n",
			"f:2:3: this looks like a position in short form, g [64 squares], but the opening bracket is missing\n2g sample"},
		{"a board below a broken one", "47g\n8| z\n7|\n6|\n5|\n4|\n3|\n2|\n1|\n\nGold to move\n" + strings.NewReplacer("1", "", "2", "", "3", "", "4", "", "5", "", "6", "", "7", "", "8", "").Replace(sampleBoard),
			"f:2:4: unknown letter 'z' on a8\n2g sample"},

		// Turns below a position.
		{"a turn below words", "Silver to move\n" + sampleBoard + "47s ea4n\n", "1 turns to 48g after silver"},
		{"a mark behind the label", "47s\n" + sampleBoard + "47s: ea4n\n", "1 turns to 48g after silver"},
		{"a turn below", "47g\n" + sampleBoard + "47g Ef6n Ef7e\n", "f:13:5: turn 47g: Ef6n: f7 is occupied"},
		{"a turn of silver below", "47s\n" + sampleBoard + "\n47s ea4n\n", "1 turns to 48g after silver"},
		{"a turn and the label to come", "47s\n" + sampleBoard + "47s ea4n\n48g\n", "1 turns to 48g after silver"},
		{"turns and another position", "47s\n" + sampleBoard + "47s ea4n\n48g Mg2n\n48s ra8e\n49g\n" + sampleBoard, "3 turns to 49g [ r r c r dh  m          eH     D           R  M R  C           R]\n49g sample"},
		{"a turn below squares", "47s [" + sampleSquares + "]\n47s ea4n", "1 turns to 48g after silver"},
		{"a turn below says the side", sampleBoard + "47s ea4n\n", "1 turns to 48g after silver"},
		{"a turn of the other side", "47s\n" + sampleBoard + "47g Ef6e\n", "f:13:1: turn 47g stands where turn 47s is expected"},
		{"an illegal turn", "47s\n" + sampleBoard + "47s ea4s ra8n\n48g Ef6e\n\n3g\n" + sampleBoard, "f:13:10: turn 47s: ra8n: the step leaves the board\n3g sample"},
		{"steps without a label", "47s\n" + sampleBoard + "ea4n\n", "f:13:1: a turn below a position begins with its label and a blank, here 47s"},
		{"a turn below prose", "47s\n" + sampleBoard + "Proved: silver wins.\n   47s ea4n\n",
			"47s sample\nf:14:4: turn 47s may continue a position above or be only about it: put turns right below their position, or leave them out"},

		// The AEI.
		{"a log", "aei\nprotocol-version 1\naeiok\nisready\nreadyok\nnewgame\nsetposition s [" + sampleSquares + "]\nmakemove ea4n\ngo\ninfo depth 5\nbestmove Ef6e\n", "1 turns to 3g after silver"},
		{"a game in a log", "newgame\nmakemove Ra1 Ee2\ngo\nbestmove ra8 ee7\nmakemove ra8 ee7\nmakemove Ee2n\nquit\n", "1 turns to 2s [r           e                               E           R       ]"},
		{"a log with two games", "newgame\nmakemove Ra1 Ee2\nmakemove ra8 ee7\nnewgame\nmakemove Ra1 Ed2\n", "0 turns to 2g [r           e                                       E   R       ]\n0 turns to 2g [                                                   E    R       ]"},
		{"an illegal move in a log", "newgame\nmakemove Ra1 Ee2\nmakemove ra8 ee7\nmakemove Ra1s\n", "f:4:10: turn 2g: Ra1s: the step leaves the board"},
		{"a log that begins in the middle", "makemove Ra1n\n", "f:1:1: makemove stands before newgame and setposition: nobody knows in which position"},

		// Games.
		{"a game below prose", "My first game:\n\n> 1w Ra1 Ee2\n> 1b ra8 ee7\n> 2w Ee2n\n", "1 turns to 2s [r           e                               E           R       ]"},
		{"a game of a web page", "1w\u00a0Ra1\u00a0Ee2\n1b\u00a0ra8\u00a0ee7\n", "0 turns to 2g [r           e                                       E   R       ]"},
		{"turns without a setup", "2w Ee2n\n", "f:1:1: turn 2w: there is no piece on the board: a list of turns begins with the setup, 1w Ra1 Rb1 ... and 1b ra8 rb8 ..."},
		{"a game behind a mark and comments", "\ufeff# one\n\n1w Ca1 Rd2\n1b ra5\n2w Rd2n\n", "1 turns to 2s [                        r                  R            C       ]"},
		{"a game in which Gold has no pieces", "1w\n1b ra5\n2b\n", "0 turns to 2s [                        r                                       ]"},
		{"labels alone", "1w\n1b\n2w\n", "0 turns to 2g [                                                                ]"},
		{"an archive behind a mark and comments", "\ufeff# one\n\nid\tmovelist\n7\t" + `1w Ca1 Rd2\n1b ra5\n2w Rd2n\n2b` + "\n", "game 7"},
		{"a broken row of an archive", "id\tmovelist\n1\t\n2\n# a comment\n3\t\n", "game 1\nf:3:1: the row has 1 columns, the header 2\ngame 3"},
		{"an archive of other columns", "\ufeffmovelist\tid\n", "f:1: there are no games below the header"},
		{"an archive without names", "# an archive\nmovelist\tevent", `f:2: there is no row below the header`},
		{"an annotated game behind a mark", "\ufeff[Gold \"ann\"]\n\n1g Ca1 Rd2 1s ra5\n2g Rd2n! {good} (2g Ca1n)\n",
			"1 turns to 2s [                        r                  R            C       ]"},
		{"an annotated game without turns", "[Gold \"ann\"]\n", "f:1:1: there is no turn in it"},
		{"an illegal turn in an annotated game", "[Gold \"ann\"]\n1g Ra1 1s ra8\n2g Ra1s", "f:3:4: turn 2g: Ra1s: the step leaves the board"},
		{"an annotated game in a quotation", quoted("> ", "[code]\n[Gold \"ann\"]\n\n1g Ra1 Ee2 1s ra8 ee7\n2g Ee2n! {good} 1-0\n[/code]"), "1 turns to 2s [r           e                               E           R       ]"},

		// Puzzles.
		{"arimaa.com", "mode=selfPlay\n&movelist=1w Ra5 Ee1%0d1b rh7 eh8%0d2w Ra5n Ra6n%0d2b rh7w\n&chat=Gold to win\n&side=w\n&startmove=2w\n",
			"2g [       e       r        R                                   E   ] Ra5n Ra6n"},
		{"4steps", puzzleFile(puzzle, "Ee6n"), "2g puzzle Ee6n"},
		{"4steps, cut off", puzzleFile(puzzle, "Ee6n", puzzle, "Ee6n")[:50], "2g puzzle Ee6n\nf:2: the file of puzzles breaks off: the last has 14 bytes, not 36"},
		{"4steps, broken ones between", puzzleFile(puzzle, "Ee6n", puzzle, "", puzzle, "Rh1s", "g [R"+puzzle[4:], "Ee6n", puzzle, "Ee6n Ee7s", puzzle, "Ee6n"),
			"2g puzzle Ee6n\nf:2: puzzle 2: there is no solution\nf:3: puzzle 3: the solution leaves the board on h1\n" +
				"f:4: puzzle 4: the game is over: gold has won (goal)\nf:5: puzzle 5: the solution: a turn must change the board\n2g puzzle Ee6n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if d := cmp.Diff(test.want, shown(t, notation.NewLines("f", strings.NewReader(test.text)))); d != "" {
				t.Errorf("what is read (- want, + got):\n%s\nof\n%s", d, test.text)
			}
		})
	}
}

// TestInOneLine tells positions in one line from the names of files.
func TestInOneLine(t *testing.T) {
	for text, want := range map[string]bool{
		sampleGold: true, "23g [r]": true, sampleRanks: true, "g " + sampleRanks: true, "Ra1 ra8 g": true, "setposition g [": true,
		"": false, " ": false, "a.txt": false, "g": false, "data/r/c/d": false, "/usr/share/go/a/b/c/d.txt": false, "Ra1": false, "47g": false,
	} {
		if got := notation.InOneLine(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// puzzleFile writes a puzzle file of 4steps: positions and solutions in turn.
func puzzleFile(all ...string) string {
	var b []byte
	for i := 0; i < len(all); i += 2 {
		squares := all[i][3:67]
		half := func(s int) byte {
			c := squares[s^56]
			if c == ' ' {
				return 15
			}
			n := byte(strings.IndexByte("RrCcDdHhMmEe", c))
			return n
		}
		for s := 0; s < 64; s += 2 {
			b = append(b, half(s)|half(s+1)<<4)
		}
		steps := make([]byte, 4)
		for n, step := range strings.Fields(all[i+1]) {
			steps[n] = step[1] - 'a' + 8*(step[2]-'1') + 64*byte(strings.IndexByte("swen", step[3]))
		}
		b = append(b, steps...)
	}
	return string(b)
}

// TestAssumed reads positions that do not say who is to move, for somebody who knows it.
func TestAssumed(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"squares alone", "[" + sampleSquares + "]", "2s sample"},
		{"several", "[" + sampleSquares + "]\n[" + sampleSquares + "]", "2s sample\n2s sample"},
		{"ranks alone", sampleRanks, "2s sample"},
		{"pieces alone", "Rh1 ra8", "2s [r                                                              R]"},
		{"a diagram", "Look:\n" + sampleBoard, "2s sample"},
		{"a diagram of nothing but squares", "r..r.c.r\n.dh..m..\n..x..E..\n.H.....D\ne.......\n..xR.x..\nR..C..M.\n.......R\n", "2s sample"},
		{"a turn below", sampleBoard + "5s ea4n\n", "1 turns to 6g after silver"},
		{"a turn of the other side below", sampleBoard + "5g Ef6e\n", "f:12:1: turn 5g stands where turn 2s is expected"},
		{"the other side in words below", sampleBoard + "Gold to move\n", "f:12:1: here gold is to move, but in the position above silver is"},
		{"a position that says it", sampleGold, "2g sample"},
		{"a caption above squares", "Gold to move\n[" + sampleSquares + "]", "2g sample"},
		{"a label", "47g\n" + sampleBoard, "47g sample"},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines := notation.NewLines("f", strings.NewReader(test.text))
			lines.Assume(arimaa.Silver)
			if d := cmp.Diff(test.want, shown(t, lines)); d != "" {
				t.Errorf("what is read (- want, + got):\n%s\nof\n%s", d, test.text)
			}
		})
	}
}

// TestAmongProse writes random positions in the forms for positions among lines of prose, quoted or
// not: exactly they are read.
func TestAmongProse(t *testing.T) {
	prose := rapid.SampledFrom([]string{
		"Hello!", "2 rabbits, 8 in all", "He removed Ed's camel: Ee2n and so on.", "Dear Ed", "a b c", "see [1] and [2]", "1. e4 e5", "---", "==========",
		"1/2 a point", "http://arimaa.com/arimaa/", "it is 7|3", "Gold wins in 3 turns.", "g2 is empty", "8. The end", "setup: none", "go on", "47 g of sugar",
	})
	boards.Check(t, 300, 10_000, func(t *rapid.T) {
		var text strings.Builder
		var want []string
		text.WriteString("Hi,\n\n")
		for range rapid.IntRange(1, 3).Draw(t, "positions") {
			for range rapid.IntRange(0, 3).Draw(t, "lines") {
				text.WriteString(prose.Draw(t, "prose") + "\n")
			}
			p := boards.Parse(t, boards.Position().Draw(t, "position"))
			d := notation.Diagram{Position: p, Number: rapid.IntRange(2, 99).Draw(t, "number")}
			form, _ := notation.FormNamed(rapid.SampledFrom([]string{"board", "short", "ranks"}).Draw(t, "form"))
			written, _ := form.Write(notation.Written{Game: notation.Line(arimaa.NewGame(p, d.Number))})
			text.WriteString(written + "\n")
			want = append(want, p.String())
		}
		text.WriteString("\nBye\n")
		whole := text.String()
		if rapid.Bool().Draw(t, "quoted") {
			whole = "> " + strings.ReplaceAll(whole, "\n", "\n> ")
		}
		var got []string
		for e, err := range entries("f", whole) {
			if err != nil {
				t.Fatalf("%v\n%s", err, whole)
			}
			got = append(got, e.Position.Position.String())
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("what is read (- want, + got):\n%s\nof\n%s", d, whole)
		}
	})
}

// TestLineLost leaves out each line of texts, doubles each, and writes a letter behind each:
// another position is never read.
func TestLineLost(t *testing.T) {
	for name, text := range map[string]string{
		"a diagram": "Hi\n47g\n" + sampleBoard + "bye\n",
		"dots":      "47g\nr..r.c.r\n.dh..m..\n..x..E..\n.H.....D\ne.......\n..xR.x..\nR..C..M.\n.......R\nbye\n",
		"bars":      "47g\n" + strings.NewReplacer("1", "", "2", "", "3", "", "4", "", "5", "", "6", "", "7", "", "8", "").Replace(sampleBoard),
		"ranks":     "So:\n22g\n" + sampleRanks + "\nbye\n",
		"short":     sampleGold + "\n" + sampleGold + "\n",
		"a caption": "Gold to move\n" + sampleBoard,
	} {
		lines := strings.SplitAfter(text, "\n")
		for i, l := range lines {
			l = strings.TrimSuffix(l, "\n")
			for _, instead := range []string{"", "\n", l + "\n" + l + "\n", l + "x\n"} {
				broken := strings.Join(lines[:i], "") + instead + strings.Join(lines[i+1:], "")
				for e, err := range entries("f", broken) {
					if err == nil && (e.Position == nil || e.Position.Position.String() != sampleGold) {
						t.Errorf("%s: %+v is read from\n%s", name, e, broken)
					}
				}
			}
		}
	}
}
