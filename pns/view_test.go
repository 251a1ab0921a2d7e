package pns

import (
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// TestWalk follows paths through a small graph: in any order of steps, over the end of turns, and
// to where the search has not been.
func TestWalk(t *testing.T) {
	s := fresh(t, 4)
	p := drawn(t, arimaa.Gold, `
		8 .......r
		3 R.......
		2 .C......`)
	if got := ask(s, Question{Position: p, N: 2}); got.Verdict != answer.Proved {
		t.Fatal(got)
	}
	root, err := s.Root()
	require.NoError(t, err)
	best, ok := root.Best()
	if !ok || best.Verdict() != answer.Proved {
		t.Fatalf("the best child of a won root is %v", best)
	}
	if got, err := root.Walk(strings.Fields(best.Option().String())); err != nil || got != best {
		t.Errorf("%v leads to %v (%v), want the child", best.Option(), got, err)
	}
	if got, err := root.Walk(nil); err != nil || got != root {
		t.Errorf("no step leads to %v (%v)", got, err)
	}
	sizes := 1
	for _, c := range root.Children() {
		sizes += c.Size()
	}
	if sizes != root.Size() || sizes != len(reachable(s)) {
		t.Errorf("%d nodes by the children, %d by the root, %d in all", sizes, root.Size(), len(reachable(s)))
	}

	// Every node is found by the steps of its way, and by another order of its first turn.
	visited, turns := 0, 0
	var visit func(n Node, words []string)
	visit = func(n Node, words []string) {
		visited++
		got, err := root.Walk(words)
		if err != nil || got != n {
			t.Fatalf("%v leads to %v (%v), want %v", words, got, err, n)
		}
		for _, c := range n.Children() {
			if c.Begins() {
				turns++
				visit(c, append(words[:len(words):len(words)], "pass"))
				continue
			}
			visit(c, append(words[:len(words):len(words)], strings.Fields(c.Option().String())...))
		}
	}
	visit(root, nil)
	if visited != root.Size() || turns == 0 {
		t.Errorf("%d nodes visited of %d, %d turns", visited, root.Size(), turns)
	}
	one, err1 := root.Walk(strings.Fields("Ra3n Cb2n"))
	other, err2 := root.Walk(strings.Fields("Cb2n Ra3n"))
	if err1 != nil || err2 != nil || one != other {
		t.Errorf("two orders of the same steps: %v (%v), %v (%v)", one, err1, other, err2)
	}

	for _, tt := range []struct{ words, want string }{
		{"Ra3s", "Ra3s: "},
		{"Ra3n xx9", "xx9"},
		{"Ra3n x", "x: "},
		{"pass", "pass: "},
		{"Ra3n Ra4n Ra5n Ra6n Ra7n", "Ra7n: "},
		{"Cb2s Cb1s", "Cb1s"},
	} {
		if _, err := root.Walk(strings.Fields(tt.words)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want an error with %q", tt.words, err, tt.want)
		}
	}
}

// TestBestLeadsToMostProving follows the best children of an unfinished search.
func TestBestLeadsToMostProving(t *testing.T) {
	s := fresh(t, 16)
	f := fixed[3]
	stopped(t, s, Question{Position: boards.Parse(t, f.board), N: f.n}, 3_000)
	n, err := s.Root()
	require.NoError(t, err)
	for next, ok := n.Best(); ok; next, ok = n.Best() {
		n = next
	}
	if n.r != s.mostProving() || !n.Open() {
		t.Errorf("the best children lead to %v, the most-proving node is %d", n, s.mostProving())
	}
	if _, err := fresh(t, 1).Root(); err == nil {
		t.Error("a solver that has not searched has a graph")
	}
}
