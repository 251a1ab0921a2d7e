package proof

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"goalproof/proof/referee"
)

// target is a goal other than the win: a capture, or a rabbit on a rank.
type target struct {
	kind byte // of a capture: the letter in lower case, anyKind, or 0 for a rabbit
	trap int  // of a capture: its square, or anyTrap
	rank int  // of a rabbit, 1 to 8
}

const (
	anyKind = '*'
	anyTrap = -1
)

var pieceNames = map[byte]string{
	'r': "a rabbit", 'c': "a cat", 'd': "a dog", 'h': "a horse", 'm': "a camel", 'e': "an elephant", anyKind: "a piece",
}

// traps are the names of the traps.
var traps = []string{"c3", "f3", "c6", "f6"}

var (
	errNoGoal    = errors.New("a certificate of version 4 has the goal before its entries, such as: goal capture=e")
	errGoalAlone = errors.New("a certificate with a goal has no game, and claims no loss")
)

// readTarget reads a goal in the one form in which it is written. The error says what goals there
// are.
func readTarget(text string) (*target, error) {
	bad := fmt.Errorf("goal %q: want capture, capture=e (a kind), capture@f6 (a trap), capture=e@f6 or rabbit=7 (a rank)", text)
	if rank, ok := strings.CutPrefix(text, "rabbit="); ok {
		n, err := strconv.Atoi(rank)
		if err != nil || n < 1 || n > 8 || len(rank) != 1 {
			return nil, bad
		}
		return &target{rank: n}, nil
	}
	g := &target{kind: anyKind, trap: anyTrap}
	what, square, at := strings.Cut(text, "@")
	if at {
		if !slices.Contains(traps, square) {
			return nil, bad
		}
		g.trap, _ = referee.ParseSquare(square)
	}
	if letter, named := strings.CutPrefix(what, "capture="); named {
		if len(letter) != 1 || letter[0] == anyKind || pieceNames[letter[0]] == "" {
			return nil, bad
		}
		g.kind = letter[0]
	} else if what != "capture" {
		return nil, bad
	}
	return g, nil
}

// target is the goal of a certificate, nil for the win. The error says what is wrong with its form.
func (c *Certificate) target() (*target, error) {
	switch {
	case c.Goal == "":
		return nil, nil
	case c.Loss || c.Game != nil:
		return nil, errGoalAlone
	}
	return readTarget(c.Goal)
}

// Does says what the attacker does by the claim, for example "wins", "captures an elephant on f6 or
// wins" or "brings a rabbit to rank 7 or wins". It is "" if the goal is none.
func (c *Certificate) Does() string {
	if c.Goal == "" {
		return "wins"
	}
	g, err := readTarget(c.Goal)
	switch {
	case err != nil:
		return ""
	case g.kind == 0:
		return fmt.Sprintf("brings a rabbit to rank %d or wins", g.rank)
	case g.trap != anyTrap:
		return "captures " + pieceNames[g.kind] + " on " + referee.SquareName(g.trap) + " or wins"
	}
	return "captures " + pieceNames[g.kind] + " or wins"
}

// verb chooses the words for a win or for another goal.
func (k *checker) verb(win, goal string) string {
	if k.goal == nil {
		return win
	}
	return goal
}

// wanted returns a function that reports whether a capture is the goal; nil if the goal is no
// capture.
func (k *checker) wanted() func(referee.Capture) bool {
	if k.goal == nil || k.goal.kind == 0 {
		return nil
	}
	return func(c referee.Capture) bool {
		owner := referee.Gold
		if c.Piece >= 'a' {
			owner = referee.Silver
		}
		return owner == k.defender && (k.goal.kind == anyKind || k.goal.kind == c.Piece|0x20) &&
			(k.goal.trap == anyTrap || k.goal.trap == c.Square)
	}
}

// captures reports whether a legal turn of the attacker makes the capture that is the goal.
func (k *checker) captures(st referee.State, turn string) bool {
	wanted := k.wanted()
	if wanted == nil {
		return false
	}
	steps, _, _ := st.ReadTurn(turn)
	for _, step := range steps {
		next, taken, _ := st.Play(step)
		if slices.ContainsFunc(taken, wanted) {
			return true
		}
		st = next
	}
	return false
}

// stands reports whether the goal is a rabbit on a rank and one of the attacker's stands there.
func (k *checker) stands(b *referee.Board) bool {
	if k.goal == nil || k.goal.rank == 0 {
		return false
	}
	rabbit := byte('R')
	if k.attacker == referee.Silver {
		rabbit = 'r'
	}
	return slices.Contains(b[8*(k.goal.rank-1):8*k.goal.rank], rabbit)
}

// lostBy returns a *Hole for the first reply to the turn of an entry by which the defender wins.
// Without it the replies that make the capture would be left out. The error may be the context's.
func (k *checker) lostBy(ctx context.Context, e *entry, after referee.State) error {
	seen := 0
	for reply := range referee.Ends(after) {
		if seen++; seen > k.limit {
			return fmt.Errorf("%s%w", place(e.line, e.Position), ErrTooManyReplies)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if winner, reason, over := referee.Outcome(reply, k.defender); over && winner == k.defender {
			return k.unmetBy(e, after, reply, fmt.Sprintf("it wins for the defender (%v)", reason))
		}
	}
	return nil
}

// unmetBy is the hole of a reply that is not met.
func (k *checker) unmetBy(e *entry, after referee.State, reply referee.Board, why string) error {
	hole := e.hole("%s", why)
	hole.Reply = turnTo(after, reply)
	hole.After = referee.NewState(reply, k.attacker).Position()
	return hole
}
