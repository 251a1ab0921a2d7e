package proof

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"goalproof/proof/referee"
)

var errBoth = errors.New("there is a game, which says what has been seen, and a list of positions seen beside it")

var errLossSeen = errors.New("the certificate of a loss has a list of positions seen; only a game can say that")

// replay plays the game up to the root and counts its positions. The error is a *Hole or the context's.
func (k *checker) replay(ctx context.Context, g *Game) error {
	if err := g.wellFormed(); err != nil {
		return &Hole{Line: g.line(0), Position: g.Start, Reason: fmt.Sprintf("game: %v", err)}
	}
	st, _ := referee.ParsePosition(g.Start) // it is well formed
	k.history = referee.NewHistory(st)
	for i := range len(g.Turns) + 1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		hole := &Hole{Line: g.line(i), Position: st.Position()}
		if winner, reason, over := k.history.Outcome(st.Board, st.Side.Other()); over {
			hole.Reason = fmt.Sprintf("game: after %d turns it is over: %s wins (%v)", i, name(winner), reason)
			return hole
		}
		if i == len(g.Turns) {
			break
		}
		_, end, err := st.ReadTurn(g.Turns[i])
		if err == nil {
			end, err = k.history.Stop(end)
		}
		if err != nil {
			hole.Line = g.line(i + 1)
			hole.Reason = fmt.Sprintf("game: turn %d, %s, is illegal: %v", i+1, g.Turns[i], err)
			return hole
		}
		st = end
	}
	if root := &k.entries[0]; st != root.start {
		return root.hole("the game leads to another position than that of the first entry: to %s", st.Position())
	}
	return nil
}

// line is where turn i of the game, from 1, stands in the file, or for 0 its first position.
func (g *Game) line(i int) int {
	if g.lines == nil {
		return 0
	}
	return g.lines[i]
}

// readSeen reads the statements about the game up to the root, if there are any. It refuses those that no game can have brought
// about, as far as that is soon seen. The error is a *Hole.
func (k *checker) readSeen(seen []Seen) error {
	if len(seen) == 0 {
		return nil
	}
	var all []occurred
	first := "" // the position that can only have been the first of the game
	for i := range seen {
		o := occurred{Seen: &seen[i]}
		if err := o.wellFormed(); err != nil {
			return o.hole("%v", err)
		}
		st, _ := referee.ParsePosition(o.Position) // it is well formed
		o.board = st.Board
		if k.history == nil {
			k.history = referee.NewHistory(st) // counts it once
		} else if k.history.Count(st.Board, st.Side) > 0 {
			return o.hole("the position is listed already")
		} else {
			k.history.Add(st.Board, st.Side)
		}
		if winner, reason, over := referee.Outcome(st.Board, st.Side.Other()); over {
			return o.hole("the game is over there: %s wins (%v)", name(winner), reason)
		}
		switch why := referee.NoTurnEnds(st.Board, st.Side.Other()); {
		case why == "":
		case o.Count == 2:
			return o.hole("no turn leads there, as one must for a position to occur twice: %s", why)
		case first != "":
			return o.hole("no turn leads there (%s), nor to %s, and a game has one first position", why, first)
		default:
			first = o.Position
		}
		if o.Count == 2 {
			k.history.Add(st.Board, st.Side)
		}
		all = append(all, o)
	}
	root := &k.entries[0]
	if k.history.Count(root.start.Board, root.start.Side) == 0 {
		return root.hole("the history does not hold the position of the first entry, which has occurred at least once")
	}
	return inOrder(all, root.start.Board)
}

// occurred is a position of the history.
type occurred struct {
	*Seen
	board referee.Board
}

// hole is a hole in this line of the history.
func (o *occurred) hole(format string, args ...any) *Hole {
	return &Hole{Line: o.line, Position: o.Position, Reason: "history: " + fmt.Sprintf(format, args...)}
}

// inOrder is a *Hole for a position that no game has together with another one and the root, which comes last: in a
// game pieces are lost and none is won.
func inOrder(all []occurred, root referee.Board) error {
	slices.SortStableFunc(all, func(a, b occurred) int { return pieces(b.board) - pieces(a.board) })
	for i := range all {
		o := &all[i]
		switch {
		case !holds(o.board, root):
			return o.hole("it lacks a piece that the position of the first entry has, which comes later")
		case i > 0 && !holds(all[i-1].board, o.board):
			return o.hole("it has a piece that %s lacks, which lacks one that it has: neither can come before the other", all[i-1].Position)
		}
	}
	return nil
}

// holds reports whether a board has every piece of another one.
func holds(b, other referee.Board) bool {
	for _, piece := range []byte("RCDHMErcdhme") {
		if b.Count(piece) < other.Count(piece) {
			return false
		}
	}
	return true
}

// pieces is the number of pieces on a board.
func pieces(b referee.Board) int { return len(b) - b.Count(referee.Empty) }

// name is that of a side.
func name(side referee.Side) string {
	if side == referee.Gold {
		return "gold"
	}
	return "silver"
}
