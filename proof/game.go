package proof

import (
	"context"
	"fmt"

	"goalproof/proof/referee"
)

// replay plays the game up to the root and counts its positions. The error is a *Hole or the
// context's.
func (k *checker) replay(ctx context.Context, g *Game) error {
	st, err := g.read()
	if err != nil {
		return &Hole{Line: g.line(0), Position: g.Start, Reason: fmt.Sprintf("game: %v", err)}
	}
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
