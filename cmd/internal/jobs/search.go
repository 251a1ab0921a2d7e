package jobs

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"sync"
	"weak"

	"goalproof/answer"
	"goalproof/cluster"
	"goalproof/dfpns"
	"goalproof/engine"
	"goalproof/internal/memory"
	"goalproof/puzzles"
	"goalproof/solve"
	"goalproof/tables/endgame"
)

// Search is what the questions of a run are answered with, the same on every machine.
type Search struct {
	Algorithm solve.Algorithm
	Nodes     uint64 // the limit of a question
	Facts     bool   // facts and notes for a store travel with the answers
	Tables    bool   // endgame tables are asked: those that are part of the program, and
	Endgames  []Table
	// Memory is the least that a solver has, in bytes. It has what there is, keeps what it finds, and
	// shares it with the others of its process; 0: each has its own, of what the limit asks for.
	Memory uint64 `json:",omitempty"`
}

// Table is a file of an endgame table.
type Table struct {
	Name   string // of its class, for messages
	Digest string
}

// searchOf returns the search of solvers with these options and a limit in nodes, after it has
// offered the files of their endgame tables.
func searchOf(ctx context.Context, o solve.Options, nodes uint64, offer cluster.Offerer) (s Search, err error) {
	s = Search{Algorithm: o.Algorithm, Nodes: nodes, Facts: o.Store != nil, Tables: o.Endgames != nil}
	for _, path := range o.Endgames.Files() {
		digest, err := offer.Offer(ctx, path)
		if err != nil {
			return s, err
		}
		s.Endgames = append(s.Endgames, Table{path, digest})
	}
	return s, nil
}

// options are those of the solver.
func (s *Search) options() solve.Options {
	if o := (solve.Options{Algorithm: s.Algorithm, Memory: s.Memory, Threads: 1}); s.Memory > 0 {
		return o
	}
	return solve.Options{Algorithm: s.Algorithm}.ForNodes(s.Nodes, 1)
}

// limit is that of a question.
func (s *Search) limit() answer.Limit { return answer.Limit{Nodes: s.Nodes} }

// memory returns how many bytes it takes to answer questions.
func (s *Search) memory() (uint64, error) {
	if s.Nodes < 1 || s.Nodes > memory.MostNodes {
		return 0, fmt.Errorf("a limit of %d nodes: it is 1 to %d", s.Nodes, uint64(memory.MostNodes))
	}
	need := memory.SolverProcess(s.options().Memory, 1)
	if len(s.Endgames) > 0 {
		need += memory.Endgames / 8
	}
	return need, nil
}

// searcher is what a worker answers with.
type searcher struct {
	solver   *solve.Solver
	facts    *collector // nil: none are collected
	endgames *endgame.Tables
	miner    *puzzles.Miner // nil until it is needed
	engine   *engine.Engine // the same
}

// sharing are the tables of runs whose questions this process answers, by the options of the run.
var sharing = struct {
	sync.Mutex
	tables map[string]weak.Pointer[dfpns.Tables]
}{tables: map[string]weak.Pointer[dfpns.Tables]{}}

// shared returns the tables that all solvers of this process share for the questions of a run; nil:
// each has its own. They take the memory of all of them, or of one while there are those of another run.
func (s *Search) shared(options string, room cluster.Room) *dfpns.Tables {
	if s.Memory == 0 {
		return nil
	}
	sharing.Lock()
	defer sharing.Unlock()
	if sharing.tables[options].Value() == nil && len(sharing.tables) > 0 {
		runtime.GC() // finds out whether anybody still needs those of another run
	}
	maps.DeleteFunc(sharing.tables, func(_ string, p weak.Pointer[dfpns.Tables]) bool { return p.Value() == nil })
	if t := sharing.tables[options].Value(); t != nil {
		return t
	}
	slots := room.Slots
	if len(sharing.tables) > 0 {
		slots = 1
	}
	t := dfpns.NewTables(memory.SolverTables(room.Memory*uint64(slots), slots))
	sharing.tables[options] = weak.Make(t)
	return t
}

// open makes what answers, with tables to share or nil.
func (s *Search) open(ctx context.Context, inputs cluster.Inputs, shared *dfpns.Tables) (*searcher, error) {
	w := &searcher{}
	o := s.options()
	o.Tables = shared
	if s.Tables {
		var paths []string
		for _, t := range s.Endgames {
			path, err := inputs.File(ctx, t.Digest)
			if err != nil {
				return nil, fmt.Errorf("the endgame table %s: %w", t.Name, err)
			}
			paths = append(paths, path)
		}
		var err error
		if w.endgames, err = endgame.OpenFiles(paths, memory.Endgames/8); err != nil {
			return nil, err
		}
		o.Endgames = w.endgames
	}
	if s.Facts {
		w.facts = &collector{}
		o.Store = w.facts
	}
	solver, err := solve.New(o)
	w.solver = solver
	return w, err
}

// begin begins with a question.
func (w *searcher) begin() {
	if w.facts != nil {
		w.facts.begin()
	}
}
