package goal

import "goalproof/arimaa"

// Holds looks for a turn of the defender, to move at the start of his turn at p, that
// leaves the attacker no win in one turn, and returns one. The game must not be over
// at p. The answer is exact.
//
// It is the reverse of the question that the rest of this package answers, and a search
// of turns that leaves nearly all of them out: where the attacker would win if the
// defender stopped here, the defender must yet change a square that this win leans on
// (lean.go). Let Z be those squares. Take a sequence of options that leads to a turn
// that holds. One of them, m, is the first to change a square of Z. We say that two
// options conflict if one changes a square that matters to the other: one that it changes
// itself, one beside a piece that it moves (freezing) or one beside a trap where it
// decides about a capture. What matters to an option is within 2 squares of what it
// changes, so options that conflict change squares within 2 of each other. Options
// that do not conflict may change places, with the same result. So the options that m
// does not need, directly or through others, may be put behind it; the search may
// suppose that each option before m conflicts with a later one, m included, and leaves
// out all other orders:
//
//   - An option that changes a square of Z is m. Every option before it must conflict with
//     it or with one between them.
//   - One that does not is followed by another. When one step is left after it, the next is
//     m, a single step: it changes squares within 2 of each other, one of them in Z. So the
//     option, and every earlier one that nothing conflicts with so far, must have changed a
//     square within 4 of Z.
//
// The board after an option that changes no square of Z needs no new detection: the
// same turn of the attacker still wins. After one that does, that turn is replayed
// first.
//
// A board is searched once for the same steps left, whatever order of options leads to it. Where
// options are unused, that is must still conflict with something, what is searched depends on
// them and on the threat, and so only the same unused options after the same board on which
// the threat was found count as the same.
//
// Where the attacker would not win if the defender stopped, as after most quiet turns,
// Z is the whole board, and the first reply that is looked at usually holds; the
// unchanged board is no reply, which is all that zugzwang takes.
func (d *Detector) Holds(p *arimaa.Position) (arimaa.Turn, bool) {
	attacker := p.Side().Other()
	b := orient(&p.Board, attacker)
	f := &d.defence
	found := f.recall(&b)
	if !found {
		if t, ok := d.CanWin(p, &p.Board); ok {
			return t, true
		}
		f.visit = nil
		if found = f.run(&b); found {
			f.replies.add(f.reply)
		}
	}
	t := f.reply
	if attacker == arimaa.Silver {
		t = t.Swapped()
	}
	return t, found
}

// Defences calls visit with each distinct result of a turn of the defender, to move at
// the start of his turn at p, that leaves the attacker no win in one turn, and with a turn that
// leads to it, until visit returns false. The defender must have no win himself, and
// the game must not be over. See Holds.
func (d *Detector) Defences(p *arimaa.Position, visit func(b *arimaa.Board, t arimaa.Turn) bool) {
	attacker := p.Side().Other()
	b := orient(&p.Board, attacker)
	f := &d.defence
	f.visit = func(b *arimaa.Board) bool {
		t := f.turn()
		if attacker == arimaa.Silver {
			swapped := b.Swapped()
			return visit(&swapped, t.Swapped())
		}
		return visit(b, t)
	}
	f.run(&b)
}

// Forget makes Holds and Defences forget what helped lately, which only affects how fast
// they are.
func (d *Detector) Forget() { d.defence.replies, d.defence.wins = recent{}, recent{} }

// Looked returns the number of replies that Holds and Defences have looked at since it was
// called last.
func (d *Detector) Looked() uint64 {
	n := d.defence.looked
	d.defence.looked = 0
	return n
}

// defence is the search for replies that hold. Gold attacks, Silver defends.
type defence struct {
	path    [arimaa.StepsPerTurn]arimaa.Option
	length  int
	pending []pending
	level   [arimaa.StepsPerTurn]pending // those that are being searched: the list may move
	seen    boardSet
	visit   func(*arimaa.Board) bool // nil: the first reply that holds ends the search
	found   arimaa.Board             // after a reply that holds
	reply   arimaa.Turn              // that holds
	replies recent
	wins    recent // turns of the attacker that won lately
	looked  uint64
	threats int // boards on which threats were found, besides the start
}

// pending is a board after an option that is to be searched further.
type pending struct {
	board  arimaa.Board
	option arimaa.Option
	left   uint8
	threat
}

// threat is a turn that wins for the attacker if the defender stops.
type threat struct {
	line arimaa.Turn
	on   arimaa.Bitboard // what it leans on; everywhere: there is no such turn
	open unused
	id   int // number of the board on which it was found
}

// unused holds, for each option since the threat was found that no later option conflicts
// with, the squares within 2 of those that it changed, in increasing order, and zeros behind
// them. An option conflicts with it only if it changes one of them.
type unused [3]arimaa.Bitboard

// after returns what is left unused after an option that changed some squares.
func (u unused) after(changed arimaa.Bitboard) (rest unused) {
	if u[0] == 0 {
		return u
	}
	n := 0
	for _, area := range u {
		if area != 0 && area&changed == 0 {
			rest[n] = area
			n++
		}
	}
	return rest
}

// with adds an option that changed some squares. There is room: each took a step, and one
// is left.
func (u unused) with(changed arimaa.Bitboard) unused {
	area := grow(grow(changed))
	for i := range u {
		if u[i] == 0 || area < u[i] {
			u[i], area = area, u[i]
			if area == 0 {
				break
			}
		}
	}
	return u
}

// turn returns the options played so far.
func (f *defence) turn() (t arimaa.Turn) {
	for _, o := range f.path[:f.length] {
		t = t.WithOption(o)
	}
	return t
}

// attack looks for a win of Gold this turn: the turn given, then recent ones, then any.
// Found, it replaces turn, and on is what it leans on.
func (f *defence) attack(b *arimaa.Board, turn *arimaa.Turn) (wins bool, on arimaa.Bitboard) {
	f.looked++
	if wins, on = lean(*b, turn); wins {
		return true, on
	}
	for i := range f.wins.n {
		if wins, on = lean(*b, &f.wins.turns[i]); wins {
			*turn = f.wins.turns[i]
			f.wins.raise(i)
			return true, on
		}
	}
	found, t := findWin(b)
	if !found {
		return false, 0
	}
	if *turn = t; t.Len() > 0 {
		f.wins.add(t)
	}
	if wins, on = lean(*b, turn); !wins {
		on = everywhere
	}
	return true, on
}

// run searches all replies to the board b at the start of Silver's turn, and tells
// whether it was ended by a reply that holds, which is then in reply. One reply that
// holds is looked for among those of two steps first: most take no more.
func (f *defence) run(b *arimaa.Board) bool {
	f.length = 0
	var t threat
	wins, on := f.attack(b, &t.line)
	if t.on = on; !wins {
		t.on = everywhere
	}
	steps := 2
	if f.visit != nil {
		steps = arimaa.StepsPerTurn
	}
	for ; steps <= arimaa.StepsPerTurn; steps += 2 {
		f.pending = f.pending[:0]
		f.seen.clear()
		f.seen.add(b, unused{}, 0, steps)
		f.threats = 0
		if f.search(b, steps, &t) {
			return true
		}
	}
	return false
}

// search tries the options of Silver at a board with left steps left, where Gold threatens t.
func (f *defence) search(b *arimaa.Board, left int, t *threat) bool {
	first := len(f.pending)
	own, empty := b.Of(arimaa.Silver), ^b.Occupied()
	enemy := ^empty ^ own
	rabbits := b.Rabbits(arimaa.Silver)
	movers := own &^ b.Frozen(arimaa.Silver)

	r := t.reach()
	zone := singlesZone(t.on, left, own, &r)
	from := movers & grow(zone)
	if left <= 2 {
		// Every option that is not used yet has to be used now, or with two steps left, by
		// the step after this one if that can be near enough.
		for _, area := range t.open {
			if area != 0 && (left == 1 || area&r.two == 0) {
				from &= grow(area)
			}
		}
	}
	for ; from != 0; from = from.Rest() {
		at := from.First()
		targets := at.Beside() & empty
		if rabbits.Has(at) {
			targets &^= at.Set() << 8
		}
		if !zone.Has(at) {
			targets &= zone
		}
		for ; targets != 0; targets = targets.Rest() {
			to := targets.First()
			c := *b
			changed := at.Set() | to.Set() | c.Displace(at, to)
			if open, ok := t.next(changed, left-1, &r); ok &&
				f.try(&c, changed, left-1, arimaa.SingleStep(arimaa.StepBetween(b.At(at), at, to)), t, open) {
				return true
			}
		}
	}
	if left >= 2 && f.doubles(b, left, t, &r, movers&^rabbits&enemy.Neighbors(), enemy, empty) {
		return true
	}
	for i := first; i < len(f.pending); i++ {
		f.path[f.length] = f.pending[i].option
		f.length++
		next := &f.level[f.length-1]
		*next = f.pending[i]
		found := f.search(&next.board, int(next.left), &next.threat)
		f.length--
		if found {
			return true
		}
	}
	f.pending = f.pending[:first]
	return false
}

// doubles tries the pushes and pulls of the movers.
func (f *defence) doubles(b *arimaa.Board, left int, t *threat, r *reach, movers, enemy, empty arimaa.Bitboard) bool {
	zone := doublesZone(t.on, left, ^empty, r)
	for ; movers != 0; movers = movers.Rest() {
		from := movers.First()
		piece := b.At(from)
		victims := from.Beside() & enemy &^ b.AtLeast(arimaa.Gold, piece.Kind())
		for ; victims != 0; victims = victims.Rest() {
			at := victims.First()
			victim := b.At(at)
			pushes, pulls := at.Beside()&empty, from.Beside()&empty
			if (from.Set()|at.Set())&zone == 0 {
				pushes &= zone
				pulls &= zone
			}
			for ; pushes != 0; pushes = pushes.Rest() {
				to := pushes.First()
				c := *b
				changed := from.Set() | at.Set() | to.Set() | c.Displace(at, to)
				changed |= c.Displace(from, at)
				if open, ok := t.next(changed, left-2, r); ok && f.try(&c, changed, left-2,
					arimaa.PushOrPull(arimaa.StepBetween(victim, at, to), arimaa.StepBetween(piece, from, at)), t, open) {
					return true
				}
			}
			for ; pulls != 0; pulls = pulls.Rest() {
				to := pulls.First()
				c := *b
				changed := from.Set() | at.Set() | to.Set() | c.Displace(from, to)
				changed |= c.Displace(at, from)
				if open, ok := t.next(changed, left-2, r); ok && f.try(&c, changed, left-2,
					arimaa.PushOrPull(arimaa.StepBetween(piece, from, to), arimaa.StepBetween(victim, at, from)), t, open) {
					return true
				}
			}
		}
	}
	return false
}

// reach is how far from a threat an option may be.
type reach struct {
	two, four arimaa.Bitboard // the squares within 2 and within 4 of those it leans on
}

func (t *threat) reach() reach {
	two := grow(grow(t.on))
	return reach{two, grow(grow(two))}
}

// next tells whether an option that changed some squares, with left steps left behind it,
// has to be looked at, and what is unused after it.
func (t *threat) next(changed arimaa.Bitboard, left int, r *reach) (open unused, ok bool) {
	switch {
	case changed&t.on != 0:
		for _, area := range t.open {
			if area != 0 && area&changed == 0 {
				return open, false
			}
		}
		return open, true
	case left == 0 || left == 1 && changed&r.four == 0:
		return open, false
	case left == 1:
		for _, area := range t.open {
			if area != 0 && area&(changed|r.two) == 0 {
				return open, false
			}
		}
	}
	return t.open.after(changed).with(changed), true
}

// singlesZone returns squares of which a single step of a piece of own must leave or enter
// one to be of use, with left steps left before it. A step also changes the trap
// beside the square it leaves, if it captures there.
func singlesZone(on arimaa.Bitboard, left int, own arimaa.Bitboard, r *reach) arimaa.Bitboard {
	switch left {
	case 1:
		return on | (on & arimaa.Traps & own).Neighbors()
	case 2:
		return withTrapsides(r.four)
	}
	return everywhere
}

// doublesZone does the same for pushes and pulls.
func doublesZone(on arimaa.Bitboard, left int, occupied arimaa.Bitboard, r *reach) arimaa.Bitboard {
	switch left {
	case 2:
		return on | (on & arimaa.Traps & occupied).Neighbors()
	case 3:
		return withTrapsides(r.four)
	}
	return everywhere
}

// withTrapsides adds the squares from which a piece that leaves may cause a capture in the set.
func withTrapsides(z arimaa.Bitboard) arimaa.Bitboard {
	return z | (z & arimaa.Traps).Neighbors()
}

// try looks at the board c after an option that changed some squares and leaves some unused.
func (f *defence) try(c *arimaa.Board, changed arimaa.Bitboard, left int, o arimaa.Option, t *threat, open unused) bool {
	more, known := f.seen.add(c, open, t.id, left)
	if !more {
		return false
	}
	next := threat{t.line, t.on, open, t.id}
	if changed&t.on != 0 {
		f.threats++
		next.id = f.threats
		wins, on := f.attack(c, &next.line)
		if next.on = on; !wins {
			next.on = everywhere
			if !known {
				f.path[f.length] = o
				f.length++
				stop := f.holds(c)
				f.length--
				if stop {
					return true
				}
			}
		}
	}
	if left > 0 {
		f.pending = append(f.pending, pending{*c, o, uint8(left), next})
	}
	return false
}

// holds takes note of a reply that holds and tells whether the search ends with it.
func (f *defence) holds(c *arimaa.Board) bool {
	if f.visit != nil {
		f.found = *c // for a caller of whom nothing is known; c itself stays on the stack
		return !f.visit(&f.found)
	}
	f.reply = f.turn()
	return true
}

// recall tries the replies that held lately.
func (f *defence) recall(b *arimaa.Board) bool {
	for i := range f.replies.n {
		c := *b
		var on arimaa.Bitboard
		f.looked++
		if replay(&c, arimaa.Silver, &f.replies.turns[i], &on) && c != *b && held(&c) {
			f.reply = f.replies.turns[i]
			f.replies.raise(i)
			return true
		}
	}
	return false
}

// held tells whether Gold has no win this turn on a board that Silver's turn led to,
// or has lost by it.
func held(b *arimaa.Board) bool {
	if b.Rabbits(arimaa.Silver)&rank1 != 0 || b.Rabbits(arimaa.Gold) == 0 {
		return true
	}
	if _, wins := anyGoal(b, arimaa.StepsPerTurn); wins {
		return false
	}
	found, _ := findOther(b)
	return !found
}

// findWin looks for a win of Gold this turn, by itself.
func findWin(b *arimaa.Board) (bool, arimaa.Turn) {
	if found, t := goalRank(b, arimaa.StepsPerTurn); found != None {
		return true, t
	}
	return findOther(b)
}

// findOther looks for a win of Gold this turn other than by a goal.
func findOther(b *arimaa.Board) (bool, arimaa.Turn) {
	found, t := eliminate(b, arimaa.StepsPerTurn)
	if found == None {
		found, t = immobilise(b, b, arimaa.StepsPerTurn)
	}
	return found != None, t
}

// recent is a short list of turns, the latest successful first.
type recent struct {
	turns [16]arimaa.Turn
	n     int
}

// raise moves turn i one place to the front.
func (r *recent) raise(i int) {
	if i > 0 {
		r.turns[i], r.turns[i-1] = r.turns[i-1], r.turns[i]
	}
}

// add puts a turn in front; the last one is forgotten when the list is full.
func (r *recent) add(t arimaa.Turn) {
	r.n = min(r.n+1, len(r.turns))
	copy(r.turns[1:r.n], r.turns[:r.n-1])
	r.turns[0] = t
}
