package describe

import (
	"context"
	"errors"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/solve"
)

// Win is the answer to the question whether a side wins.
type Win struct {
	// Verdict is Proved if the side wins within [Worth.Horizon] of its turns, Disproved if it does
	// not, Unknown if the time was up.
	Verdict answer.Verdict
	answer.Bounds
	Turn arimaa.Turn // that begins the win, if the side is to move
}

// Worth is what the turn is worth at a position: who wins if the side to move moves, and who wins
// if it passes, so that its opponent is to move on the same board. The third repetition is set
// aside. The rules allow no pass; it is a question about the position.
type Worth struct {
	Horizon int // wins within this many turns of the winner were looked for
	// Own and Opponent are the wins of the side to move, and those of its opponent whatever the side
	// to move plays.
	Own, Opponent Win
	// PassOwn and PassOpponent are the same after a pass: the wins of the side that has passed,
	// whatever its opponent plays, and those of its opponent, who is to move. The latter are threats.
	PassOwn, PassOpponent Win
	// Over reports whether the game is over at the position, or would be over if the opponent were to
	// move. Then nothing is said of a pass.
	Over bool
	Stop answer.Stop // why something is unknown, or Finished
}

// Zugzwang is a way in which the side to move would rather pass. The zero value says that none is
// proved.
type Zugzwang uint8

const (
	// NoZugzwang: none is proved.
	NoZugzwang Zugzwang = iota
	// Mutual: whoever is to move loses. The turn costs a whole point.
	Mutual
	// Losing: the side to move loses, but after a pass its opponent would not win within the horizon.
	Losing
	// Spoiling: after a pass the side to move would win, but it does not win within the horizon if it
	// has to move.
	Spoiling
	// Hastening: the side to move loses, and its opponent would need more turns after a pass.
	Hastening
	// Delaying: after a pass the side to move would win in fewer turns than if it has to move.
	Delaying
)

var zugzwangNames = [...]string{"none", "mutual", "losing", "spoiling", "hastening", "delaying"}

// String returns the kind in a word.
func (z Zugzwang) String() string { return zugzwangNames[z] }

// Zugzwang returns the kind of zugzwang that is proved; see the package documentation for the
// definitions.
func (w *Worth) Zugzwang() Zugzwang {
	switch lost, wins := w.Opponent.Within, w.PassOwn.Within; {
	case w.Over:
	case lost > 0 && wins > 0:
		return Mutual
	case lost > 0 && w.PassOpponent.Refuted >= w.Horizon:
		return Losing
	case lost > 0 && w.PassOpponent.Refuted >= lost:
		return Hastening
	case wins > 0 && w.Own.Refuted >= w.Horizon:
		return Spoiling
	case wins > 0 && w.Own.Refuted >= wins:
		return Delaying
	}
	return NoZugzwang
}

// Horizon returns the horizon for [Turn] that fits an answer: the turns of the shortest win that is
// known, or those within which there is none, but at least two.
func Horizon(a *solve.Answer) int {
	if a.Verdict == answer.Proved {
		return max(a.Within, 2)
	}
	return max(a.Refuted, 2)
}

// Turn finds out what the turn is worth at p, a position at the start of a turn, within horizon
// turns, 1 to [solve.MaxTurns]. A is the answer to the question about the side to move, with the
// third repetition set aside. When the context is done it returns what it knows. The error is one
// of the solver.
func Turn(ctx context.Context, s *solve.Solver, p arimaa.Position, a *solve.Answer, horizon int) (w Worth, err error) {
	w.Horizon = horizon
	ask := asker{ctx, s, horizon, &w.Stop}
	w.Own = known(a)
	if w.Over = p.Board.Ended(p.Side().Other()).Over(); w.Over {
		return w, nil
	}
	switch {
	case a.Within > horizon:
		w.Own.Verdict = answer.Unknown
		if a.Refuted >= horizon {
			w.Own.Verdict = answer.Disproved
		}
	case a.Verdict == answer.Disproved && a.Refuted < horizon:
		if w.Own, err = ask.win(p); err != nil {
			return w, err
		}
	}
	none := Win{Verdict: answer.Disproved, Bounds: answer.Bounds{Refuted: horizon}} // only one side can force a win
	if w.Own.Within > 0 {
		w.Opponent = none
	} else if w.Opponent, err = ask.loss(p); err != nil {
		return w, err
	}
	if w.Over = p.Board.Ended(p.Side()).Over(); w.Over {
		return w, nil
	}
	passed := arimaa.NewPosition(p.Board, p.Side().Other())
	if w.PassOpponent, err = ask.win(passed); err != nil {
		return w, err
	}
	if w.PassOpponent.Within > 0 {
		w.PassOwn = none
		return w, nil
	}
	w.PassOwn, err = ask.loss(passed)
	return w, err
}

// known returns what an answer says of the side to move.
func known(a *solve.Answer) Win {
	w := Win{Verdict: a.Verdict, Bounds: a.Bounds}
	if len(a.Line) > 0 {
		w.Turn = a.Line[0].Turn
	}
	return w
}

// asker puts questions to a solver.
type asker struct {
	ctx     context.Context
	s       *solve.Solver
	horizon int
	stop    *answer.Stop
}

// win asks whether the side to move wins.
func (k *asker) win(p arimaa.Position) (w Win, err error) {
	a, err := k.s.Solve(k.ctx, solve.Question{Position: p, Deepest: k.horizon, NoLine: true})
	k.note(a.Stop)
	return known(&a), err
}

// loss asks whether the opponent of the side to move wins, whatever the side to move plays. An
// endgame table that knows the position answers. Where a trap holds an undefended piece nothing is
// known.
func (k *asker) loss(p arimaa.Position) (w Win, err error) {
	if v, ok := k.s.Endgames().Probe(&p.Board, p.Side()); ok {
		if n, loses := v.Loss(); loses && n <= k.horizon {
			return Win{Verdict: answer.Proved, Bounds: answer.Bounds{Within: n, Refuted: n - 1}}, nil
		}
		return Win{Verdict: answer.Disproved, Bounds: answer.Bounds{Refuted: k.horizon}}, nil
	}
	a, err := k.s.Loss(k.ctx, solve.Question{Position: p, Deepest: k.horizon})
	if errors.Is(err, dfpns.ErrUnsettled) {
		return Win{}, nil
	}
	k.note(a.Stop)
	return Win{Verdict: a.Verdict, Bounds: a.Bounds}, err
}

// note keeps the first reason why something is unknown.
func (k *asker) note(stop answer.Stop) {
	if *k.stop == answer.Finished {
		*k.stop = stop
	}
}
