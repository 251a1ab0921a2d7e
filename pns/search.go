package pns

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/tables"
	"goalproof/tables/endgame"
)

// Question asks whether the side to move at the start of its turn, the attacker, wins within N of
// its turns, or reaches another aim.
type Question struct {
	Position arimaa.Position
	N        int // at least 1, at most MaxTurns
	// Aim is what the attacker is to reach; the zero value is the win. With another aim there must
	// be no game, and neither the store nor the endgame tables are used, which know of wins alone.
	// The graph cannot be saved.
	Aim goal.Aim
	// Game is the game that led to Position, its last position. The third-repetition rule then
	// counts. Without one it is set aside.
	Game *arimaa.Game
	// Number is that of the turn which comes next at Position, shown with a saved search; 0 if it
	// is not known.
	Number int
}

// MaxTurns is the greatest N that can be asked for.
const MaxTurns = 200

// Result is the result of a search.
type Result struct {
	Verdict answer.Verdict
	Stop    answer.Stop // why the verdict is unknown
	Turn    arimaa.Turn // for Proved: a first turn that keeps the win
	Nodes   uint64      // nodes made
	// Recalled: the answer comes from the store, and the graph has not changed.
	Recalled bool
	// ProofNumber and DisproofNumber are those of the root when the search stopped without a
	// verdict.
	ProofNumber, DisproofNumber uint32
}

// Solver searches. It keeps its memory from one search to the next. It serves one goroutine, but
// Nodes may be called from any. It comes from [New]. It is an error ([Solver.Err]) if the position,
// the number of turns or the aim of a question is not valid, or if there is no search to continue.
// A nil context sets no limit.
type Solver struct {
	// The graph:
	slab  slab
	index index
	root  ref

	// The question:
	question Question
	history  history
	attacker arimaa.Side

	// What is known, and how turns are evaluated:
	evaluator evaluator
	facts     *tables.Table // proof table: turns that were solved, without a history
	store     tables.Store  // nil: none, or the aim is not the win
	userStore tables.Store  // by UseStore
	endgames  *endgame.Tables

	// Control:
	parameters Parameters
	maxNodes   int
	stop       *atomic.Bool // the search must stop
	err        error        // ended the search
	saving     saving

	// Counts:
	nodes   atomic.Uint64
	dropped uint64 // open turns that the collector has dropped
	probes  uint64 // positions that the endgame tables decided

	killers killers

	// Room for an expansion, a collection and a key of the store:
	options []arimaa.Option
	made    []made
	order   []rated         // the options of made, best score first
	moved   []ref           // old parents of nodes that an expansion moved
	next    arimaa.Position // after the turn that is being evaluated: it escapes to the heap
	refs    []ref           // stacks of the collector
	places  []place
	packed  []byte
}

// made is an option that has been played, for which there may be a node.
type made struct {
	after  arimaa.Position
	option arimaa.Option
	node   ref // the node of this board in the turn, if the first slot of the index has it
}

// rated is an option of the list made, by its number. The sort moves these instead, because they
// are small.
type rated struct {
	score int16
	made  uint16
}

// bytesPerNode is the size of a node with its share of the index: 64 bytes, and slots of 8 bytes,
// up to 8/3 of them when the index has just grown, besides the 4/3 of the index that it grew from.
const bytesPerNode = 64 + 8*4

// LeastMemory is the least memory that New accepts, in bytes.
const LeastMemory = 1 << 20

// The proof table takes an eighth of the memory, but no more than this, in bytes.
const mostFacts = 32 << 20

// New returns a solver that keeps its nodes and its proof table within a number of bytes. The error
// says that this is too little to work with.
func New(memory uint64) (*Solver, error) {
	if memory < LeastMemory {
		return nil, errors.New("proof-number search needs at least 1 MiB of memory")
	}
	facts := min(memory/8, mostFacts)
	s := &Solver{parameters: Defaults(), maxNodes: int(min((memory-facts)/bytesPerNode, 1<<31))}
	s.evaluator = &detection{}
	s.facts = tables.New(facts, 0, tables.Deeper)
	return s, nil
}

// Nodes returns the number of nodes made by the current search, or by the last one, including those
// of a search that was loaded.
func (s *Solver) Nodes() uint64 { return s.nodes.Load() }

// Solve searches until the question is decided, the context is done or the memory is full; then the
// result says why ([answer.StopOf]). The result is void if [Solver.Err] returns an error.
func (s *Solver) Solve(ctx context.Context, q Question) Result {
	ctx = cmp.Or(ctx, context.Background())
	if !s.ask(q) {
		return Result{}
	}
	if !q.Aim.Win() { // to look for another aim may take seconds
		defer s.stopWith(ctx)()
	}
	if turn := s.startTree(); turn.Len() > 0 {
		return Result{Verdict: answer.Proved, Turn: turn, Nodes: s.Nodes()}
	}
	return s.solve(ctx)
}

// ask begins a search. If its question is not valid, that is the error of the search, and ask
// returns false.
func (s *Solver) ask(q Question) bool {
	err := cmp.Or(q.Position.CheckStart(), q.Aim.Check())
	if err == nil && (q.N < 1 || q.N > MaxTurns) {
		err = fmt.Errorf("a win in %d cannot be asked for: the number of turns is 1 to %d", q.N, MaxTurns)
	}
	if err != nil {
		s.reset(err)
		return false
	}
	s.begin(q)
	return true
}

// reset leaves the solver without a search, because of an error.
func (s *Solver) reset(err error) {
	s.begin(Question{})
	s.root = 0
	s.fail(err)
}

// resume reports whether there is a search to continue. If not, r is its result, and with an error
// the result is void.
func (s *Solver) resume() (r Result, ok bool) {
	if s.root == 0 {
		if s.err == nil {
			s.reset(errors.New("there is no search to go on with"))
		}
		return r, false
	}
	turn, wins := s.evaluator.winsNow(&s.question.Position)
	if wins { // there is no turn in the graph then
		r = Result{Verdict: answer.Proved, Turn: turn, Nodes: s.Nodes()}
	}
	return r, !wins
}

// begin forgets the last search and prepares one for a question.
func (s *Solver) begin(q Question) {
	s.question, s.attacker = q, q.Position.Side()
	s.history = newHistory(q.Game)
	s.slab.reset()
	s.index.reset()
	s.facts.Clear()
	s.killers.clear()
	s.nodes.Store(0)
	s.dropped, s.probes = 0, 0
	s.err = nil
	s.saving.last = time.Now()
	// Each search has its own flag: a context may be done when its search has just ended and the
	// next one has begun.
	s.stop = new(atomic.Bool)
	s.index.stop = s.stop
	s.store = s.userStore
	if _, other := s.evaluator.(*aiming); !q.Aim.Win() {
		s.evaluator, s.store = &aiming{aim: q.Aim, stop: s.stop}, nil
	} else if other {
		s.evaluator = &detection{}
	}
	s.evaluator.begin(s.attacker)
	if !q.Aim.Win() && q.Game != nil {
		s.fail(errors.New("another aim than the win cannot be asked for with the history of a game"))
	}
}

// solve searches until the root is solved or the search must stop.
func (s *Solver) solve(ctx context.Context) Result {
	defer s.stopWith(ctx)()
	if r, ok := s.recallRoot(); ok {
		return r
	}
	return s.search(ctx, -1)
}

// stopWith stops the search when a context is done, until release is called.
func (s *Solver) stopWith(ctx context.Context) (release func() bool) {
	stop := s.stop
	if ctx.Err() != nil { // AfterFunc may run late
		stop.Store(true)
	}
	return context.AfterFunc(ctx, func() { stop.Store(true) })
}

// Begin begins a search of which no node has been expanded, in place of the last one.
// [Solver.Advance] continues it. Its results are void if [Solver.Err] returns an error.
func (s *Solver) Begin(q Question) {
	if s.ask(q) {
		s.startTree()
	}
}

// Advance continues the search that Begin or Load has begun: it expands at most n nodes, n
// positive. If the result is unknown with the reason Finished, there is more to do. A store is not
// asked for the answer. The nodes made are those of [Solver.Solve], in the same order. Advance
// cannot be interrupted: a search that is stopped leaves a graph that can be looked at and saved,
// but not always continued.
func (s *Solver) Advance(n int) Result {
	if r, ok := s.resume(); !ok {
		return r
	}
	return s.search(context.Background(), n)
}

// search expands nodes until the root is solved, the search must stop, or the given number of them
// has been expanded; a negative number is no limit.
func (s *Solver) search(ctx context.Context, expansions int) Result {
	high, low := s.marks()
	n := s.slab.at(s.root)
	budget, counted := answer.BudgetOf(ctx), s.Nodes()
	spend := func(most uint64) { // counts the nodes since the last call, unless they are fewer
		if made := s.Nodes() - counted; made >= most {
			counted += made
			if budget.Spend(made) {
				s.stop.Store(true)
			}
		}
	}
	defer spend(0)
	for ; !n.solved(); expansions-- {
		if expansions == 0 {
			return s.unknown(answer.Finished)
		}
		full := s.slab.live >= high && !s.collect(high, low)
		if s.stop.Load() {
			return s.unknown(answer.StopOf(ctx))
		}
		if full {
			return s.unknown(answer.Memory)
		}
		s.saveIfDue()
		s.expand(s.mostProving())
		spend(spentAtOnce)
	}
	s.putRoot()
	r := Result{Verdict: answer.Disproved, Nodes: s.Nodes()}
	if n.is(proved) {
		r.Verdict, r.Turn = answer.Proved, s.winningTurn(s.root)
	}
	return r
}

// spentAtOnce is how many nodes are counted together for a limit in nodes.
const spentAtOnce = 1 << 8

func (s *Solver) unknown(why answer.Stop) Result {
	n := s.slab.at(s.root)
	return Result{Stop: why, Nodes: s.Nodes(), ProofNumber: n.pn, DisproofNumber: n.dn}
}

// startTree makes the root. A win in one turn is returned instead of being searched.
func (s *Solver) startTree() arimaa.Turn {
	p := s.question.Position
	s.root = s.newTurn(0, &p, 0, uint8(s.question.N))
	root := s.slab.at(s.root)
	if turn, ok := s.evaluator.winsNow(&p); ok {
		root.flags |= proved
		root.pn, root.dn = 0, Infinity
		return turn
	}
	if s.question.N == 1 && !(line{s, s.root}).mayRepeat(&p, 2*arimaa.StepsPerTurn) && !s.stop.Load() {
		root.flags |= disproved
		root.pn, root.dn = Infinity, 0
	}
	return arimaa.Turn{}
}

// newTurn makes the first node of a turn. p has the side to move in it.
func (s *Solver) newTurn(parent ref, p *arimaa.Position, flags, turns uint8) ref {
	r, n := s.slab.create()
	*n = node{board: p.Board, parent: parent, turn: r, pn: 1, dn: 1, turns: turns, flags: flags | arimaa.StepsPerTurn}
	if !n.is(unevaluated) {
		n.pn, n.dn = s.initial(p, n.is(defends))
	}
	s.index.insert(r, r, p.PiecesKey())
	s.nodes.Store(s.nodes.Load() + 1)
	return r
}

// mostProving descends from the root to the most-proving node, whose expansion contributes to a
// proof and to a disproof (Allis 1994).
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

// bestChild returns the child whose subtree holds the most-proving node, or zero if n itself is
// that node.
func (s *Solver) bestChild(n *node) ref {
	best, least := ref(0), uint32(Infinity+1)
	if n.leaf() {
		least = 2 // above 1, for the options that are not listed yet: a child with 1 goes first
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

// expand lists the options of a node and makes a node of each board that the turn has not met, best
// score first, until one decides the turn. If the turn before it is not evaluated yet, that comes
// first and may solve the node.
func (s *Solver) expand(r ref) {
	n := s.slab.at(r)
	p := s.position(n)
	if n.is(unevaluated) {
		s.evaluateLate(r, n, &p)
		return
	}
	s.list(n, p)
	s.moved = s.moved[:0]
	last := s.lastChild(n)
	whole := true
	for _, o := range s.order {
		if s.stop.Load() {
			whole = false // it is listed again when the search continues
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
			s.index.insert(c, n.turn, m.after.PiecesKey())
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
			s.killers.raise(n, k.option, s.parameters.Killers)
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

// list plays the options of a node and sorts them: killers of its level first, then by score.
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
		if n.is(defends) && s.question.Aim.Takes(&p, &m.after, arimaa.Turn{}.WithOption(o), s.attacker) {
			continue // gives up what the attacker wants
		}
		if slices.Contains(killers, o) {
			score += killerScore
		}
		s.order = append(s.order, rated{score, uint16(i)})
		for i := len(s.order) - 1; i > 0 && s.order[i].score > s.order[i-1].score; i-- {
			s.order[i], s.order[i-1] = s.order[i-1], s.order[i]
		}
	}
	// A board's slot in the index, and then its node in the slab, can be anywhere in memory.
	// Loading all of them at once lets the cache misses overlap.
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

// pass evaluates the turn that ends at a node, now or later, and makes a node of the next turn
// unless the verdict is known.
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
	v := answer.Unknown
	if s.parameters.Evaluation == Delayed {
		flags |= unevaluated
	} else {
		v = s.evaluate(flags, turns, l)
	}
	switch {
	case v == answer.Unknown:
		n.child = s.newTurn(r, &s.next, flags, turns)
	case (v == answer.Proved) != n.is(defends):
		n.flags |= n.good()
	}
}

// evaluateLate evaluates the turn that led to a node (delayed evaluation). If the verdict is
// unknown, the node gets its initial numbers.
func (s *Solver) evaluateLate(r ref, n *node, p *arimaa.Position) {
	n.flags &^= unevaluated
	s.next = *p
	switch s.evaluate(n.flags, n.turns, line{s, s.slab.at(n.parent).turn}) {
	case answer.Proved:
		n.flags |= proved
		s.propagate(r)
	case answer.Disproved:
		n.flags |= disproved
		s.propagate(r)
	default:
		n.pn, n.dn = s.initial(p, n.is(defends))
		s.propagate(n.parent)
	}
}

// evaluate gives the verdict after a turn, at s.next, whose node has these flags and turns. The
// evaluator comes before the proof table, which seldom has the position.
func (s *Solver) evaluate(flags, turns uint8, l line) answer.Verdict {
	if v := s.tabled(&s.next, int(turns), l); v != answer.Unknown {
		return v
	}
	evaluator := s.evaluator.afterReply
	if flags&defends != 0 {
		evaluator = s.evaluator.afterAttack
	}
	if v := evaluator(&s.next, int(turns), l); v != answer.Unknown || !s.remembers() {
		return v
	}
	known := s.facts.Get(s.next.Key()).Fact
	if _, ok := known.Solved(int(turns)); !ok && flags&defends == 0 {
		known = s.recall(&s.next)
	}
	switch yes, ok := known.Solved(int(turns)); {
	case !ok:
		return answer.Unknown
	case yes:
		return answer.Proved
	}
	return answer.Disproved
}

// remembers reports whether the proof table is used. With a history a result depends on the line.
// In a search for two turns only the first turn and the replies to it are solved by search, and no
// other line leads to them.
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
			s.fail(err)
		}
	}
	s.putFact(n.turn, f)
}

// factOf returns the fact that follows from the first node of a solved turn.
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

// update backs up the numbers of a node from its children and reports whether they changed.
func (s *Solver) update(r ref) bool {
	n := s.slab.at(r)
	if n.bare(r) {
		return false
	}
	pn, dn, flags := n.pn, n.dn, n.flags
	good, bad := n.good(), n.bad()
	least, sum := uint32(Infinity), uint64(0)
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
			least, sum = min(least, l), sum+uint64(a)
		}
		c = k.sibling
	}
	total := tables.Saturated(sum)
	switch {
	case n.is(good):
		least, total = 0, Infinity
	case sum == 0:
		n.flags |= bad
	}
	n.pn, n.dn = least, total
	if n.is(defends) {
		n.pn, n.dn = total, least
	}
	return n.pn != pn || n.dn != dn || n.flags != flags
}

// propagate updates a node and its ancestors, as long as something changes.
func (s *Solver) propagate(r ref) {
	for below := ref(0); r != 0 && s.update(r); {
		n := s.slab.at(r)
		if n.solved() && n.turn == r && n.child != 0 {
			s.learn(n)
		}
		if n.is(n.good()) && below != 0 {
			s.killers.raise(n, s.slab.at(below).option, s.parameters.Killers)
		}
		below, r = r, n.parent
	}
}

// winningTurn reads a winning turn of the attacker off the graph, from its first node, which is
// proved.
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
