package pns

import (
	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/tables"
)

// A store holds the same facts for both searches: about positions at the start of a turn of the
// attacker, with the third repetition set aside. In the graph these are the solved first nodes of
// his turns: "disproved" covers every result of the turn there, while inside a turn it may only
// mean that a subtree is exhausted. A fact goes to the store when it is found, so the collector
// cannot lose it. With a game history the store is not used.

// UseStore makes the searches that follow use a store of facts; nil: none. See [Solver.Err].
func (s *Solver) UseStore(store tables.Store) { s.store, s.userStore = store, store }

// Err returns the error that ended the last search, whose result is then void: facts that
// contradict each other ([tables.Contradiction]) or their position, or an error of the store.
func (s *Solver) Err() error { return s.err }

// fail ends the search with an error.
func (s *Solver) fail(err error) {
	if s.err == nil {
		s.err = err
	}
	s.stop.Store(true)
}

// putFact puts a fact about the solved turn that begins at r into the store, if the turn is the
// attacker's and took some work.
func (s *Solver) putFact(r ref, f tables.Fact) {
	if s.store != nil && !s.slab.at(r).is(defends) && s.atLeast(r, tables.WorthStoring) {
		s.put(r, f)
	}
}

// putRoot hands the answer to the question to the store, however little work it took: it will be
// asked again. It may be that of a search that was saved.
func (s *Solver) putRoot() {
	if s.store != nil && s.history.count == nil && s.question.N > 1 {
		s.put(s.root, factOf(s.slab.at(s.root)))
	}
}

// put puts a fact about the solved turn that begins at r into the store.
func (s *Solver) put(r ref, f tables.Fact) {
	if f.ProvedWithin != tables.Unproved {
		f.Turn = s.winningTurn(r).Code()
	}
	p := s.position(s.slab.at(r))
	s.packed = p.AppendPacked(s.packed[:0])
	if err := s.store.Put(s.packed, f); err != nil {
		s.fail(err)
	}
}

// atLeast reports whether a subtree has at least the given number of nodes.
func (s *Solver) atLeast(r ref, nodes int) bool {
	stack := append(s.refs[:0], r)
	defer func() { s.refs = stack }()
	for len(stack) > 0 {
		if nodes--; nodes == 0 {
			return true
		}
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for c := s.slab.at(at).child; c != 0 && len(stack) < nodes; c = s.slab.at(c).sibling {
			stack = append(stack, c)
		}
	}
	return false
}

// recall returns the store's fact about a position with the attacker to move, in which he has no
// win in one, and enters it into the proof table.
func (s *Solver) recall(p *arimaa.Position) tables.Fact {
	if s.store == nil || s.history.count != nil {
		return tables.Nothing
	}
	s.packed = p.AppendPacked(s.packed[:0])
	f, err := tables.Recall(s.store, s.packed, func(turn uint32) bool {
		_, _, ok := p.Decode(turn)
		return ok
	})
	if err == nil && f.Known() {
		err = s.facts.Learn(p.Key(), f, 1)
	}
	if err != nil {
		s.fail(err)
		return tables.Nothing
	}
	return f
}

// recallRoot answers the question from the store, if it can. The graph stays as it is, so a resumed
// search can still be walked through. A graph that is solved already must not contradict the store.
func (s *Solver) recallRoot() (r Result, ok bool) {
	n := s.slab.at(s.root)
	p := s.position(n)
	f := s.recall(&p)
	if n.solved() {
		if known := factOf(n); !known.Merge(f).Possible() {
			s.fail(&tables.Contradiction{Key: p.AppendPacked(nil), Known: known, New: f})
		}
		return r, false
	}
	yes, ok := f.Solved(int(n.turns))
	if !ok {
		return r, false
	}
	r = Result{Verdict: answer.Disproved, Nodes: s.Nodes(), Recalled: true}
	if yes {
		r.Verdict = answer.Proved
		r.Turn, _, ok = p.Decode(f.Turn) // the turn may be unknown
	}
	return r, ok
}
