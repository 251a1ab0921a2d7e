package solve

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/pns"
)

// best returns a solver that asks pns.
func best(t *testing.T, memory uint64) *Solver {
	t.Helper()
	s, err := New(Options{Algorithm: PNS, Memory: memory, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestResume saves a search for which there is too little memory, and goes on with it by other
// parameters. Fewer turns are asked again, and the line is complete.
func TestResume(t *testing.T) {
	p, err := arimaa.ParsePosition("s [ r   r     e       h              M                          R  ]")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "search.pns")
	q := Question{Position: p, Deepest: 3, Save: path}
	a := solved(t, best(t, pns.LeastMemory), context.Background(), q)
	if a.Verdict != answer.Unknown || a.Refuted == 0 {
		t.Fatalf("%+v", a)
	}
	s := best(t, 64<<20)
	if err := s.Tune(pns.Parameters{Start: pns.Mobility, High: 50_000}); err != nil {
		t.Fatal(err)
	}
	q, err = s.Resume(path)
	if err != nil {
		t.Fatal(err)
	}
	if q.Position != p || q.Deepest != a.Refuted+1 {
		t.Errorf("%+v is resumed", q)
	}
	q.Deepest = 3
	if a := solved(t, s, context.Background(), q); a.Verdict != answer.Proved || a.Least != 3 {
		t.Errorf("%+v", a)
	} else {
		checkLine(t, p, a)
	}
}

// TestResumeCounts checks that a resumed search begins where it stopped: the nodes of both parts
// are reported.
func TestResumeCounts(t *testing.T) {
	p, err := arimaa.ParsePosition("g [cr        e    r  H     c C         DR     d R           H      ]")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "search.pns")
	q := Question{Position: p, Deepest: 2, Save: path}
	whole := solved(t, best(t, 64<<20), context.Background(), q)
	s := best(t, 64<<20)
	if q, err = s.Resume(path); err != nil {
		t.Fatal(err)
	}
	// A search that was decided is decided when it goes on.
	if a := solved(t, s, context.Background(), q); a.Verdict != whole.Verdict || a.Nodes != whole.Nodes {
		t.Errorf("%+v, it was %+v", a, whole)
	}
}

// TestResumeErrors names files that cannot go on.
func TestResumeErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "search.pns")
	if _, err := best(t, 1<<20).Resume(path); err == nil {
		t.Error("a missing file is resumed")
	}
	if err := os.WriteFile(path, []byte("goalproof pns 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := best(t, 1<<20).Resume(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a file that ends too early: %v", err)
	}
	if _, err := newSolver(t).Resume(path); err == nil {
		t.Error("dfpns resumes")
	}
	p, err := arimaa.ParsePosition("g [                R                                r              ]")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newSolver(t).Solve(context.Background(), Question{Position: p, Deepest: 1, Save: path}); err == nil {
		t.Error("dfpns saves a graph")
	}
	if newSolver(t).Tune(pns.Parameters{Killers: -1}) == nil {
		t.Error("bad parameters are accepted")
	}
}
