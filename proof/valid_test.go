package proof_test

import (
	"fmt"
	"slices"
	"strings"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/proof"
)

// history is the game of a certificate by the rules of package arimaa, or nil where it has none.
type history struct{ *arimaa.Game }

// replay plays the game of a certificate. It says what is wrong, or "".
func replay(c *proof.Certificate, root arimaa.Position) (p history, why string) {
	if c.Game == nil {
		return history{}, ""
	}
	start, err := parsePosition(c.Game.Start)
	if err != nil {
		return p, err.Error()
	}
	p.Game = arimaa.NewGame(start, 2)
	for i, text := range c.Game.Turns {
		turn, ok := readTurn(text)
		after, legal := turn.play(p.Last())
		if !ok || !legal {
			return p, fmt.Sprintf("turn %d of the game is illegal", i)
		}
		var steps arimaa.Turn
		for _, w := range turn {
			if w.step != 0 {
				steps = steps.With(w.step)
			}
		}
		if err := p.Play(steps); err != nil || p.Last() != after {
			return p, fmt.Sprintf("turn %d of the game: %v", i, err)
		}
	}
	if p.Last() != root || p.Outcome().Over() {
		return p, "the game leads elsewhere, or is over"
	}
	return p, ""
}

// forbids reports whether the rule of the third repetition forbids to create a position.
func (p history) forbids(q arimaa.Position) bool {
	return p.Game != nil && p.Occurrences(&q.Board, q.Side()) >= 2
}

// outcome is the end-of-turn table where the side moved has just created a position, with its last
// row if there is a game.
func (p history) outcome(q arimaa.Position, moved arimaa.Side) arimaa.Outcome {
	o := q.Board.Ended(moved)
	if o.Over() || p.Game == nil {
		return o
	}
	for _, option := range q.Options(nil) {
		after := q.After(option)
		if !p.forbids(after.EndTurn()) {
			return o
		}
	}
	var g arimaa.Generator
	for i := range g.Generate(&q) {
		if !p.forbids(g.Position(i, q.Side())) {
			return o
		}
	}
	return arimaa.Outcome{Winner: moved, Reason: arimaa.Repetition}
}

// valid checks a certificate a second time, by the rules of package arimaa and in another way: it
// plays every answer on the results of every reply, and marks what is covered. It says what is
// wrong, or "".
func valid(c *proof.Certificate) string {
	type known struct {
		rank   int
		needed bool
	}
	entries := map[arimaa.Position]*known{}
	var root arimaa.Position
	var attacker arimaa.Side
	for i, e := range c.Entries {
		p, err := parsePosition(e.Position)
		if err != nil {
			return err.Error()
		}
		if i == 0 {
			root, attacker = p, p.Side()
			if c.Loss {
				attacker = p.Side().Other()
				continue
			}
		}
		if entries[p] != nil || p.Side() != attacker || e.Rank > c.Turns {
			return fmt.Sprintf("entry %d: twice, or for the other side, or of too high a rank", i)
		}
		entries[p] = &known{rank: e.Rank, needed: i == 0}
	}
	if c.Turns < 1 || len(c.Entries) == 0 || c.Entries[0].Rank != c.Turns {
		return "the claim is not that of the first entry"
	}
	defender := attacker.Other()
	game, why := replay(c, root)
	if why != "" {
		return why
	}
	var g arimaa.Generator
	for i, e := range c.Entries {
		p, _ := notation.ParsePosition(e.Position)
		after, ok := playText(p, e.Turn)
		below := e.Rank
		if c.Loss && i == 0 {
			if p.Ended(attacker).Over() || e.Turn != "" {
				return "the game is over, or the defender has a turn of his own"
			}
			after, below = p, e.Rank+1
		} else if !ok || game.forbids(after) {
			return fmt.Sprintf("entry %d: the turn is illegal", i)
		} else if o := game.outcome(after, attacker); o.Over() {
			if o.Winner != attacker || len(e.Answers) > 0 {
				return fmt.Sprintf("entry %d: the turn loses, or needs no answers", i)
			}
			continue
		} else if e.Rank < 2 {
			return fmt.Sprintf("entry %d: the turn does not win at once", i)
		}
		n := g.Generate(&after)
		met := make([]bool, n)
		for k := range n {
			if game.forbids(g.Position(k, defender)) {
				met[k] = true
			} else if o := g.Board(k).Ended(defender); o.Over() {
				if o.Winner == defender {
					return fmt.Sprintf("entry %d: the defender wins by %v", i, g.Turn(k))
				}
				met[k] = true
			}
		}
		for _, a := range e.Answers {
			helps := false
			steps, ok := readTurn(a)
			if !ok || len(steps) == 0 || steps[0].step == 0 {
				return fmt.Sprintf("entry %d: %s is no turn", i, a)
			}
			first := steps[0].step
			for k := range n {
				if met[k] || g.Board(k).At(first.From()) != first.Piece() {
					continue
				}
				if end, ok := steps.play(g.Position(k, defender)); ok && !game.forbids(end) {
					if o := game.outcome(end, attacker); o.Over() && o.Winner == attacker {
						met[k], helps = true, true
					}
				}
			}
			if !helps {
				return fmt.Sprintf("entry %d: the answer %s is of no use", i, a)
			}
		}
		for k := range n {
			if met[k] {
				continue
			}
			next := entries[g.Position(k, defender)]
			if next == nil || next.rank >= below {
				return fmt.Sprintf("entry %d: %v is not met", i, g.Turn(k))
			}
			next.needed = true
		}
	}
	for p, e := range entries {
		if !e.needed {
			return fmt.Sprintf("%v is not needed", p)
		}
	}
	return ""
}

// parsePosition reads a position as a certificate has it: without the letters of older records.
func parsePosition(text string) (p arimaa.Position, err error) {
	if p, err = notation.ParsePosition(text); err == nil && text[:1] != p.String()[:1] {
		err = fmt.Errorf("an older letter in %s", text)
	}
	return p, err
}

// turn is a turn in notation, read once.
type turn []word

// word is a step, or the capture of a piece on a square.
type word struct {
	step    arimaa.Step // 0 for a capture
	capture string      // such as "hc3"
}

func readTurn(text string) (t turn, ok bool) {
	for _, w := range strings.Fields(text) {
		if capture, ok := strings.CutSuffix(w, "x"); ok {
			t = append(t, word{capture: capture})
			continue
		}
		step, err := notation.ParseStep(w)
		if err != nil {
			return nil, false
		}
		t = append(t, word{step: step})
	}
	return t, true
}

// play plays a whole turn. Each capture that is written has to be one that the step before it
// caused.
func (t turn) play(p arimaa.Position) (after arimaa.Position, ok bool) {
	st := arimaa.NewState(p)
	var taken []string
	for _, w := range t {
		if w.step == 0 {
			i := slices.Index(taken, w.capture)
			if i < 0 {
				return p, false
			}
			taken = slices.Delete(taken, i, i+1)
			continue
		}
		before := st.Board
		squares, err := st.Play(w.step)
		if err != nil {
			return p, false
		}
		taken = taken[:0]
		for rest := squares; rest != 0; rest = rest.Rest() {
			piece := before.At(rest.First())
			if rest.First() == w.step.To() {
				piece = w.step.Piece() // it walked onto the trap
			}
			taken = append(taken, piece.String()+rest.First().String())
		}
	}
	if st.MayEnd() != nil {
		return p, false
	}
	return st.Position.EndTurn(), true
}

// playText plays a turn in notation.
func playText(p arimaa.Position, text string) (after arimaa.Position, ok bool) {
	t, ok := readTurn(text)
	if !ok {
		return p, false
	}
	return t.play(p)
}
