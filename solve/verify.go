package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/proof/referee"
	"goalproof/tables"
)

// The versions that a store of facts carries: what its keys are, and what its facts mean.
const (
	StoreKeys  = "packed position 1, turn code 1"
	StoreRules = "win within N turns, third repetition set aside, 1"
)

// Stored is a fact and its packed position.
type Stored struct {
	Key  []byte
	Fact tables.Fact
}

// Sample is a uniform sample of a stream of facts (reservoir sampling).
type Sample struct {
	Facts  []Stored
	size   int
	seen   int
	random *rand.Rand
}

// NewSample returns an empty sample of at most size facts. The same seed selects the same facts.
// The sample of size 0 stays empty, and so does the zero Sample.
func NewSample(size int, seed uint64) *Sample {
	return &Sample{size: max(size, 0), random: rand.New(rand.NewPCG(seed, 1))}
}

// Add offers a fact to the sample, which copies the key.
func (s *Sample) Add(key []byte, f tables.Fact) {
	if s.size == 0 {
		return
	}
	s.seen++
	at := len(s.Facts)
	if at == s.size {
		if at = s.random.IntN(s.seen); at >= s.size {
			return
		}
		s.Facts[at] = Stored{append(s.Facts[at].Key[:0], key...), f}
		return
	}
	s.Facts = append(s.Facts, Stored{append([]byte(nil), key...), f})
}

// Check is the result of verifying a stored fact.
type Check struct {
	Position arimaa.Position
	// Wrong says why the fact does not hold or is no fact; empty if it holds.
	Wrong string
	// Stop is Finished, or the reason why the check is not complete.
	Stop answer.Stop
	// Referee reports whether package referee confirmed the fact by enumeration as well.
	Referee bool
}

// Verify proves a fact from scratch; s uses dfpns and no store. It proves that the attacker wins
// within the turns proved, that the fact's turn keeps that win, and that he does not win within the
// turns disproved. Package referee confirms the fact by enumeration if the position has few pieces.
// Limit is the time for each of these questions; 0: no limit. A fact that cannot be asked about,
// such as the zero fact, is wrong. The error is one of the solver.
func (s *Solver) Verify(ctx context.Context, f Stored, limit time.Duration) (c Check, err error) {
	if !s.made() {
		return c, ErrNoSolver
	}
	ctx = cmp.Or(ctx, context.Background())
	if c.Position, err = arimaa.UnpackPosition(f.Key); err != nil {
		c.Wrong = fmt.Sprintf("the key %x is no position: %v", f.Key, err)
		return c, nil
	}
	if !s.usesDepthFirst() {
		return c, errors.New("only dfpns verifies facts")
	}
	if c.Wrong = unasked(f, &c.Position); c.Wrong != "" {
		return c, nil
	}
	s.needDepthFirst()
	s.Forget()
	p, proved, refuted := c.Position, int(f.Fact.ProvedWithin), int(f.Fact.RefutedUpTo)
	if proved != tables.Unproved {
		var turn *arimaa.Turn
		if f.Fact.Turn != 0 {
			t, _, legal := p.Decode(f.Fact.Turn)
			if !legal {
				c.Wrong = fmt.Sprintf("stored: %v with a turn that is not legal", f.Fact)
				return c, nil
			}
			turn = &t
		}
		err = c.confirm(ctx, s, f.Fact, limit, proved, answer.Proved, turn)
	}
	if refuted > 0 && err == nil && c.Wrong == "" {
		err = c.confirm(ctx, s, f.Fact, limit, refuted, answer.Disproved, nil)
	}
	if err != nil || c.Wrong != "" || ctx.Err() != nil || !small(&p, refuted) || proved != tables.Unproved && !small(&p, proved) {
		return c, err
	}
	plain, err := referee.ParsePosition(p.String())
	if err != nil {
		return c, err
	}
	if proved != tables.Unproved && !referee.WinIn(plain, proved) || refuted > 0 && referee.WinIn(plain, refuted) {
		c.Wrong = fmt.Sprintf("stored: %v; enumeration says otherwise", f.Fact)
	}
	c.Referee = true
	return c, nil
}

// confirm asks the solver whether a win within n turns is proved or disproved, as the fact claims,
// and whether a turn keeps it.
func (c *Check) confirm(ctx context.Context, s *Solver, f tables.Fact, limit time.Duration, n int, want answer.Verdict, turn *arimaa.Turn) error {
	ctx, cancel := answer.Limit{Time: limit}.Start(ctx)
	defer cancel()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		c.Stop = answer.Time
		return nil
	}
	q := dfpns.Question{Position: c.Position, N: n}
	r, err := s.depthFirst.Solve(ctx, q)
	if err == nil && r.Verdict == want && turn != nil {
		r, err = s.depthFirst.SolveTurn(ctx, q, *turn)
	}
	switch {
	case err != nil:
		return err
	case r.Verdict == answer.Unknown:
		c.Stop = r.Stop
	case r.Verdict != want && turn != nil:
		c.Wrong = fmt.Sprintf("stored: %v with %s; it is not so", f, c.Position.Notation(*turn))
	case r.Verdict != want:
		c.Wrong = fmt.Sprintf("stored: %v; for %d the answer is: %v", f, n, r.Verdict)
	}
	return nil
}

// unasked says why no question can be asked about a fact of p; "" if one can.
func unasked(f Stored, p *arimaa.Position) string {
	proved, refuted := f.Fact.ProvedWithin, f.Fact.RefutedUpTo
	switch {
	case p.Occupied() == 0:
		return fmt.Sprintf("the key %x is no position: the board is empty", f.Key)
	case !f.Fact.Known():
		return fmt.Sprintf("stored: %v", f.Fact)
	case proved == 0 || proved > MaxTurns && proved != tables.Unproved || refuted > MaxTurns:
		return fmt.Sprintf("stored: %v; the number of turns is 1 to %d", f.Fact, MaxTurns)
	}
	return ""
}

// small reports whether enumeration of n turns at p takes about a second at most.
func small(p *arimaa.Position, n int) bool {
	pieces := p.Occupied().Len()
	return n <= 1 && pieces <= 12 || n == 2 && pieces <= 3
}
