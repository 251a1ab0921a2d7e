package puzzles

import (
	"context"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/solve"
)

// refute looks for the reply to the given solution if that is wrong, or to a turn that threatens to win at once if there
// is no given solution and no win within the claim.
func (r *Result) refute(ctx context.Context, s *solve.Solver, given arimaa.Turn) error {
	turns := r.Within // in which the turn should have won
	if r.Verdict == NoWin {
		turns = r.Refuted
	}
	p, d := r.Puzzle.Position, &goal.Detector{}
	switch {
	case given.Len() > 0 && r.SolutionOK != nil && !*r.SolutionOK:
	case given.Len() == 0 && r.Puzzle.Solution == "" && r.Verdict == NoWin && r.Puzzle.Claim > 0 && r.Refuted >= r.Puzzle.Claim:
		given = try(d, p)
	default:
		return nil
	}
	if given.Len() == 0 {
		return nil
	}
	after := p.AfterTurn(given)
	first := p.Notation(given)
	if turns <= 1 || after.Ended(p.Side()).Over() {
		r.Refutation = []string{first}
		return nil
	}
	reply, err := refutingReply(ctx, s, d, after, turns-1)
	if reply.Len() > 0 {
		r.Refutation = []string{first, after.Notation(reply)}
	}
	return err
}

// try returns a turn after which the side to move at p would win if the opponent passed, with fewest steps; it is empty if
// there is none.
func try(d *goal.Detector, p arimaa.Position) (found arimaa.Turn) {
	var g arimaa.Generator
	for i := range g.Generate(&p) {
		after := g.Position(i, p.Side())
		if after.Board.Ended(p.Side()).Over() {
			continue
		}
		if _, wins := d.Threat(&after); wins {
			return g.Turn(i)
		}
	}
	return found
}

// refutingReply returns a reply at p that wins, or after which the opponent has no win in this number of turns, at least 1; it is
// empty if none was found before the context was done.
func refutingReply(ctx context.Context, s *solve.Solver, d *goal.Detector, p arimaa.Position, turns int) (found arimaa.Turn, err error) {
	if distance, turn := d.Win(&p, &p.Board); distance != goal.None {
		return turn, nil
	}
	d.Defences(&p, func(b *arimaa.Board, t arimaa.Turn) bool {
		if turns > 1 {
			var a solve.Answer
			a, err = s.Solve(ctx, solve.Question{Position: arimaa.NewPosition(*b, p.Side().Other()), Deepest: turns, NoLine: true})
			if err != nil || a.Verdict != answer.Disproved {
				return err == nil && ctx.Err() == nil
			}
		}
		found = t
		return false
	})
	return found, err
}
