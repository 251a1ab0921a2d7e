package solve

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/require"
	"goalproof/pns"
)

// saves makes a solver save to a file, and at an interval that is more than 0.
func saves(t *testing.T, s *Solver, path string, every time.Duration) *Solver {
	t.Helper()
	require.NoError(t, s.SaveTo(path, every, nil))
	return s
}

// TestResume saves a search that has too little memory, and continues it with other
// parameters. Fewer turns are searched again, and the line is complete.
func TestResume(t *testing.T) {
	p := parse(t, "s [ r   r     e       h              M                          R  ]")
	path := filepath.Join(t.TempDir(), "search.pns")
	q := Question{Position: p, Deepest: 3}
	a := solved(t, saves(t, best(t, pns.LeastMemory), path, 0), context.Background(), q)
	if a.Verdict != answer.Unknown || a.Refuted == 0 {
		t.Fatalf("%+v", a)
	}
	s := best(t, 64<<20)
	require.NoError(t, s.Tune(pns.Parameters{Start: pns.Mobility, High: 50_000}))
	q, err := s.Resume(t.Context(), path)
	require.NoError(t, err)
	if q.Position != p || q.Deepest != a.Refuted+1 {
		t.Errorf("%+v is resumed", q)
	}
	q.Deepest = 3
	if a := solved(t, s, context.Background(), q); a.Verdict != answer.Proved || a.Within != 3 {
		t.Errorf("%+v", a)
	} else {
		checkLine(t, p, a)
	}
}

// TestResumeErrors names files that cannot be resumed.
func TestResumeErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "search.pns")
	if _, err := best(t, 1<<20).Resume(t.Context(), path); err == nil {
		t.Error("a missing file is resumed")
	}
	require.NoError(t, os.WriteFile(path, []byte("goalproof pns 1\n"), 0o644))
	if _, err := best(t, 1<<20).Resume(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a file that ends too early: %v", err)
	}
	if _, err := newSolver(t).Resume(t.Context(), path); err == nil {
		t.Error("dfpns resumes")
	}
	if newSolver(t).SaveTo(path, 0, nil) == nil {
		t.Error("dfpns saves a graph")
	}
	if newSolver(t).Tune(pns.Parameters{Killers: -1}) == nil {
		t.Error("bad parameters are accepted")
	}
}

// restless is a position whose search takes longer than any test.
const restless = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]"

// TestSaveEvery looks at the files saved while a search runs: a whole search of the question, again
// and again.
func TestSaveEvery(t *testing.T) {
	p := parse(t, restless)
	path := filepath.Join(t.TempDir(), "search.pns")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	done := make(chan Answer)
	s, reader := saves(t, best(t, 64<<20), path, 20*time.Millisecond), best(t, 64<<20)
	go func() {
		a, err := s.Solve(ctx, Question{Position: p, Deepest: 3})
		if err != nil {
			t.Error(err)
		}
		done <- a
	}()
	count, last := 0, time.Time{}
	for count < 5 && ctx.Err() == nil {
		info, err := os.Stat(path)
		if err != nil || info.ModTime().Equal(last) {
			time.Sleep(time.Millisecond)
			continue
		}
		q, err := reader.Resume(t.Context(), path)
		if err != nil || q.Position != p {
			t.Fatalf("%+v is saved, %v", q, err)
		}
		count, last = count+1, info.ModTime()
	}
	cancel()
	if a := <-done; a.Stop != answer.Interrupted || a.Unsaved != nil || count < 5 {
		t.Errorf("%+v after %d saves", a, count)
	}
}

// TestResumeIntoItself resumes searches that save to their own files. What is there is not lost to
// the questions about fewer turns, which come first, nor to those about the line, which come last.
// A decided search is decided when it is resumed, with as many nodes; one that was won before it
// began has no graph to read the turn from.
func TestResumeIntoItself(t *testing.T) {
	for _, tt := range []struct {
		name    string
		p       arimaa.Position
		deepest int
		verdict answer.Verdict // of both searches
		time    time.Duration  // for the resumed search
	}{
		{"stopped before the saved question", parse(t, restless), 3, answer.Unknown, 50 * time.Millisecond},
		{"decided, with a line", exampleOf(t, "win-in-3.txt"), 3, answer.Proved, time.Minute},
		{"won at once", parse(t, "g [                R                                r              ]"), 1, answer.Proved, time.Minute},
	} {
		path := filepath.Join(t.TempDir(), "search.pns")
		whole := solved(t, saves(t, best(t, 16<<20), path, 0), context.Background(), Question{Position: tt.p, Deepest: tt.deepest})
		if whole.Verdict != tt.verdict || whole.Refuted != tt.deepest-1 {
			t.Fatalf("%s: %+v", tt.name, whole)
		}
		before, err := os.ReadFile(path)
		require.NoError(t, err)
		s := best(t, 64<<20)
		q, err := s.Resume(t.Context(), path)
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(context.Background(), tt.time)
		a := solved(t, saves(t, s, path, 1), ctx, q)
		cancel()
		if a.Verdict != tt.verdict || a.Unsaved != nil || a.Verdict == answer.Proved && a.Nodes != whole.Nodes {
			t.Errorf("%s: %+v, it was %+v", tt.name, a, whole)
		}
		if a.Verdict == answer.Proved {
			checkLine(t, tt.p, a)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s: the file has %d bytes, it had %d: %v", tt.name, len(after), len(before), err)
		}
	}
}

// TestUnsaved saves to where nothing can be: the answer comes all the same, and says so, as do the
// saves on the way.
func TestUnsaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "search.pns")
	s := best(t, 64<<20)
	told := 0
	err := s.SaveTo(path, 1, func(err error) {
		if told++; !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	})
	require.NoError(t, err)
	q := Question{Position: exampleOf(t, "win-in-2.txt"), Deepest: 2}
	if a := solved(t, s, context.Background(), q); a.Within != 2 || !errors.Is(a.Unsaved, fs.ErrNotExist) {
		t.Errorf("%+v", a)
	}
	if told == 0 {
		t.Error("saves on the way fail silently")
	}
}
