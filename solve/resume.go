package solve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"goalproof/arimaa"
	"goalproof/pns"
)

// saved is a search of pns in a file, which is read when its question comes.
type saved struct {
	path     string // empty: there is none
	question pns.Question
}

// Resume names a saved search of pns ([Question.Save]) that is to go on, by the parameters of the
// solver, and returns its question. It goes on when that question is put, after those for
// fewer turns, which are asked again: nothing in the file says that they were refuted. (A store does.) The
// error says what is wrong with the file ([pns.Solver.Load]).
func (s *Solver) Resume(path string) (q Question, err error) {
	if s.fast != nil {
		return q, errors.New("a saved search goes on with pns")
	}
	if err := s.needExact(); err != nil {
		return q, err
	}
	found, err := s.load(path)
	if err != nil {
		return q, err
	}
	s.saved = saved{path, found}
	return Question{Position: found.Position, Deepest: found.N, Game: found.Game}, nil
}

// load reads a saved search, and keeps to the parameters of the solver.
func (s *Solver) load(path string) (q pns.Question, err error) {
	file, err := os.Open(path)
	if err != nil {
		return q, err
	}
	defer file.Close()
	if q, err = s.exact.Load(file); err != nil {
		return q, fmt.Errorf("%s: %w", path, err)
	}
	return q, s.exact.Tune(s.tuning)
}

// waits tells whether a saved search is to go on after the question about a win in n. It may be in the
// very file that this question would be saved to.
func (s *Solver) waits(q Question, n int) bool {
	return s.saved.path != "" && s.saved.question != pns.Question{Position: q.Position, N: n, Game: q.Game}
}

// goOn goes on with the saved search if its question is q; ok is false if not.
func (s *Solver) goOn(ctx context.Context, q pns.Question) (r pns.Result, ok bool, err error) {
	if s.saved.path == "" || s.saved.question != q {
		return r, false, nil
	}
	found, err := s.load(s.saved.path)
	if err != nil {
		return r, false, err
	}
	if found.Position != q.Position || found.N != q.N || !sameGame(found.Game, q.Game) {
		return r, false, &fs.PathError{Op: "resume", Path: s.saved.path, Err: errors.New("it has become another search")}
	}
	s.saved.path = ""
	return s.exact.Continue(ctx), true, nil
}

// sameGame tells whether two games have gone the same way, or there are none.
func sameGame(a, b *arimaa.Game) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Position(0) == b.Position(0) && a.Turns() == b.Turns()
}
