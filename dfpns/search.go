package dfpns

import (
	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/tables"
	"goalproof/zobrist"
)

// infinite is above every proof number that counts. Sums stop there.
const infinite = 1 << 30

// numbers are a proof and a disproof number. (0, infinite) is proved, (infinite, 0)
// refuted.
type numbers struct{ proof, disproof uint32 }

var (
	proved  = numbers{0, infinite}
	refuted = numbers{infinite, 0}
)

func (n numbers) solved() bool { return n.proof == 0 || n.disproof == 0 }

// Where a child starts. A turn that threatens to win at once leaves few replies, a quiet
// one most; the numbers only say in which order to look.
var (
	fresh  = numbers{1, 1}
	threat = numbers{10, 1}
	quiet  = numbers{1000, 1}
)

// frame is a node that is being searched, with its children.
type frame struct {
	generator arimaa.Generator
	children  []child
}

// child is a child of a node; at is the position after the turn.
type child struct {
	at   arimaa.Position
	turn arimaa.Turn
	numbers
	others uint8 // workers that were seen inside
}

// frame returns the frame at a depth in turns of either side.
func (w *worker) frame(depth int) *frame {
	for len(w.frames) <= depth {
		w.frames = append(w.frames, &frame{})
	}
	return w.frames[depth]
}

// attackKey and defendKey are the keys of a position in the table. The same board with
// the same side to move is another node when that side is the defender.
func attackKey(p *arimaa.Position) zobrist.Key { return p.Key() }

func defendKey(p *arimaa.Position) zobrist.Key {
	k := p.Key()
	return zobrist.Key{Lo: ^k.Lo, Hi: ^k.Hi}
}

// root decides whether the attacker wins within n >= 2 turns, given that he does not in one,
// and with which turn.
func (w *worker) root(p *arimaa.Position, n int) (answer.Verdict, arimaa.Turn) {
	switch got, turn := w.attack(p, n, 0, numbers{infinite, infinite}); got {
	case proved:
		if t, _, ok := p.Decode(turn); ok {
			return answer.Proved, t
		}
	case refuted:
		return answer.Disproved, arimaa.Turn{}
	}
	return answer.Unknown, arimaa.Turn{}
}

// attack searches an OR node, in which the attacker has n >= 2 turns left and no win in one,
// until it is solved or one of its numbers reaches its limit. For a win it returns the code of a
// turn that keeps it.
func (w *worker) attack(p *arimaa.Position, n, depth int, limit numbers) (got numbers, turn uint32) {
	key := attackKey(p)
	e := w.table.Enter(key)
	if _, ok := e.Solved(n); !ok && int(e.N) != n { // not visited for n before
		e.Fact = e.Merge(w.recall(p, key))
	}
	if got, ok := known(&e, n); ok && (got == refuted || e.Turn != 0) {
		w.leave(key, n, &e, got, e.Turn, 0)
		return got, e.Turn
	}
	before := w.nodes
	f := w.frame(depth)
	if n == 2 {
		switch v, t := w.two(p, &f.generator); v {
		case answer.Proved:
			got, turn = proved, t.Code()
		case answer.Disproved:
			got = refuted
		default:
			got = fresh
		}
	} else {
		w.listTurns(f, p, e.Best)
		got, turn = w.attackFrom(f, n, depth, limit)
	}
	work := w.nodes - before
	if w.leave(key, n, &e, got, turn, work); got.solved() && work >= tables.WorthStoring {
		w.keep(p, w.fact(n, got, turn))
	}
	return got, turn
}

// recall returns what the store knows about an OR node, and enters it into the table.
func (w *worker) recall(p *arimaa.Position, key zobrist.Key) tables.Fact {
	if w.store == nil {
		return tables.Nothing
	}
	f, err := tables.Recall(w.store, p, &w.packed)
	if err == nil && f.Known() {
		err = w.table.Learn(key, f, tables.WorthStoring)
	}
	if err != nil {
		w.run.fail(err)
		return tables.Nothing
	}
	return f
}

// keep hands a fact about an OR node to the store.
func (w *worker) keep(p *arimaa.Position, f tables.Fact) {
	if w.store == nil {
		return
	}
	w.packed = p.AppendPacked(w.packed[:0])
	if err := w.store.Put(w.packed, f); err != nil {
		w.run.fail(err)
	}
}

// known returns the numbers of a node that the table has solved for n.
func known(e *tables.Entry, n int) (numbers, bool) {
	yes, ok := e.Solved(n)
	if yes {
		return proved, ok
	}
	return refuted, ok
}

// fact says what numbers say for good.
func (w *worker) fact(n int, got numbers, turn uint32) tables.Fact {
	f := tables.Nothing
	switch got {
	case proved:
		f.ProvedWithin, f.Turn = uint8(n), turn
	case refuted:
		f.RefutedUpTo = uint8(n)
	}
	return f
}

// leave hands over what has been found out about a node, which was entered with e. Turn
// is the one that wins, or is to be searched first the next time.
func (w *worker) leave(key zobrist.Key, n int, e *tables.Entry, got numbers, turn uint32, work uint64) {
	left := tables.Entry{
		Fact:  w.fact(n, got, turn),
		Proof: got.proof, Disproof: got.disproof, N: uint8(n),
		Best: turn,
		Work: uint32(min(work, 1<<31)),
	}
	if work == 0 {
		left.Fact = e.Fact // it was known
	}
	if err := w.table.Leave(key, left); err != nil {
		w.run.fail(err)
	}
}

// listTurns lists the attacker's turns as children. When the search is to stop, the list
// is not complete. The turn with the code best, if there is one, comes first.
func (w *worker) listTurns(f *frame, p *arimaa.Position, best uint32) {
	f.children = f.children[:0]
	for i := range f.generator.Generate(p) {
		if w.run.stop.Load() {
			return
		}
		next := f.generator.Position(i, p.Side())
		if lost(&next) {
			continue
		}
		w.look()
		c := child{at: next, turn: f.generator.Turn(i), numbers: quiet}
		again := next.EndTurn()
		if _, ok := w.detector.CanWin(&again, &again.Board); ok {
			c.numbers = threat
		}
		f.children = append(f.children, c)
	}
	first(f.children, best)
}

// first brings the child with a turn's code to the front: of equals the first is searched.
func first(children []child, code uint32) {
	if code == 0 {
		return
	}
	for i := range children {
		if children[i].turn.Code() == code {
			children[0], children[i] = children[i], children[0]
			return
		}
	}
}

// attackFrom searches the turns of an OR node. It also returns the code of the turn that wins, or
// was searched last.
func (w *worker) attackFrom(f *frame, n, depth int, limit numbers) (total numbers, turn uint32) {
	for {
		if w.run.stop.Load() {
			return fresh, 0 // the list may not be complete
		}
		best, second, total := choose(f.children, false)
		if total == proved {
			turn = winning(f.children)
		}
		if total.solved() || total.proof >= limit.proof || total.disproof >= limit.disproof {
			return total, turn
		}
		turn = f.children[best].turn.Code()
		c := &f.children[best]
		if w.consult(f.children, best, defendKey(&c.at), n-1) {
			continue
		}
		c.numbers = w.defend(&c.at, n-1, depth+1, numbers{
			proof:    min(limit.proof, w.beyond(second)),
			disproof: limit.disproof - total.disproof + c.disproof,
		})
		free(f.children)
	}
}

// beyond returns the threshold of the best child of a node, by the number of the second best.
func (w *worker) beyond(second uint32) uint32 {
	return second + uint32(min(w.epsilon*float64(second), infinite)) + 1
}

// winning returns the code of a turn that is proved to win.
func winning(children []child) uint32 {
	for i := range children {
		if children[i].numbers == proved {
			return children[i].turn.Code()
		}
	}
	return 0
}

// defend searches an AND node, in which the attacker has n >= 1 turns left after the
// defender's.
func (w *worker) defend(p *arimaa.Position, n, depth int, limit numbers) numbers {
	key := defendKey(p)
	e := w.table.Enter(key)
	if got, ok := known(&e, n); ok {
		w.leave(key, n, &e, got, 0, 0)
		return got
	}
	before := w.nodes
	got := w.defendAll(p, n, depth, limit)
	w.leave(key, n, &e, got, 0, w.nodes-before)
	return got
}

// defendAll lists the replies of an AND node and searches them.
func (w *worker) defendAll(p *arimaa.Position, n, depth int, limit numbers) numbers {
	w.look()
	if n == 1 {
		if _, holds := w.detector.Holds(p); holds {
			return refuted
		}
		return proved
	}
	if _, wins := w.detector.CanWin(p, &p.Board); wins {
		return refuted
	}
	f := w.frame(depth)
	f.children = f.children[:0]
	for len(w.replies) <= n {
		w.replies = append(w.replies, recent{})
	}
	// The replies that refuted lately, alone.
	for _, t := range w.replies[n].turns[:w.replies[n].n] {
		next, ok := p.Try(t)
		if !ok || next.Board.Ended(p.Side()).Over() {
			continue
		}
		w.look()
		if _, wins := w.detector.CanWin(&next, &next.Board); !wins {
			f.children = append(f.children, child{at: next, turn: t, numbers: fresh})
		}
	}
	if len(f.children) > 0 {
		if got := w.defendFrom(f, n, depth, limit); got != proved {
			return got
		}
	}
	f.children = f.children[:0]
	w.detector.Defences(p, func(b *arimaa.Board, t arimaa.Turn) bool {
		w.look()
		f.children = append(f.children, child{at: arimaa.NewPosition(*b, p.Side().Other()), turn: t, numbers: fresh})
		return !w.run.stop.Load()
	})
	if w.run.stop.Load() {
		return fresh
	}
	return w.defendFrom(f, n, depth, limit)
}

// defendFrom searches the replies of an AND node.
func (w *worker) defendFrom(f *frame, n, depth int, limit numbers) numbers {
	for {
		best, second, total := choose(f.children, true)
		if total.solved() || total.proof >= limit.proof || total.disproof >= limit.disproof || w.run.stop.Load() {
			return total
		}
		c := &f.children[best]
		if w.consult(f.children, best, attackKey(&c.at), n) {
			continue
		}
		c.numbers, _ = w.attack(&c.at, n, depth+1, numbers{
			proof:    limit.proof - total.proof + c.proof,
			disproof: min(limit.disproof, w.beyond(second)),
		})
		if c.numbers == refuted {
			w.replies[n].add(c.turn)
		}
		free(f.children)
	}
}

// choose returns the child to search next, the number of the second best, and the
// numbers of the node. Of an AND node the child with the least disproof number is the
// best, of an OR node that with the least proof number; other workers inside make a child
// look worse.
func choose(children []child, and bool) (best int, second uint32, total numbers) {
	best = -1
	least, next := uint64(infinite), uint64(infinite) // as they look
	lowest, sum := uint32(infinite), uint64(0)
	for i := range children {
		c := &children[i]
		number, other := c.proof, c.disproof
		if and {
			number, other = other, number
		}
		lowest = min(lowest, number)
		sum += uint64(other)
		if c.solved() {
			continue
		}
		looks := min(uint64(number)*(1+uint64(c.others)), infinite-1)
		if best < 0 || looks < least {
			best, least, next = i, looks, least
		} else {
			next = min(next, looks)
		}
	}
	total = numbers{lowest, uint32(min(sum, infinite-1))}
	if lowest == 0 {
		total = proved
	} else if sum == 0 {
		total = refuted
	}
	if and {
		if lowest == 0 {
			total = refuted
		} else if sum == 0 {
			total = proved
		} else {
			total = numbers{total.disproof, total.proof}
		}
	}
	return best, uint32(next), total
}

// consult looks up a child before it is searched and takes over what other workers have
// found out. It tells whether to choose again.
func (w *worker) consult(children []child, i int, key zobrist.Key, n int) bool {
	c := &children[i]
	e := w.table.Get(key)
	got, ok := known(&e, n)
	if !ok && int(e.N) == n && e.Proof > 0 {
		got, ok = numbers{e.Proof, e.Disproof}, true
	}
	if ok && got != c.numbers {
		c.numbers = got
		return true
	}
	if e.Busy > c.others {
		c.others = e.Busy
		return true
	}
	return false
}

// free forgets which children others were in.
func free(children []child) {
	for i := range children {
		children[i].others = 0
	}
}
