package pns

import (
	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/tables"
)

// A store keeps what package dfpns keeps there: facts about positions at the start of a turn of the
// attacker, with the third repetition set aside. Here these are the first nodes of his turns
// that are solved: "disproved" at a first node speaks of every way to go on with the turn, while inside a
// turn it may only mean that a subtree is exhausted. A fact goes there when it is found, so the
// collector cannot lose it. With a game history nothing is put and nothing is asked.

// UseStore makes the searches that follow look up facts in a store and put there what they find out;
// nil: in none. See [Solver.Err].
func (s *Solver) UseStore(store tables.Store) { s.store = store }

// Err returns what was wrong in the last search, whose result then says nothing: facts that contradict each
// other ([tables.Contradiction]) or the position that they are about, or an error of the store.
func (s *Solver) Err() error { return s.err }

// fail ends the search with an error.
func (s *Solver) fail(err error) {
	if s.err == nil {
		s.err = err
	}
	s.stop.Store(true)
}

// keep hands a fact about the solved turn that begins at r to the store, if the turn is the attacker's
// and took some work.
func (s *Solver) keep(r ref, f tables.Fact) {
	if s.store == nil || s.slab.at(r).is(defends) || !s.atLeast(r, tables.WorthStoring) {
		return
	}
	if f.ProvedWithin != tables.Unproved {
		f.Turn = s.winningTurn(r).Code()
	}
	p := s.position(s.slab.at(r))
	s.packed = p.AppendPacked(s.packed[:0])
	if err := s.store.Put(s.packed, f); err != nil {
		s.fail(err)
	}
}

// atLeast tells whether there are so many nodes at and below a node.
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

// recall returns what the store knows about a position with the attacker to move, in which he has no win in
// one, and enters it into the proof table.
func (s *Solver) recall(p *arimaa.Position) tables.Fact {
	if s.store == nil || s.history.count != nil {
		return tables.Nothing
	}
	f, err := tables.Recall(s.store, p, &s.packed)
	if err == nil && f.Known() {
		err = s.facts.Learn(p.Key(), f, 1)
	}
	if err != nil {
		s.fail(err)
		return tables.Nothing
	}
	return f
}

// recallRoot answers the question from the store, if it can. The graph stays as it is, so a search that
// was saved is none the less there to walk through. One that is solved already must not contradict the store.
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
		r.Turn, _, ok = p.Decode(f.Turn) // it may not be known
	}
	return r, ok
}
