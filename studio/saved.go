package studio

import (
	"cmp"
	"fmt"
	"slices"

	"goalproof/answer"
	"goalproof/arimaa"
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

// saveTask asks for a search to be saved under a name.
type saveTask struct {
	Name string `json:"name"`
}

// save saves a search. It replaces a file only if the search was saved to it or loaded from it, and
// nobody has changed it since.
func (s *Server) save(t *tree, task saveTask) (Tree, error) {
	name := task.Name
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.solver == nil {
		return Tree{}, errNoTree
	}
	s.saving.Lock()
	defer s.saving.Unlock()
	file, old, err := s.savedFile(name, searchFiles)
	switch {
	case err != nil:
		return Tree{}, err
	case old != nil && t.saved != name:
		return Tree{}, taken(name, searchFiles)
	case old != nil && t.stamp != stamp(old):
		return Tree{}, elsewhere(name, searchFiles)
	}
	if err := files.WriteIn(s.options.Workspace, file, t.solver.Save); err != nil {
		return Tree{}, unsaved("the search was", err)
	}
	info, err := s.options.Workspace.Lstat(file)
	if err != nil {
		return Tree{}, err
	}
	t.saved, t.stamp = name, stamp(info)
	s.changedFile(searchFiles.name, name, t.stamp)
	return t.shown(), nil
}

// renamed tells the searches that were saved in a file, or loaded from it, its new name.
func (q *queue) renamed(from, to string) {
	q.mu.Lock()
	all := slices.Clone(q.trees)
	q.mu.Unlock()
	for _, t := range all {
		t.mu.Lock()
		if t.saved == from {
			t.saved = to
			t.shown() // so that listeners see it
		}
		t.mu.Unlock()
	}
	q.used()
}

// load reads a saved search into a new solver. The lock is held.
func (s *Server) load(t *tree, name string) error {
	f, err := s.openSaved(name, searchFiles)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	q, err := t.solver.Load(f)
	if err != nil {
		return fmt.Errorf("%s: %w", name+searchFiles.suffix, err)
	}
	root, err := t.solver.Root()
	if err != nil {
		return fmt.Errorf("%s: %w", name+searchFiles.suffix, err)
	}
	if t.state = paused; root.Verdict() != answer.Unknown {
		t.state = decided
	}
	game := q.Game
	if game == nil {
		game = arimaa.NewGame(q.Position, min(max(q.Number, arimaa.FirstTurn), maxNumber))
	}
	t.question, t.saved, t.stamp = q, name, stamp(info)
	t.start = &point{game: game, state: arimaa.NewState(q.Position)}
	return nil
}
