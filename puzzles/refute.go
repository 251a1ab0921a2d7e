package puzzles

import (
	"context"
	"fmt"
	"slices"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/goal"
	"goalproof/solve"
)

// refute shows why the given solution is wrong, or why a claim is false because there is no win in
// so few turns. Without a given solution it shows that by a turn that threatens to win at once.
func (r *Result) refute(ctx context.Context, s *solve.Solver, found *solve.Answer, given arimaa.Turn) error {
	claim := r.Puzzle.Claim
	turns := claim // in which the turn should have won
	turn := "the given solution"
	switch {
	case given.Len() > 0 && r.SolutionOK != nil && !*r.SolutionOK && r.Verdict == answer.Proved:
		turns = r.Within
	case given.Len() > 0 && r.SolutionOK != nil && !*r.SolutionOK:
		turns = r.Refuted
	case claim == 0 || r.Refuted < claim:
		return nil
	case given.Len() == 0:
		given, turn = threat(r.Puzzle.Position), "a threat"
	}
	if given.Len() == 0 || turns == 0 {
		return nil
	}
	a, err := s.Try(ctx, solve.Question{Position: r.Puzzle.Position, Deepest: turns}, given)
	if err != nil || a.Verdict != answer.Disproved {
		return err
	}
	if turns > 1 && len(a.Refutation) == 1 && !a.Refutation[0].Outcome.Over() {
		return nil // no reply was found within the limit
	}
	for _, ply := range a.Refutation {
		r.Refutation = append(r.Refutation, ply.Before.Notation(ply.Turn))
	}
	aside := answer.Aside(turns > 1)
	r.Shows = fmt.Sprintf("%s does not win in %d%s", turn, turns, aside)
	after, _ := r.Puzzle.Position.Try(given)
	if slices.ContainsFunc(found.Solutions, func(s dfpns.Solution) bool { return s.After == after }) {
		r.Shows = fmt.Sprintf("%s wins in %s, not in %d%s", turn, r.In(), turns, aside)
	}
	return nil
}

// threat returns a turn after which the side to move at p would win if the opponent passed, one
// with the fewest steps; it is empty if there is none.
func threat(p arimaa.Position) (found arimaa.Turn) {
	var g arimaa.Generator
	var d goal.Detector
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
