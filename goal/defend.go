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
// decides about a capture. Options that do not conflict may change places, with the
// same result. So the options that m does not need, directly or through others, may
// be put behind it, and the search may suppose that the next option is m or one that m
// needs:
//
//   - when no step is left behind an option, it must change a square of Z itself;
//   - when one step is left behind it, the next option is m, a single step, and must
//     conflict with it. A step and what it captures are within 2 squares of the square
//     of Z that it changes, what matters to it within 3 of that; what matters to
//     an option is within 2 of what it changes. So the option changes a square within 4 of Z;
//   - otherwise nothing is left out.
//
// The board after an option that changes no square of Z needs no new detection: the
// same turn of the attacker still wins. After one that does, that turn is replayed
// first. A board is searched once for the same number of steps left, whatever order of
// options leads to it.
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
	seen    boardSet
	visit   func(*arimaa.Board) bool // nil: the first reply that holds ends the search
	reply   arimaa.Turn              // that holds
	replies recent
	wins    recent // turns of the attacker that won lately
	looked  uint64
}

// pending is a board after an option that is to be searched further.
type pending struct {
	board  arimaa.Board
	option arimaa.Option
	left   uint8
	line   arimaa.Turn // wins for the attacker there, unless on is everywhere
	on     arimaa.Bitboard
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
	*turn = t
	f.wins.add(t)
	if wins, on = lean(*b, turn); !wins {
		panic("goal: a turn that was found to win does not win")
	}
	return true, on
}

// run searches all replies to the board b at the start of Silver's turn, and tells
// whether it was ended by a reply that holds, which is then in reply.
func (f *defence) run(b *arimaa.Board) bool {
	f.length = 0
	f.pending = f.pending[:0]
	f.seen.clear()
	f.seen.add(b, arimaa.StepsPerTurn)
	var line arimaa.Turn
	wins, on := f.attack(b, &line)
	if !wins {
		on = everywhere
	}
	return f.search(b, arimaa.StepsPerTurn, &line, on)
}

// search tries the options of Silver at a board with left steps left, where line wins for
// Gold and leans on the squares on.
func (f *defence) search(b *arimaa.Board, left int, line *arimaa.Turn, on arimaa.Bitboard) bool {
	first := len(f.pending)
	own, empty := b.Of(arimaa.Silver), ^b.Occupied()
	enemy := ^empty ^ own
	rabbits := b.Rabbits(arimaa.Silver)
	movers := own &^ b.Frozen(arimaa.Silver)
	zone := on
	switch left {
	case 1:
		// A step changes the squares that it leaves and enters, or captures beside the one it leaves.
		zone |= (on & arimaa.Traps & own).Neighbors()
	case 2:
		zone = near(on)
	default:
		zone = everywhere
	}
	for rest := movers & grow(zone); rest != 0; rest = rest.Rest() {
		from := rest.First()
		targets := from.Beside() & empty
		if rabbits.Has(from) {
			targets &^= from.Set() << 8
		}
		if !zone.Has(from) {
			targets &= zone
		}
		for ; targets != 0; targets = targets.Rest() {
			to := targets.First()
			c := *b
			changed := from.Set() | to.Set() | c.Displace(from, to)
			if left == 1 && changed&on == 0 {
				continue
			}
			if f.try(&c, changed, left-1, arimaa.SingleStep(arimaa.StepBetween(b.At(from), from, to)), line, on) {
				return true
			}
		}
	}
	if left >= 2 {
		switch left {
		case 2:
			zone = on | (on & arimaa.Traps & (own | enemy)).Neighbors()
		case 3:
			zone = near(on)
		}
		for rest := movers &^ rabbits & enemy.Neighbors(); rest != 0; rest = rest.Rest() {
			from := rest.First()
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
					if left == 2 && changed&on == 0 {
						continue
					}
					o := arimaa.PushOrPull(arimaa.StepBetween(victim, at, to), arimaa.StepBetween(piece, from, at))
					if f.try(&c, changed, left-2, o, line, on) {
						return true
					}
				}
				for ; pulls != 0; pulls = pulls.Rest() {
					to := pulls.First()
					c := *b
					changed := from.Set() | at.Set() | to.Set() | c.Displace(from, to)
					changed |= c.Displace(at, from)
					if left == 2 && changed&on == 0 {
						continue
					}
					o := arimaa.PushOrPull(arimaa.StepBetween(piece, from, to), arimaa.StepBetween(victim, at, from))
					if f.try(&c, changed, left-2, o, line, on) {
						return true
					}
				}
			}
		}
	}
	for i := first; i < len(f.pending); i++ {
		next := f.pending[i]
		f.path[f.length] = next.option
		f.length++
		found := f.search(&next.board, int(next.left), &next.line, next.on)
		f.length--
		if found {
			return true
		}
	}
	f.pending = f.pending[:first]
	return false
}

// near returns the squares of which an option must leave or enter one to change
// something within 4 of the set: they, and those from which it captures there.
func near(on arimaa.Bitboard) arimaa.Bitboard {
	z := grow(grow(grow(grow(on))))
	return z | (z & arimaa.Traps).Neighbors()
}

// try looks at the board c after an option that changed some squares.
func (f *defence) try(c *arimaa.Board, changed arimaa.Bitboard, left int, o arimaa.Option, line *arimaa.Turn, on arimaa.Bitboard) bool {
	more, known := f.seen.add(c, left)
	if !more {
		return false
	}
	turn := *line
	if changed&on != 0 {
		var wins bool
		if wins, on = f.attack(c, &turn); !wins {
			on = everywhere
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
		f.pending = append(f.pending, pending{*c, o, uint8(left), turn, on})
	}
	return false
}

// holds takes note of a reply that holds and tells whether the search ends with it.
func (f *defence) holds(c *arimaa.Board) bool {
	if f.visit != nil {
		return !f.visit(c)
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
	found, _ := findWin(b)
	return !found
}

// findWin looks for a win of Gold this turn, by itself.
func findWin(b *arimaa.Board) (bool, arimaa.Turn) {
	found, t := goalRank(b, arimaa.StepsPerTurn)
	if found == None {
		found, t = eliminate(b, arimaa.StepsPerTurn)
	}
	if found == None {
		found, t = immobilise(b, b, arimaa.StepsPerTurn)
	}
	return found != None, t
}

// recent is a short list of turns, the latest successful first.
type recent struct {
	turns [6]arimaa.Turn
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
