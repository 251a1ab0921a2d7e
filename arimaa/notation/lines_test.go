package notation_test

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"
	"testing/iotest"

	"goalproof/arimaa/notation"
)

// entries reads a text.
func entries(file, text string) iter.Seq2[notation.Entry, error] {
	return notation.Read(notation.NewLines(file, strings.NewReader(text)))
}

// endless repeats a text for ever.
type endless struct {
	text string
	read int // bytes
}

func (e *endless) Read(p []byte) (int, error) {
	for n := range p {
		p[n] = e.text[(e.read+n)%len(e.text)]
	}
	e.read += len(p)
	return len(p), nil
}

// TestReadEndless reads texts that have no end, behind a beginning: there is an error, or entries
// come as long as one asks for them, and no more is read than they need.
func TestReadEndless(t *testing.T) {
	const tooLong = "f:%d: the %s is longer than 1048576 bytes"
	for name, test := range map[string]struct {
		begin, text string
		want        string // the error; "": none
	}{
		"a line":              {"", "1w Ra1 ", fmt.Sprintf(tooLong, 1, "line")},
		"a later line":        {sampleGold + "\n", "1w Ra1 ", fmt.Sprintf(tooLong, 2, "line")},
		"zeros":               {"", "\x00", fmt.Sprintf(tooLong, 1, "line")},
		"blank lines":         {"", "\n", "f:1048577: there are more than 1048576 bytes of blank lines and comments"},
		"comments":            {"", "# a\n", "f:262145: there are more than 1048576 bytes of blank lines and comments"},
		"blank rows":          {"id\tmovelist\n", "\n", "f:1048578: there are more than 1048576 bytes of blank lines and comments"},
		"a board":             {"2g\n", "+---+\n", fmt.Sprintf(tooLong, 1, "position")},
		"a later board":       {sampleGold + "\n", "2g\n", ""}, // each of them broken
		"a game":              {"1w Ra1\n", "1b ra8\n1b takeback\n", fmt.Sprintf(tooLong, 1, "game")},
		"an annotated game":   {"[Gold \"ann\"]\n", "2w Ra1n {Ra1}\n", fmt.Sprintf(tooLong, 1, "game")},
		"annotated games":     {"[Gold \"ann\"]\n", "1w Ra1 {Ra1} 1b ra8\n", ""},
		"prose":               {"", "Hello\n", "f:174763: there are more than 1048576 bytes of text without a position"},
		"prose below":         {sampleGold[2:] + "\nSo:\n2g\n", "2g\n", ""},
		"positions":           {"", sampleGold + "\n", ""},
		"positions in long":   {"", written(longVariants[0].text), ""},
		"rows":                {"id\tmovelist\n", `1	1w Ra1\n1b ra8` + "\n", ""},
		"broken rows":         {"id\tmovelist\n", "1\n", ""},
		"broken short form":   {"", "g [R]\n", ""},
		"two bytes of UTF-16": {"\xff\xfe", "a", fmt.Sprintf(tooLong, 1, "line")},
	} {
		t.Run(name, func(t *testing.T) {
			const enough, ahead = 1000, 128 << 10 // entries; bytes
			n := 0
			var last error
			end := &endless{text: test.text}
			text := io.MultiReader(strings.NewReader(test.begin), end)
			for _, err := range notation.Read(notation.NewLines("f", text)) {
				last = err
				if n++; n == enough {
					break
				}
			}
			switch {
			case test.want == "" && end.read > enough*len(test.text)+ahead, end.read > notation.MaxEntry+ahead:
				t.Errorf("%d bytes were read for %d entries", end.read, n)
			case test.want == "" && n < enough:
				t.Errorf("the text ended with %v", last)
			case test.want != "" && (last == nil || last.Error() != test.want):
				t.Errorf("%v, want %s", last, test.want)
			}
		})
	}
}

// TestReadBroken reads a text whose reading fails: what was whole before is there, then the error,
// and nothing else.
func TestReadBroken(t *testing.T) {
	failed := errors.New("the disk is gone")
	for _, text := range []string{sampleGold + "\n" + sampleSilver + "\n" + sampleGold[:60], sampleGold + "\n2w", "2g\n8|", "1w Ra1\n1b ra8\n2w",
		"id\tmovelist\n1\t\n2\t", "[Gold \"ann\"]\n1w", ""} {
		var last error
		for e, err := range notation.Read(notation.NewLines("f", io.MultiReader(strings.NewReader(text), iotest.ErrReader(failed)))) {
			if last != nil || err == nil && e.Game != nil {
				t.Errorf("%q: after %v: %v, %v", text, last, e, err)
			}
			last = err
		}
		if !errors.Is(last, failed) {
			t.Errorf("%q: %v, want %v", text, last, failed)
		}
	}
}

// TestLegible checks that no error repeats a long text, or what controls a terminal.
func TestLegible(t *testing.T) {
	for _, text := range []string{"1w " + strings.Repeat("R", 100_000), "1w \x1b[2J", "id\tmovelist\n" + strings.Repeat("7", 100_000) + "\t\n"} {
		n := 0
		for e, err := range entries("f", text) {
			n++
			if e.Record != nil {
				_, err = e.Record.Game()
			}
			if err == nil || len(err.Error()) > 1000 || strings.ContainsRune(err.Error(), '\x1b') {
				t.Errorf("%v", err)
			}
		}
		if n == 0 {
			t.Errorf("%.20q: nothing was read", text)
		}
	}
}

// TestSpanBehindMark checks that a byte order mark is no part of a line, but of the text.
func TestSpanBehindMark(t *testing.T) {
	const row = "7\t1w Ra2 Ee2\\n1b rh7 ed7\n"
	text := "\ufeffid\tmovelist\n" + row
	lines := notation.NewLines("f", strings.NewReader(text))
	for e, err := range notation.Read(lines) {
		if err != nil {
			t.Fatal(err)
		}
		if at, n := lines.Span(); text[at:at+n] != row || e.Name != "7" {
			t.Errorf("game %s stands in %q", e.Name, text[at:at+n])
		}
	}
	for p := range notation.Parts(notation.NewLines("f", strings.NewReader(text))) {
		if p.Bytes != int64(len(text)) {
			t.Errorf("%d bytes were taken of %d", p.Bytes, len(text))
		}
	}
}
