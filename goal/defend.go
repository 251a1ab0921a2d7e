package goal

import (
	"goalproof/arimaa"
	"goalproof/internal/recent"
)

// Defence returns a turn of the defender, to move at the start of his turn at p, that leaves the
// attacker no win in one turn; ok is false if there is none. The game must not be over at p. The
// answer is exact.
//
// A search over replies finds it, and leaves nearly all of them out. If the attacker would win were
// the defender to stop here, let Z be the relevance zone of that win (relevance.go). An option is a
// step, push or pull.
//
// Lemma 1. A defence contains an option that changes a square of Z: on a board that agrees on Z the
// same turn still wins. Let m be the first such option.
//
// Two options conflict if one changes a square that the other reads (footprint.go): one that
// decides whether it is legal and what it captures.
//
// Lemma 2. Neighbouring options that do not conflict may change places, with the same result, and
// conflict with the same other options as before.
//
// Lemma 3. Every defence has an order in which each option before m conflicts with a later one, m
// included. By lemma 2 an option that m does not need, directly or through others, can move behind
// m.
//
// The search therefore leaves out all other orders. An option before m waits for a conflicting
// successor:
//
//   - Rule 1. An option that changes a square of Z is m. It, or an option between, must conflict
//     with each option that waits.
//   - Rule 2. If one step is left after an option that changes no square of Z, the next option is
//     m, a single step, which changes a square of Z. So the option, and each one that still waits,
//     must conflict with some step that does.
//
// After an option that changes no square of Z the board needs no new detection, because the same
// turn of the attacker still wins. After one that does, that turn is replayed first.
//
// A board is searched once for the same steps left, whatever order of options leads to it. If
// earlier options still wait for a conflicting successor, the search also depends on them and on
// the threat; both are part of the key.
//
// If the attacker would not win were the defender to stop, as after most quiet turns, Z is the
// whole board, and the first reply that the search tries is usually a defence. The unchanged board
// is not a reply, so zugzwang needs no rule of its own.
func (d *Detector) Defence(p *arimaa.Position) (reply arimaa.Turn, ok bool) {
	attacker := p.Side().Other()
	b := orient(&p.Board, attacker)
	s := &d.defence
	if ok = s.tryRecent(&b, arimaa.StepsPerTurn); !ok {
		if t, wins := d.CanWin(p, &p.Board); wins {
			return t, true
		}
		ok = s.find(&b, arimaa.StepsPerTurn)
	}
	return restore(s.reply, attacker), ok
}

// DefenceWithin is like [Detector.Defence] for a defender who is within his turn at p, between two
// options. It returns a rest of the turn, of at least one option, after which the attacker has no
// win in one turn. It does not know the board at the start of the turn, to which the rest may lead
// back. The defender must not have a win himself.
func (d *Detector) DefenceWithin(p *arimaa.Position) (rest arimaa.Turn, ok bool) {
	attacker := p.Side().Other()
	b := orient(&p.Board, attacker)
	s := &d.defence
	left := p.StepsLeft()
	ok = left > 0 && (s.tryRecent(&b, left) || s.find(&b, left))
	return restore(s.reply, attacker), ok
}

// Defences calls visit with each distinct result of a turn of the defender, to move at the start of
// his turn at p, that leaves the attacker no win in one turn, and with a turn that leads to it,
// until visit returns false. The defender must not have a win himself, and the game must not be
// over. See [Detector.Defence].
func (d *Detector) Defences(p *arimaa.Position, visit func(b *arimaa.Board, t arimaa.Turn) bool) {
	attacker := p.Side().Other()
	b := orient(&p.Board, attacker)
	s := &d.defence
	s.visit = func(b *arimaa.Board) bool {
		result := orient(b, attacker)
		return visit(&result, restore(s.turn(), attacker))
	}
	s.searchAll(&b, arimaa.StepsPerTurn, arimaa.StepsPerTurn)
}

// Forget empties the lists of recent turns, which only affect how fast Defence and Defences are.
func (d *Detector) Forget() {
	d.defence.replies, d.defence.wins = d.defence.replies[:0], d.defence.wins[:0]
	d.arrival.drives = d.arrival.drives[:0]
}

// Nodes returns the number of replies that Defence and Defences have evaluated so far.
func (d *Detector) Nodes() uint64 { return d.defence.nodes }

// defenceSearch is the search for defences. Gold attacks, Silver defends.
type defenceSearch struct {
	path    [arimaa.StepsPerTurn]arimaa.Option
	length  int
	stack   []replyNode
	level   [arimaa.StepsPerTurn]replyNode // those on the path: the stack may move
	seen    boardSet
	visit   func(*arimaa.Board) bool // nil: the first defence ends the search
	result  arimaa.Board             // after a defence, for visit
	reply   arimaa.Turn              // the defence that ended the search
	replies []arimaa.Turn            // recent defences
	wins    []arimaa.Turn            // recent winning turns of the attacker
	nodes   uint64
	threats int // boards on which threats were found, besides the start
}

// mostRecent is the length of the lists of recent turns.
const mostRecent = 16

// replyNode is a board after an option that will be searched further.
type replyNode struct {
	board  arimaa.Board
	option arimaa.Option
	left   uint8
	threat
}

// threat is a turn that wins for the attacker if the defender stops.
type threat struct {
	turn    arimaa.Turn
	zone    arimaa.Bitboard // its relevance zone; everywhere if there is no such turn
	waiting waiting
	id      int // number of the board on which it was found
}

// turn returns the options played so far.
func (s *defenceSearch) turn() (t arimaa.Turn) {
	for _, o := range s.path[:s.length] {
		t = t.WithOption(o)
	}
	return t
}

// evaluate looks for a win of Gold this turn: t's turn, then recent ones, then any. It sets t's
// turn, if there is a win, and t's zone.
func (s *defenceSearch) evaluate(b *arimaa.Board, t *threat) (wins bool) {
	s.nodes++
	if wins, t.zone = relevanceZone(*b, &t.turn); wins {
		return true
	}
	for i := range s.wins {
		if wins, t.zone = relevanceZone(*b, &s.wins[i]); wins {
			t.turn = s.wins[i]
			recent.Raise(s.wins, i)
			return true
		}
	}
	found, turn := findWin(b)
	if !found {
		t.zone = arimaa.Everywhere
		return false
	}
	if t.turn = turn; turn.Len() > 0 {
		s.wins = recent.Add(s.wins, turn, mostRecent)
	}
	if wins, t.zone = relevanceZone(*b, &t.turn); !wins {
		t.zone = arimaa.Everywhere
	}
	return true
}

// find looks for a defence of at most the given steps at the board b, and puts it in reply. It
// first tries the replies of two steps: most defences take no more.
func (s *defenceSearch) find(b *arimaa.Board, most int) bool {
	s.visit = nil
	found := s.searchAll(b, min(2, most), most)
	if found {
		s.replies = recent.Add(s.replies, s.reply, mostRecent)
	}
	return found
}

// searchAll searches all replies of at most first steps to the board b in Silver's turn, and then
// those of at most the given steps. It reports whether a defence, which is then in reply, ended the
// search.
func (s *defenceSearch) searchAll(b *arimaa.Board, first, most int) bool {
	s.length = 0
	var t threat
	s.evaluate(b, &t)
	for steps := first; ; steps = most {
		s.stack = s.stack[:0]
		s.seen.clear()
		s.seen.insert(b, &waiting{}, 0, steps)
		s.threats = 0
		if s.search(b, steps, &t) {
			return true
		}
		if steps == most {
			return false
		}
	}
}

// search tries the options of Silver at a board with left steps left, where Gold threatens t.
func (s *defenceSearch) search(b *arimaa.Board, left int, t *threat) bool {
	first := len(s.stack)
	m := b.Mobility(arimaa.Silver)
	r := reachOf(t.zone)
	zone := stepZone(t.zone, left, m.Own, &r)
	steppers := m
	if left <= 2 {
		// By rule 1 this option must conflict with each one that waits; with two steps left the
		// next one may instead, if it can.
		for i := range t.waiting.n {
			if f := &t.waiting.options[i]; left == 1 || !r.meets(f) {
				steppers.Free &= f.partners()
			}
		}
	}
	from := siteOf(b, &m)
	for step := steppers.Steps(zone, zone); step.Next(); {
		c := *b
		f := from.single(step.From, step.To, step.Play(&c))
		touches := f.changed&t.zone != 0
		if w, ok := t.next(&f, touches, &c, left-1, &r); ok && s.expand(&c, touches, left-1, step.Option(b), t, w) {
			return true
		}
	}
	if left >= 2 {
		zone := doubleZone(t.zone, left, ^m.Empty, &r)
		for double := m.Doubles(arimaa.Everywhere, zone); double.Next(b); {
			c := *b
			changed := double.From.Set() | double.At.Set() | double.To.Set() | double.Play(&c)
			f, touches := doubleFootprint(&double), changed&t.zone != 0
			if w, ok := t.next(&f, touches, &c, left-2, &r); ok && s.expand(&c, touches, left-2, double.Option(b), t, w) {
				return true
			}
		}
	}
	for i := first; i < len(s.stack); i++ {
		s.path[s.length] = s.stack[i].option
		next := &s.level[s.length]
		s.length++
		*next = s.stack[i]
		found := s.search(&next.board, int(next.left), &next.threat)
		s.length--
		if found {
			return true
		}
	}
	s.stack = s.stack[:first]
	return false
}

// next reports whether the search needs an option that led to the board c and left some steps
// (rules 1 and 2), and returns the options that wait after it. Touches says whether it changed a
// square of the relevance zone.
func (t *threat) next(f *footprint, touches bool, c *arimaa.Board, left int, r *reach) (w waiting, ok bool) {
	if touches { // rule 1
		for i := range t.waiting.n {
			if !t.waiting.options[i].conflicts(f) {
				return w, false
			}
		}
		return w, true
	}
	if left == 0 { // lemma 1
		return w, false
	}
	w = t.waiting.after(f)
	if left > 1 {
		return w, true
	}
	movers := c.Of(arimaa.Silver) & r.last // rule 2
	for i := range w.n {
		if !r.meets(&w.options[i]) {
			return w, false
		}
		movers &= w.options[i].partners()
	}
	return w, movers != 0
}

// stepZone returns squares of which a single step of a piece of own must leave or enter one to be
// of use, with left steps left before it. A step also changes the trap beside the square that it
// leaves, if it captures there.
func stepZone(zone arimaa.Bitboard, left int, own arimaa.Bitboard, r *reach) arimaa.Bitboard {
	switch left {
	case 1: // lemma 1
		return zone | (zone & arimaa.Traps & own).Neighbors()
	case 2: // rule 2
		return r.around
	}
	return arimaa.Everywhere
}

// doubleZone does the same for pushes and pulls.
func doubleZone(zone arimaa.Bitboard, left int, occupied arimaa.Bitboard, r *reach) arimaa.Bitboard {
	switch left {
	case 2: // lemma 1
		return zone | (zone & arimaa.Traps & occupied).Neighbors()
	case 3: // rule 2
		return dilate(r.around)
	}
	return arimaa.Everywhere
}

// expand evaluates the board c after an option, if that touches the relevance zone of the threat,
// and puts it on the stack. It reports whether the search is over.
func (s *defenceSearch) expand(c *arimaa.Board, touches bool, left int, o arimaa.Option, t *threat, w waiting) bool {
	more, known := s.seen.insert(c, &w, t.id, left)
	if !more {
		return false
	}
	next := threat{t.turn, t.zone, w, t.id}
	if touches {
		s.threats++
		next.id = s.threats
		if !s.evaluate(c, &next) && !known {
			s.path[s.length] = o
			s.length++
			over := s.report(c)
			s.length--
			if over {
				return true
			}
		}
	}
	if left > 0 {
		s.stack = append(s.stack, replyNode{*c, o, uint8(left), next})
	}
	return false
}

// report records a defence and reports whether the search ends with it.
func (s *defenceSearch) report(c *arimaa.Board) bool {
	if s.visit != nil {
		s.result = *c // visit may let its argument escape; c itself stays on the stack
		return !s.visit(&s.result)
	}
	s.reply = s.turn()
	return true
}

// tryRecent tries the recent defences of at most the given steps.
func (s *defenceSearch) tryRecent(b *arimaa.Board, most int) bool {
	for i := range s.replies {
		if s.replies[i].Len() <= most && s.holds(b, &s.replies[i]) {
			s.reply = s.replies[i]
			recent.Raise(s.replies, i)
			return true
		}
	}
	return false
}

// holds reports whether a turn of Silver is legal on a board and a defence.
func (s *defenceSearch) holds(b *arimaa.Board, t *arimaa.Turn) bool {
	c := *b
	var zone arimaa.Bitboard
	s.nodes++
	return replay(&c, arimaa.Silver, t, &zone) && c != *b && defended(&c)
}

// defended reports whether Gold has no win this turn on a board that Silver's turn led to, or has
// lost by it.
func defended(b *arimaa.Board) bool {
	if b.Rabbits(arimaa.Silver)&rank1 != 0 || b.Rabbits(arimaa.Gold) == 0 {
		return true
	}
	if _, wins := anyGoal(b, arimaa.StepsPerTurn); wins {
		return false
	}
	if found, _ := eliminate(b, arimaa.StepsPerTurn); found != None {
		return false
	}
	_, stops := immobilises(b, b, arimaa.StepsPerTurn)
	return !stops
}

// findWin looks for a win of Gold this turn.
func findWin(b *arimaa.Board) (bool, arimaa.Turn) {
	if found, t := goalRank(b, arimaa.StepsPerTurn); found != None {
		return true, t
	}
	found, t := eliminate(b, arimaa.StepsPerTurn)
	if found == None {
		found, t = immobilise(b, b, arimaa.StepsPerTurn)
	}
	return found != None, t
}
