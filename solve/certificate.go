package solve

import (
	"context"
	"errors"
	"fmt"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/proof"
)

// ErrNoCertificate is in the error of a win that cannot be written down: in a game in which a position
// has occurred twice, a proof that does not look at repetitions may need what they forbid, and a win may come from
// what they forbid the opponent. It is also in the error of a proof that needs more than [proof.MaxEntries] positions or
// [proof.MaxAnswers] answers.
var ErrNoCertificate = errors.New("no certificate")

// Certificate writes down the win that an answer proved, for package proof to check. What the search
// has not kept is searched again. The error is that of the context when it is done, ErrNoCertificate,
// or one of the search.
func (s *Solver) Certificate(ctx context.Context, q Question, a Answer) (*proof.Certificate, error) {
	if a.Verdict != answer.Proved {
		return nil, fmt.Errorf("%w: there is no proved win", ErrNoCertificate)
	}
	return s.CertificateFor(ctx, q, a.Least, a.Line[0].Turn)
}

// CertificateFor writes down a win in n turns that begins with a turn, as Certificate does. If the position also
// wins sooner, the certificate may have a hole.
func (s *Solver) CertificateFor(ctx context.Context, q Question, n int, turn arimaa.Turn) (*proof.Certificate, error) {
	if !s.usesDepthFirst() {
		return nil, fmt.Errorf("%w: certificates are made with dfpns", ErrNoCertificate)
	}
	c := certifier{solver: s, rank: map[arimaa.Position]int{}, forbidden: map[arimaa.Position]bool{}, most: s.mostEntries}
	c.certificate.Turns = n
	if q.Game != nil {
		c.game(q.Game)
	}
	err := c.entry(ctx, q.Position, turn, n, 0)
	return &c.certificate, err
}

// certifier builds a certificate. A position's rank is its distance, so none has two, except where a game's
// history has made a win shorter: there a reply may lead back to a position of the same rank, and the rank does not
// go down as it must.
type certifier struct {
	solver      *Solver
	certificate proof.Certificate
	rank        map[arimaa.Position]int  // of its entry, 0 where it has none
	forbidden   map[arimaa.Position]bool // has occurred twice in the game
	levels      []*arimaa.Generator      // of replies, by depth
	answers     int                      // of all entries
	most        int                      // entries
}

// game writes down a game, unless it has not begun, and notes the positions that have occurred twice.
func (c *certifier) game(g *arimaa.Game) {
	if g.Len() == 0 {
		return
	}
	first := g.Position(0)
	played := &proof.Game{Start: first.String()}
	for i := range g.Len() {
		p := g.Position(i)
		played.Turns = append(played.Turns, p.Notation(g.Turn(i)))
	}
	c.certificate.Game = played
	for _, side := range []arimaa.Side{arimaa.Gold, arimaa.Silver} {
		for _, b := range g.Twice(side) {
			c.forbidden[arimaa.NewPosition(b, side)] = true
		}
	}
}

// entry adds the entry of a position in which this turn keeps a win in n, the least, and all entries
// that it needs.
func (c *certifier) entry(ctx context.Context, p arimaa.Position, turn arimaa.Turn, n, depth int) error {
	at := len(c.certificate.Entries)
	switch {
	case at == c.most:
		return fmt.Errorf("%w: the proof needs more than %d positions, the most that a certificate may have", ErrNoCertificate, c.most)
	case c.answers > proof.MaxAnswers:
		return fmt.Errorf("%w: the proof needs more than %d answers, the most that a certificate may have", ErrNoCertificate, proof.MaxAnswers)
	}
	c.rank[p] = n
	c.certificate.Entries = append(c.certificate.Entries, proof.Entry{Rank: n, Position: p.String(), Turn: p.Notation(turn)})
	after := p.AfterTurn(turn)
	if c.forbidden[after] {
		return fmt.Errorf("%w: %s would repeat a position for the third time", ErrNoCertificate, p.Notation(turn))
	}
	if after.Board.Ended(p.Side()).Over() {
		return nil
	}
	if depth == len(c.levels) {
		c.levels = append(c.levels, &arimaa.Generator{})
	}
	replies := c.levels[depth]
	var answers []arimaa.Turn // the last that won first
	for i := range replies.Generate(&after) {
		if i&63 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		next := replies.Position(i, after.Side())
		if next.Board.Ended(after.Side()).Over() || c.forbidden[next] || met(answers, &next, c.forbidden) {
			continue
		}
		if t, ok := c.solver.detector.CanWin(&next, &next.Board); ok {
			if c.forbidden[next.AfterTurn(t)] {
				return fmt.Errorf("%w: %s would repeat a position for the third time", ErrNoCertificate, next.Notation(t))
			}
			// Without captures, which differ from reply to reply.
			c.answers++
			answers = append([]arimaa.Turn{t}, answers...)
			c.certificate.Entries[at].Answers = append(c.certificate.Entries[at].Answers, t.String())
			continue
		}
		if rank := c.rank[next]; rank >= n {
			// It wins because the defender must not come back to the same position for ever.
			return fmt.Errorf("%w: after %s and %s the win depends on the third repetition",
				ErrNoCertificate, p.Notation(turn), after.Notation(replies.Turn(i)))
		} else if rank > 0 {
			continue
		}
		turn, m, err := c.distance(ctx, next, n-1)
		if err != nil {
			return err
		}
		if err := c.entry(ctx, next, turn, m, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// met tells whether one of the answers wins at once, and moves it to the front.
func met(answers []arimaa.Turn, p *arimaa.Position, forbidden map[arimaa.Position]bool) bool {
	for i, t := range answers {
		after, legal := p.Try(t)
		if !legal || forbidden[after] {
			continue
		}
		if o := after.Board.Ended(p.Side()); o.Over() && o.Winner == p.Side() {
			copy(answers[1:i+1], answers[:i])
			answers[0] = t
			return true
		}
	}
	return false
}

// distance returns the least number of turns, from 2 to most, in which the side to move wins, and a turn
// that keeps the win.
func (c *certifier) distance(ctx context.Context, p arimaa.Position, most int) (arimaa.Turn, int, error) {
	for n := 2; n <= most; n++ {
		f, err := c.solver.decide(ctx, p, n, nil)
		switch {
		case err != nil:
			return arimaa.Turn{}, 0, err
		case f.verdict == answer.Proved:
			return f.turn, n, nil
		case f.verdict == answer.Unknown:
			if ctx.Err() != nil {
				return arimaa.Turn{}, 0, ctx.Err()
			}
			return arimaa.Turn{}, 0, fmt.Errorf("%v: the win in %d was not found again: %v", p, most, f.stop)
		}
	}
	return arimaa.Turn{}, 0, fmt.Errorf("%w: at %v there is no win in %d with the third repetition set aside", ErrNoCertificate, p, most)
}
