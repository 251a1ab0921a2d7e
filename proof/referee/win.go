package referee

// WinIn reports whether the side to move has a win in n: docs/rules.md, "Definitions used by the
// solver". It wins by a turn of its own or the opponent's reply within n of its own turns, whatever
// the opponent does, the third repetition set aside. A win in fewer turns is a win in n as well,
// and n < 1 is no win. In the middle of a turn the rest of that turn is the first.
//
// This is the definition, by complete enumeration, and no way to solve anything: it is usable for n
// = 1, and for n = 2 with a handful of pieces.
func WinIn(st State, n int) bool {
	w := winner{known: map[question]bool{}}
	return w.winIn(st, n)
}

// WinIn reports whether the side to move has a win in n, as the function [WinIn] does, with the
// third-repetition rule in force: turns that would create a third occurrence may not be made, and
// row 6 of the table counts. The history must hold the position at the start of this turn. It is
// unchanged afterwards. It is slower yet than WinIn, because an answer holds for one history only.
func (h *History) WinIn(st State, n int) bool {
	w := winner{history: h}
	return w.winIn(st, n)
}

// winner asks for wins, with the repetition rule if it has a history and with a memory of its
// answers if it has none.
type winner struct {
	history *History
	known   map[question]bool
}

// question is a question for a win in n that has been answered.
type question struct {
	state State
	n     int
}

// winIn answers one question, from memory where it has been answered before.
func (w *winner) winIn(st State, n int) bool {
	if n < 1 {
		return false
	}
	if w.known == nil {
		return w.enumerate(st, n)
	}
	q := question{st, n}
	yes, asked := w.known[q]
	if !asked {
		yes = w.enumerate(st, n)
		w.known[q] = yes
	}
	return yes
}

// enumerate is the definition: a turn that wins at once, or one after which nothing is decided and
// no reply saves the opponent.
func (w *winner) enumerate(st State, n int) bool {
	opponent := st.Side.Other()
	undecided, wins := w.turns(st)
	if wins {
		return true
	}
	if n == 1 {
		return false
	}
	for _, b := range undecided {
		w.add(b, opponent)
		lost := w.everyReplyLoses(NewState(b, opponent), n-1)
		w.remove(b, opponent)
		if lost {
			return true
		}
	}
	return false
}

// everyReplyLoses reports whether, whatever turn is made from this state, its maker has lost at
// once or leaves a win in n. There is such a turn: otherwise row 5 or row 6 would have decided
// before.
func (w *winner) everyReplyLoses(st State, n int) bool {
	attacker := st.Side.Other()
	undecided, saved := w.turns(st)
	if saved {
		return false
	}
	for _, b := range undecided {
		w.add(b, attacker)
		wins := w.winIn(NewState(b, attacker), n)
		w.remove(b, attacker)
		if !wins {
			return false
		}
	}
	return true
}

// turns reports whether some turn from this state wins at once for its maker. If not, it lists the
// boards with which a turn may end and after which nobody has won.
func (w *winner) turns(st State) (undecided []Board, wins bool) {
	for b := range ends(st, nil) {
		if !w.allowed(b, st.Side.Other()) {
			continue
		}
		won, _, over := w.outcome(b, st.Side)
		if over && won == st.Side {
			return nil, true
		}
		if !over {
			undecided = append(undecided, b)
		}
	}
	return undecided, false
}

// outcome is the table, with row 6 if there is a history.
func (w *winner) outcome(b Board, moved Side) (won Side, reason Reason, over bool) {
	if w.history == nil {
		return Outcome(b, moved)
	}
	return w.history.Outcome(b, moved)
}

// allowed reports whether a turn may end with this board as far as repetition goes.
func (w *winner) allowed(b Board, next Side) bool {
	return w.history == nil || w.history.Allowed(b, next)
}

// add counts a position along the line that is being looked at.
func (w *winner) add(b Board, next Side) {
	if w.history != nil {
		w.history.Add(b, next)
	}
}

// remove takes it back.
func (w *winner) remove(b Board, next Side) {
	if w.history != nil {
		w.history.remove(b, next)
	}
}
