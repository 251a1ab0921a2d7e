package endgame

import (
	"errors"
	"fmt"
	"slices"

	"goalproof/arimaa"
)

// TurnValue is a turn with what it is worth to the side that makes it.
type TurnValue struct {
	Turn  arimaa.Turn
	After arimaa.Board
	Value Value
	Over  bool // the turn ends the game, by a win in 1 or a loss in 1
}

// ErrUnknown is wrapped by the error about a position that no open table knows.
var ErrUnknown = errors.New("no table knows this position")

// Turns lists the turns of a position at the start of a turn, the best first: one for each distinct
// result, with the fewest steps. The error says that there is no such position, or wraps ErrUnknown
// where a result is in no table.
func (ts *Tables) Turns(p *arimaa.Position) (all []TurnValue, err error) {
	if err := p.CheckStart(); err != nil {
		return nil, err
	}
	var g arimaa.Generator
	for i := range g.Generate(p) {
		b := g.Board(i)
		v, ended, err := ts.after(b, p.Side())
		if err != nil {
			return nil, err
		}
		all = append(all, TurnValue{g.Turn(i), *b, v, ended})
	}
	slices.SortStableFunc(all, func(a, b TurnValue) int {
		switch {
		case a.better(&b):
			return -1
		case b.better(&a):
			return 1
		}
		return 0
	})
	return all, nil
}

// after returns what a board is worth to the side that has just ended its turn, and whether that
// ended the game. A game that the turn loses is a loss in 1, like one that the opponent wins with
// his next turn.
func (ts *Tables) after(b *arimaa.Board, moved arimaa.Side) (v Value, ended bool, err error) {
	if o := b.Ended(moved); o.Over() {
		if o.Winner == moved {
			return WinIn(1), true, nil
		}
		return LossIn(1), true, nil
	}
	v, ok := ts.Probe(b, moved.Other())
	if !ok {
		p := arimaa.NewPosition(*b, moved.Other())
		return 0, false, errors.Join(fmt.Errorf("%v: %w", p, ErrUnknown), ts.Err())
	}
	return v.before(), false, nil
}

// Best returns one of the best turns of a position at the start of a turn: one that wins soonest,
// keeps that neither side can force a win, or loses as late as possible. Among turns that lose in 1
// it prefers one that does not end the game. It leaves out the turns that allow rejects; nil
// accepts all. The error says that there is no such position, wraps ErrUnknown if the game is over
// or a position is in no table, and is ErrNoTurn if allow rejects every turn.
func (ts *Tables) Best(p *arimaa.Position, allow func(after *arimaa.Position) bool) (best TurnValue, err error) {
	if err := p.CheckStart(); err != nil {
		return best, err
	}
	v, ok := ts.Probe(&p.Board, p.Side())
	if !ok {
		return best, errors.Join(fmt.Errorf("%v: %w", p, ErrUnknown), ts.Err())
	}
	var g arimaa.Generator
	found := false
	for i := range g.Generate(p) {
		b := g.Board(i)
		w, ended, err := ts.after(b, p.Side())
		if err != nil {
			return best, err
		}
		t := TurnValue{g.Turn(i), *b, w, ended}
		if found && !t.better(&best) {
			continue
		}
		if allow != nil {
			if next := g.Position(i, p.Side()); !allow(&next) {
				continue
			}
		}
		best, found = t, true
		if w == v && (v != LossIn(1) || !ended) {
			break
		}
	}
	if !found {
		return best, ErrNoTurn
	}
	return best, nil
}

// ErrNoTurn says that no turn is allowed.
var ErrNoTurn = errors.New("no turn is allowed")

// better reports whether a turn is better than another.
func (t *TurnValue) better(u *TurnValue) bool {
	if t.Value == u.Value && t.Over != u.Over {
		// A loss at once is worse than one after the opponent's turn, and a win at once cannot be
		// had later.
		return u.Over
	}
	return t.Value.Better(u.Value)
}

// Line returns the turns of best play from a position that one side wins, to the end of the game;
// no turn where neither can force a win. The error is as for Best.
func (ts *Tables) Line(p arimaa.Position) (line []TurnValue, err error) {
	for {
		best, err := ts.Best(&p, nil)
		if err != nil || best.Value == Neither {
			return line, err
		}
		line = append(line, best)
		if best.Over {
			return line, nil
		}
		p = arimaa.NewPosition(best.After, p.Side().Other())
	}
}
