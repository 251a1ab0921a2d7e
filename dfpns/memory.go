package dfpns

import (
	"goalproof/arimaa"
	"goalproof/tables"
	"goalproof/zobrist"
)

// What the search finds in the tables and the store, and enters there.

// key is the key of a node in the tables, for the aim of the question. The same board with the same
// side to move is another node when that side is the defender.
func (w *worker) key(v node) zobrist.Key {
	if v.and {
		return w.defendKey(v.at)
	}
	return w.attackKey(v.at)
}

func (w *worker) attackKey(p *arimaa.Position) zobrist.Key { return p.Key().Xor(w.aimKey) }

func (w *worker) defendKey(p *arimaa.Position) zobrist.Key {
	k := w.attackKey(p)
	return zobrist.Key{Lo: ^k.Lo, Hi: ^k.Hi}
}

// table returns the table that holds a node.
func (w *worker) table(v node) *tables.Table {
	if v.full() {
		return w.full
	}
	return w.threats
}

// entry returns what the tables say about a node: its numbers, and what is true of it.
func (w *worker) entry(v node, key zobrist.Key) tables.Entry {
	e := w.full.Get(key)
	if !v.full() {
		f := e.Fact
		e = w.threats.Get(key)
		e.Fact = e.Merge(f)
	}
	return e
}

// stateOf returns the state of a node with n turns left by its entry; the numbers are unvisited if
// it says nothing.
func stateOf(e *tables.Entry, n int) outcome {
	switch {
	case int(e.ProvedWithin) <= n:
		return outcome{proved, e.ProvedWithin, e.Turn}
	case int(e.RefutedUpTo) >= n:
		return outcome{numbers: disproved, bound: e.RefutedUpTo}
	case int(e.N) == n && e.Proof > 0:
		return outcome{numbers: numbers{e.Proof, e.Disproof}}
	}
	return outcome{numbers: unvisited}
}

// known returns the outcome of a node that the endgame tables, the tables or the store solve; ok is
// false for any other, and for an OR node that is proved without a turn.
func (w *worker) known(v node, key zobrist.Key) (got outcome, ok bool) {
	if v.and {
		if got, ok := w.tabled(v.at, v.at.Side().Other(), v.turns); ok {
			return outcome{numbers: got, bound: uint8(v.turns)}, true
		}
	}
	e := w.entry(v, key)
	got = stateOf(&e, v.turns)
	if !got.solved() && !v.and && v.full() && int(e.N) != v.turns { // the first visit
		e.Fact = e.Merge(w.recall(v.at, key))
		got = stateOf(&e, v.turns)
	}
	return got, got.solved() && (v.and || got.numbers == disproved || got.turn != 0)
}

// recall returns the store's fact about an OR node, and enters it into the table.
func (w *worker) recall(p *arimaa.Position, key zobrist.Key) tables.Fact {
	if w.store == nil {
		return tables.Nothing
	}
	w.packed = p.AppendPacked(w.packed[:0])
	f, err := tables.Recall(w.store, w.packed, func(turn uint32) bool {
		_, _, ok := p.Decode(turn)
		return ok
	})
	if err == nil && f.Known() {
		err = w.full.Learn(key, f, tables.WorthStoring)
	}
	if err != nil {
		w.run.fail(err)
		return tables.Nothing
	}
	return f
}

// leave enters the outcome of a node, which was entered with e, into its table. A win by threats is
// a fact; it does not go into the table of threats, which may deny it, because the win may lean on
// turns that are no threats.
func (w *worker) leave(v node, key zobrist.Key, e *tables.Entry, got outcome, work uint64) {
	left := tables.Entry{
		Fact:  got.fact(),
		Proof: got.proof, Disproof: got.disproof, N: uint8(v.turns),
		Best: got.turn,
		Work: workOf(work),
	}
	switch {
	case v.full():
		if !v.and && got.solved() {
			w.putFact(v.at, left.Fact, work)
		}
	case got.numbers == proved:
		w.learn(v, key, left.Fact, work)
		left.Fact = tables.Nothing
	}
	if !v.and && v.tree == threatTree && got.numbers == proved {
		if t, _, ok := v.at.Decode(got.turn); ok {
			w.attacks.raise(v.turns, t)
		}
	}
	if !got.solved() && w.run.stop.Load() && e.N == left.N && e.Proof > 0 {
		// A search that stopped has counted only a part of the node.
		left.Proof, left.Disproof, left.Best = e.Proof, e.Disproof, e.Best
	}
	if err := w.table(v).Leave(key, left); err != nil {
		w.run.fail(err)
	}
}

// learn enters a fact about a node into the table of facts, and hands one about an OR node to the
// store.
func (w *worker) learn(v node, key zobrist.Key, f tables.Fact, work uint64) {
	if err := w.full.Learn(key, f, workOf(work)); err != nil {
		w.run.fail(err)
	}
	if !v.and {
		w.putFact(v.at, f, work)
	}
}

// putFact puts a fact about an OR node into the store if it took some work.
func (w *worker) putFact(p *arimaa.Position, f tables.Fact, work uint64) {
	if w.store == nil || work < tables.WorthStoring {
		return
	}
	w.packed = p.AppendPacked(w.packed[:0])
	if err := w.store.Put(w.packed, f); err != nil {
		w.run.fail(err)
	}
}

// workOf returns a number of nodes as the work of an entry.
func workOf(nodes uint64) uint32 { return uint32(min(nodes, 1<<31)) }
