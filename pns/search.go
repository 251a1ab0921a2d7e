package pns

import (
	"context"
	"errors"
	"sync/atomic"

	"goalproof/answer"
	"goalproof/arimaa"
)

// Question asks whether the side to move at the start of its turn, the attacker,
// wins within N of its turns.
type Question struct {
	Position arimaa.Position
	N        int // at least 1, at most MaxTurns
	// Game is the game that led to Position, its last position. The third-repetition
	// rule then counts. Without one it is set aside.
	Game *arimaa.Game
}

// MaxTurns is the greatest N that can be asked for.
const MaxTurns = 200

// Result is what a search found out.
type Result struct {
	Verdict answer.Verdict
	Stop    answer.Stop // why the verdict is unknown
	Turn    arimaa.Turn // for Proved: a first turn that keeps the win
	Nodes   uint64      // nodes made
	// ProofNumber and DisproofNumber are those of the root when the search stopped
	// without a verdict.
	ProofNumber, DisproofNumber uint32
}

// Solver searches. It keeps its memory from one search to the next. It serves one
// goroutine, but Nodes may be called from any.
type Solver struct {
	slab     slab
	index    index
	judge    judge
	maxNodes int
	question Question
	history  history
	attacker arimaa.Side
	root     ref
	nodes    atomic.Uint64
	stop     *atomic.Bool // the search under way is to stop
	options  []arimaa.Option
	made     []made
	moved    []ref           // old parents of nodes that an expansion moved
	next     arimaa.Position // after the turn that is being judged; here it costs no allocation
}

// made is an option that has been played, on its way to being a node.
type made struct {
	option arimaa.Option
	after  arimaa.Position
	score  int16
}

// bytesPerNode is what a node takes with its share of the index: 64 bytes, and four
// slots of 4 bytes when the index has just grown, besides the two that it grew from.
const bytesPerNode = 64 + 16 + 8

// LeastMemory is what New asks for, in bytes.
const LeastMemory = 1 << 20

// New returns a solver that keeps its nodes within a number of bytes. The error
// says that this is too little to work with.
func New(memory uint64) (*Solver, error) {
	if memory < LeastMemory {
		return nil, errors.New("proof-number search needs at least 1 MiB of memory")
	}
	s := &Solver{maxNodes: int(min(memory/bytesPerNode, 1<<31))}
	s.judge = &detection{}
	return s, nil
}

// Nodes returns the number of nodes made by the search under way, or by the last one.
func (s *Solver) Nodes() uint64 { return s.nodes.Load() }

// Solve searches until the question is decided, the context is done or the memory is
// full. A context with a deadline that passes stops it with answer.Time, another
// cancellation with answer.Interrupted.
func (s *Solver) Solve(ctx context.Context, q Question) Result {
	s.question, s.attacker = q, q.Position.Side()
	s.history = newHistory(q.Game)
	s.slab.reset()
	s.index.reset()
	s.nodes.Store(0)
	// Each search has its own flag: a context may be done when its search has just ended
	// and the next one has begun.
	stop := new(atomic.Bool)
	s.stop, s.index.stop = stop, stop
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	s.judge.begin(s.attacker)

	turn := s.plant()
	n := s.slab.at(s.root)
	if turn.Len() > 0 {
		return Result{Verdict: answer.Proved, Turn: turn, Nodes: s.Nodes()}
	}
	for !n.solved() {
		full := s.slab.live >= s.maxNodes && !s.collect()
		if stop.Load() {
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return s.unknown(answer.Time)
			}
			return s.unknown(answer.Interrupted)
		}
		if full {
			return s.unknown(answer.Memory)
		}
		s.expand(s.mostProving())
	}
	r := Result{Verdict: answer.Disproved, Nodes: s.Nodes()}
	if n.is(proved) {
		r.Verdict, r.Turn = answer.Proved, s.winningTurn()
	}
	return r
}

func (s *Solver) unknown(why answer.Stop) Result {
	n := s.slab.at(s.root)
	return Result{Stop: why, Nodes: s.Nodes(), ProofNumber: n.pn, DisproofNumber: n.dn}
}

// plant makes the root. A win in one turn is returned instead of being searched.
func (s *Solver) plant() arimaa.Turn {
	p := s.question.Position
	s.root = s.newTurn(0, &p, 0, uint8(s.question.N))
	if turn, ok := s.judge.winsNow(&p); ok {
		return turn
	}
	if s.question.N == 1 && !(line{s, s.root}).mayRepeat(&p, 2*arimaa.StepsPerTurn) {
		s.slab.at(s.root).flags |= disproved
	}
	return arimaa.Turn{}
}

// newTurn makes the first node of a turn. p has the side to move in it.
func (s *Solver) newTurn(parent ref, p *arimaa.Position, flags, turns uint8) ref {
	r, n := s.slab.create()
	*n = node{board: p.Board, parent: parent, turn: r, pn: 1, dn: 1, turns: turns, flags: flags | arimaa.StepsPerTurn}
	s.index.add(&s.slab, r, p.PiecesKey())
	s.nodes.Store(s.nodes.Load() + 1)
	return r
}

// mostProving walks from the root to the node whose expansion serves the proof and the
// disproof at once.
func (s *Solver) mostProving() ref {
	r := s.root
	for {
		n := s.slab.at(r)
		best, least := ref(0), uint32(most+1)
		if n.leaf() {
			least = 2 // one for its options that are not listed yet; a child with the same goes first
		}
		for c := n.child; c != 0; {
			k := s.slab.at(c)
			if !k.solved() && k.least(n) < least {
				best, least = c, k.least(n)
			}
			c = k.sibling
		}
		if best == 0 {
			return r
		}
		r = best
	}
}

// mover returns the side to move at a node.
func (s *Solver) mover(n *node) arimaa.Side {
	if n.is(defends) {
		return s.attacker.Other()
	}
	return s.attacker
}

// position returns the position of a node, steps left included.
func (s *Solver) position(n *node) arimaa.Position {
	return arimaa.NewPosition(n.board, s.mover(n)).WithStepsLeft(n.left())
}

// expand lists the options of a node and makes a node of each board that the turn has
// not met, best score first, until one decides the turn.
func (s *Solver) expand(r ref) {
	n := s.slab.at(r)
	p := s.position(n)
	s.options = p.Options(s.options[:0])
	s.made = s.made[:0]
	for _, o := range s.options {
		after, score := play(p, o)
		s.made = append(s.made, made{o, after, score})
		for i := len(s.made) - 1; i > 0 && s.made[i].score > s.made[i-1].score; i-- {
			s.made[i], s.made[i-1] = s.made[i-1], s.made[i]
		}
	}
	s.moved = s.moved[:0]
	last := s.lastChild(n)
	for i := range s.made {
		if s.stop.Load() {
			return // half done is as good as not done: the search ends here
		}
		m := &s.made[i]
		left := m.after.StepsLeft()
		c := s.index.find(&s.slab, n.turn, &m.after.Board, m.after.PiecesKey())
		if c != 0 {
			k := s.slab.at(c)
			if k.left() >= left {
				continue // a cross-link
			}
			s.moved = append(s.moved, k.parent)
			s.unlink(c)
			k.parent, k.option, k.score = r, m.option, m.score
			k.flags = k.flags&^(stepsLeft|expanded|k.bad()) | uint8(left)
			last = s.lastChild(n)
		} else {
			var k *node
			c, k = s.slab.create()
			*k = node{
				board: m.after.Board, parent: r, turn: n.turn, option: m.option, score: m.score,
				turns: n.turns, flags: n.flags&defends | uint8(left),
			}
			s.index.add(&s.slab, c, m.after.PiecesKey())
			s.nodes.Store(s.nodes.Load() + 1)
			s.pass(c, k, &m.after)
		}
		if last == 0 {
			n.child = c
		} else {
			s.slab.at(last).sibling = c
		}
		last = c
		if s.update(c); s.slab.at(c).is(n.good()) {
			break
		}
	}
	n.flags |= expanded
	for _, old := range s.moved {
		s.propagate(old)
	}
	s.propagate(r)
}

// pass judges the turn that ends at a node, and makes a node of what comes next if that
// is open.
func (s *Solver) pass(r ref, n *node, p *arimaa.Position) {
	s.next = p.EndTurn()
	l := line{s, n.turn}
	if l.forbidden(&s.next) {
		return
	}
	turns, flags, judge := n.turns, uint8(0), s.judge.defenderEnded
	if !n.is(defends) {
		turns, flags, judge = turns-1, defends, s.judge.attackerEnded
	}
	switch v := judge(&s.next, int(turns), l); {
	case v == open:
		n.child = s.newTurn(r, &s.next, flags, turns)
	case (v == won) != n.is(defends):
		n.flags |= n.good()
	}
}

// lastChild returns the last of a node's children, or zero.
func (s *Solver) lastChild(n *node) ref {
	last := ref(0)
	for c := n.child; c != 0; c = s.slab.at(c).sibling {
		last = c
	}
	return last
}

// unlink takes a node out of its parent's children.
func (s *Solver) unlink(r ref) {
	n := s.slab.at(r)
	link := &s.slab.at(n.parent).child
	for *link != r {
		link = &s.slab.at(*link).sibling
	}
	*link = n.sibling
	n.sibling = 0
}

// update computes a node's numbers from its children and tells whether they changed.
func (s *Solver) update(r ref) bool {
	n := s.slab.at(r)
	pn, dn, flags := n.pn, n.dn, n.flags
	good, bad := n.good(), n.bad()
	least, sum := uint32(most), uint32(0)
	if n.leaf() {
		least, sum = 1, 1 // for the options that are not listed yet
	}
	for c := n.child; c != 0; {
		k := s.slab.at(c)
		switch {
		case k.is(good):
			n.flags |= good
		case !k.is(bad):
			l, a := k.pn, k.dn
			if n.is(defends) {
				l, a = a, l
			}
			least, sum = min(least, l), min(sum+a, most)
		}
		c = k.sibling
	}
	switch {
	case n.is(good):
		least, sum = 0, most
	case sum == 0:
		n.flags |= bad
	}
	n.pn, n.dn = least, sum
	if n.is(defends) {
		n.pn, n.dn = sum, least
	}
	return n.pn != pn || n.dn != dn || n.flags != flags
}

// propagate updates a node and those above it, as far as something changes.
func (s *Solver) propagate(r ref) {
	for r != 0 && s.update(r) {
		r = s.slab.at(r).parent
	}
}

// winningTurn reads the attacker's first turn off a proved root.
func (s *Solver) winningTurn() arimaa.Turn {
	var t arimaa.Turn
	for r := s.root; r != 0; {
		next := ref(0)
		for c := s.slab.at(r).child; c != 0; c = s.slab.at(c).sibling {
			if s.slab.at(c).is(proved) {
				next = c
			}
		}
		if next == 0 || s.slab.at(next).option == 0 {
			break // the turn ends here
		}
		t = t.WithOption(s.slab.at(next).option)
		r = next
	}
	return t
}
