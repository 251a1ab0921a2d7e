package perft

import (
	"cmp"
	"context"
	"slices"

	"goalproof/arimaa"
)

// match is a result of the turns that do what is asked.
type match struct {
	turn   arimaa.Turn // one of the fewest steps that does it
	passed int         // the fewest steps of a match on some way to this result, or nothing
}

// essential reports whether no way to the result passes by the result of a shorter turn that does what
// is asked.
func (f *match) essential() bool { return f.passed >= f.turn.Len() }

// point is a position within a turn, with what matters of the steps that led there.
type point struct {
	at     arimaa.Position
	made   uint64      // the captures made, see where.made
	passed int         // the fewest steps of a match that some way here has passed by, or nothing
	turn   arimaa.Turn // a way here
}

// nothing is the number of steps of a match that is not there.
const nothing = arimaa.StepsPerTurn + 1

// state tells the points of a layer apart.
type state struct {
	board arimaa.Board
	made  uint64
}

// matching lists turns by their results.
//
// Layer u holds what can be reached with exactly u steps, each pair of a board and the captures
// made on the way once: what can follow depends on nothing else, and every order of steps is a
// sequence of options (package arimaa). So each result that does what is asked by some order is
// found, first in the layer of the fewest steps that do it. Layers are kept whole, also where a
// board was reached with fewer steps, because only a longer way may pass by another match.
type matching struct {
	where
	start  arimaa.Board
	layers [arimaa.StepsPerTurn + 1][]point
	index  [arimaa.StepsPerTurn + 1]map[state]int
	found  map[arimaa.Board]*match
	all    []*match
}

// matches lists the results of the turns of the side to move at p that do what is asked, essential
// ones first, and then by their steps. The error is that of the context, which ends the listing.
func (w *where) matches(ctx context.Context, p arimaa.Position) ([]*match, error) {
	m := matching{where: *w, start: p.Board, found: map[arimaa.Board]*match{}}
	for u := range m.index {
		m.index[u] = map[state]int{}
	}
	m.reach(0, point{at: p, passed: nothing})
	var options []arimaa.Option
	for u := range m.layers {
		for i := range m.layers[u] { // before any is followed: the middle of a pull may be one of them
			pt := &m.layers[u][i]
			pt.passed = min(pt.passed, m.visit(pt))
		}
		for i, from := range m.layers[u] {
			if i&255 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			options = from.at.Options(options[:0])
			for _, o := range options {
				m.follow(u, from, o)
			}
		}
		m.layers[u], m.index[u] = nil, nil
	}
	slices.SortStableFunc(m.all, func(a, b *match) int {
		return cmp.Or(order(a.essential(), b.essential()), cmp.Compare(a.turn.Len(), b.turn.Len()))
	})
	return m.all, nil
}

// order puts what is true first.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// may reports whether the turn may end at a point, and does what is asked.
func (m *matching) may(made uint64, at *arimaa.Position) bool {
	return at.Board != m.start && m.hold(made, &m.start, at)
}

// visit records a point whose ways are all known. If it is a match, it returns the fewest steps of
// that, otherwise nothing.
func (m *matching) visit(pt *point) int {
	if !m.may(pt.made, &pt.at) {
		return nothing
	}
	f := m.found[pt.at.Board]
	if f == nil {
		f = &match{turn: pt.turn, passed: nothing}
		m.found[pt.at.Board] = f
		m.all = append(m.all, f)
	}
	f.passed = min(f.passed, pt.passed)
	return f.turn.Len()
}

// follow adds what an option leads to from a point in layer u. The turn may also pass by a match
// between the two steps of a pull, where it might have ended; a push must be completed.
func (m *matching) follow(u int, from point, o arimaa.Option) {
	next := point{at: from.at.After(o), passed: from.passed, turn: from.turn.WithOption(o)}
	next.made = from.made | m.made(&from.at, &next.at, o)
	if o.IsPull() {
		first := arimaa.SingleStep(o.First())
		half := from.at.After(first)
		if m.may(from.made|m.made(&from.at, &half, first), &half) {
			steps := u + 1
			if f := m.found[half.Board]; f != nil {
				steps = f.turn.Len()
			}
			next.passed = min(next.passed, steps)
		}
	}
	m.reach(u+o.Steps(), next)
}

// reach adds a point to a layer.
func (m *matching) reach(u int, pt point) {
	if pt.at.StepsLeft() == 0 && !m.may(pt.made, &pt.at) {
		return // nothing follows
	}
	key := state{pt.at.Board, pt.made}
	if i, ok := m.index[u][key]; ok {
		m.layers[u][i].passed = min(m.layers[u][i].passed, pt.passed)
		return
	}
	m.index[u][key] = len(m.layers[u])
	m.layers[u] = append(m.layers[u], pt)
}
