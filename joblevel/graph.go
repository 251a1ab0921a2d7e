package joblevel

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/tables"
)

// Graph decides whether the side to move at a position, the attacker, wins within n turns. It
// serves one goroutine.
type Graph struct {
	position  arimaa.Position
	n         int
	ors       []or
	ands      []and
	index     map[key]int32      // of OR nodes
	answers   map[key][]answered // that were taken
	out       map[name]asking    // questions that are out
	killers   map[uint32]int     // how many turns a reply has refuted, by its code
	latest    Killers            // of the answers that were taken last
	generator arimaa.Generator
	detector  goal.Detector
	err       error // of the answers
	apart     bool  // some answers are about positions that are not in the graph
}

// key is what an OR node is: a position and the turns that the attacker has left.
type key struct {
	position arimaa.Position
	n        uint8
}

// answered is a question with its answer.
type answered struct {
	q Question
	a Answer
}

// asking is a question that is out.
type asking struct {
	q    Question
	path []node // from the root to what it is about
}

// node is an OR node, or an AND node.
type node struct {
	and bool
	i   int32
}

// or is an OR node.
type or struct {
	key
	numbers
	parents []int32 // AND nodes
	win     uint32  // if proved: the code of a turn that wins
	asked   bool    // as a whole
	open    int     // of its first turns, that are free or out
	first   []uint8 // the state of each first turn, by number; nil if the node is not expanded
	free    int     // of them
	next    int     // no turn before this number is free
	hard    []int32 // AND nodes after turns that took long
}

// What is known of a first turn.
const (
	free    uint8 = iota // nobody is asked
	out                  // a question about it is out
	refuted              // it does not win
	hard                 // it took long: there is an AND node
)

// and is an AND node.
type and struct {
	numbers
	parent   int32
	number   int // of the turn that leads to it
	position arimaa.Position
	n        uint8    // turns left to the attacker after the reply
	tries    int      // how often it was asked about alone, in vain
	replies  []uint32 // if it is expanded: their codes
	tried    int      // of them
	index    []int32  // of those that were tried: their OR nodes
}

// numbers are what the selection of a node depends on.
type numbers struct {
	verdict answer.Verdict
	pn, dn  uint64
	asks    bool // something is left to ask below, or about it
	flying  bool // a question about it alone is out
	flight  int  // questions that are out below
}

// The numbers of new nodes. A first turn that was not asked about counts one, a reply as much as so
// many first turns for each of its siblings that were tried before.
const (
	newReply = 2048
	newHard  = 256
)

// mostTries is how often a turn that takes long is asked about alone, each time with four times the
// effort. Then it is expanded, whatever is left of the turns: so workers who say that all took long
// do not keep the graph from its end, since a win in two is decided without a limit.
const mostTries = 6

// leastParts is among how many questions the first turns of a position are divided, or twice as many
// as are out. Ranges get shorter as fewer turns are left, so that none takes long at the end.
const leastParts = 8

// New returns the graph of a question: whether the side to move at a position wins within n turns.
// He must not win in one.
func New(p arimaa.Position, n int) *Graph {
	g := &Graph{position: p, n: n, answers: map[key][]answered{}}
	g.begin()
	return g
}

// begin makes the root, and what follows from the answers.
func (g *Graph) begin() {
	g.ors, g.ands, g.err, g.apart = nil, nil, nil, false
	g.index, g.out, g.killers = map[key]int32{}, map[name]asking{}, map[uint32]int{}
	root := g.or(key{g.position, uint8(g.n)}, -1)
	g.expand(root)
	g.count(root)
}

// Verdict is Proved if the attacker wins, Disproved if not.
func (g *Graph) Verdict() answer.Verdict { return g.ors[0].verdict }

// Err returns what is wrong with the answers: two of them contradict each other.
func (g *Graph) Err() error { return g.err }

// or returns the OR node of a key, which it makes unless it is there. Parent is an AND node, -1 for
// the root.
func (g *Graph) or(k key, parent int32) int32 {
	i, known := g.index[k]
	if !known {
		i = int32(len(g.ors))
		g.index[k] = i
		g.ors = append(g.ors, or{key: k, numbers: numbers{pn: 1, dn: newReply, asks: true}})
	}
	if parent >= 0 {
		g.ors[i].parents = append(g.ors[i].parents, parent)
	}
	if !known {
		for _, x := range g.answers[k] {
			g.apply(i, &x.q, &x.a)
		}
		g.count(i)
	}
	return i
}

// TryFirst has replies be tried first, until answers name others.
func (g *Graph) TryFirst(k Killers) { g.latest = k }

// Take takes an answer to a question that was returned by [Graph.Next], by this graph or another
// one. The answer must be one that [Answer.Check] accepts.
func (g *Graph) Take(q Question, a Answer) {
	p, err := q.position()
	if err != nil {
		g.err = cmp.Or(g.err, err)
		return
	}
	g.land(&q)
	g.latest = g.latest.with(a.Killers)
	q.Killers, a.Killers = nil, nil
	k := key{p, uint8(q.N)}
	g.answers[k] = append(g.answers[k], answered{q, a})
	if i, known := g.index[k]; known {
		g.apply(i, &q, &a)
		g.update(i)
	} else {
		g.apart = true
	}
}

// Retract takes an answer back, which may be false. Questions that are out are forgotten; their
// answers may be taken.
func (g *Graph) Retract(q Question) {
	p, err := q.position()
	if err != nil {
		return
	}
	k := key{p, uint8(q.N)}
	name := q.name()
	g.answers[k] = slices.DeleteFunc(g.answers[k], func(x answered) bool { return x.q.name() == name })
	g.begin()
}

// apply has an OR node take an answer.
func (g *Graph) apply(i int32, q *Question, a *Answer) {
	o := &g.ors[i]
	if a.Win != 0 && o.win == 0 {
		o.win = a.Win
	}
	switch {
	case a.Win != 0:
		g.solve(i, answer.Proved)
	case a.Refuted:
		g.solve(i, answer.Disproved)
	case q.Whole():
		g.ors[i].asked = true
		g.expand(i)
	default:
		g.expand(i)
		for turn := q.From; turn < min(a.To, len(g.ors[i].first)); turn++ {
			x := a.open(turn)
			switch {
			case x == nil:
				g.settle(i, turn, refuted)
			case x.Hard || q.To-q.From == 1:
				g.settle(i, turn, hard)
			}
		}
	}
}

// ErrContradiction is the error of answers of which one must be false.
var ErrContradiction = errors.New("two answers contradict each other")

// solve notes the verdict of an OR node.
func (g *Graph) solve(i int32, v answer.Verdict) {
	o := &g.ors[i]
	if o.verdict != answer.Unknown && o.verdict != v {
		g.contradict(i)
		return
	}
	o.verdict = v
}

// contradict notes that answers about an OR node contradict each other.
func (g *Graph) contradict(i int32) {
	o := &g.ors[i]
	g.err = cmp.Or(g.err, fmt.Errorf("a win in %d at %v: %w", o.n, o.position, ErrContradiction))
}

// expand has an OR node ask about its first turns.
func (g *Graph) expand(i int32) {
	o := &g.ors[i]
	if o.first != nil {
		return
	}
	turns := g.generator.Generate(&o.position)
	o.first = make([]uint8, turns)
	o.open, o.free = turns, turns
}

// settle notes the state of a first turn. One that took long before, and is asked about alone,
// took long again.
func (g *Graph) settle(i int32, turn int, to uint8) {
	o := &g.ors[i]
	was := o.first[turn]
	switch {
	case was == refuted:
		return
	case was == hard && to == hard:
		g.retry(g.andOf(i, turn))
		return
	case was == hard:
		a := &g.ands[g.andOf(i, turn)]
		if a.verdict == answer.Proved {
			g.contradict(i)
		}
		a.verdict, o.first[turn] = answer.Disproved, refuted
		return
	}
	o.first[turn] = to
	if was == free {
		o.free--
	}
	o.open--
	if to == hard {
		g.harden(i, turn)
	}
}

// andOf returns the AND node after a first turn.
func (g *Graph) andOf(i int32, turn int) int32 {
	hard := g.ors[i].hard
	return hard[slices.IndexFunc(hard, func(k int32) bool { return g.ands[k].number == turn })]
}

// harden makes the AND node after a first turn.
func (g *Graph) harden(i int32, turn int) {
	k := int32(len(g.ands))
	o := &g.ors[i]
	g.generator.Generate(&o.position)
	after := g.generator.Position(turn, o.position.Side())
	g.ands = append(g.ands, and{parent: i, number: turn, position: after, n: o.n - 1})
	o.hard = append(o.hard, k)
	g.retry(k)
	g.countAnd(k)
}

// retry notes that an AND node took long, and expands it if it is not to be asked about alone.
func (g *Graph) retry(k int32) {
	a := &g.ands[k]
	if a.tries++; a.replies == nil && (a.n > 2 || a.tries > mostTries) {
		g.listReplies(k)
	}
}

// listReplies expands an AND node: its replies leave the attacker no win in one. Those come first
// that are known, then those that have refuted most turns.
func (g *Graph) listReplies(k int32) {
	a := &g.ands[k]
	attacker := a.position.Side().Other()
	if outcome := a.position.Board.Ended(attacker); outcome.Over() {
		a.verdict = answer.Disproved
		if outcome.WonBy(attacker) {
			a.verdict = answer.Proved
		}
		return
	}
	if _, wins := g.detector.CanWin(&a.position, &a.position.Board); wins {
		a.verdict = answer.Disproved
		return
	}
	known := []uint32{}
	g.detector.Defences(&a.position, func(b *arimaa.Board, t arimaa.Turn) bool {
		if len(g.answers[key{arimaa.NewPosition(*b, attacker), a.n}]) > 0 {
			known = append(known, t.Code())
		} else {
			a.replies = append(a.replies, t.Code())
		}
		return true
	})
	if a.n == 1 && len(known)+len(a.replies) > 0 {
		a.verdict = answer.Disproved
		return
	}
	slices.SortStableFunc(a.replies, func(x, y uint32) int { return cmp.Compare(g.killers[y], g.killers[x]) })
	a.replies = append(known, a.replies...)
	for range known {
		g.try(k)
	}
}

// try makes the OR node after the next reply.
func (g *Graph) try(k int32) int32 {
	a := &g.ands[k]
	_, after, _ := a.position.Decode(a.replies[a.tried])
	a.tried++
	i := g.or(key{after, a.n}, k)
	g.ands[k].index = append(g.ands[k].index, i)
	return i
}

// count computes the numbers of an OR node and of the AND nodes after its turns.
func (g *Graph) count(i int32) {
	for _, k := range g.ors[i].hard {
		g.countAnd(k)
	}
	g.countOr(i)
}

// update brings the numbers of an OR node, and of all above it, up to date.
func (g *Graph) update(i int32) {
	g.count(i)
	g.raise(i)
}

// raise brings the numbers of all nodes above an OR node up to date.
func (g *Graph) raise(i int32) {
	for _, k := range g.ors[i].parents {
		before := g.ands[k].numbers
		if g.countAnd(k); g.ands[k].numbers == before {
			continue
		}
		if a := &g.ands[k]; before.verdict == answer.Unknown && a.verdict == answer.Disproved && g.ors[i].verdict == answer.Disproved {
			g.credit(k, i)
		}
		parent := g.ands[k].parent
		g.countOr(parent)
		g.raise(parent)
	}
}

// credit notes which reply has refuted a turn.
func (g *Graph) credit(k, i int32) {
	for j, x := range g.ands[k].index {
		if x == i {
			g.killers[g.ands[k].replies[j]]++
		}
	}
}

// countOr computes the numbers of an OR node.
func (g *Graph) countOr(i int32) {
	o := &g.ors[i]
	if o.verdict != answer.Unknown {
		o.numberSolved()
		return
	}
	if o.first == nil {
		o.asks = !o.flying
		return
	}
	o.pn, o.dn, o.asks = tables.Infinity, uint64(o.open), o.free > 0 || !o.asked && !o.flying
	if o.open > 0 {
		o.pn = 1
	}
	for _, k := range o.hard {
		a := &g.ands[k]
		if a.verdict == answer.Proved {
			g.generator.Generate(&o.position)
			o.win = g.generator.Turn(a.number).Code()
			o.verdict = answer.Proved
			o.numberSolved()
			return
		}
		if a.verdict == answer.Unknown {
			o.pn, o.dn = min(o.pn, a.pn), saturated(o.dn+a.dn)
			o.asks = o.asks || a.asks
		}
	}
	if o.pn == tables.Infinity { // all turns are refuted
		o.verdict = answer.Disproved
		o.numberSolved()
	}
}

// saturated returns the sum of numbers of open nodes. That of a solved node is greater: one number
// alone says that a node is solved.
func saturated(sum uint64) uint64 { return uint64(tables.Saturated(sum)) }

// numberSolved gives a solved node its numbers. Nothing is left to ask below it.
func (x *numbers) numberSolved() {
	x.asks = false
	if x.pn, x.dn = 0, tables.Infinity; x.verdict == answer.Disproved {
		x.pn, x.dn = tables.Infinity, 0
	}
}

// countAnd computes the numbers of an AND node.
func (g *Graph) countAnd(k int32) {
	a := &g.ands[k]
	if a.verdict != answer.Unknown {
		a.numberSolved()
		return
	}
	if a.replies == nil {
		a.pn, a.dn, a.asks = newHard, newHard<<(2*a.tries), !a.flying
		return
	}
	left := len(a.replies) - a.tried
	a.pn, a.dn, a.asks = uint64(left), tables.Infinity, left > 0
	if left > 0 {
		a.dn = newReply * uint64(1+a.tried)
	}
	for _, i := range a.index {
		o := &g.ors[i]
		a.pn, a.dn = saturated(a.pn+o.pn), min(a.dn, o.dn)
		if o.verdict == answer.Disproved {
			a.verdict = answer.Disproved
		}
		a.asks = a.asks || o.asks
	}
	if a.dn == tables.Infinity {
		a.verdict = answer.Proved
	}
	if a.verdict != answer.Unknown {
		a.numberSolved()
	}
}

// Next returns a question to ask, which is then out until its answer is taken; ok is false if there
// is none, for now or because the graph is solved.
func (g *Graph) Next() (q Question, ok bool) {
	if g.apart && len(g.out) == 0 { // they come from another graph: their positions are to be in this one
		g.begin()
	}
	if !g.ors[0].asks || g.err != nil {
		return q, false
	}
	var path []node
	for next := (node{}); !ok; {
		path = append(path, next)
		if next.and {
			q, next, ok = g.nextReply(next.i)
		} else {
			q, next, ok = g.nextTurn(next.i)
		}
		if !ok && !g.at(next).asks { // a reply that is known turned up
			if path = nil; !g.ors[0].asks {
				return q, false
			}
			next = node{}
		}
	}
	g.out[q.name()] = asking{q, path}
	for _, x := range path {
		g.at(x).flight++
	}
	g.update(g.top(path))
	q.Killers = g.latest[:min(len(g.latest), max(q.N-leastLeft, 0))]
	return q, true
}

// at returns the numbers of a node.
func (g *Graph) at(x node) *numbers {
	if x.and {
		return &g.ands[x.i].numbers
	}
	return &g.ors[x.i].numbers
}

// top returns the last OR node of a path.
func (g *Graph) top(path []node) int32 {
	for i := len(path) - 1; ; i-- {
		if !path[i].and {
			return path[i].i
		}
	}
}

// nextTurn returns the question to ask at an OR node, or the AND node to go to.
func (g *Graph) nextTurn(i int32) (q Question, next node, ok bool) {
	o := &g.ors[i]
	q = Question{Position: o.position.AppendPacked(nil), N: int(o.n), Effort: 1}
	if !o.asked && !o.flying {
		o.flying = true
		return q, next, true
	}
	best := uint64(math.MaxUint64)
	for _, k := range o.hard {
		if a := &g.ands[k]; a.asks {
			if pn := a.pn * uint64(1+a.flight); pn < best {
				best, next = pn, node{and: true, i: k}
			}
		}
	}
	if o.free == 0 || best <= 1 {
		return q, next, false
	}
	for ; o.first[o.next] != free; o.next++ {
	}
	q.From, q.To = o.next, o.next
	parts := max(leastParts, 2*len(g.out))
	for most := (o.free + parts - 1) / parts; q.To < len(o.first) && q.To-q.From < most && o.first[q.To] == free; q.To++ {
		o.first[q.To] = out
	}
	o.free -= q.To - q.From
	return q, next, true
}

// nextReply returns the question to ask about an AND node, or the OR node to go to.
func (g *Graph) nextReply(k int32) (q Question, next node, ok bool) {
	a := &g.ands[k]
	o := &g.ors[a.parent]
	if a.replies == nil {
		a.flying = true
		return Question{Position: o.position.AppendPacked(nil), N: int(o.n), From: a.number, To: a.number + 1, Effort: 1 << (2 * a.tries)}, next, true
	}
	best, chosen := uint64(math.MaxUint64), int32(-1)
	for _, i := range a.index {
		if o := &g.ors[i]; o.asks {
			if dn := o.dn * uint64(1+o.flight); dn < best {
				best, chosen = dn, i
			}
		}
	}
	if a.tried < len(a.replies) && newReply*uint64(1+a.tried) < best {
		chosen = g.try(k)
		g.update(chosen)
	}
	return q, node{i: chosen}, false
}

// land takes back that a question is out.
func (g *Graph) land(q *Question) {
	name := q.name()
	x, found := g.out[name]
	if !found {
		return
	}
	delete(g.out, name)
	for _, v := range x.path {
		g.at(v).flight--
	}
	last := x.path[len(x.path)-1]
	if last.and || q.Whole() {
		g.at(last).flying = false
		return
	}
	o := &g.ors[last.i]
	for turn := q.From; turn < q.To; turn++ {
		if o.first[turn] == out {
			o.first[turn] = free
			o.free++
			o.next = min(o.next, turn)
		}
	}
}

// Turns returns within how many turns the attacker is to win.
func (g *Graph) Turns() int { return g.n }

// Progress returns how many of the first turns at the root are refuted, how many there are, and how
// many questions are out.
func (g *Graph) Progress() (decided, turns, asked int) {
	root := &g.ors[0]
	for _, x := range root.first {
		if x == refuted {
			decided++
		}
	}
	for _, k := range root.hard {
		if a := &g.ands[k]; a.verdict == answer.Disproved && root.first[a.number] == hard { // by a reply
			decided++
		}
	}
	return decided, len(root.first), len(g.out)
}

// For returns the graph of the question whether the attacker wins within n turns, with the answers
// that were taken.
func (g *Graph) For(n int) *Graph {
	g = &Graph{position: g.position, n: n, answers: g.answers, latest: g.latest}
	g.begin()
	return g
}

// Facts yields the positions that are solved, with the attacker to move.
func (g *Graph) Facts() iter.Seq2[*arimaa.Position, tables.Fact] {
	return func(yield func(*arimaa.Position, tables.Fact) bool) {
		g.facts(yield)
	}
}

func (g *Graph) facts(yield func(*arimaa.Position, tables.Fact) bool) {
	for i := range g.ors {
		o := &g.ors[i]
		f := tables.Nothing
		switch o.verdict {
		case answer.Proved:
			f.ProvedWithin, f.Turn = uint8(o.n), o.win
		case answer.Disproved:
			f.RefutedUpTo = uint8(o.n)
		default:
			continue
		}
		if !yield(&o.position, f) {
			return
		}
	}
}

// all returns the answers that were taken, in an order that depends on them alone.
func (g *Graph) all() (all []answered) {
	for _, k := range slices.SortedFunc(maps.Keys(g.answers), func(a, b key) int {
		return cmp.Or(cmp.Compare(b.n, a.n), slices.Compare(a.position.AppendPacked(nil), b.position.AppendPacked(nil)))
	}) {
		all = append(all, g.answers[k]...)
	}
	return all
}
