package studio

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/files"
	"goalproof/pns"
)

// Parameters are those of a search of pns (pns.Parameters), by the names of the flags of goalproof
// solve.
type Parameters struct {
	Evaluation string `json:"evaluation"`    // immediate, which "" means too, or delayed
	Start      string `json:"start_numbers"` // one, which "" means too, mobility or distance
	Widening   int    `json:"widening"`      // children; 0: all
	Killers    int    `json:"killers"`       // of a level
	High       int    `json:"gc_high"`       // nodes; 0: the collector drops no open turn
	Low        int    `json:"gc_low"`        // nodes; 0: three fifths of gc_high
}

// read returns the parameters of a search; those that are nil are the defaults.
func (p *Parameters) read() (pns.Parameters, error) {
	if p == nil {
		return pns.Defaults(), nil
	}
	evaluation, err := pns.ParseEvaluation(cmp.Or(p.Evaluation, pns.Immediate.String()))
	if err != nil {
		return pns.Parameters{}, fmt.Errorf("evaluation %w", err)
	}
	start, err := pns.ParseStart(cmp.Or(p.Start, pns.One.String()))
	if err != nil {
		return pns.Parameters{}, fmt.Errorf("start_numbers %w", err)
	}
	read := pns.Parameters{Evaluation: evaluation, Start: start, Widening: p.Widening, Killers: p.Killers, High: p.High, Low: p.Low}
	return read, read.Check()
}

// parametersOf returns the parameters of a search in JSON.
func parametersOf(p pns.Parameters) Parameters {
	return Parameters{Evaluation: p.Evaluation.String(), Start: p.Start.String(), Widening: p.Widening, Killers: p.Killers, High: p.High, Low: p.Low}
}

// tune sets the parameters for the rest of a search. A full search may then have room again.
func (t *tree) tune(given Parameters) (Tree, error) {
	p, err := given.read()
	if err != nil {
		return Tree{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.solver == nil:
		return Tree{}, errNoTree
	case t.state == running:
		return Tree{}, errRuns
	}
	if err := t.solver.Tune(p); err != nil {
		return Tree{}, err
	}
	if t.state == full {
		t.state = paused
	}
	return t.shown(), nil
}

// savedSuffix ends the name of the file of a saved search.
const savedSuffix = ".pns"

var (
	errNoWorkspace = errors.New("the studio has no workspace: start it with --workspace")
	errNotSaved    = missing("no search of this name has been saved")
)

// savedName matches the names of saved searches and games. None leads out of the directory or hides
// a file.
var savedName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 _-]{0,63}$`)

// savedFile returns the file of a name and suffix in the workspace, and reports whether it exists.
func (s *Server) savedFile(name, suffix string) (file string, exists bool, err error) {
	file = name + suffix
	switch {
	case s.options.Workspace == nil:
		return "", false, errNoWorkspace
	case !savedName.MatchString(name) || !filepath.IsLocal(file):
		return "", false, fmt.Errorf("name %q: it has 1 to 64 letters a to z, digits, spaces, - and _, and begins with a letter or a digit",
			notation.Legible(name))
	}
	info, err := s.options.Workspace.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return file, false, nil
	case err != nil:
		return "", false, err
	case !info.Mode().IsRegular():
		return "", false, fmt.Errorf("%s is no plain file", file)
	}
	return file, true, nil
}

// openSaved opens the file of a name and suffix in the workspace; none is the error if it does not
// exist.
func (s *Server) openSaved(name, suffix string, none error) (*os.File, error) {
	file, exists, err := s.savedFile(name, suffix)
	if err = cmp.Or(err, absent(!exists, none)); err != nil {
		return nil, err
	}
	return s.options.Workspace.Open(file)
}

// saveTask asks for a search to be saved under a name.
type saveTask struct {
	Name string `json:"name"`
}

// save saves a search. It replaces a file only if the search was saved to it or loaded from it.
func (s *Server) save(t *tree, task saveTask) (Tree, error) {
	name := task.Name
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.solver == nil {
		return Tree{}, errNoTree
	}
	s.saving.Lock()
	defer s.saving.Unlock()
	file, exists, err := s.savedFile(name, savedSuffix)
	if err != nil {
		return Tree{}, err
	}
	if exists && t.saved != name {
		return Tree{}, fmt.Errorf("another search has been saved as %q: choose another name", name)
	}
	if err := files.WriteIn(s.options.Workspace, file, t.solver.Save); err != nil {
		return Tree{}, fmt.Errorf("the search was not saved: %w", err)
	}
	t.saved = name
	return t.shown(), nil
}

// load reads a saved search into a new solver. The lock is held.
func (s *Server) load(t *tree, name string) error {
	f, err := s.openSaved(name, savedSuffix, errNotSaved)
	if err != nil {
		return err
	}
	defer f.Close()
	q, err := t.solver.Load(f)
	if err != nil {
		return fmt.Errorf("%s: %w", name+savedSuffix, err)
	}
	root, err := t.solver.Root()
	if err != nil {
		return fmt.Errorf("%s: %w", name+savedSuffix, err)
	}
	if t.state = paused; root.Verdict() != answer.Unknown {
		t.state = decided
	}
	game := q.Game
	if game == nil {
		game = arimaa.NewGame(q.Position, min(max(q.Number, arimaa.FirstTurn), maxNumber))
	}
	t.question, t.saved = q, name
	t.start = &point{game: game, state: arimaa.NewState(q.Position)}
	return nil
}

// listed is a file of the workspace in the list of its kind.
type listed struct {
	Name    string    `json:"name"` // without the suffix
	Bytes   int64     `json:"bytes"`
	Changed time.Time `json:"changed"`
}

// listing answers with the files of the workspace with a suffix, by name, in the given field.
func (s *Server) listing(field, suffix string) action {
	a := get(func(string) (map[string][]listed, error) {
		if s.options.Workspace == nil {
			return nil, errNoWorkspace
		}
		files, err := fs.ReadDir(s.options.Workspace.FS(), ".")
		all := []listed{}
		for _, f := range files {
			name, ok := strings.CutSuffix(f.Name(), suffix)
			info, err := f.Info()
			if ok && err == nil && info.Mode().IsRegular() && savedName.MatchString(name) {
				all = append(all, listed{name, info.Size(), info.ModTime()})
			}
		}
		return map[string][]listed{field: all}, err
	}).failing(http.StatusUnprocessableEntity)
	a.answer = reflect.StructOf([]reflect.StructField{{Name: "Files", Type: reflect.TypeFor[[]listed](), Tag: reflect.StructTag(`json:"` + field + `"`)}})
	return a
}

// removing removes the file of a name and suffix; none is the error if it does not exist.
func (s *Server) removing(suffix string, none error) action {
	return get(func(name string) (struct{}, error) {
		s.saving.Lock()
		defer s.saving.Unlock()
		file, exists, err := s.savedFile(name, suffix)
		if err = cmp.Or(err, absent(!exists, none)); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.options.Workspace.Remove(file)
	}).failing(http.StatusUnprocessableEntity)
}
