package joblevel

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/endings"
	"goalproof/internal/testkit/require"
)

// reread returns a graph after it was saved and read. What is written again is the same.
func (o *oracle) reread(g *Graph) *Graph {
	o.t.Helper()
	var first, second bytes.Buffer
	require.NoError(o.t, g.Write(&first))
	read, err := Read(bytes.NewReader(first.Bytes()))
	require.NoError(o.t, err)
	require.NoError(o.t, read.Write(&second))
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		o.t.Fatalf("%v is not written as it was read", g.position)
	}
	return read
}

// small returns the text of a small graph.
func small(t testing.TB) string {
	tables, classes := endings.Open(t)
	random := rand.New(rand.NewPCG(9, 1))
	o := &oracle{t, tables, random, 0.7}
	for {
		p, n := o.drawn(classes[0])
		if n != 3 {
			continue
		}
		g, _ := o.decide(p, n, map[string]int{})
		var text bytes.Buffer
		require.NoError(t, g.Write(&text))
		if lines := strings.Count(text.String(), "\n"); lines > 5 && lines < 40 {
			return text.String()
		}
	}
}

// FuzzRead reads anything. An error names the line; what is read can be walked through, and is
// written as it was read.
func FuzzRead(f *testing.F) {
	text := small(f)
	f.Add(text)
	f.Add(text[:len(text)/2])
	f.Add(Header)
	f.Add(Header + "{}\n")
	about := strings.SplitAfter(text, "\n")[1]
	for _, was := range []string{`"Turns":3`, `"Answers":`} {
		for _, is := range []string{"-1", "200", "255", "256", "1000000000000", "1e9"} {
			f.Add(strings.Replace(text, was, fmt.Sprintf("%s%s,%q:", was[:strings.Index(was, ":")+1], is, "x"), 1))
		}
	}
	f.Add(Header + strings.Replace(about, `"Turns":3`, `"Turns":200`, 1))
	for _, was := range []string{`"From":`, `"To":`, `"Number":`, `"Win":`, `"Turn":`, `"Effort":`, `"N":`} {
		f.Add(strings.ReplaceAll(text, was, was+"9"))
		f.Add(strings.Replace(text, was, was+"-", 1))
	}
	f.Fuzz(func(t *testing.T, given string) {
		g, err := Read(strings.NewReader(given))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "line ") {
				t.Fatalf("the error names no line: %v", err)
			}
			return
		}
		(&oracle{t: t}).reread(g)
		walk(t, g.Root(), 3)
		if _, err := g.Root().Walk([]string{"pass"}); err == nil {
			t.Fatal("a turn without steps is in the graph")
		}
	})
}

// walk looks at a node and at some nodes below.
func walk(t testing.TB, n Node, depth int) {
	p := n.Position()
	n.Numbers()
	n.Verdict()
	n.Turns()
	n.Win()
	children, rest := n.Children()
	for v, count := range rest {
		if count < 0 {
			t.Fatalf("%d other turns are %v at %v", count, v, p)
		}
	}
	for _, c := range children[:min(len(children), 3)] {
		again, err := n.Walk([]string{p.Notation(c.Turn)})
		if err != nil || again.Position() != c.Position() {
			t.Fatalf("%v leads to another node than %v, %v", c.Turn, c.Position(), err)
		}
		if depth > 0 {
			walk(t, c.Node, depth-1)
		}
	}
}

// TestReadDamaged reads files that are cut off, and with a letter changed: there is an error, or a
// graph.
func TestReadDamaged(t *testing.T) {
	text := small(t)
	for at := range len(text) - 1 {
		if _, err := Read(strings.NewReader(text[:at])); err == nil || !strings.HasPrefix(err.Error(), "line ") {
			t.Fatalf("cut off after %d bytes of %d: %v", at, len(text), err)
		}
	}
	random := rand.New(rand.NewPCG(10, 1))
	for range boards.Sized(500, 50000) {
		damaged := []byte(text)
		damaged[random.IntN(len(damaged))] = byte(random.IntN(256))
		g, err := Read(bytes.NewReader(damaged))
		switch {
		case err == nil:
			walk(t, g.Root(), 1)
		case !strings.HasPrefix(err.Error(), "line "):
			t.Fatalf("the error names no line: %v", err)
		}
	}
}
