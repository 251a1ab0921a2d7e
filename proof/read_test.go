package proof

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const (
	head     = "goalproof certificate 1\nclaim 2\n"
	gameHead = "goalproof certificate 2\nclaim 2\n"
	// Squares may be blanks, the last ones too.
	root  = "g [                                           R                    ]"
	other = "g [                                           .......R............R]"
)

// equal compares proofs without the line numbers, which only messages need.
func equal(a, b any) bool {
	return cmp.Equal(a, b, cmpopts.IgnoreUnexported(Game{}, Entry{}, Refutation{}, Refuted{}))
}

// sample has every kind of line.
func sample() *Certificate {
	return &Certificate{
		Turns: 2,
		Entries: []Entry{
			{Rank: 2, Position: root, Turn: "Rh3n", Answers: []string{"Rh4n Rh5n", "hc4s hc3x Md4w"}},
			{Rank: 1, Position: other, Turn: "Rh3n Rh4n Rh5n Rh6n"},
		},
	}
}

// sampleText is its text, as the documentation describes it.
const sampleText = head +
	"2 " + root + " Rh3n\n" +
	"+ Rh4n Rh5n\n" +
	"+ hc4s hc3x Md4w\n" +
	"1 " + other + " Rh3n Rh4n Rh5n Rh6n\n"

// played is the sample after a game.
func played() *Certificate {
	c := sample()
	c.Game = &Game{Start: "s" + root[1:], Turns: []string{"ra2n Ra1n ra3n Ra2n", "hc4s hc3x Md4w"}}
	return c
}

// playedText is its text.
var playedText = gameHead +
	"game s [                                           R                    ]\n" +
	"turn ra2n Ra1n ra3n Ra2n\n" +
	"turn hc4s hc3x Md4w\n" +
	strings.TrimPrefix(sampleText, head)

// TestText writes certificates and refutations, and reads their texts in several forms.
func TestText(t *testing.T) {
	for plain, want := range map[string]interface{ Write(io.Writer) error }{
		sampleText: sample(), playedText: played(), sampleRefutationText: sampleRefutation(),
	} {
		var b strings.Builder
		if err := want.Write(&b); err != nil || b.String() != plain {
			t.Errorf("%v, written as\n%s\nwant\n%s", err, &b, plain)
		}
		for name, text := range map[string]string{
			"plain":    plain,
			"comments": strings.ReplaceAll(plain, "\n", "\n# a comment: + 1 turn\n\n \t\n"),
			"CRLF":     strings.ReplaceAll(plain, "\n", "\r\n"),
			"blanks":   strings.NewReplacer("] ", "]   ", "+ ", "+   ", "\n", " \n").Replace(plain),
		} {
			c, r, err := Read(strings.NewReader(text), "x")
			if err != nil || (c == nil) == (r == nil) || !equal(c, want) && !equal(r, want) {
				t.Errorf("%s: %v, read as %+v, %+v", name, err, c, r)
			}
		}
	}
}

func TestReadErrors(t *testing.T) {
	const goalHead = goalLine + "\nclaim 2\n"
	entry := "2 " + root + " Rh3n\n"
	for _, test := range []struct{ text, want string }{
		{"", `x: no certificate: want a first line "goalproof certificate 1" or "goalproof refutation 1"`},
		{"goalproof certificate 5\n", "x:1: no certificate that this program can read"},
		{"goalproof certificate 2\n", "x: the claim is missing"},
		{gameHead, "x: a certificate of version 2 has the game before its entries"},
		{gameHead + entry, "x:3: a certificate of version 2 has the game before its entries"},
		{gameHead + "turn Rh3n\n", "x:3: a turn before the first position of a game"},
		{gameHead + "game\n", `x:3: position "": want the side to move`},
		{gameHead + "game b" + root[1:] + "\n", "x:3: position \"b"},
		{gameHead + "game " + root + "\ngame " + root + "\n", "x:4: a second game"},
		{gameHead + "game " + root + "\n", "x: there are no entries"},
		{gameHead + "game " + root + "\nturn\n", "x:4: a turn without steps"},
		{gameHead + "game " + root + "\n" + entry + "turn Rh3n\n", "x:5: the game comes before the entries"},
		{gameHead + "game " + root + "\n" + strings.Repeat("turn Rh3n\n", maxGame+1), "x:10004: a game of more than 10000 turns"},
		{head + "game " + root + "\n", "x:3: a certificate of version 1 has no game"},
		{head + "goal capture\n", "x:3: only a certificate of version 4 has a goal"},
		{goalHead, "x: a certificate of version 4 has the goal before its entries"},
		{goalHead + entry, "x:3: a certificate of version 4 has the goal before its entries"},
		{goalHead + "goal capture\n", "x: there are no entries"},
		{goalHead + "goal capture\ngoal capture\n", "x:4: a second goal"},
		{goalHead + "goal\n", `x:3: goal "": want capture`},
		{goalHead + "goal win\n", `x:3: goal "win": want capture`},
		{goalHead + "goal capture=E\n", `x:3: goal "capture=E": want capture`},
		{goalHead + "goal capture=*\n", `x:3: goal "capture=*": want capture`},
		{goalHead + "goal capture@e4\n", `x:3: goal "capture@e4": want capture`},
		{goalHead + "goal capture=e @f6\n", `x:3: goal "capture=e @f6": want capture`},
		{goalHead + "goal rabbit=9\n", `x:3: goal "rabbit=9": want capture`},
		{goalHead + "goal rabbit=07\n", `x:3: goal "rabbit=07": want capture`},
		{goalHead + "game " + root + "\n", "x:3: a certificate with a goal has no game"},
		{goalHead + "turn Rh3n\n", "x:3: a turn before the first position of a game"},
		{head + "turn Rh3n\n", "x:3: a turn before the first position of a game"},
		{head + "2 w" + root[1:] + " Rh3n\n", `in a certificate the side to move is g or s, not "w"`},
		{head + "2 b" + root[1:] + " Rh3n\n", `in a certificate the side to move is g or s, not "b"`},
		{"# goalproof certificate 1\n", "x:1: no certificate"},
		{"\x1f\x8b\x08\n", "x:1: no certificate"},
		{"goalproof certificate 1\n", "x: the claim is missing"},
		{"goalproof certificate 1\n2 " + root + " Rh3n\n", `x:2: "2": the claim comes first`},
		{"goalproof certificate 1\nclaim\n", `x:2: "": want a number`},
		{"goalproof certificate 1\nclaim 0\n", `x:2: "0": want a number, at least 1`},
		{"goalproof certificate 1\nclaim +2\n", `x:2: "+2": want a number`},
		{"goalproof certificate 1\nclaim 02\n", `x:2: "02": want a number`},
		{"goalproof certificate 1\nclaim 99999999999999999999\n", `x:2: "99999999999999999999": want a number`},
		{head, "x: there are no entries"},
		{head + "claim 2\n", "x:3: a second claim"},
		{head + "+ Rh3n\n", "x:3: an answer before the first entry"},
		{head + entry + "+\n", "x:4: a turn without steps"},
		{head + entry + "+ hc3x\n", "x:4: a turn without steps"},
		{head + entry + "+ Rh3n Rh4\n", `x:4: "Rh4" is not a step`},
		{head + entry + "+ Rh3n xh3x\n", `x:4: step "xh3x"`},
		{head + entry + "+ Rh3n Rh4n Rh5n Rh6n Rh7n\n", "5 steps, more than 4"},
		{head + entry + "+ Rh8n\n", `x:4: step "Rh8n" leaves the board`},
		{head + entry + "+Rh3n\n", `x:4: "+Rh3n": want an entry`},
		{head + entry + "end\n", `x:4: "end": want an entry`},
		{head + "0 " + root + " Rh3n\n", `x:3: "0": want a number`},
		{head + "2 " + root[1:] + " Rh3n\n", "want the side to move and 64 squares in brackets"},
		{head + "2 " + root[:40] + "\n", "x:3: want a rank, a position and a turn"},
		{head + "2 " + strings.Replace(root, "R", "Q", 1) + " Rh3n\n", `"Q" on d3 is not a piece`},
		{head + "2 " + root + "\n", "x:3: a turn without steps"},
		{head + entry[:len(entry)-1], "x:3: the text ends within a line"},
		{head + entry + "# " + strings.Repeat("x", maxLine) + "\n", "x:4: the line is longer than 4096 bytes"},
	} {
		_, _, err := Read(strings.NewReader(test.text), "x")
		if err == nil || !strings.HasPrefix(err.Error(), "x:") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.200q: %v, want %q", test.text, err, test.want)
		}
	}
}

// Text is counted after decompression, and an error of the reader is passed on.
func TestReadLimit(t *testing.T) {
	text := sampleText + strings.Repeat("#\n", 1000)
	if _, _, err := read(strings.NewReader(text), "x", len(text)); err != nil {
		t.Error(err)
	}
	_, _, err := read(strings.NewReader(text), "x", len(text)-1)
	if err == nil || !strings.Contains(err.Error(), "x:1006: the text is longer than") {
		t.Errorf("the error is %v", err)
	}
	broken := errors.New("broken")
	if _, _, err := Read(io.MultiReader(strings.NewReader(sampleText), failing{broken}), "x"); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
}

// failing is a reader and a writer that fails.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error)  { return 0, f.err }
func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestFiles reads both kinds of proofs from files, plain and compressed ones, and broken ones.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, ending := range []string{".txt", ".gz"} {
		c, r := filepath.Join(dir, "c"+ending), filepath.Join(dir, "r"+ending)
		writeFile(t, c, sample().Write)
		writeFile(t, r, sampleRefutation().Write)
		if c, r, err := ReadFile(c); err != nil || r != nil || !equal(c, sample()) {
			t.Errorf("a certificate: %v, %v, %v", c, r, err)
		}
		if c, r, err := ReadFile(r); err != nil || c != nil || !equal(r, sampleRefutation()) {
			t.Errorf("a refutation: %v, %v, %v", c, r, err)
		}
	}
	packed, err := os.ReadFile(filepath.Join(dir, "c.gz"))
	require.NoError(t, err)
	for _, test := range []struct{ file, text, want string }{
		{"cut.gz", string(packed[:60]), ":"},
		{"plain.gz", sampleText, "it is not compressed with gzip"},
		{"empty.gz", "", "it is not compressed with gzip"},
		{"bad.txt", "goalproof refutation 1 \r\n", ": the claim is missing"},
		{"bad.txt", "goalproof refutation 1\nclaim\n", `:2: "claim": the claim comes first`},
	} {
		path := filepath.Join(dir, test.file)
		require.NoError(t, os.WriteFile(path, []byte(test.text), 0o666))
		c, r, err := ReadFile(path)
		if err == nil || c != nil || r != nil || !strings.HasPrefix(err.Error(), path+":") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s with %q: %v, %v, %v, want %q", test.file, test.text, c, r, err, test.want)
		}
	}
	if _, _, err := ReadFile(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the error is %v", err)
	}
}

// writeFile writes a certificate to a file, compressed if its name ends in .gz.
func writeFile(t *testing.T, path string, write func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	if !strings.HasSuffix(path, ".gz") {
		require.NoError(t, write(&b))
	} else {
		packed := gzip.NewWriter(&b)
		require.NoError(t, errors.Join(write(packed), packed.Close()))
	}
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o666))
}

func TestWriteErrors(t *testing.T) {
	broken := errors.New("broken")
	if err := sample().Write(failing{broken}); err != broken {
		t.Errorf("the error is %v", err)
	}
	for _, test := range []struct {
		want string
		edit func(c *Certificate)
	}{
		{"a claim of 0 turns", func(c *Certificate) { c.Turns = 0 }},
		{"there are no entries", func(c *Certificate) { c.Entries = nil }},
		{"at most 4194304", func(c *Certificate) { c.Entries[1].Answers = make([]string, MaxAnswers) }},
		{"a game of 10001 turns", func(c *Certificate) { c.Game = &Game{Start: root, Turns: make([]string, maxGame+1)} }},
		{"game: position", func(c *Certificate) { c.Game = &Game{} }},
		{"game: position", func(c *Certificate) { c.Game = &Game{Start: "w" + root[1:]} }},
		{"game: turn 2: turn", func(c *Certificate) { c.Game = &Game{Start: root, Turns: []string{"Rh3n", "Rh3n\nRh4n"}} }},
		{"entry 1: rank 0", func(c *Certificate) { c.Entries[0].Rank = 0 }},
		{"entry 2: position", func(c *Certificate) { c.Entries[1].Position += "\n" }},
		{"entry 2: turn", func(c *Certificate) { c.Entries[1].Turn = "Rh3n\nRh4n" }},
		{"entry 1, answer \"\"", func(c *Certificate) { c.Entries[0].Answers[1] = "" }},
		{"entry 1, answer \"Rh3n \"", func(c *Certificate) { c.Entries[0].Answers[0] = "Rh3n " }},
	} {
		c := sample()
		test.edit(c)
		var b strings.Builder
		if err := c.Write(&b); err == nil || !strings.Contains(err.Error(), test.want) || b.Len() > 0 {
			t.Errorf("%d bytes are written, the error is %v, want %q", b.Len(), err, test.want)
		}
	}
}
