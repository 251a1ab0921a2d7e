package notation_test

import (
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"goalproof/internal/testkit/require"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
)

// checkFailure checks that an error of a reader has a reason and lies in the text.
func checkFailure(t *testing.T, text string, err error) {
	t.Helper()
	var e *notation.ParseError
	if !errors.As(err, &e) {
		t.Fatalf("the error is a %T", err)
	}
	if strings.TrimSpace(e.Reason) == "" {
		t.Fatal("the error has no reason")
	}
	lines := strings.SplitAfter(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	if len(lines) > 1 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if e.Line > 0 && isPuzzleFile(text) {
		return // it has numbers instead of lines
	}
	if e.Line < 1 || e.Line > len(lines) {
		t.Fatalf("%v: the text has %d lines", err, len(lines))
	}
	if columns := len([]rune(lines[e.Line-1])) + 1; e.Column < 0 || e.Column > columns {
		t.Fatalf("%v: the line has %d columns", err, columns)
	}
}

// isPuzzleFile reports whether a text may be a puzzle file of 4steps: at least 32 halves of its
// first bytes stand for empty squares.
func isPuzzleFile(text string) bool {
	if len(text) < 36 {
		return false
	}
	empty := 0
	for _, b := range []byte(text[:32]) {
		if b>>4 == 15 {
			empty++
		}
		if b&15 == 15 {
			empty++
		}
	}
	return empty >= 32
}

// checkPosition checks that a position is read again as it is written.
func checkPosition(t *testing.T, d notation.Diagram) {
	t.Helper()
	p := d.Position
	if again, err := notation.ParsePosition(p.String()); err != nil || again != p {
		t.Fatalf("%v is read as %v, %v", p, again, err)
	}
	again, err := notation.ReadPositions("", d.Long())
	if err != nil || len(again) != 1 || again[0].Position != p || again[0].Number != d.Number {
		t.Fatalf("%v, %v from\n%s", again, err, d.Long())
	}
	if p != arimaa.NewPosition(p.Board, p.Side()) {
		t.Fatalf("%v differs from the position made anew", p)
	}
	_ = p.Unusual() // must not panic
	if d.Number > 1 {
		checkForms(t, d, nil)
	}
}

// checkGame checks that a game is read again as it is written.
func checkGame(t *testing.T, g *arimaa.Game) {
	t.Helper()
	checkTurns(t, g)
	checkForms(t, notation.Diagram{}, g)
	if i, ok := g.Find(numberAndSide(t, g.Label(g.Len()))); !ok || i != g.Len() {
		t.Fatalf("turn %s is found at %d of %d", g.Label(g.Len()), i, g.Len())
	}
}

func numberAndSide(t *testing.T, label string) (int, arimaa.Side) {
	t.Helper()
	number, side, err := notation.ParseLabel(label)
	require.NoError(t, err)
	return number, side
}

// pasted are texts in forms that the other seeds do not have.
var pasted = []string{
	"23g [" + sampleSquares + "]\n[" + sampleSquares + "]", sampleRanks + " s", "22g\n" + sampleRanks, "setposition s [" + sampleSquares + "]\nmakemove ea4n\ngo",
	"Rh1 ra8 rb7 s", "newgame\nmakemove Ra1 Ee2\nmakemove ra8 ee7\nmakemove Ee2n\nbestmove ee7s\n", "2w (gold to move)\n" + sampleBoard + "2w Mg2n\n2b ra8s\n3w",
	"> Silver to move\n> " + strings.ReplaceAll(sampleBoard, "\n", "\n> "), "P = 1, S = 0, T = 5g, H = 77\n" + sampleBoard, "[code]" + sampleBoard + "[/code]\nGold to move",
	"Hello\n47g\n" + sampleBoard + "bye\n48s\n" + sampleBoard, "mode=selfPlay\n&movelist=1w Ra5 Ee1%0d1b rh7 eh8%0d2w Ra5n\n&side=w\n&startmove=2w\n&title=x",
	puzzleFile(puzzle, "Ee6n", puzzle, ""), "Hi,\n1w Ra1\n1b ra8\n2w Ra1n", "47g\n" + strings.NewReplacer("-", "\u2500", "|", "\u2502", " ", "\u00a0").Replace(sampleBoard),
}

func FuzzParsePosition(f *testing.F) {
	for _, text := range []string{
		sampleGold, sampleSilver, "", "g", "w[" + sampleSquares + "]\tx", "\ufeff\t b \t[" + sampleSquares + "]\r\n",
		"g ][", "g [\xff]", "é [", "5s [" + sampleSquares + "]", sampleRanks + " s", "g " + sampleRanks, "Rh1 ra8 g", "setposition g [" + sampleSquares + "]",
		"[\r00",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := notation.ParsePosition(text)
		if err != nil {
			checkFailure(t, text, err)
			return
		}
		checkPosition(t, notation.Diagram{Position: p, Number: 2})
	})
}

// games are seeds for the readers of games.
var games = []string{
	" (\u05af) 0",
	opening + "2w Ee2n Ee3n Ee4n Ee5n\n2b hh7s hh6s ha7s\n3w Ee6w me7s Ed6s me6w\n3b\n",
	caged,
	"1w Ca1 Rd2\n1b ra5\n2w pass\n2b ra5s\n3w takeback\n2b resigns\n3w",
	"1w Ea1 Rh1\n1b takeback\n1w Ra7\n1b rh8\n2w Ra7n\n2b\n",
	"1w\n1b ra5\n2w takeback\n1b rb5\n34b\n",
	"\ufeff1g Ee3 Cb3 Df3 Rh1\r\n1s hd3 rh8\r\n2g hd3w hc3x Ee3w Df3x\r\n# end\r\n2s lost\r\n",
	"1w Ra1\n1b rb5\n99999b rb5s\n100000w",
	"1w Ra1\n1b rb5\n99999b pass",
	"1w Ec3 Ed1 Rh1\n1b ec6 ra6\n2w Ed1w Ec3x ec6x\n2b",
	"1b takeback", "2w takeback", "2w pass\n2b takeback",
}

func FuzzReadGame(f *testing.F) {
	for _, text := range games {
		f.Add(written(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := notation.ReadGame("f", text)
		if err != nil {
			checkFailure(t, text, err)
			return
		}
		checkGame(t, g)
	})
}

// checkRecord reads the game of a record, whose errors lie in its row.
func checkRecord(t *testing.T, text string, r *notation.Record) {
	t.Helper()
	g, err := r.Game()
	if err == nil {
		checkGame(t, g)
		return
	}
	checkFailure(t, text, err)
	legible := len(r.ID) < 100 && utf8.ValidString(r.ID) && strings.IndexFunc(r.ID, unicode.IsControl) < 0
	if legible && !strings.Contains(err.Error(), r.ID) {
		t.Fatalf("%v does not name the game %s", err, r.ID)
	}
}

func archiveOf(text string) string {
	return "id\tresult\tmovelist\n7\tw\t" + strings.ReplaceAll(strings.Trim(written(text), "\n"), "\n", `\n`) + "\n"
}

func FuzzRead(f *testing.F) {
	for _, v := range longVariants {
		f.Add(written(v.text))
	}
	for _, text := range pasted {
		f.Add(text)
	}
	for _, text := range games {
		f.Add(written(text))
		f.Add(archiveOf(text))
	}
	for _, text := range []string{
		sampleGold + "\n" + sampleSilver, "\ufeff# two\r\n" + sampleGold + "\tno\r\nb[" + sampleSquares + "]",
		"47g", "47g\n8|", "47g\n8|\n7|\n6|\n5|\n4|\n3|\n2|\n1|", "47g\n8|\t\n7|r\n6|\n5|\n4|\n3|\n2|\n1|", "g\n+\n|\xff|",
		"1w\n1b\n2w\n", "[Gold \"ann\"]\n\n1g Ca1 Rd2 1s ra5\n2g Rd2n! {good} (2g Ca1n)\n",
		"id\t\tmovelist", "\ufeff# one\nid\tmovelist\r\n\r\n1\t\r\n", "movelist\tid\n" + `1w Ca1\n1b ra5` + "\t9\n", "id\tid\n", "", "b\n0a10",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line := 0
		var all []string // the kinds of entries
		for e, err := range entries("f", text) {
			switch {
			case err != nil:
				checkFailure(t, text, err)
				all = append(all, "error")
			case e.Position != nil:
				checkPosition(t, *e.Position)
				if !isPuzzleFile(text) && (e.Position.Line < line || e.Position.Line > strings.Count(text, "\n")+strings.Count(text, "\r")+1) {
					t.Fatalf("line %d after line %d", e.Position.Line, line)
				}
				line = e.Position.Line
				all = append(all, "position")
			case e.Game != nil:
				checkGame(t, e.Game)
				all = append(all, "game")
			default:
				checkRecord(t, text, e.Record)
				all = append(all, "record")
			}
		}
		if len(all) == 0 {
			t.Fatal("neither an entry nor an error")
		}
	})
}
