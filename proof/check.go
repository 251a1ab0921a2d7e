package proof

import (
	"cmp"
	"context"
	"fmt"

	"goalproof/proof/referee"
)

// maxReplies is the greatest number of distinct replies to one turn that are checked, at about 150
// bytes each. An army of sixteen pieces, spread over the board, has less than half as many.
const maxReplies = 1_000_000

// ErrTooManyReplies is in the error of a certificate with a turn to which the defender has more
// than a million distinct replies, which takes many more pieces than a full army. The certificate
// is neither accepted nor rejected.
var ErrTooManyReplies = fmt.Errorf("there are more than %d distinct replies, more than are checked", maxReplies)

// Check decides whether the certificate proves what it claims. Nil means that it is accepted.
// Otherwise the error is a *[Hole], the first one in the order of the entries, [ErrTooManyReplies],
// or the context's error if the context was done first. progress may be nil; it is called after
// each entry with the number of entries checked and of all. The certificate is only read. A nil one
// has a hole, and a nil context sets no limit. Besides what grows with its length, a check takes
// some 250 MB of memory at most.
func (c *Certificate) Check(ctx context.Context, progress func(done, total int)) error {
	return c.check(ctx, progress, maxReplies)
}

// check is Check with a limit on the number of replies to a turn.
func (c *Certificate) check(ctx context.Context, progress func(done, total int), limit int) error {
	if c == nil {
		return &Hole{Reason: "there is no certificate"}
	}
	ctx = cmp.Or(ctx, context.Background())
	k, err := newChecker(ctx, c)
	if err != nil {
		return err
	}
	k.limit = limit
	for i := range k.entries {
		if err := k.check(ctx, &k.entries[i]); err != nil {
			return err
		}
		if progress != nil {
			progress(i+1, len(k.entries))
		}
	}
	// If every other entry is relied on, the root relies on all of them in the end: from any entry a
	// path through entries of ever higher rank leads to the root.
	for _, e := range k.entries[1:] {
		if !e.needed {
			return e.hole("the entry is not needed: no other one relies on it")
		}
	}
	return nil
}

// checker is a certificate that is being checked.
type checker struct {
	*Certificate
	attacker, defender referee.Side
	history            *referee.History // of the game; nil where the certificate has none
	entries            []entry
	at                 map[referee.Board]*entry // the attacker to move
	limit              int                      // distinct replies to a turn that are checked
	goal               *target                  // nil: the win
}

// entry is an entry of the certificate, with what the check knows about it.
type entry struct {
	*Entry
	start  referee.State
	lost   bool // the root of a loss
	below  int  // the rank below which an entry meets a reply: its own or, at the root of a loss, the next one
	needed bool // another entry relies on it
}

// newChecker reads the positions of a certificate. The error is a *Hole for what can be seen
// without playing a turn, or the context's.
func newChecker(ctx context.Context, c *Certificate) (*checker, error) {
	if c.Turns < 1 {
		return nil, &Hole{Reason: fmt.Sprintf("the claim is %s in %d turns: it is at least 1", c.what(), c.Turns)}
	}
	if len(c.Entries) == 0 {
		return nil, &Hole{Reason: "there are no entries"}
	}
	goal, err := c.target()
	if err != nil {
		return nil, &Hole{Reason: err.Error()}
	}
	k := &checker{
		Certificate: c,
		entries:     make([]entry, len(c.Entries)),
		at:          make(map[referee.Board]*entry, len(c.Entries)),
		goal:        goal,
	}
	for i := range c.Entries {
		if err := k.read(ctx, i); err != nil {
			return nil, err
		}
	}
	if c.Game == nil {
		return k, nil
	}
	return k, k.replay(ctx, c.Game)
}

// read reads entry i after those before it. The error is as for newChecker.
func (k *checker) read(ctx context.Context, i int) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	e := &k.entries[i]
	e.Entry = &k.Entries[i]
	e.lost, e.below = k.Loss && i == 0, e.Rank
	if e.start, err = e.Entry.read(e.lost); err != nil {
		return e.hole("%v", err)
	}
	for n, answer := range e.Answers {
		if n%tries == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := turnForm(answer); err != nil {
			return e.hole("answer %q: %v", answer, err)
		}
	}
	if i == 0 {
		k.attacker = e.start.Side
		if e.lost {
			k.attacker = e.start.Side.Other()
		}
		k.defender = k.attacker.Other()
		if e.Rank != k.Turns {
			return e.hole("the first entry has rank %d, but %s in %d is claimed", e.Rank, k.what(), k.Turns)
		}
	}
	switch first := k.at[e.start.Board]; {
	case e.lost:
		e.below = e.Rank + 1
		return nil // no reply leads to an entry with the defender to move
	case e.start.Side != k.attacker && k.Loss:
		return e.hole("the side to move is that of the first entry, the defender")
	case e.start.Side != k.attacker:
		return e.hole("the side to move is not that of the first entry")
	case e.Rank > k.Turns:
		return e.hole("the entry has rank %d, but %s in %d is claimed", e.Rank, k.what(), k.Turns)
	case first != nil:
		return e.hole("the position has an entry of rank %d already%s", first.Rank, onLine(first.line))
	}
	k.at[e.start.Board] = e
	return nil
}

// what is the claim in words, without its number.
func (c *Certificate) what() string {
	switch {
	case c.Loss:
		return "a loss"
	case c.Goal != "":
		return c.Goal
	}
	return "a win"
}

// onLine is where an entry stands, for a message.
func onLine(line int) string {
	if line == 0 {
		return ""
	}
	return fmt.Sprintf(" on line %d", line)
}

// allowed reports whether the history allows a turn to lead to this position.
func (k *checker) allowed(b referee.Board, next referee.Side) bool {
	return k.history == nil || k.history.Allowed(b, next)
}

// play plays a whole turn of the attacker and ends it. The error says why it is illegal.
func (k *checker) play(st referee.State, turn string) (referee.State, error) {
	after, err := playTurn(st, turn)
	if err == nil && !k.allowed(after.Board, after.Side) {
		err = referee.ErrThirdRepetition
	}
	return after, err
}

// playTurn plays a whole turn and ends it, with the third repetition set aside. The error says why
// it is illegal.
func playTurn(st referee.State, turn string) (referee.State, error) {
	_, end, err := st.ReadTurn(turn)
	if err != nil {
		return st, err
	}
	return end.Stop()
}

// turnTo writes a turn that ends with a board. There is one.
func turnTo(st referee.State, b referee.Board) string {
	turn, _ := referee.TurnTo(st, b)
	text, _ := st.WriteTurn(turn)
	return text
}

// outcome applies the table, row 6 included, at the end of a turn of the attacker.
func (k *checker) outcome(b referee.Board) (winner referee.Side, reason referee.Reason, over bool) {
	if k.history == nil {
		return referee.Outcome(b, k.attacker)
	}
	return k.history.Outcome(b, k.attacker)
}

// check checks one entry, assuming that those of lower rank hold. The error is a *Hole or the
// context's.
func (k *checker) check(ctx context.Context, e *entry) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if e.lost {
		if winner, reason, over := referee.Outcome(e.start.Board, k.attacker); over {
			return e.hole("the game is over there: %s has won (%v)", name(winner), reason)
		}
		return k.replies(ctx, e, e.start)
	}
	after, err := k.play(e.start, e.Turn)
	if err != nil {
		return e.hole("the turn %s is illegal: %v", e.Turn, err)
	}
	winner, reason, over := k.outcome(after.Board)
	reached := over || k.captures(e.start, e.Turn)
	switch {
	case over && winner != k.attacker:
		return e.hole("the turn %s loses at once (%v)", e.Turn, reason)
	case reached && len(e.Answers) > 0:
		return e.hole("the answer %s is not needed: the turn %s %s at once", e.Answers[0], e.Turn, k.verb("wins", "reaches the goal"))
	case reached:
		return nil
	case e.Rank == 1 && !k.stands(&after.Board):
		return e.hole("the rank is 1, but the turn %s does not %s at once", e.Turn, k.verb("win", "reach the goal"))
	case e.Rank == 1 && len(e.Answers) > 0:
		return e.hole("the rank is 1, and the answer %s takes another turn", e.Answers[0])
	}
	return k.replies(ctx, e, after)
}

// replies checks that every reply of the defender is met, after the turn of an entry or at the root
// of a loss. The error is as for check.
func (k *checker) replies(ctx context.Context, e *entry, after referee.State) error {
	if k.goal != nil {
		if err := k.lostBy(ctx, e, after); err != nil {
			return err
		}
	}
	answers := newAnswers(k, e)
	seen, standing := 0, k.stands(&after.Board)
	for reply := range referee.EndsWithout(after, k.wanted()) {
		if seen++; seen > k.limit {
			return fmt.Errorf("%s%w", place(e.line, e.Position), ErrTooManyReplies)
		}
		if !k.allowed(reply, k.attacker) {
			continue // not a legal reply
		}
		if standing && k.stands(&reply) {
			continue // the rabbit stays, and no reply wins
		}
		why, err := k.unmet(ctx, e, answers, reply)
		if err != nil {
			return err
		}
		if why != "" {
			return k.unmetBy(e, after, reply, why)
		}
	}
	return answers.unneeded(ctx, after)
}

// unmet returns the reason why a legal reply that ends with this board is not met at an entry, ""
// if it is met. The error is the context's.
func (k *checker) unmet(ctx context.Context, e *entry, answers *answers, b referee.Board) (why string, err error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	winner, reason, over := referee.Outcome(b, k.defender)
	if over && winner == k.attacker {
		return "", nil
	}
	if over {
		return fmt.Sprintf("it wins for the defender (%v)", reason), nil
	}
	met, err := answers.meet(ctx, b)
	if met || err != nil {
		return "", err
	}
	next := k.at[b]
	switch {
	case next == nil:
		return "no answer wins after it, and there is no entry for the position", nil
	case next.Rank >= e.below:
		return fmt.Sprintf("no answer wins after it, and the entry for the position%s has rank %d, "+
			"which is not lower than %d", onLine(next.line), next.Rank, e.below), nil
	}
	next.needed = true
	return "", nil
}

// answers holds the answers of an entry.
type answers struct {
	*checker
	entry *entry
	list  []answer
	tried int // number of tries
}

// tries is the number of answers, or of turns, between two looks at the context.
const tries = 256

// answer is an answer of an entry.
type answer struct {
	turn   string
	first  referee.Step // its first step
	needed bool         // it is the first in the list that meets some reply
}

func newAnswers(k *checker, e *entry) *answers {
	a := &answers{checker: k, entry: e}
	for _, turn := range e.Answers {
		// A turn that begins with a capture is illegal; its first step is then the zero Step, and no
		// piece.
		first, _ := referee.ParseStep(turn[:4])
		a.list = append(a.list, answer{turn: turn, first: first})
	}
	return a
}

// meet reports whether an answer wins at once on this board. The error is the context's.
func (a *answers) meet(ctx context.Context, b referee.Board) (bool, error) {
	st := referee.NewState(b, a.attacker)
	for i := range a.list {
		if a.tried++; a.tried%tries == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		if _, wins := a.try(&a.list[i], st); wins {
			a.list[i].needed = true
			return true, nil
		}
	}
	return false, nil
}

// try plays an answer. Most fail at the first step, which is quickly seen: it needs its piece on
// the square it leaves, and an empty square to enter.
func (a *answers) try(an *answer, st referee.State) (legal, wins bool) {
	if st.Board[an.first.From] != an.first.Piece || st.Board[an.first.To] != referee.Empty {
		return false, false
	}
	after, err := a.play(st, an.turn)
	if err != nil {
		return false, false
	}
	winner, _, over := a.outcome(after.Board)
	return true, over && winner == a.attacker || !over && a.captures(st, an.turn)
}

// unneeded returns a *Hole for the first answer that is not needed, once all replies to the turn
// have been tried. The error may be the context's.
func (a *answers) unneeded(ctx context.Context, after referee.State) error {
	for i := range a.list {
		an := &a.list[i]
		if an.needed {
			continue
		}
		legal := false
		for reply := range referee.Ends(after) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if !a.allowed(reply, a.attacker) {
				continue
			}
			lawful, wins := a.try(an, referee.NewState(reply, a.attacker))
			if wins {
				return a.entry.hole("the answer %s is not needed: "+
					"where it wins, an answer before it does or the reply has lost already", an.turn)
			}
			legal = legal || lawful
		}
		if !legal {
			return a.entry.hole("the answer %s is legal after no reply", an.turn)
		}
		return a.entry.hole("the answer %s wins after no reply", an.turn)
	}
	return nil
}
