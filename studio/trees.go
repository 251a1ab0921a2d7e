package studio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/pns"
)

// The limits of searches whose graph can be looked at.
const (
	maxTrees      = 8
	maxExpansions = 10_000    // of one step
	slice         = 64        // expansions between two looks at a search that runs
	treeTime      = time.Hour // after which a search pauses by itself
)

var (
	errNoTree  = missing("there is no such search: it has been dropped, perhaps because its memory was needed")
	errNoPlace = errors.New("the memory is taken by jobs that run: wait for them, or stop them")
	errRuns    = errors.New("the search runs: pause it first")
)

// Tree is a search of pns whose graph can be looked at.
type Tree struct {
	ID       string  `json:"id"`
	State    string  `json:"state"` // paused, running, decided or full (of memory)
	Study    Study   `json:"study"`
	WinIn    int     `json:"win_in"`
	Verdict  string  `json:"verdict"` // of the root: proved, disproved or unknown
	Nodes    uint64  `json:"nodes"`
	Proof    *uint32 `json:"proof"`    // proof number of the root; null is infinite
	Disproof *uint32 `json:"disproof"` // disproof number of the root
	// Saved is the name under which the search was saved last, or from which it was loaded; "":
	// none.
	Saved      string     `json:"saved"`
	Parameters Parameters `json:"parameters"`
}

// The states of a search.
const (
	paused  = "paused"
	decided = "decided"
	full    = "full"
)

// tree is such a search. Its lock guards the solver: a running search releases it between slices.
type tree struct {
	id       string
	memory   uint64
	start    *point
	question pns.Question
	runs     bool                 // guarded by the lock of the queue
	seen     atomic.Pointer[Tree] // as it was shown last, for those who must not wait for the lock

	mu     sync.Mutex
	solver *pns.Solver // nil: dropped
	state  string
	saved  string // name of the file, "" if there is none
	stamp  string // of the file when it was written or read
	result pns.Result
	stop   context.CancelFunc // of the search that runs
	ended  chan struct{}      // closed when that has paused
}

// treeTask asks for a new search.
type treeTask struct {
	position
	WinIn  int    `json:"win_in"`
	Memory uint64 `json:"memory"` // bytes; 0: a quarter of what the studio has
	// Parameters are those of the search; nil: the defaults, or those with which it was saved.
	Parameters *Parameters `json:"parameters"`
	// Saved is the name of a saved search to load. It excludes study, win_in and unusual.
	Saved string `json:"saved"`
}

// startTree makes a search, which is paused.
func (s *Server) startTree(t treeTask) (Tree, error) {
	memory := cmp.Or(t.Memory, s.share(pns.LeastMemory))
	if memory < pns.LeastMemory || memory > s.options.Memory {
		return Tree{}, fmt.Errorf("memory %d: it is %d to %d bytes", memory, pns.LeastMemory, s.options.Memory)
	}
	parameters, err := t.Parameters.read()
	if err != nil {
		return Tree{}, err
	}
	tr := &tree{memory: memory, state: paused}
	if t.Saved == "" {
		err = tr.ask(t)
	} else if t.Study != nil || t.WinIn != 0 || t.Unusual {
		err = errors.New("a saved search has its own study and win_in")
	} else {
		_, _, err = s.savedFile(t.Saved, searchFiles)
	}
	if err != nil {
		return Tree{}, err
	}
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if err := s.queue.addTree(tr); err != nil {
		return Tree{}, err
	}
	if err := s.newSolver(tr, t, parameters); err != nil {
		tr.solver = nil
		s.queue.removeTree(tr)
		return Tree{}, err
	}
	return tr.shown(), nil
}

// ask reads the question of a new search.
func (t *tree) ask(task treeTask) error {
	p, err := task.start()
	if err != nil {
		return err
	}
	if task.WinIn < 1 || task.WinIn > pns.MaxTurns {
		return fmt.Errorf("win_in %d: it is 1 to %d", task.WinIn, pns.MaxTurns)
	}
	q, err := p.question(task.WinIn)
	if err != nil {
		return err
	}
	t.start, t.question = p, pns.Question{Position: q.Position, N: task.WinIn, Game: q.Game, Number: q.Number}
	return nil
}

// newSolver makes the solver of a search, with its root or with the saved graph. The lock is held.
func (s *Server) newSolver(t *tree, task treeTask, p pns.Parameters) (err error) {
	if t.solver, err = pns.New(t.memory); err != nil {
		return err
	}
	t.solver.UseEndgames(s.options.Endgames)
	if task.Saved == "" {
		err = t.solver.Tune(p) // before the root has its first numbers
		t.solver.Begin(t.question)
		return err
	}
	if err := s.load(t, task.Saved); err != nil || task.Parameters == nil {
		return err
	}
	return t.solver.Tune(p)
}

// addTree finds memory for a search and adds it.
func (q *queue) addTree(tr *tree) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return errShut
	}
	if len(q.trees) == maxTrees && !q.dropTree() || !q.room(&job{memory: tr.memory}) {
		return errNoPlace
	}
	tr.id = q.nextID()
	q.trees = append(q.trees, tr)
	return nil
}

// dropTree drops the least recently used search that does not run, and reports whether there is
// one. The lock is held.
func (q *queue) dropTree() bool {
	for i, tr := range q.trees {
		if tr.runs || !tr.mu.TryLock() {
			continue
		}
		tr.solver = nil
		tr.mu.Unlock()
		q.trees = slices.Delete(q.trees, i, i+1)
		q.free += tr.memory
		q.ring()
		return true
	}
	return false
}

// removeTree drops a search that is not running.
func (q *queue) removeTree(tr *tree) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := slices.Index(q.trees, tr); i >= 0 {
		q.trees = slices.Delete(q.trees, i, i+1)
		q.free += tr.memory
		q.ring()
		q.start()
	}
}

// used tells the queue that a tree has changed, or that it may be dropped now.
func (q *queue) used() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ring()
	q.start()
}

// stands returns a search as it stands. A job that needs its memory may have found it locked
// meanwhile.
func (q *queue) stands(t *tree) (Tree, <-chan struct{}) {
	t.mu.Lock()
	shown, ended := t.shown(), t.ended
	t.mu.Unlock()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.start()
	return shown, ended
}

// grow runs the work of a tree, which close waits for. It reports whether it does; it does not when
// the studio is ending.
func (q *queue) grow(tr *tree, work func()) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	tr.runs = true
	q.ended.Go(func() {
		work()
		q.mu.Lock()
		tr.runs = false
		q.mu.Unlock()
		q.used()
	})
	return true
}

// tree returns a search and makes it the most recently used.
func (q *queue) tree(id string) (*tree, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.IndexFunc(q.trees, func(tr *tree) bool { return tr.id == id })
	if i < 0 {
		return nil, errNoTree
	}
	tr := q.trees[i]
	q.trees = append(slices.Delete(q.trees, i, i+1), tr)
	return tr, nil
}

// shown returns a search as it is shown. Its lock is held.
func (t *tree) shown() Tree {
	shown := Tree{ID: t.id, State: t.state, WinIn: t.question.N, Verdict: answer.Unknown.String(), Saved: t.saved}
	if t.start != nil { // a saved search that could not be read has none
		shown.Study = t.start.study()
	}
	if t.solver != nil {
		t.measure(&shown)
	}
	t.seen.Store(&shown)
	return shown
}

// measure adds what the solver knows. The lock is held.
func (t *tree) measure(shown *Tree) {
	shown.Nodes, shown.Parameters = t.solver.Nodes(), parametersOf(t.solver.Parameters())
	if root, err := t.solver.Root(); err == nil {
		shown.Verdict = root.Verdict().String()
		shown.Proof, shown.Disproof = numbers(root)
	}
}

// numbers returns the proof and disproof number of a node; nil is infinite.
func numbers(n pns.Node) (proof, disproof *uint32) {
	pn, dn := n.Numbers()
	if pn != pns.Infinity {
		proof = &pn
	}
	if dn != pns.Infinity {
		disproof = &dn
	}
	return proof, disproof
}

// advance expands nodes, and records how the search ends. The lock is held. A panic drops the
// search, so that it does not end the studio.
func (t *tree) advance(expansions int) {
	defer func() {
		if recover() != nil {
			t.solver, t.state = nil, paused
		}
	}()
	t.result = t.solver.Advance(expansions)
	switch {
	case t.result.Verdict != answer.Unknown:
		t.state = decided
	case t.result.Stop == answer.Memory:
		t.state = full
	}
}

// run runs a search until it pauses.
func (s *Server) run(t *tree) (Tree, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.solver == nil:
		return Tree{}, errNoTree
	case t.state != paused:
		return t.shown(), nil
	}
	ctx, stop := context.WithTimeout(s.ctx, treeTime)
	began := s.queue.grow(t, func() {
		defer stop()
		shown := time.Now()
		for more := true; more; {
			t.mu.Lock()
			t.advance(slice)
			if t.state == running && ctx.Err() != nil {
				t.state = paused
			}
			if more = t.state == running; !more {
				close(t.ended)
			}
			if !more || time.Since(shown) >= interval {
				t.shown()
				shown = time.Now()
			}
			t.mu.Unlock()
		}
	})
	if !began {
		stop()
		return Tree{}, errShut
	}
	t.state, t.stop, t.ended = running, stop, make(chan struct{})
	return t.shown(), nil
}

// pause pauses a search.
func (t *tree) pause() Tree {
	t.mu.Lock()
	if t.state == running {
		ended := t.ended
		t.stop()
		t.mu.Unlock()
		<-ended
		t.mu.Lock()
	}
	defer t.mu.Unlock()
	return t.shown()
}

// stepTask asks for some nodes to be expanded.
type stepTask struct {
	Expansions int `json:"expansions"`
}

// step expands nodes of a paused search.
func (t *tree) step(task stepTask) (Tree, error) {
	expansions := task.Expansions
	if expansions < 1 || expansions > maxExpansions {
		return Tree{}, fmt.Errorf("expansions %d: it is 1 to %d", expansions, maxExpansions)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch t.state {
	case running:
		return Tree{}, errRuns
	case paused:
		if t.solver == nil {
			return Tree{}, errNoTree
		}
		t.advance(expansions)
	}
	return t.shown(), nil
}

// place is a node of a search, with its path.
type place struct {
	Tree     Tree     `json:"tree"`
	Path     []string `json:"path"` // steps, pushes and pulls, and "pass", which ends a turn
	Node     row      `json:"node"`
	Children []row    `json:"children"` // in the order in which the search prefers them
	Open     bool     `json:"open"`     // options of the node are still to be listed
	View     *View    `json:"view"`     // of the node
}

// row is a node.
type row struct {
	Step        string  `json:"step"`  // that leads there from its parent
	Type        string  `json:"type"`  // OR: the attacker is to move; AND: the defender is
	Proof       *uint32 `json:"proof"` // null is infinite
	Disproof    *uint32 `json:"disproof"`
	Verdict     string  `json:"verdict"`
	Turns       int     `json:"turns"`        // that the attacker has left
	Size        int     `json:"size"`         // nodes of the subtree
	Best        bool    `json:"best"`         // the best child of its parent
	MostProving bool    `json:"most_proving"` // on the path from the root to the most-proving node
}

// placeTask asks for a node.
type placeTask struct {
	Path []string `json:"path"` // steps, pushes and pulls, and "pass"; none: the root
	looks
}

// look returns a node of a search.
func (s *Server) look(t *tree, task placeTask) (*place, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.solver == nil {
		return nil, errNoTree
	}
	root, err := t.solver.Root()
	if err != nil {
		return nil, err
	}
	at, err := root.Walk(strings.Fields(strings.Join(task.Path, " ")))
	if err != nil {
		return nil, err
	}
	onPath := map[pns.Node]bool{}
	for n, ok := root, true; ok; n, ok = n.Best() {
		onPath[n] = true
	}
	rowOf := func(n pns.Node, step string) row {
		r := row{Step: step, Type: "AND", Verdict: n.Verdict().String(), Turns: n.Turns(), Size: n.Size(), MostProving: onPath[n]}
		if n.Attacks() {
			r.Type = "OR"
		}
		r.Proof, r.Disproof = numbers(n)
		return r
	}
	p := &place{Tree: t.shown(), Path: append([]string{}, task.Path...), Node: rowOf(at, ""), Children: []row{},
		Open: at.Open() && at.Verdict() == answer.Unknown}
	best, some := at.Best()
	position := at.Position()
	for _, c := range at.Children() {
		step := "pass"
		if !c.Begins() {
			step = position.Notation(arimaa.Turn{}.WithOption(c.Option()))
		}
		r := rowOf(c, step)
		r.Best = some && c == best
		p.Children = append(p.Children, r)
	}
	reached, err := t.reached(task.Path)
	if err != nil {
		return nil, err
	}
	p.View, err = s.view(reached, task.looks)
	return p, err
}

// reached plays the steps of a path from the start of a search.
func (t *tree) reached(path []string) (*point, error) {
	p := &point{game: t.start.game.At(t.start.game.Len()), state: t.start.state}
	for _, step := range path {
		if step == "pass" {
			if err := p.game.Play(p.steps); err != nil {
				return nil, err
			}
			p.state, p.steps = arimaa.NewState(p.game.Last()), arimaa.Turn{}
			continue
		}
		made, err := notation.PlaySteps(&p.state, step)
		if err != nil {
			return nil, err
		}
		for i := range made.Len() {
			p.steps = p.steps.With(made.Step(i))
		}
	}
	return p, nil
}

// treeRoutes are the requests about searches that are looked at.
func (s *Server) treeRoutes() []operation {
	return []operation{
		{"POST /api/trees", "Begin a search, which is paused at first, or load a saved one.",
			handle(func(t treeTask) (Tree, error) {
				defer s.queue.used()
				return s.startTree(t)
			}).failing(http.StatusNotFound, http.StatusServiceUnavailable)},
		{"GET /api/saved", "List the saved searches of the workspace.", s.listing(searchFiles)},
		{"DELETE /api/saved/{name}", "Delete a saved search.", s.removing(searchFiles)},
		{"POST /api/saved/{name}/rename", "Give a saved search another name.", s.renaming(searchFiles)},
		{"GET /api/trees/{id}", "Read a search as it stands.", get(func(id string) (Tree, error) {
			t, err := s.queue.tree(id)
			if err != nil {
				return Tree{}, err
			}
			shown, _ := s.queue.stands(t)
			return shown, nil
		})},
		{"DELETE /api/trees/{id}", "Drop a search.", get(func(id string) (Tree, error) {
			t, err := s.queue.tree(id)
			if err != nil {
				return Tree{}, err
			}
			shown := t.pause()
			t.mu.Lock()
			t.solver = nil
			t.mu.Unlock()
			s.queue.removeTree(t)
			return shown, nil
		})},
		{"POST /api/trees/{id}/run", "Run a search, for an hour at most.", handleTree(s, func(t *tree, _ struct{}) (Tree, error) { return s.run(t) })},
		{"POST /api/trees/{id}/pause", "Pause a search.", handleTree(s, func(t *tree, _ struct{}) (Tree, error) { return t.pause(), nil })},
		{"POST /api/trees/{id}/step", "Expand most-proving nodes of a paused search.", handleTree(s, (*tree).step)},
		{"POST /api/trees/{id}/tune", "Set the parameters for the rest of a paused search.", handleTree(s, (*tree).tune)},
		{"POST /api/trees/{id}/save", "Save a search in the workspace.", handleTree(s, s.save).failing(http.StatusConflict)},
		{"POST /api/trees/{id}/node", "Look at a node of a search and its children.", handleTree(s, s.look)},
		{"GET /api/trees/{id}/events", "Follow a search until it pauses.", streaming(s.treeEvents, eventOf[Tree](""))},
	}
}

// handleTree answers a request about a search.
func handleTree[Request, Answer any](s *Server, act func(*tree, Request) (Answer, error)) action {
	return handleAbout(func(id string, request Request) (answer Answer, err error) {
		t, err := s.queue.tree(id)
		if err != nil {
			return answer, err
		}
		defer s.queue.used()
		return act(t, request)
	})
}

// treeEvents streams a search as server-sent events until it pauses.
func (s *Server) treeEvents(w http.ResponseWriter, r *http.Request) {
	t, err := s.queue.tree(subject(r))
	if err != nil {
		refuse(w, statusOf(err), err)
		return
	}
	s.stream(w, r, func() (any, <-chan struct{}, time.Duration, error) {
		shown, ended := s.queue.stands(t)
		if shown.State != running {
			return shown, nil, 0, nil
		}
		return shown, ended, interval, nil
	})
}
