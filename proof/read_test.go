package proof

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"goalproof/internal/boards"
)

const (
	head = "goalproof certificate 1\nclaim 2\n"
	// Squares may be blanks, the last ones too.
	root  = "g [                                           R                    ]"
	other = "g [                                           .......R............R]"
)

// unlined is the certificate without what was only read for messages.
func unlined(c *Certificate) *Certificate {
	for i := range c.Seen {
		c.Seen[i].line = 0
	}
	for i := range c.Entries {
		c.Entries[i].line = 0
	}
	return c
}

// sample has every kind of line.
func sample() *Certificate {
	return &Certificate{
		Turns: 2,
		Seen:  []Seen{{Count: 2, Position: root}, {Count: 1, Position: "s" + root[1:]}},
		Entries: []Entry{
			{Rank: 2, Position: root, Turn: "Rh3n", Answers: []string{"Rh4n Rh5n", "hc4s hc3x Md4w"}},
			{Rank: 1, Position: other, Turn: "Rh3n Rh4n Rh5n Rh6n"},
		},
	}
}

// sampleText is its text, as the documentation describes it.
const sampleText = head +
	"seen 2 " + root + "\n" +
	"seen 1 s [                                           R                    ]\n" +
	"2 " + root + " Rh3n\n" +
	"+ Rh4n Rh5n\n" +
	"+ hc4s hc3x Md4w\n" +
	"1 " + other + " Rh3n Rh4n Rh5n Rh6n\n"

func TestWrite(t *testing.T) {
	var b strings.Builder
	if err := sample().Write(&b); err != nil || b.String() != sampleText {
		t.Errorf("%v, written as\n%s\nwant\n%s", err, &b, sampleText)
	}
}

func TestRead(t *testing.T) {
	for name, text := range map[string]string{
		"plain":    sampleText,
		"comments": strings.ReplaceAll(sampleText, "\n", "\n# a comment: + 1 seen\n\n \t\n"),
		"CRLF":     strings.ReplaceAll(sampleText, "\n", "\r\n"),
		"blanks":   strings.ReplaceAll(strings.ReplaceAll(sampleText, "] ", "]   "), "\n", " \n"),
	} {
		c, err := Read(strings.NewReader(text), name)
		if err != nil || !reflect.DeepEqual(unlined(c), sample()) {
			t.Errorf("%s: %v, read as %+v", name, err, c)
		}
	}
}

func TestReadErrors(t *testing.T) {
	entry := "2 " + root + " Rh3n\n"
	for _, test := range []struct{ text, want string }{
		{"", `x: no certificate: want a first line "goalproof certificate 1"`},
		{"goalproof certificate 2\n", "x:1: no certificate that this program can read"},
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
		{head + "seen 3 " + root + "\n", "x:3: a position has occurred once or twice, not 3 times"},
		{head + "seen " + root + "\n", `x:3: "g": want a number`},
		{head + "seen 1\n", `x:3: position "": want the side to move`},
		{head + entry + "seen 1 " + root + "\n", "x:4: the history comes before the entries"},
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
		{head + strings.Repeat("seen 1 "+root+"\n", maxSeen+1), "x:10003: a history of more than 10000 positions"},
	} {
		_, err := Read(strings.NewReader(test.text), "x")
		if err == nil || !strings.HasPrefix(err.Error(), "x:") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.200q: %v, want %q", test.text, err, test.want)
		}
	}
}

// Text is counted after decompression, and an error of the reader is passed on.
func TestReadLimit(t *testing.T) {
	text := sampleText + strings.Repeat("#\n", 1000)
	if _, err := read(strings.NewReader(text), "x", len(text)); err != nil {
		t.Error(err)
	}
	_, err := read(strings.NewReader(text), "x", len(text)-1)
	if err == nil || !strings.Contains(err.Error(), "x:1008: the text is longer than") {
		t.Errorf("the error is %v", err)
	}
	broken := errors.New("broken")
	if _, err := Read(io.MultiReader(strings.NewReader(sampleText), failing{broken}), "x"); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
}

// failing is a reader and a writer that fails.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error)  { return 0, f.err }
func (f failing) Write([]byte) (int, error) { return 0, f.err }

// A small file that unpacks to more than is allowed is refused.
func TestBomb(t *testing.T) {
	if !boards.Large {
		t.Skip("skipped without the tag large: packing a GiB takes seconds")
	}
	for line, want := range map[string]string{
		strings.Repeat("#", 1023) + "\n": "the text is longer than 1073741824 bytes",
		"#\n":                            "more than 33554432 lines",
	} {
		bomb(t, line, want)
	}
}

func bomb(t *testing.T, line, want string) {
	path := filepath.Join(t.TempDir(), "bomb.gz")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	packed := gzip.NewWriter(file)
	lines := []byte(strings.Repeat(line, 1<<20/len(line)))
	if _, err := io.WriteString(packed, head); err != nil {
		t.Fatal(err)
	}
	for range 1025 {
		if _, err := packed.Write(lines); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(packed.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v", err)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"c.txt", "c.gz"} {
		path := filepath.Join(dir, name)
		if err := sample().WriteFile(path); err != nil {
			t.Fatal(err)
		}
		first := contents(t, path)
		if c, err := ReadFile(path); err != nil || !reflect.DeepEqual(unlined(c), sample()) {
			t.Errorf("%s: %v, read as %+v", name, err, c)
		}
		// Writing again makes the same file.
		if err := sample().WriteFile(path); err != nil || contents(t, path) != first {
			t.Errorf("%s: written differently (%v)", name, err)
		}
		// What cannot be written leaves the old file alone.
		bad := sample()
		bad.Entries[1].Turn = ""
		if err := bad.WriteFile(path); err == nil || !strings.Contains(err.Error(), "entry 2: a turn without steps") {
			t.Errorf("%s: the error is %v", name, err)
		}
		if contents(t, path) != first {
			t.Errorf("%s: damaged", name)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o644 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if packed := contents(t, filepath.Join(dir, "c.gz")); !strings.HasPrefix(packed, "\x1f\x8b") {
		t.Errorf("the file is not compressed: %q", packed)
	}
	// A compressed file that was cut off, and one that is not compressed.
	cut := filepath.Join(dir, "cut.gz")
	for text, want := range map[string]string{
		contents(t, filepath.Join(dir, "c.gz"))[:60]: cut + ":",
		sampleText: "it is not compressed with gzip",
		"":         "it is not compressed with gzip",
	} {
		if err := os.WriteFile(cut, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadFile(cut); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
	if _, err := ReadFile(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the error is %v", err)
	}
	// Where the file cannot be put in its place nothing is left behind.
	if err := os.MkdirAll(filepath.Join(dir, "taken", "full"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "taken"), filepath.Join(dir, "none", "c.txt")} {
		if err := sample().WriteFile(path); err == nil {
			t.Errorf("%s: written", path)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 4 {
		t.Errorf("%v, left are %v", err, files)
	}
}

func contents(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
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
		{"at most 10000", func(c *Certificate) { c.Seen = make([]Seen, maxSeen+1) }},
		{"at most 8388608", func(c *Certificate) { c.Entries[1].Answers = make([]string, maxAnswers) }},
		{"position 2 of the history: a position has occurred once or twice", func(c *Certificate) { c.Seen[1].Count = 3 }},
		{"position 1 of the history: position", func(c *Certificate) { c.Seen[0].Position = "" }},
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
