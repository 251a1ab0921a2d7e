package solve

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/goal"
	"goalproof/pns"
	"goalproof/proof"
)

// reach is Solve for an aim other than the win: N grows until the aim is reached.
func (s *Solver) reach(ctx context.Context, q Question) (a Answer, err error) {
	start := time.Now()
	s.earlier.Store(0)
	s.probes = 0
	var turn arimaa.Turn
	for n := 1; n <= q.Deepest && a.Verdict == answer.Unknown; n++ {
		s.trying.Store(int32(n))
		f, err := s.reaches(ctx, q.Position, q.Aim, n)
		switch {
		case err != nil:
			return Answer{}, err
		case f.verdict == answer.Proved:
			a.Verdict, a.Within, turn = answer.Proved, n, f.turn
		case f.verdict == answer.Disproved:
			a.Refuted = n
		}
		if a.Stop = f.stop; f.verdict == answer.Unknown {
			break
		}
	}
	if a.Refuted == q.Deepest {
		a.Verdict = answer.Disproved
	}
	a.Aside = q.Game != nil && a.Refuted > 1
	if a.Verdict == answer.Proved && q.All {
		err = s.all(ctx, q, a.Within, &a)
		if len(a.Solutions) > 0 {
			turn = a.Solutions[0].Turn // the same for every search
		}
	}
	a.Nodes, a.Time = s.earlier.Load(), time.Since(start)
	if a.Verdict == answer.Proved && err == nil {
		err = s.reachLine(ctx, q, turn, &a)
	}
	return a, err
}

// reaches asks whether the side to move reaches an aim within n turns.
func (s *Solver) reaches(ctx context.Context, p arimaa.Position, aim goal.Aim, n int) (f finding, err error) {
	if s.usesDepthFirst() {
		s.needDepthFirst()
		err = s.count(s.depthFirst, func() error {
			r, err := s.depthFirst.Solve(ctx, dfpns.Question{Position: p, N: n, Aim: aim})
			f = finding{verdict: r.Verdict, stop: r.Stop, within: r.Within, turn: r.Turn}
			return err
		})
		return f, err
	}
	if err := s.needBestFirst(); err != nil {
		return f, err
	}
	err = s.count(s.bestFirst, func() error {
		r := s.bestFirst.Solve(ctx, pns.Question{Position: p, N: n, Aim: aim})
		f = finding{verdict: r.Verdict, stop: r.Stop, turn: r.Turn}
		if r.Verdict == answer.Proved {
			f.within = n
		}
		return s.bestFirst.Err()
	})
	return f, err
}

// reachLine adds the line to an answer: the attacker reaches the aim as soon as possible, against
// the longest defence. It breaks off when the context is done.
func (s *Solver) reachLine(ctx context.Context, q Question, turn arimaa.Turn, a *Answer) error {
	p := q.Position
	for n := a.Within; ; {
		ply := Ply{Before: p, Turn: turn}
		p = p.AfterTurn(turn)
		ply.Outcome = p.Board.Ended(q.Position.Side())
		ply.Reached = n == 1 && !ply.Outcome.Over()
		if a.Line = append(a.Line, ply); ply.Ends() || q.NoLine {
			return nil
		}
		reply, next, left, ok, err := s.holdsOut(ctx, &p, q.Aim, n-1)
		if err != nil || !ok {
			return err
		}
		ply = Ply{Before: p, Turn: reply, Outcome: next.Board.Ended(p.Side())}
		ply.Reached = left == 0 && !ply.Outcome.Over()
		if a.Line = append(a.Line, ply); ply.Ends() {
			return nil
		}
		p, n = next, left
		f, err := s.reaches(ctx, p, q.Aim, n)
		if err != nil || f.verdict != answer.Proved {
			return err
		}
		turn = f.turn
	}
}

// holdsOut returns a reply at p after which the attacker, who reaches the aim within most turns
// after every reply, needs the most turns, with the position after it and that number, 0 if the
// reply itself reaches the aim. ok is false if a limit is reached.
func (s *Solver) holdsOut(ctx context.Context, p *arimaa.Position, aim goal.Aim, most int) (
	reply arimaa.Turn, next arimaa.Position, turns int, ok bool, err error) {
	attacker := p.Side().Other()
	for i := range aim.Replies(&s.replies, p) {
		after := s.replies.Position(i, p.Side())
		need := 0
		if !after.Board.Ended(p.Side()).Over() && !(aim.Stands(&p.Board, attacker) && aim.Stands(&after.Board, attacker)) {
			for verdict := answer.Disproved; verdict == answer.Disproved && need < most; {
				need++
				f, err := s.reaches(ctx, after, aim, need)
				if verdict = f.verdict; err != nil || verdict == answer.Unknown {
					return reply, next, 0, false, err
				}
			}
		}
		if !ok || need > turns {
			reply, next, turns, ok = s.replies.Turn(i), after, need, true
		}
		if turns == most {
			return reply, next, turns, true, nil
		}
	}
	if !ok && s.replies.Generate(p) > 0 { // every reply gives up what the attacker wants
		reply, next, ok = s.replies.Turn(0), s.replies.Position(0, p.Side()), true
	}
	return reply, next, turns, ok, nil
}

// reach makes the certificate of an aim other than the win.
func (c *certifier) reach(ctx context.Context, q Question, n int, turn arimaa.Turn) (*proof.Certificate, error) {
	c.certificate.Goal = q.Aim.String()
	if err := c.aimEntry(ctx, q.Aim, q.Position, turn, n, 0); err != nil {
		return nil, err
	}
	c.write(q.Position)
	return &c.certificate, nil
}

// aimEntry is entry for an aim other than the win. Answers are turns that win or capture at once; a
// rabbit that reaches the rank must also stay there, which takes an entry.
func (c *certifier) aimEntry(ctx context.Context, aim goal.Aim, p arimaa.Position, turn arimaa.Turn, n, depth int) error {
	if err := c.full(); err != nil {
		return err
	}
	e := &entry{rank: n, turn: turn}
	c.entries[p] = e
	after := p.AfterTurn(turn)
	if reachesAtOnce(aim, &p, &after, turn) || n == 1 {
		return nil
	}
	for len(c.levels) <= depth {
		c.levels = append(c.levels, &arimaa.Generator{})
	}
	replies := c.levels[depth]
	var answers []arimaa.Turn
	for i := range aim.Replies(replies, &after) {
		if i&63 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		next := replies.Position(i, after.Side())
		if next.Board.Ended(after.Side()).Over() || aim.Stands(&after.Board, p.Side()) && aim.Stands(&next.Board, p.Side()) ||
			slices.ContainsFunc(answers, func(t arimaa.Turn) bool {
				end, ok := next.Try(t)
				return ok && reachesAtOnce(aim, &next, &end, t)
			}) {
			continue
		}
		if t, ok := c.atOnce(aim, &next); ok {
			// Without captures, which differ from reply to reply.
			c.answers++
			answers = append(answers, t)
			e.answers = append(e.answers, t.String())
			continue
		}
		e.relies = append(e.relies, next)
		if known := c.entries[next]; known != nil && known.rank < n {
			continue
		}
		f := finding{verdict: answer.Disproved}
		m := 0
		for m < n-1 && f.verdict == answer.Disproved {
			m++
			var err error
			if f, err = c.solver.reaches(ctx, next, aim, m); err != nil {
				return err
			}
		}
		if f.verdict != answer.Proved {
			return cmp.Or(ctx.Err(), fmt.Errorf("%v: %v within %d turns was not found again", next, aim, n-1))
		}
		if err := c.aimEntry(ctx, aim, next, f.turn, m, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// atOnce returns a turn that wins or captures at once.
func (c *certifier) atOnce(aim goal.Aim, p *arimaa.Position) (arimaa.Turn, bool) {
	if aim.IsCapture() {
		return c.solver.detector.Reach(p, aim)
	}
	return c.solver.detector.CanWin(p, &p.Board)
}

// reachesAtOnce reports whether a legal turn from p to after wins or captures, and does not lose.
func reachesAtOnce(aim goal.Aim, p, after *arimaa.Position, t arimaa.Turn) bool {
	if o := after.Board.Ended(p.Side()); o.Over() {
		return o.Winner == p.Side()
	}
	return aim.Takes(p, after, t, p.Side())
}
