package pns

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/tables"
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
	// Recalled tells that the store had the answer: the graph is as it was before.
	Recalled bool
	// ProofNumber and DisproofNumber are those of the root when the search stopped
	// without a verdict.
	ProofNumber, DisproofNumber uint32
}

// Solver searches. It keeps its memory from one search to the next. It serves one
// goroutine, but Nodes may be called from any.
type Solver struct {
	slab       slab
	index      index
	judge      judge
	facts      *tables.Table // proof table: turns that were solved, without a history
	store      tables.Store  // nil: none
	packed     []byte        // key of a position in it
	saving     saving
	err        error // that ended the search
	parameters Parameters
	maxNodes   int
	question   Question
	history    history
	attacker   arimaa.Side
	root       ref
	nodes      atomic.Uint64
	dropped    uint64       // open turns that the collector has dropped
	stop       *atomic.Bool // the search under way is to stop
	options    []arimaa.Option
	made       []made
	order      []rated // of made, best score first
	moved      []ref   // old parents of nodes that an expansion moved
	refs       []ref   // stacks of the collector
	places     []place
	killers    killers
	next       arimaa.Position // after the turn that is being judged; here it costs no allocation
}

// made is an option that has been played, on its way to being a node.
type made struct {
	after  arimaa.Position
	option arimaa.Option
	node   ref // the turn's node of this board, if a first look into the index has found it
}

// rated is an option of the list made, by its number. These are put in order, since they are small.
type rated struct {
	score int16
	made  uint16
}

// bytesPerNode is what a node takes with its share of the index: 64 bytes, and slots of 8
// bytes, up to 8/3 of them when the index has just grown, besides the 4/3 that it grew from.
const bytesPerNode = 64 + 8*4

// LeastMemory is what New asks for, in bytes.
const LeastMemory = 1 << 20

// The proof table takes an eighth of the memory, but no more than this, in bytes.
const mostFacts = 32 << 20

// New returns a solver that keeps its nodes and its proof table within a number of bytes. The
// error says that this is too little to work with.
func New(memory uint64) (*Solver, error) {
	if memory < LeastMemory {
		return nil, errors.New("proof-number search needs at least 1 MiB of memory")
	}
	facts := min(memory/8, mostFacts)
	s := &Solver{parameters: Defaults(), maxNodes: int(min((memory-facts)/bytesPerNode, 1<<31))}
	s.judge = &detection{}
	s.facts = tables.New(facts, 0, tables.Deeper)
	return s, nil
}

// Nodes returns the number of nodes made by the search under way, or by the last one. Those of
// a search that was loaded count.
func (s *Solver) Nodes() uint64 { return s.nodes.Load() }

// Solve searches until the question is decided, the context is done or the memory is
// full. A context with a deadline that passes stops it with answer.Time, another
// cancellation with answer.Interrupted. The result says nothing if [Solver.Err] returns an error.
func (s *Solver) Solve(ctx context.Context, q Question) Result {
	s.begin(q)
	if turn := s.plant(); turn.Len() > 0 {
		return Result{Verdict: answer.Proved, Turn: turn, Nodes: s.Nodes()}
	}
	return s.run(ctx)
}

// begin forgets the last search.
func (s *Solver) begin(q Question) {
	s.question, s.attacker = q, q.Position.Side()
	s.history = newHistory(q.Game)
	s.slab.reset()
	s.index.reset()
	s.facts.Clear()
	s.killers.clear()
	s.nodes.Store(0)
	s.dropped = 0
	s.err = nil
	s.saving.last = time.Now()
	// Each search has its own flag: a context may be done when its search has just ended
	// and the next one has begun.
	s.stop = new(atomic.Bool)
	s.index.stop = s.stop
	s.judge.begin(s.attacker)
}

// run searches on.
func (s *Solver) run(ctx context.Context) Result {
	stop := s.stop
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	if r, ok := s.recallRoot(); ok {
		return r
	}
	high, low := s.marks()
	n := s.slab.at(s.root)
	for !n.solved() {
		full := s.slab.live >= high && !s.collect(high, low)
		if stop.Load() {
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return s.unknown(answer.Time)
			}
			return s.unknown(answer.Interrupted)
		}
		if full {
			return s.unknown(answer.Memory)
		}
		s.saveIfDue()
		s.expand(s.mostProving())
	}
	r := Result{Verdict: answer.Disproved, Nodes: s.Nodes()}
	if n.is(proved) {
		r.Verdict, r.Turn = answer.Proved, s.winningTurn(s.root)
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
	root := s.slab.at(s.root)
	if turn, ok := s.judge.winsNow(&p); ok {
		root.flags |= proved
		root.pn, root.dn = 0, most
		return turn
	}
	if s.question.N == 1 && !(line{s, s.root}).mayRepeat(&p, 2*arimaa.StepsPerTurn) {
		root.flags |= disproved
		root.pn, root.dn = most, 0
	}
	return arimaa.Turn{}
}

// newTurn makes the first node of a turn. p has the side to move in it.
func (s *Solver) newTurn(parent ref, p *arimaa.Position, flags, turns uint8) ref {
	r, n := s.slab.create()
	*n = node{board: p.Board, parent: parent, turn: r, pn: 1, dn: 1, turns: turns, flags: flags | arimaa.StepsPerTurn}
	if !n.is(unjudged) {
		n.pn, n.dn = s.first(p, n.is(defends))
	}
	s.index.add(r, r, p.PiecesKey())
	s.nodes.Store(s.nodes.Load() + 1)
	return r
}

// mostProving walks from the root to the node whose expansion serves the proof and the
// disproof at once.
func (s *Solver) mostProving() ref {
	r := s.root
	for {
		best := s.bestChild(s.slab.at(r))
		if best == 0 {
			return r
		}
		r = best
	}
}

// bestChild returns the child that the most-proving node is in, or zero: it is the node itself.
func (s *Solver) bestChild(n *node) ref {
	best, least := ref(0), uint32(most+1)
	if n.leaf() {
		least = 2 // one for its options that are not listed yet; a child with the same goes first
	}
	open, width := 0, s.parameters.width()
	for c := n.child; c != 0 && open < width; {
		k := s.slab.at(c)
		if !k.solved() {
			open++
			if l := k.least(n); l < least {
				best, least = c, l
			}
		}
		c = k.sibling
	}
	return best
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
// not met, best score first, until one decides the turn. Where the turn before it has yet to
// be judged that comes first, and may be all.
func (s *Solver) expand(r ref) {
	n := s.slab.at(r)
	p := s.position(n)
	if n.is(unjudged) {
		s.judgeLate(r, n, &p)
		return
	}
	s.list(n, p)
	s.moved = s.moved[:0]
	last := s.lastChild(n)
	whole := true
	for _, o := range s.order {
		if s.stop.Load() {
			whole = false // it is listed again when the search goes on
			break
		}
		m := &s.made[o.made]
		left := m.after.StepsLeft()
		c := m.node
		if c == 0 {
			c = s.index.find(&s.slab, n.turn, &m.after.Board, m.after.PiecesKey())
		}
		var k *node
		if c != 0 {
			if k = s.slab.at(c); k.left() >= left {
				continue // a cross-link
			}
			s.moved = append(s.moved, k.parent)
			s.unlink(c)
			k.parent, k.option = r, m.option
			k.flags = k.flags&^(stepsLeft|expanded|k.bad()) | uint8(left)
			last = s.lastChild(n)
		} else {
			c, k = s.slab.create()
			*k = node{
				board: m.after.Board, parent: r, turn: n.turn, option: m.option,
				turns: n.turns, flags: n.flags&defends | uint8(left),
			}
			s.index.add(c, n.turn, m.after.PiecesKey())
			s.nodes.Store(s.nodes.Load() + 1)
			s.pass(c, k, &m.after)
		}
		if last == 0 {
			n.child = c
		} else {
			s.slab.at(last).sibling = c
		}
		last = c
		if s.update(c); k.is(n.good()) {
			s.killers.add(n, k.option, s.parameters.Killers)
			break
		}
	}
	if whole {
		n.flags |= expanded
	}
	for _, old := range s.moved {
		s.propagate(old)
	}
	s.propagate(r)
}

// list plays the options of a node and puts them in order: killers of its level first, then the
// best score.
func (s *Solver) list(n *node, p arimaa.Position) {
	s.options = p.Options(s.options[:0])
	s.order = s.order[:0]
	killers := s.killers.of(n, s.parameters.Killers)
	s.made = slices.Grow(s.made[:0], len(s.options))[:len(s.options)]
	for i, o := range s.options {
		m := &s.made[i]
		m.option = o
		var score int16
		m.after, score = play(p, o)
		if slices.Contains(killers, o) {
			score += killerScore
		}
		s.order = append(s.order, rated{score, uint16(i)})
		for i := len(s.order) - 1; i > 0 && s.order[i].score > s.order[i-1].score; i-- {
			s.order[i], s.order[i-1] = s.order[i-1], s.order[i]
		}
	}
	// What a board leads to in the index, and then in the slab, can be anywhere in memory. Asked for all
	// at once they are waited for once, and not each after the decision about the one before.
	for i := range s.made {
		m := &s.made[i]
		m.node = s.index.first(n.turn, m.after.PiecesKey())
	}
	for i := range s.made {
		m := &s.made[i]
		if k := s.slab.at(m.node); k.turn != n.turn || k.board != m.after.Board {
			m.node = 0
		}
	}
}

// pass judges the turn that ends at a node, or puts that off, and makes a node of what
// comes next if that is open.
func (s *Solver) pass(r ref, n *node, p *arimaa.Position) {
	s.next = p.EndTurn()
	l := line{s, n.turn}
	if l.forbidden(&s.next) {
		return
	}
	turns, flags := n.turns, uint8(0)
	if !n.is(defends) {
		turns, flags = turns-1, defends
	}
	v := open
	if s.parameters.Evaluation == Delayed {
		flags |= unjudged
	} else {
		v = s.judged(flags, turns, l)
	}
	switch {
	case v == open:
		n.child = s.newTurn(r, &s.next, flags, turns)
	case (v == won) != n.is(defends):
		n.flags |= n.good()
	}
}

// judgeLate judges the turn that led to a node. If it is open, the node has its numbers from
// now on.
func (s *Solver) judgeLate(r ref, n *node, p *arimaa.Position) {
	n.flags &^= unjudged
	s.next = *p
	switch s.judged(n.flags, n.turns, line{s, s.slab.at(n.parent).turn}) {
	case won:
		n.flags |= proved
		s.propagate(r)
	case lost:
		n.flags |= disproved
		s.propagate(r)
	default:
		n.pn, n.dn = s.first(p, n.is(defends))
		s.propagate(n.parent)
	}
}

// judged says what is known after a turn, at s.next, whose node has such flags and turns. What
// the proof table says is as good as what the judge does, but it comes last: the search has
// seldom been there.
func (s *Solver) judged(flags, turns uint8, l line) judgment {
	judge := s.judge.defenderEnded
	if flags&defends != 0 {
		judge = s.judge.attackerEnded
	}
	if v := judge(&s.next, int(turns), l); v != open || !s.remembers() {
		return v
	}
	known := s.facts.Get(s.next.Key()).Fact
	if _, ok := known.Solved(int(turns)); !ok && flags&defends == 0 {
		known = s.recall(&s.next)
	}
	switch yes, ok := known.Solved(int(turns)); {
	case !ok:
		return open
	case yes:
		return won
	}
	return lost
}

// remembers tells whether the proof table is of use. With a history what was found depends on the
// line. In a search for two turns those that are solved by search are the first one and the replies
// to it, and no other line leads to them.
func (s *Solver) remembers() bool { return s.history.count == nil && s.question.N > 2 }

// learn puts the solved turn that begins at a node into the proof table and the store.
func (s *Solver) learn(n *node) {
	if s.history.count != nil {
		return
	}
	f := factOf(n)
	if s.remembers() {
		p := s.position(n)
		if err := s.facts.Learn(p.Key(), f, 1); err != nil {
			s.fail(err) // no answer can be trusted
		}
	}
	s.keep(n.turn, f)
}

// factOf is what the first node of a solved turn says.
func factOf(n *node) tables.Fact {
	f := tables.Nothing
	if n.is(proved) {
		f.ProvedWithin = n.turns
	} else {
		f.RefutedUpTo = n.turns
	}
	return f
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
	if n.bare(r) {
		return false
	}
	pn, dn, flags := n.pn, n.dn, n.flags
	good, bad := n.good(), n.bad()
	least, sum := uint32(most), uint32(0)
	open, width := 0, s.parameters.width()
	if n.leaf() {
		least, sum = 1, 1 // for the options that are not listed yet
	}
	for c := n.child; c != 0; {
		k := s.slab.at(c)
		switch {
		case k.is(good):
			n.flags |= good
		case !k.is(bad) && open < width:
			open++
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
	for below := ref(0); r != 0 && s.update(r); {
		n := s.slab.at(r)
		if n.solved() && n.turn == r && n.child != 0 {
			s.learn(n)
		}
		if n.is(n.good()) && below != 0 {
			s.killers.add(n, s.slab.at(below).option, s.parameters.Killers)
		}
		below, r = r, n.parent
	}
}

// winningTurn reads a turn of the attacker that keeps the win off the first node of a proved one.
func (s *Solver) winningTurn(r ref) arimaa.Turn {
	var t arimaa.Turn
	for r != 0 {
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
