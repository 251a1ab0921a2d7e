package solve

import (
	"context"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/tables/endgame"
)

// Endgame tables answer at once for every N, but with the third repetition set aside. In a game
// they are used only if no position that can recur has occurred twice. By the lemmas on repetition
// of package endgame the winner of the table then wins by the full rule as well, within as many
// turns. That there is no win, or none so soon, holds with the rule set aside ([Answer.Aside]).

// tabled answers a question if a table knows its position. Wins in one are left to package goal. If
// a graph is to be saved, the tables are not used.
func (s *Solver) tabled(ctx context.Context, q Question) (a Answer, ok bool, err error) {
	a.Value, ok = s.options.Endgames.Probe(&q.Position.Board, q.Position.Side())
	if !ok || q.Deepest == 1 || a.Value == endgame.WinIn(1) || !s.asksTables(q.Game) {
		return Answer{}, false, nil
	}
	a.Tabled, a.Verdict, a.Refuted = true, answer.Disproved, q.Deepest
	if n, wins := a.Value.Win(); wins && n <= q.Deepest {
		a.Verdict, a.Within, a.Refuted = answer.Proved, n, n-1
		if !s.finish(&a.Line, q.Position, q.Game, q.NoLine) {
			return Answer{}, false, nil // a table that its line needs is missing or damaged
		}
		if q.All {
			err = s.all(ctx, q, n, &a)
			a.Nodes, a.Probes = s.earlier.Load(), s.probes
		}
	}
	_, loses := a.Value.Loss()
	a.Aside = q.Game != nil && a.Refuted > 1 && !loses
	return a, true, err
}

// captures looks for a turn that leads into a table and, with it, wins in three turns or more: an
// upper bound that takes no search. It returns 0 turns if there is none within the question.
// Smaller bounds are left to the search, which finds them quickly.
func (s *Solver) captures(q Question) (turn arimaa.Turn, within int) {
	ts, p := s.options.Endgames, &q.Position
	if !ts.InReach(&p.Board) || !s.asksTables(q.Game) {
		return turn, 0
	}
	for i := range s.replies.Generate(p) {
		v, ok := ts.Probe(s.replies.Board(i), p.Side().Other())
		if !ok {
			continue
		}
		if n, loses := v.Loss(); loses && n+1 <= q.Deepest && n+1 >= 3 && (within == 0 || n+1 < within) {
			turn, within = s.replies.Turn(i), n+1
		}
	}
	return turn, within
}

// asksTables reports whether the tables may be asked about the last position of a game, or one
// without a game (nil).
func (s *Solver) asksTables(g *arimaa.Game) bool {
	return s.saving.path == "" && s.resumed.path == "" && (g == nil || !endgame.HistoryMatters(g))
}

// decideByTable decides a win in n, two or more, at a position without a game, if a table knows it.
func (s *Solver) decideByTable(p *arimaa.Position, n int) (f finding, ok bool) {
	if n == 1 || !s.asksTables(nil) {
		return f, false
	}
	wins, ok := s.options.Endgames.Wins(&p.Board, p.Side(), p.Side(), n)
	if !ok {
		return f, false
	}
	f.verdict = answer.Disproved
	if wins {
		best, err := s.options.Endgames.Best(p, nil)
		f.verdict, f.turn, ok = answer.Proved, best.Turn, err == nil
		f.within = n
		if v, known := s.options.Endgames.Probe(&p.Board, p.Side()); known {
			f.within, _ = v.Win()
		}
	}
	return f, ok
}

// finish adds to a line the best play from a position to the end of the game, or its first turn
// only. It adds nothing and returns false unless the tables know the position and all that follow,
// and a side can force a win.
func (s *Solver) finish(line *[]Ply, p arimaa.Position, game *arimaa.Game, first bool) bool {
	ts := s.options.Endgames
	if _, ok := ts.Probe(&p.Board, p.Side()); !ok || !s.asksTables(game) {
		return false
	}
	if first {
		best, err := ts.Best(&p, nil)
		if err == nil {
			s.play(line, p, game, best.Turn)
		}
		return err == nil
	}
	rest, err := ts.Line(p)
	if err != nil {
		return false
	}
	for _, t := range rest {
		p, game = s.play(line, p, game, t.Turn)
	}
	return len(rest) > 0
}

// Options returns the options of the solver.
func (s *Solver) Options() Options { return s.options }

// Endgames returns the tables of the options.
func (s *Solver) Endgames() *endgame.Tables { return s.options.Endgames }
