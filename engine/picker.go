package engine

import (
	"math"

	"goalproof/arimaa"
	"goalproof/engine/ordering"
	"goalproof/tables"
)

// move is a choice of the search at a node: up to four steps, or none to end the turn.
type move struct {
	turn   arimaa.Turn
	option arimaa.Option // the turn if it is a single option, which is legal
	score  int32
	late   bool // to be reduced
	urgent bool // may belong to a threat of a goal: neither late nor left out
	later  bool // to be reduced by more
}

// picker is a move picker: it yields the moves of a node in the order in which they are searched
// (Wu 2015, sections 5.2 and 5.4). That is the move of the transposition table, the defence against
// a threat, killers, captures, then single options and the end of the turn, in the order that was
// learned (package ordering). Without it tactical options come first.
type picker struct {
	w         *worker
	p         *arimaa.Position
	k, level  int
	tableTurn arimaa.Turn // of the transposition table
	stage     stage
	i         int
	urgent    int // urgent moves yielded
	tried     [2 + maxKillers]arimaa.Turn
	n         int  // of tried
	ranked    bool // options are late by their place in the order
	most      int  // ranked options after so many are left out
}

type stage uint8

const (
	tableStage stage = iota
	defenceStage
	killerStage
	captureStage
	optionStage
	deferredStage // moves that another worker was searching
)

func (w *worker) newPicker(p *arimaa.Position, k, level int, entry tables.Score) picker {
	w.stack[level].deferred = w.stack[level].deferred[:0]
	l := picker{w: w, p: p, k: k, level: level, most: math.MaxInt}
	if level == 0 {
		for i := w.run.limits.Prefix.Len(); i < w.first.Len(); i++ {
			l.tableTurn = l.tableTurn.With(w.first.Step(i))
		}
	}
	if l.tableTurn.Len() == 0 && entry.Turn != 0 {
		if t, _, ok := p.DecodePart(entry.Turn); ok {
			l.tableTurn = t
		}
	}
	return l
}

// next returns the next move, which need not be legal.
func (l *picker) next() (m move, ok bool) {
	for {
		switch l.stage {
		case tableStage:
			l.stage = defenceStage
			if l.untried(l.tableTurn) {
				return move{turn: l.tableTurn}, true
			}
		case defenceStage:
			l.stage = killerStage
			if b := &l.w.turnRoots[l.k]; l.p.StepsLeft() == arimaa.StepsPerTurn && l.untried(b.defence) {
				return move{turn: b.defence}, true
			}
		case killerStage:
			if t, ok := l.nextKiller(); ok {
				return move{turn: t}, true
			}
			l.stage, l.i = captureStage, 0
			l.findCaptures()
		case captureStage:
			if t, ok := l.nextCapture(); ok {
				return move{turn: t}, true
			}
			l.stage, l.i = optionStage, 0
			l.options()
		case optionStage:
			if m, ok := l.nextOption(); ok {
				return m, true
			}
			l.stage, l.i = deferredStage, 0
		case deferredStage:
			deferred := l.w.stack[l.level].deferred
			if l.i == len(deferred) {
				return move{}, false
			}
			l.i++
			return deferred[l.i-1], true
		}
	}
}

func (l *picker) nextKiller() (t arimaa.Turn, ok bool) {
	for all := l.w.killersAt(l.p, l.k); l.w.has(Killers) && l.i < all.n; {
		l.i++
		if t := all.turns[l.i-1]; l.untried(t) {
			return t, true
		}
	}
	return t, false
}

func (l *picker) findCaptures() {
	c := &l.w.captures[l.level]
	if l.w.has(Hybrid) {
		c.list(l.p)
	} else {
		c.found = c.found[:0]
	}
}

// nextCapture returns the capture of the strongest piece among those that are left.
func (l *picker) nextCapture() (t arimaa.Turn, ok bool) {
	all := l.w.captures[l.level].found
	if l.i == len(all) {
		return t, false
	}
	best := l.i
	for i := l.i + 1; i < len(all); i++ {
		if all[i].victim > all[best].victim {
			best = i
		}
	}
	all[l.i], all[best] = all[best], all[l.i]
	l.i++
	return all[l.i-1].turn, true
}

// nextOption returns the option with the highest score among those that are left. After most ranked
// options it returns the end of the turn alone.
func (l *picker) nextOption() (m move, ok bool) {
	moves := l.w.stack[l.level].moves
	if l.i == len(moves) {
		return m, false
	}
	if l.ranked && l.i-l.urgent >= l.most {
		rest := moves[l.i:]
		l.i = len(moves)
		for _, m := range rest {
			if m.option == 0 {
				return m, true
			}
		}
		return m, false
	}
	best := l.i
	for i := l.i + 1; i < len(moves); i++ {
		if moves[i].score > moves[best].score {
			best = i
		}
	}
	moves[l.i], moves[best] = moves[best], moves[l.i]
	m = moves[l.i]
	l.i++
	if m.urgent {
		l.urgent++
	} else if l.ranked && m.turn.Len() > 0 {
		m.late, m.later = l.i-l.urgent > lateFrom, l.i-l.urgent > laterFrom
	}
	return m, true
}

// The numbers of options at a node after which another is late (reduced by one step), later (by
// two) and unlikely (left out close to the horizon).
const (
	lateFrom     = 3
	laterFrom    = 8
	unlikelyFrom = 12
)

// untried reports whether a turn has not been yielded yet, and records it.
func (l *picker) untried(t arimaa.Turn) bool {
	if t.Len() == 0 || t.Len() > l.p.StepsLeft() {
		return false
	}
	for _, old := range l.tried[:l.n] {
		if old == t {
			return false
		}
	}
	l.tried[l.n] = t
	l.n++
	return true
}

// Bonuses in the order of options, in the units of the learned order.
const (
	prefixScore = 32 * ordering.One // the option begins the turn of the transposition table
	urgentScore = 16 * ordering.One // it may belong to a threat of a goal

	// Without a learned order:
	tacticalScore = 16 * ordering.One
	endScore      = 8 * ordering.One
)

// options lists the single options of the node with their scores, and the end of the turn.
func (l *picker) options() {
	w, p := l.w, l.p
	at := &w.stack[l.level]
	at.moves = at.moves[:0]
	l.ranked = w.ordering != nil
	var context moveContext
	if w.ordering == nil {
		context = newMoveContext(&p.Board, p.Side())
	} else {
		var before *arimaa.Board
		if l.k > 0 {
			before = &w.turnRoots[l.k-1].board
		}
		w.context.Set(p, &w.turnRoots[l.k].board, before)
	}
	var zone goalZone
	if l.ranked {
		zone = newGoalZone(&p.Board, p.Side())
	}
	w.options = p.Options(w.options[:0])
	for _, o := range w.options {
		m := move{turn: arimaa.Turn{}.WithOption(o), option: o}
		if zone.has(o) {
			m.urgent = true
			m.score += urgentScore
		}
		if w.ordering != nil {
			m.score += w.ordering.Score(&w.context, o)
		} else {
			m.score += context.prior(o)
			switch tactical := context.tactical(o); {
			case !w.has(Hybrid):
			case tactical:
				m.score += tacticalScore
			default:
				m.late = true
			}
		}
		if l.tableTurn.Len() >= o.Steps() && l.tableTurn.Step(0) == o.First() && (o.Steps() == 1 || l.tableTurn.Step(1) == o.Second()) {
			m.score += prefixScore
		}
		at.moves = append(at.moves, m)
	}
	switch {
	case p.Board == w.turnRoots[l.k].board:
	case w.ordering != nil:
		at.moves = append(at.moves, move{score: w.ordering.End(&w.context)})
	default:
		at.moves = append(at.moves, move{score: endScore})
	}
}

// maxKillers is the number of killers for each turn on the line and number of steps left.
const maxKillers = 8

// killers are turns, or rests of turns, that caused a cutoff at other nodes of the same turn on the
// line with as many steps left, the latest first (killer heuristic; Wu 2015, section 4.2.2).
type killers struct {
	turns [maxKillers]arimaa.Turn
	n     int
}

func (w *worker) killersAt(p *arimaa.Position, k int) *killers { return &w.killers[k][p.StepsLeft()] }

// add makes a turn the latest killer. An empty one, the end of the turn, is none.
func (k *killers) add(t arimaa.Turn) {
	if t.Len() == 0 {
		return
	}
	i := 0
	for i < k.n && k.turns[i] != t {
		i++
	}
	if i == k.n {
		k.n = min(k.n+1, maxKillers)
		i = k.n - 1
	}
	copy(k.turns[1:i+1], k.turns[:i])
	k.turns[0] = t
}

// goalZone holds what may belong to a threat of a goal: a side's advanced rabbits, and the squares
// before and beside them.
type goalZone struct {
	rabbits arimaa.Bitboard
	squares arimaa.Bitboard
}

// advancedRanks is the number of ranks to the goal from which a rabbit is advanced.
const advancedRanks = 3

func newGoalZone(b *arimaa.Board, side arimaa.Side) (z goalZone) {
	near := arimaa.GoalRank(side)
	for range advancedRanks {
		near |= near.Shift(side.Other().Forward())
	}
	z.rabbits = b.Rabbits(side) & near
	if z.rabbits == 0 {
		return z
	}
	z.squares = z.rabbits | z.rabbits.Shift(arimaa.East) | z.rabbits.Shift(arimaa.West)
	for range advancedRanks {
		z.squares |= z.squares.Shift(side.Forward())
	}
	return z
}

// has reports whether an option moves an advanced rabbit, or an enemy piece from the zone.
func (z *goalZone) has(o arimaa.Option) bool {
	if z.rabbits == 0 {
		return false
	}
	own, enemy := o.Split()
	if enemy == 0 {
		return z.rabbits.Has(own.From())
	}
	return z.squares.Has(enemy.From())
}
