package solve

import (
	"context"
	"slices"

	"goalproof/answer"
	"goalproof/arimaa"
)

// SureLine is the greatest number of turns of a win whose line certainly has the longest defence.
// In longer wins it is the longest known: how soon a reply loses is then taken from the win that
// the search knows.
const SureLine = 4

// Line continues a win in n turns from its first turn to its end: the attacker wins as soon, and
// the defender holds out as long, as is known. It ends early when the context is done. It reads
// Position and Game. The error is as for [Solver.Solve], or says that the turn is not legal.
func (s *Solver) Line(ctx context.Context, q Question, n int, turn arimaa.Turn) (line []Ply, err error) {
	if ctx, err = s.askedWin(ctx, q, n, turn); err != nil {
		return nil, err
	}
	p, game := q.Position, q.Game
	tell := func() {
		known := slices.Clone(line)
		s.line.Store(&known)
	}
	defer tell()
	for {
		p, game = s.play(&line, p, game, turn)
		tell()
		if line[len(line)-1].Outcome.Over() || n < 2 || s.finish(&line, p, game, false) {
			return line, nil
		}
		reply, left, ok, err := s.longest(ctx, p, game, n-1)
		if err != nil || !ok {
			return line, err
		}
		p, game = s.play(&line, p, game, reply)
		tell()
		if line[len(line)-1].Outcome.Over() {
			return line, nil
		}
		n = left
		f, err := s.decide(ctx, Question{Position: p, Game: game}, n, n)
		if err != nil || f.verdict != answer.Proved {
			return line, err
		}
		turn = f.turn
	}
}

// plainest returns the generator's turn for the result of a turn: one of the fewest steps, always
// in the same order. So a winning turn reads the same whether a search, a store or the list of
// solutions found it. It takes as long as listing the turns, far less than the line that follows.
func (s *Solver) plainest(p *arimaa.Position, t arimaa.Turn) arimaa.Turn {
	after, within := p.AfterTurn(t), p.WithStepsLeft(t.Len())
	for i := range s.replies.Generate(&within) {
		if *s.replies.Board(i) == after.Board {
			return s.replies.Turn(i)
		}
	}
	return t
}

// play adds a turn to the line and returns the position and game after it.
func (s *Solver) play(line *[]Ply, p arimaa.Position, game *arimaa.Game, t arimaa.Turn) (arimaa.Position, *arimaa.Game) {
	next := p.AfterTurn(t)
	ply := Ply{Before: p, Turn: t, Outcome: next.Board.Ended(p.Side())}
	if game != nil {
		game = game.At(game.Len())
		if err := game.Play(t); err == nil {
			ply.Outcome = game.Outcome()
		}
	}
	*line = append(*line, ply)
	return next, game
}

// longest returns a reply at p after which the attacker, who wins within most turns
// after every reply, needs the most turns, and that number. Among replies that lose in one
// turn it prefers those after which the win takes many steps. ok is false if there is
// no reply or a limit is reached.
func (s *Solver) longest(ctx context.Context, p arimaa.Position, game *arimaa.Game, most int) (reply arimaa.Turn, turns int, ok bool, err error) {
	best := -1
	for i := range s.replies.Generate(&p) {
		if i&15 == 0 && ctx.Err() != nil {
			return reply, turns, false, nil
		}
		next := s.replies.Position(i, p.Side())
		if game != nil && game.Occurrences(&next.Board, next.Side()) >= 2 {
			continue
		}
		// Five ranks a turn: first the turns that the attacker needs count, then the steps of the
		// last one.
		rank, need := 0, 0
		if !next.Board.Ended(p.Side()).Over() {
			need = 1
			distance, _ := s.detector.Goal(&next, &next.Board)
			steps, won := distance.Steps()
			if !won {
				steps = arimaa.StepsPerTurn
				if _, won = s.detector.CanWin(&next, &next.Board); !won {
					if need, won, err = s.need(ctx, next, game, s.replies.Turn(i), most); err != nil || !won {
						return reply, turns, false, err
					}
				}
			}
			rank = 5*need + steps
		}
		if rank > best {
			best, reply, turns, ok = rank, s.replies.Turn(i), need, true
		}
		if turns == most && most > 1 {
			break // nothing holds out longer
		}
	}
	return reply, turns, ok, nil
}

// need returns the number of turns, at most most, that the attacker needs at next, the position
// after a reply, where the detector finds no win in one. From 4 on the number is that of the win
// that the search knows: finding a shorter one would take another search. ok is false if a limit is
// reached.
func (s *Solver) need(ctx context.Context, next arimaa.Position, game *arimaa.Game, reply arimaa.Turn, most int) (n int, ok bool, err error) {
	if game == nil && most == 2 {
		return 2, true, nil
	}
	if v, tabled := s.options.Endgames.Probe(&next.Board, next.Side()); tabled && game == nil {
		n, ok = v.Win()
		return n, ok, nil
	}
	if game != nil {
		game = game.At(game.Len())
		if err := game.Play(reply); err != nil {
			return 0, false, nil
		}
	}
	for _, n := range []int{1, 2, most} {
		if n > most {
			break
		}
		f, err := s.decide(ctx, Question{Position: next, Game: game}, n, n)
		switch {
		case err != nil:
			return 0, false, err
		case f.verdict == answer.Proved:
			return f.within, true, nil
		case f.verdict == answer.Unknown:
			return 0, false, nil
		}
	}
	return 0, false, nil
}
