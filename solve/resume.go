package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/files"
	"goalproof/pns"
)

// saving is where and how often a solver saves its graph.
type saving struct {
	path   string // empty: nowhere
	every  time.Duration
	report func(error)
}

// SaveTo makes the solver save the graph of the last N tried of each question that follows: when
// the search ends and, if every is positive, at that interval. Nothing is saved until a resumed
// search ([Solver.Resume]) has restarted. The search calls report, unless it is nil, after each
// save at an interval with its error, or nil; [Answer.Unsaved] reports the last one. An empty path
// ends the saving. The error says that dfpns has no graph.
func (s *Solver) SaveTo(path string, every time.Duration, report func(error)) error {
	switch {
	case !s.made():
		return ErrNoSolver
	case s.options.Algorithm != PNS:
		return errors.New("only pns has a graph to save")
	}
	s.saving = saving{path, every, report}
	return s.needBestFirst()
}

// resumed is a saved search of pns, whose file is read when its question comes.
type resumed struct {
	path     string // empty: there is none
	question pns.Question
}

// Resume opens a saved search of pns ([Solver.SaveTo]) and returns its question. The search
// continues, with the solver's parameters, when that question is put. The solver first decides the
// smaller N again, because the file does not say that they are disproved (a store does). The error
// names what is wrong with the file ([pns.Solver.Load]), or says that the context was done before
// it was read.
func (s *Solver) Resume(ctx context.Context, path string) (q Question, err error) {
	switch {
	case !s.made():
		return q, ErrNoSolver
	case s.usesDepthFirst():
		return q, errors.New("only pns can resume a saved search")
	}
	ctx = cmp.Or(ctx, context.Background())
	if err := s.needBestFirst(); err != nil {
		return q, err
	}
	found, err := s.load(ctx, path)
	if err != nil {
		return q, err
	}
	s.resumed = resumed{path, found}
	return Question{Position: found.Position, Deepest: found.N, Game: found.Game, Number: found.Number}, nil
}

// load reads a saved search but keeps the solver's parameters.
func (s *Solver) load(ctx context.Context, path string) (q pns.Question, err error) {
	file, err := files.NewSource(ctx, nil).Open(path)
	if err != nil {
		return q, err
	}
	defer file.Close()
	if q, err = s.bestFirst.Load(file); err != nil {
		return q, fmt.Errorf("%s: %w", path, err)
	}
	return q, s.bestFirst.Tune(s.tuning)
}

// waits reports whether a resumed search still waits while the solver asks about a win in n. Its
// file may be the one to save to.
func (s *Solver) waits(q Question, n int) bool {
	return s.resumed.path != "" && !same(s.resumed.question, pns.Question{Position: q.Position, N: n, Game: q.Game})
}

// same reports whether two questions are the same, whatever the numbers of their turns.
func same(a, b pns.Question) bool { return a.Position == b.Position && a.N == b.N && a.Game == b.Game }

// resume continues the resumed search if its question is q; ok is false if not.
func (s *Solver) resume(ctx context.Context, q pns.Question) (r pns.Result, ok bool, err error) {
	if s.resumed.path == "" || !same(s.resumed.question, q) {
		return r, false, nil
	}
	// It was read before: now only a pipe would make one wait, and that is empty. Time that is up
	// is for the search.
	if info, err := os.Stat(s.resumed.path); err == nil && !info.Mode().IsRegular() {
		return r, false, &fs.PathError{Op: "resume", Path: s.resumed.path, Err: errors.New("it is no regular file: it cannot be read again")}
	}
	found, err := s.load(context.WithoutCancel(ctx), s.resumed.path)
	if err != nil {
		return r, false, err
	}
	if found.Position != q.Position || found.N != q.N || !sameGame(found.Game, q.Game) {
		return r, false, &fs.PathError{Op: "resume", Path: s.resumed.path, Err: errors.New("the file now holds another search")}
	}
	s.resumed.path = ""
	return s.bestFirst.Continue(ctx), true, nil
}

// sameGame reports whether two games have the same start and turns, or both are nil.
func sameGame(a, b *arimaa.Game) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Position(0) == b.Position(0) && notation.Turns(a) == notation.Turns(b)
}
