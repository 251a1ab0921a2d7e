package engine

import (
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/tables"
)

// move is something to do at a point of a turn: up to four steps, or none, which ends the turn.
type move struct {
	turn  arimaa.Turn
	score int32
	late  bool // nothing speaks for it: searched less deep
}

// lister lists what to do at a point, the most promising first (Wu 2015, sections 5.2 and 5.4): what the
// table has as the best, the reply that stops a threat, killers, captures, then the options, tactical ones
// first, and ending the turn. The turns and captures are of any length.
type lister struct {
	w      *worker
	p      *arimaa.Position
	k, ply int
	hint   arimaa.Turn // from the table
	stage  stage
	i      int
	tried  [2 + maxKillers]arimaa.Turn
	n      int  // of tried
	cut    bool // something was left out that cannot stop the threat
}

type stage uint8

const (
	hintStage stage = iota
	replyStage
	killerStage
	captureStage
	optionStage
)

func (w *worker) lister(p *arimaa.Position, k, ply int, entry tables.Score) lister {
	l := lister{w: w, p: p, k: k, ply: ply}
	if ply == 0 {
		for i := w.run.limits.Begins.Len(); i < w.first.Len(); i++ {
			l.hint = l.hint.With(w.first.Step(i))
		}
	}
	if l.hint.Len() == 0 && entry.Turn != 0 {
		if t, _, ok := p.DecodePart(entry.Turn); ok {
			l.hint = t
		}
	}
	return l
}

// next returns the next move; it need not be legal.
func (l *lister) next() (m move, ok bool) {
	w := l.w
	switch l.stage {
	case hintStage:
		l.stage++
		if l.fresh(l.hint) {
			return move{turn: l.hint}, true
		}
		fallthrough
	case replyStage:
		l.stage++
		if b := &w.begins[l.k]; l.p.StepsLeft() == arimaa.StepsPerTurn && l.fresh(b.reply) {
			return move{turn: b.reply}, true
		}
		fallthrough
	case killerStage:
		for all := w.killersAt(l.p, l.k); w.has(Killers) && l.i < all.n; {
			l.i++
			if t := all.turns[l.i-1]; l.fresh(t) {
				return move{turn: t}, true
			}
		}
		l.stage, l.i = captureStage, 0
		if w.has(Hybrid) {
			w.captures[l.ply].list(l.p)
		} else {
			w.captures[l.ply].found = w.captures[l.ply].found[:0]
		}
		fallthrough
	case captureStage:
		if all := w.captures[l.ply].found; l.i < len(all) {
			best := l.i
			for i := l.i + 1; i < len(all); i++ {
				if all[i].prey > all[best].prey {
					best = i
				}
			}
			all[l.i], all[best] = all[best], all[l.i]
			l.i++
			return move{turn: all[l.i-1].turn}, true
		}
		l.stage, l.i = optionStage, 0
		l.options()
	}
	moves := w.points[l.ply].moves
	if l.i == len(moves) {
		return move{}, false
	}
	best := l.i
	for i := l.i + 1; i < len(moves); i++ {
		if moves[i].score > moves[best].score {
			best = i
		}
	}
	moves[l.i], moves[best] = moves[best], moves[l.i]
	l.i++
	return moves[l.i-1], true
}

// fresh tells whether a turn was not tried yet, and takes note of it.
func (l *lister) fresh(t arimaa.Turn) bool {
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

// What the score of an option is made of besides its history, which is less than historyLimit.
const (
	tacticalScore = 2 * historyLimit
	prefixScore   = 4 * historyLimit // it begins the turn that the table has as the best
	endScore      = historyLimit
)

// options lists the options at the point with their scores, and the end of the turn.
func (l *lister) options() {
	w, p := l.w, l.p
	at := &w.points[l.ply]
	at.moves = at.moves[:0]
	var on arimaa.Bitboard
	present := false
	if b := &w.begins[l.k]; b.wins && w.has(GoalRelevance) {
		on, present = w.threat(p, b)
	}
	look := look(&p.Board, p.Side())
	history := w.historyOf(l.k)
	w.options = p.Options(w.options[:0])
	for _, o := range w.options {
		if present && !relevant(o, p.StepsLeft(), on) {
			l.cut = true
			continue
		}
		m := move{turn: arimaa.Turn{}.WithOption(o), score: look.inclination(o)}
		if w.has(History) {
			m.score += history[historyIndex(o)]
		}
		switch tactical := look.tactical(o); {
		case !w.has(Hybrid) || present:
		case tactical:
			m.score += tacticalScore
		default:
			m.late = true
		}
		if l.hint.Len() >= o.Steps() && l.hint.Step(0) == o.First() && (o.Steps() == 1 || l.hint.Step(1) == o.Second()) {
			m.score += prefixScore
		}
		at.moves = append(at.moves, m)
	}
	switch {
	case p.Board == w.begins[l.k].board:
	case present:
		l.cut = true
	default:
		at.moves = append(at.moves, move{score: endScore})
	}
}

// threat tells whether the opponent would win if the turn ended at p, and what that leans on.
func (w *worker) threat(p *arimaa.Position, b *begin) (on arimaa.Bitboard, wins bool) {
	next := &w.threatened
	*next = p.EndTurn()
	if on, wins = goal.Leans(next, b.threat); wins {
		return on, true
	}
	t, wins := w.detector.CanWin(next, &next.Board)
	if !wins {
		return 0, false
	}
	on, wins = goal.Leans(next, t)
	return on, wins
}

// relevant tells whether an option with so many steps left before it may begin, or be, a part of a turn that
// stops a threat which leans on some squares (goal-relevance pruning, Wu 2015, section 4.3.3). The turn
// must change one of these squares. An option that does not is followed by one that it must conflict with, or the
// other order would do ([goal.Detector.Holds]): with one step left behind it, that is within 2
// squares of it and changes one of the squares itself.
func relevant(o arimaa.Option, left int, on arimaa.Bitboard) bool {
	changed := changes(o)
	switch left - o.Steps() {
	case 0:
		return changed&on != 0
	case 1:
		for range 4 {
			on |= on.Neighbors()
		}
		return changed&on != 0
	}
	return true
}

// changes returns all squares that an option may change.
func changes(o arimaa.Option) arimaa.Bitboard {
	first := o.First()
	from := first.From().Set()
	changed := from | first.To().Set()
	if o.Steps() == 2 {
		second := o.Second()
		from |= second.From().Set()
		changed |= from | second.To().Set()
	}
	return changed | from.Neighbors()&arimaa.Traps
}

// maxKillers is the number of killers for each turn on the line and number of steps left in it.
const maxKillers = 8

// killers are turns, or rests of turns, that were best at other points with as many steps left in the
// same turn of the line, the latest first (Wu 2015, section 4.2.2).
type killers struct {
	turns [maxKillers]arimaa.Turn
	n     int
}

func (w *worker) killersAt(p *arimaa.Position, k int) *killers { return &w.killers[k][p.StepsLeft()] }

func (k *killers) add(t arimaa.Turn) {
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

// The history table counts how often options were best (Wu 2015, section 4.2.3): steps by square and
// direction, pushes and pulls by their first step and the direction of the second.
const (
	historySize  = 64*4 + 64*4*4
	historyTurns = 8       // on the line; all later ones share the last
	historyLimit = 1 << 24 // when a count reaches it, all are halved
)

func historyIndex(o arimaa.Option) int {
	first := int(o.First().From())*4 + int(o.First().Direction())
	if o.Steps() == 1 {
		return first
	}
	return 64*4 + first*4 + int(o.Second().Direction())
}

func (w *worker) historyOf(k int) *[historySize]int32 { return &w.history[min(k, historyTurns-1)] }

// fade makes the history count less than what comes.
func (w *worker) fade() {
	for k := range w.history {
		for i := range w.history[k] {
			w.history[k][i] /= 8
		}
	}
}

// remember takes note of a turn, or the rest of one, that was good enough at a point.
func (w *worker) remember(p *arimaa.Position, k int, t arimaa.Turn, depth int) {
	if t.Len() == 0 {
		return
	}
	w.killersAt(p, k).add(t)
	o := arimaa.SingleStep(t.Step(0))
	if t.Len() >= 2 {
		// Its first option is a push or pull if exactly one of the first two steps is of the enemy's pieces and
		// they are joined.
		first, second := t.Step(0), t.Step(1)
		if first.Piece().Side() != second.Piece().Side() && second.To() == first.From() {
			o = arimaa.PushOrPull(first, second)
		}
	}
	h := w.historyOf(k)
	i := historyIndex(o)
	h[i] += int32(depth * depth)
	if h[i] >= historyLimit {
		for i := range h {
			h[i] /= 2
		}
	}
}
