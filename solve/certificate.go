package solve

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/proof"
)

// ErrNoCertificate is in the error of a win that cannot be certified. Where a position of the game
// has occurred twice, the proof may need a turn that the repetition rule forbids, or the win may
// rest on what it forbids the opponent. It is also in the error of a proof that needs more than
// [proof.MaxEntries] positions or [proof.MaxAnswers] answers.
var ErrNoCertificate = errors.New("no certificate")

// Certificate writes down the win that an answer proved, for package proof to check. It searches
// again for what the search has not kept. The error is that of the context, ErrNoCertificate, or
// one of the search.
func (s *Solver) Certificate(ctx context.Context, q Question, a Answer) (*proof.Certificate, error) {
	if a.Verdict != answer.Proved || len(a.Line) == 0 {
		return nil, fmt.Errorf("%w: there is no proved win", ErrNoCertificate)
	}
	return s.CertificateFor(ctx, q, a.Within, a.Line[0].Turn)
}

// CertificateFor is Certificate for a win within n turns that begins with a given turn. For another
// aim the certificate omits the game.
func (s *Solver) CertificateFor(ctx context.Context, q Question, n int, turn arimaa.Turn) (*proof.Certificate, error) {
	ctx, err := s.askedWin(ctx, q, n, turn)
	if err != nil {
		return nil, err
	}
	c, err := s.newCertifier(q)
	if err != nil {
		return nil, err
	}
	if !q.Aim.Win() {
		return c.reach(ctx, q, n, turn)
	}
	if err := c.entry(ctx, q.Position, turn, n, 0); err != nil {
		return nil, err
	}
	c.write(q.Position)
	return &c.certificate, nil
}

// CertificateOfLoss writes down that the side to move loses within n turns of its opponent, as
// [Solver.Defend] or [Solver.Loss] has found: how the opponent wins after every turn. Where a
// position of the game has occurred twice, a win may depend on the repetitions; then there is no
// certificate. The error is as for [Solver.Certificate].
func (s *Solver) CertificateOfLoss(ctx context.Context, q Question, n int) (*proof.Certificate, error) {
	q.Deepest = n
	ctx, err := s.asked(ctx, q)
	if err != nil {
		return nil, err
	}
	c, err := s.newCertifier(q)
	if err != nil {
		return nil, err
	}
	c.certificate.Loss = true
	e := &entry{rank: n}
	c.entries[q.Position] = e
	if err := c.replies(ctx, e, q.Position, "", n+1, 0); err != nil {
		return nil, err
	}
	c.write(q.Position)
	return &c.certificate, nil
}

// certifier builds a certificate. The rank of a position is the number of turns within which the
// search has proved a win; after a turn and a reply it is lower. If a position comes up again where
// its rank is too high, a shorter win is searched for, and its entry replaces the first, whose uses
// it serves as well. So no position has two ranks. Entries on which nothing relies any more are
// left out.
//
// Where a game's history has shortened a win, a reply may lead back to a position of the same rank,
// so ranks do not decrease as they must.
type certifier struct {
	solver      *Solver
	certificate proof.Certificate
	entries     map[arimaa.Position]*entry
	forbidden   map[arimaa.Position]bool // has occurred twice in the game
	levels      []*arimaa.Generator      // of replies, by depth
	answers     int                      // of all entries
	most        int                      // entries
}

// newCertifier begins a certificate, for a win with the game of the question.
func (s *Solver) newCertifier(q Question) (*certifier, error) {
	if !s.usesDepthFirst() {
		return nil, fmt.Errorf("%w: certificates are made with dfpns", ErrNoCertificate)
	}
	c := &certifier{solver: s, entries: map[arimaa.Position]*entry{}, forbidden: map[arimaa.Position]bool{}, most: s.mostEntries}
	if q.Game != nil && q.Aim.Win() {
		c.game(q.Game)
	}
	return c, nil
}

// entry is an entry of a certificate.
type entry struct {
	rank    int
	turn    arimaa.Turn
	answers []string
	relies  []arimaa.Position // on the entries of these positions
	written bool
}

// write adds the entry of a position, and all entries that it relies on, to the certificate.
func (c *certifier) write(root arimaa.Position) {
	c.certificate.Turns = c.entries[root].rank
	for todo := []arimaa.Position{root}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		e := c.entries[p]
		if e.written {
			continue
		}
		e.written = true
		written := proof.Entry{Rank: e.rank, Position: p.String(), Answers: e.answers}
		if !c.certificate.Loss || p != root {
			written.Turn = p.Notation(e.turn)
		}
		c.certificate.Entries = append(c.certificate.Entries, written)
		for i := len(e.relies) - 1; i >= 0; i-- {
			todo = append(todo, e.relies[i])
		}
	}
}

// game adds a game that has begun to the certificate, and records the positions that have occurred
// twice.
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

// full returns an error if the certificate has reached a limit.
func (c *certifier) full() error {
	switch {
	case len(c.entries) == c.most:
		return fmt.Errorf("%w: the proof needs more than %d positions, the most that a certificate may have", ErrNoCertificate, c.most)
	case c.answers > proof.MaxAnswers:
		return fmt.Errorf("%w: the proof needs more than %d answers, the most that a certificate may have", ErrNoCertificate, proof.MaxAnswers)
	}
	return nil
}

// entry adds the entry of a position in which this turn keeps a win in n, and all entries that it
// needs.
func (c *certifier) entry(ctx context.Context, p arimaa.Position, turn arimaa.Turn, n, depth int) error {
	if err := c.full(); err != nil {
		return err
	}
	e := &entry{rank: n, turn: turn}
	c.entries[p] = e
	after := p.AfterTurn(turn)
	if c.forbidden[after] {
		return fmt.Errorf("%w: %s would repeat a position for the third time", ErrNoCertificate, p.Notation(turn))
	}
	if after.Board.Ended(p.Side()).Over() {
		return nil
	}
	return c.replies(ctx, e, after, p.Notation(turn), n, depth)
}

// replies adds to an entry what meets each reply at after, the position after its turn: an answer,
// or an entry of fewer than n turns.
func (c *certifier) replies(ctx context.Context, e *entry, after arimaa.Position, turn string, n, depth int) error {
	if depth == len(c.levels) {
		c.levels = append(c.levels, &arimaa.Generator{})
	}
	replies := c.levels[depth]
	var answers []arimaa.Turn // the most recent winner first
	for i := range replies.Generate(&after) {
		if i&63 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		next := replies.Position(i, after.Side())
		if o := next.Board.Ended(after.Side()); o.Over() && o.Winner == after.Side() && !c.forbidden[next] {
			return fmt.Errorf("%w: %s wins for the defender", ErrNoCertificate, after.Notation(replies.Turn(i)))
		} else if o.Over() || c.forbidden[next] || met(answers, &next, c.forbidden) {
			continue
		}
		if t, ok := c.solver.detector.CanWin(&next, &next.Board); ok {
			if c.forbidden[next.AfterTurn(t)] {
				return fmt.Errorf("%w: %s would repeat a position for the third time", ErrNoCertificate, next.Notation(t))
			}
			// Without captures, which differ from reply to reply.
			c.answers++
			answers = append([]arimaa.Turn{t}, answers...)
			e.answers = append(e.answers, t.String())
			continue
		}
		e.relies = append(e.relies, next)
		known := c.entries[next]
		if known != nil && known.rank < n {
			continue
		}
		first, m, err := c.within(ctx, next, n-1)
		if errors.Is(err, ErrNoCertificate) && known != nil {
			// It wins only because the defender may not repeat positions for ever.
			return fmt.Errorf("%w: after %s the win depends on the third repetition",
				ErrNoCertificate, strings.TrimSpace(turn+" "+after.Notation(replies.Turn(i))))
		}
		if err != nil {
			return err
		}
		if err := c.entry(ctx, next, first, m, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// met reports whether one of the answers wins at once, and moves it to the front.
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

// within returns the least number of turns, from 2 to most, within which the side to move is known
// to win, and a turn that keeps the win.
func (c *certifier) within(ctx context.Context, p arimaa.Position, most int) (arimaa.Turn, int, error) {
	f := finding{verdict: answer.Disproved}
	if most > 1 {
		var err error
		if f, err = c.solver.decide(ctx, Question{Position: p}, most, most); err != nil {
			return arimaa.Turn{}, 0, err
		}
	}
	switch f.verdict {
	case answer.Proved:
		return f.turn, f.within, nil
	case answer.Unknown:
		if ctx.Err() != nil {
			return arimaa.Turn{}, 0, ctx.Err()
		}
		return arimaa.Turn{}, 0, fmt.Errorf("%v: the win in %d was not found again: %v", p, most, f.stop)
	}
	return arimaa.Turn{}, 0, fmt.Errorf("%w: at %v there is no win in %d with the third repetition set aside", ErrNoCertificate, p, most)
}
