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

// Turns lists the turns of a position at the start of a turn, the best first: one for each distinct result, with the fewest
// steps. The error wraps ErrUnknown where a result is in no table.
func (ts *Tables) Turns(p *arimaa.Position) (all []TurnValue, err error) {
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
		if a.Over != b.Over && a.Value == b.Value {
			// A loss at once is worse than one after the opponent's turn, and a win at once cannot be had later.
			if a.Over {
				return 1
			}
			return -1
		}
		return b.Value.score() - a.Value.score()
	})
	return all, nil
}

// after returns what a board is worth to the side that has just ended its turn, and whether that ended the game. A
// game that the turn loses is a loss in 1, like one that the opponent wins with his next turn.
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
	if n, ok := v.Loss(); ok {
		return WinIn(n + 1), false, nil
	}
	if n, ok := v.Win(); ok {
		return LossIn(n), false, nil
	}
	return Neither, false, nil
}

// Line returns the turns of best play from a position that one side wins, to the end of the game, as records write
// them.
func (ts *Tables) Line(p arimaa.Position) (turns []string, err error) {
	for {
		all, err := ts.Turns(&p)
		if err != nil {
			return nil, err
		}
		if len(all) == 0 || all[0].Value == Neither {
			return turns, nil
		}
		best := all[0]
		turns = append(turns, p.Notation(best.Turn))
		if best.Over {
			return turns, nil
		}
		p = arimaa.NewPosition(best.After, p.Side().Other())
	}
}
