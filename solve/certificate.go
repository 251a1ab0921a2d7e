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

// ErrNoCertificate is in the error of a win that cannot be written down: in a game in which a position
// has occurred twice, a proof that does not look at repetitions may need what they forbid, and a win may come from
// what they forbid the opponent. It is also in the error of a proof that needs more than [proof.MaxEntries] positions or
// [proof.MaxAnswers] answers.
var ErrNoCertificate = errors.New("no certificate")

// Certificate writes down the win that an answer proved, for package proof to check. What the search
// has not kept is searched again. The error is that of the context when it is done, ErrNoCertificate,
// or one of the search.
func (s *Solver) Certificate(ctx context.Context, q Question, a Answer) (*proof.Certificate, error) {
	if a.Verdict != answer.Proved || len(a.Line) == 0 {
		return nil, fmt.Errorf("%w: there is no proved win", ErrNoCertificate)
	}
	return s.CertificateFor(ctx, q, a.Within, a.Line[0].Turn)
}

// CertificateFor writes down a win within n turns that begins with a turn, as Certificate does. The certificate of another aim
// is of the position without its game.
func (s *Solver) CertificateFor(ctx context.Context, q Question, n int, turn arimaa.Turn) (*proof.Certificate, error) {
	ctx, err := s.askedWin(ctx, q, n, turn)
	if err != nil {
		return nil, err
	}
	if !s.usesDepthFirst() {
		return nil, fmt.Errorf("%w: certificates are made with dfpns", ErrNoCertificate)
	}
	c := certifier{solver: s, entries: map[arimaa.Position]*entry{}, forbidden: map[arimaa.Position]bool{}, most: s.mostEntries}
	if !q.Aim.Win() {
		return c.reach(ctx, q, n, turn)
	}
	if q.Game != nil {
		c.game(q.Game)
	}
	if err := c.entry(ctx, q.Position, turn, n, 0); err != nil {
		return nil, err
	}
	c.write(q.Position)
	return &c.certificate, nil
}

// CertificateOfLoss writes down that the side to move at the question's position loses within n turns of its opponent, as
// [Solver.Defend] or [Solver.Loss] has found: every turn, each with how the opponent wins after it. In a game with a position
// that has occurred twice, the win after a turn may depend on the repetitions; then there is no certificate. The error is as
// that of [Solver.Certificate].
func (s *Solver) CertificateOfLoss(ctx context.Context, q Question, n int) (*proof.Certificate, error) {
	q.Deepest = n
	ctx, err := s.asked(ctx, q)
	if err != nil {
		return nil, err
	}
	if !s.usesDepthFirst() {
		return nil, fmt.Errorf("%w: certificates are made with dfpns", ErrNoCertificate)
	}
	c := certifier{solver: s, entries: map[arimaa.Position]*entry{}, forbidden: map[arimaa.Position]bool{}, most: s.mostEntries}
	if q.Game != nil {
		c.game(q.Game)
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

// certifier builds a certificate. The rank of a position is the number of turns within which the search has proved a
// win, and what follows a turn and a reply has a lower one. If a position comes up again where its rank is too high,
// a win within fewer turns is looked for, and its entry takes the place of the first, which did all that it needs to do
// with the higher rank as well. So no position has two ranks. In the end what no entry relies on any more is left out.
//
// Where a game's history has made a win shorter, a reply may lead back to a position of the same rank, and the rank
// does not go down as it must.
type certifier struct {
	solver      *Solver
	certificate proof.Certificate
	entries     map[arimaa.Position]*entry
	forbidden   map[arimaa.Position]bool // has occurred twice in the game
	levels      []*arimaa.Generator      // of replies, by depth
	answers     int                      // of all entries
	most        int                      // entries
}

// entry is an entry of a certificate.
type entry struct {
	rank    int
	turn    arimaa.Turn
	answers []string
	relies  []arimaa.Position // on the entries of these positions
	written bool
}

// write puts the entry of a position, and all that it relies on, into the certificate.
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

// full returns an error if the certificate has as many entries or answers as it may have.
func (c *certifier) full() error {
	switch {
	case len(c.entries) == c.most:
		return fmt.Errorf("%w: the proof needs more than %d positions, the most that a certificate may have", ErrNoCertificate, c.most)
	case c.answers > proof.MaxAnswers:
		return fmt.Errorf("%w: the proof needs more than %d answers, the most that a certificate may have", ErrNoCertificate, proof.MaxAnswers)
	}
	return nil
}

// entry adds the entry of a position in which this turn keeps a win in n, and all entries that it needs.
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

// replies adds to an entry what meets each reply at after, to which its turn has led: an answer, or an entry of less than n
// turns.
func (c *certifier) replies(ctx context.Context, e *entry, after arimaa.Position, turn string, n, depth int) error {
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
			// It wins because the defender must not come back to the same position for ever.
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

// within returns the least number of turns, from 2 to most, within which the side to move is known to win, and a turn
// that keeps the win.
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
