package dfpns

import (
	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/recent"
	"goalproof/tables"
	"goalproof/zobrist"
)

// infinite is the proof number of a disproved node and the disproof number of a proved one. Sums of the
// numbers of open nodes stay below it.
const infinite = 1 << 30

// numbers are a proof and a disproof number. (0, infinite) is proved, (infinite, 0)
// disproved.
type numbers struct{ proof, disproof uint32 }

var (
	proved    = numbers{0, infinite}
	disproved = numbers{infinite, 0}
)

func (n numbers) solved() bool { return n.proof == 0 || n.disproof == 0 }

// Initial numbers of a child (heuristic initialisation: Nagai and Imai 2002). A turn that threatens to win at once
// leaves few replies, a quiet one most. The numbers only decide the order of the search.
var (
	fresh  = numbers{1, 1}
	threat = numbers{10, 1}
	quiet  = numbers{1000, 1}
)

// frame is a node on the path of the search, with its children.
type frame struct {
	generator arimaa.Generator
	children  []child
	queue     queue // of an OR node
}

// child is a child of a node, after a turn.
type child struct {
	at   arimaa.Position
	turn arimaa.Turn
	numbers
	busy  uint8 // other workers seen in its subtree
	bound uint8 // of an outcome in the threat tree
}

// frame returns the frame at a depth, which counts turns of both sides.
func (w *worker) frame(depth int) *frame {
	for len(w.frames) <= depth {
		w.frames = append(w.frames, &frame{})
	}
	return w.frames[depth]
}

// attackKey and defendKey are the keys of a position in the tables, for the aim of the question. The same board with
// the same side to move is another node when that side is the defender.
func (w *worker) attackKey(p *arimaa.Position) zobrist.Key { return p.Key().Xor(w.aimKey) }

func (w *worker) defendKey(p *arimaa.Position) zobrist.Key {
	k := w.attackKey(p)
	return zobrist.Key{Lo: ^k.Lo, Hi: ^k.Hi}
}

// midOR is Nagai's MID for an OR node, in which the attacker has n >= 2 turns left and no win in one: it searches
// the node until it is solved or one of its numbers reaches its threshold. If the node is proved, turn is the
// code of a winning turn.
func (w *worker) midOR(p *arimaa.Position, n, depth int, threshold numbers) (got numbers, turn uint32) {
	key := w.attackKey(p)
	e := w.table.Enter(key)
	if _, ok := e.Solved(n); !ok && int(e.N) != n { // not visited for n before
		e.Fact = e.Merge(w.recall(p, key))
	}
	if got, ok := known(&e, n); ok && (got == disproved || e.Turn != 0) {
		w.leave(key, n, &e, got, e.Turn, 0)
		return got, e.Turn
	}
	before := w.nodes
	f := w.frame(depth)
	if n == 2 {
		switch v, t := w.winInTwo(p, &f.generator); v {
		case answer.Proved:
			got, turn = proved, t.Code()
		case answer.Disproved:
			got = disproved
		default:
			got = fresh
		}
	} else {
		w.expandOR(f, p, n, e.Best)
		got, turn = w.descendOR(f, n, depth, threshold)
	}
	work := w.nodes - before
	if w.leave(key, n, &e, got, turn, work); got.solved() && work >= tables.WorthStoring {
		w.putFact(p, w.fact(n, got, turn))
	}
	return got, turn
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
		err = w.table.Learn(key, f, tables.WorthStoring)
	}
	if err != nil {
		w.run.fail(err)
		return tables.Nothing
	}
	return f
}

// putFact puts a fact about an OR node into the store.
func (w *worker) putFact(p *arimaa.Position, f tables.Fact) {
	if w.store == nil {
		return
	}
	w.packed = p.AppendPacked(w.packed[:0])
	if err := w.store.Put(w.packed, f); err != nil {
		w.run.fail(err)
	}
}

// known returns the numbers of a node that its entry solves for n.
func known(e *tables.Entry, n int) (numbers, bool) {
	yes, ok := e.Solved(n)
	if yes {
		return proved, ok
	}
	return disproved, ok
}

// fact returns the fact that follows from the numbers of a node.
func (w *worker) fact(n int, got numbers, turn uint32) tables.Fact {
	f := tables.Nothing
	switch got {
	case proved:
		f.ProvedWithin, f.Turn = uint8(n), turn
	case disproved:
		f.RefutedUpTo = uint8(n)
	}
	return f
}

// leave enters the results for a node, which was entered with e, into the table. Turn
// is the winning turn, or the one to search first the next time.
func (w *worker) leave(key zobrist.Key, n int, e *tables.Entry, got numbers, turn uint32, work uint64) {
	left := tables.Entry{
		Fact:  w.fact(n, got, turn),
		Proof: got.proof, Disproof: got.disproof, N: uint8(n),
		Best: turn,
		Work: uint32(min(work, 1<<31)),
	}
	if work == 0 {
		left.Fact = e.Fact // the table had it
	}
	if !got.solved() && w.run.stop.Load() {
		keep(&left, e)
	}
	if err := w.table.Leave(key, left); err != nil {
		w.run.fail(err)
	}
}

// keep leaves the numbers of a node as they were, because a search that stopped has counted only a part of it.
func keep(left, e *tables.Entry) {
	if e.N == left.N && e.Proof > 0 {
		left.Proof, left.Disproof, left.Best = e.Proof, e.Disproof, e.Best
	}
}

// expandOR makes the children of an OR node and evaluates them. If the search stops meanwhile, the list
// is not complete; nor if an endgame table proves one of them. The turn with the code best, if there is one, comes
// first.
func (w *worker) expandOR(f *frame, p *arimaa.Position, n int, best uint32) {
	f.children = f.children[:0]
	turns := f.generator.Generate(p)
	if w.provedByTable(f, p, n) {
		return
	}
	for i := range turns {
		if w.run.stop.Load() {
			return
		}
		next := f.generator.Position(i, p.Side())
		if hasLost(&next) {
			continue
		}
		w.visit()
		c := child{at: next, turn: f.generator.Turn(i), numbers: quiet}
		if got, known := w.tabled(&next, p.Side(), n-1); known {
			c.numbers = got
		} else if w.threatens(&next) {
			c.numbers = threat
		}
		f.children = append(f.children, c)
	}
	moveToFront(f.children, best)
}

// moveToFront moves the child with a turn's code to the front: of equal children the first is searched first.
func moveToFront(children []child, code uint32) {
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

// descendOR searches the children of an OR node under its thresholds. It also returns the code of the turn that
// wins, or that was searched last.
func (w *worker) descendOR(f *frame, n, depth int, threshold numbers) (total numbers, turn uint32) {
	q := &f.queue
	for q.fill(f.children); !w.run.stop.Load(); {
		best, second, total := q.first()
		switch {
		case total == proved:
			return total, f.children[best].turn.Code()
		case total == disproved || total.proof >= threshold.proof || total.disproof >= threshold.disproof:
			return total, turn
		}
		turn = f.children[best].turn.Code()
		c, again := w.lookUp(f.children[best], w.defendKey(&f.children[best].at), n-1)
		if again {
			q.put(best, c)
			continue
		}
		c.numbers = w.midAND(&f.children[best].at, n-1, depth+1, numbers{
			proof:    min(threshold.proof, w.childThreshold(second)),
			disproof: threshold.disproof - total.disproof + c.disproof,
		})
		q.put(best, c)
		q.clearBusy()
	}
	return fresh, 0 // the list may not be complete
}

// childThreshold returns the threshold of the best child, from the number of the second-best child: the 1+epsilon
// rule (Pawlewicz and Lew 2007).
func (w *worker) childThreshold(second uint32) uint32 {
	return second + uint32(min(w.epsilon*float64(second), infinite)) + 1
}

// midAND is MID for an AND node, in which the attacker has n >= 1 turns left after the
// defender's.
func (w *worker) midAND(p *arimaa.Position, n, depth int, threshold numbers) numbers {
	if got, known := w.tabled(p, p.Side().Other(), n); known {
		return got
	}
	key := w.defendKey(p)
	e := w.table.Enter(key)
	if got, ok := known(&e, n); ok {
		w.leave(key, n, &e, got, 0, 0)
		return got
	}
	before := w.nodes
	got := w.expandAND(p, n, depth, threshold)
	w.leave(key, n, &e, got, 0, w.nodes-before)
	return got
}

// expandAND makes the children of an AND node and searches them.
func (w *worker) expandAND(p *arimaa.Position, n, depth int, threshold numbers) numbers {
	if !w.aim.Win() {
		return w.expandReplies(p, n, depth, threshold)
	}
	w.visit()
	if n == 1 {
		if _, holds := w.detector.Defence(p); holds {
			return disproved
		}
		return proved
	}
	if _, wins := w.detector.CanWin(p, &p.Board); wins {
		return disproved
	}
	f := w.frame(depth)
	f.children = f.children[:0]
	for len(w.killers) <= n {
		w.killers = append(w.killers, nil)
	}
	// The killers first, alone.
	for _, t := range w.killers[n] {
		next, ok := p.Try(t)
		if !ok || next.Board.Ended(p.Side()).Over() {
			continue
		}
		w.visit()
		if _, wins := w.detector.CanWin(&next, &next.Board); !wins {
			got, _ := w.tabled(&next, next.Side(), n)
			f.children = append(f.children, child{at: next, turn: t, numbers: got})
		}
	}
	if len(f.children) > 0 {
		if got := w.descendAND(f, n, depth, threshold); got != proved {
			return got
		}
	}
	// Then some other defences, and all of them only if those do not hold.
	for most := someDefences; ; most = infinite {
		f.children = f.children[:0]
		w.detector.Defences(p, func(b *arimaa.Board, t arimaa.Turn) bool {
			w.visit()
			c := child{at: arimaa.NewPosition(*b, p.Side().Other()), turn: t}
			c.numbers, _ = w.tabled(&c.at, c.at.Side(), n)
			f.children = append(f.children, c)
			return c.numbers != disproved && len(f.children) < most && !w.run.stop.Load()
		})
		if w.run.stop.Load() {
			return fresh
		}
		if got := w.descendAND(f, n, depth, threshold); got != proved || len(f.children) < most {
			return got
		}
	}
}

// someDefences is the number of defences that are searched before all are listed: there may be thousands, and one of
// the first mostly holds if any does.
const someDefences = 8

// descendAND searches the children of an AND node under its thresholds.
func (w *worker) descendAND(f *frame, n, depth int, threshold numbers) numbers {
	for {
		best, second, total := selectChild(f.children, true)
		if total.solved() || total.proof >= threshold.proof || total.disproof >= threshold.disproof || w.run.stop.Load() {
			return total
		}
		c := &f.children[best]
		if next, again := w.lookUp(*c, w.attackKey(&c.at), n); again {
			*c = next
			continue
		}
		c.numbers, _ = w.midOR(&c.at, n, depth+1, numbers{
			proof:    threshold.proof - total.proof + c.proof,
			disproof: min(threshold.disproof, w.childThreshold(second)),
		})
		if c.numbers == disproved {
			w.killers[n] = recent.Add(w.killers[n], c.turn, mostRecent)
		}
		clearBusy(f.children)
	}
}

// selectChild returns the child to search next, the number of the second-best child, and the
// numbers of the node, backed up from its children. The best child of an AND node has the least disproof number,
// that of an OR node the least proof number. Other workers in the subtree of a child multiply its number
// (virtual proof numbers, Kaneko 2010).
func selectChild(children []child, and bool) (best int, second uint32, total numbers) {
	best = -1
	least, next := uint32(infinite), uint32(infinite) // as they look
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
		looks := c.looks(number)
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
		total = disproved
	}
	if and {
		if lowest == 0 {
			total = disproved
		} else if sum == 0 {
			total = proved
		} else {
			total = numbers{total.disproof, total.proof}
		}
	}
	return best, next, total
}

// looks returns a number of an unsolved child as it looks to this worker: others in its subtree multiply it.
func (c *child) looks(number uint32) uint32 {
	return uint32(min(uint64(number)*(1+uint64(c.busy)), infinite-1))
}

// lookUp looks up a child in the table before it is searched. It returns the child with the results of other workers, and
// tells whether that changes it, so that the node has to select again.
func (w *worker) lookUp(c child, key zobrist.Key, n int) (changed child, again bool) {
	e := w.table.Get(key)
	got, ok := known(&e, n)
	if !ok && int(e.N) == n && e.Proof > 0 {
		got, ok = numbers{e.Proof, e.Disproof}, true
	}
	if ok && got != c.numbers {
		c.numbers = got
		return c, true
	}
	if e.Busy > c.busy {
		c.busy = e.Busy
		return c, true
	}
	return c, false
}

// clearBusy forgets which children other workers were in.
func clearBusy(children []child) {
	for i := range children {
		children[i].busy = 0
	}
}
