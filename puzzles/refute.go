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
// so few turns. Without a given solution it shows that by a turn that threatens to win at once. It
// returns what it shows, nil if there is nothing to refute or nothing was found.
func (r *Result) refute(ctx context.Context, s *solve.Solver, found *solve.Answer, given arimaa.Turn) ([]solve.Ply, error) {
	turns := r.refutable(given)
	turn := given
	if turns > 0 && given.Len() == 0 {
		turn = threat(r.Puzzle.Position)
	}
	if turns == 0 || turn.Len() == 0 {
		return nil, nil
	}
	a, err := s.Try(ctx, solve.Question{Position: r.Puzzle.Position, Deepest: turns}, turn)
	if err != nil || a.Verdict != answer.Disproved {
		return nil, err
	}
	if turns > 1 && len(a.Refutation) == 1 && !a.Refutation[0].Outcome.Over() {
		return nil, nil // no reply was found within the limit
	}
	r.show(found, turns, given.Len() > 0, a.Refutation)
	return a.Refutation, nil
}

// refutable returns the turns in which the given solution or, if there is none, a threat should
// have won and does not; 0 if there is nothing to refute.
func (r *Result) refutable(given arimaa.Turn) (turns int) {
	claim := r.Puzzle.Claim
	switch wrong := given.Len() > 0 && r.SolutionOK != nil && !*r.SolutionOK; {
	case wrong && r.Verdict == answer.Proved:
		return r.Within
	case wrong:
		return r.Refuted
	case claim == 0 || r.Refuted < claim:
		return 0
	}
	return claim
}

// show notes a turn, given or not, that does not win in so many turns, and the reply that shows it.
func (r *Result) show(found *solve.Answer, turns int, given bool, refutation []solve.Ply) {
	for _, ply := range refutation {
		r.Refutation = append(r.Refutation, ply.Before.Notation(ply.Turn))
	}
	turn := "a threat"
	if given {
		turn = "the given solution"
	}
	aside := answer.Aside(turns > 1)
	r.Shows = fmt.Sprintf("%s does not win in %d%s", turn, turns, aside)
	after, _ := r.Puzzle.Position.Try(refutation[0].Turn)
	if slices.ContainsFunc(found.Solutions, func(s dfpns.Solution) bool { return s.After == after }) {
		r.Shows = fmt.Sprintf("%s wins in %s, not in %d%s", turn, r.In(), turns, aside)
	}
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
