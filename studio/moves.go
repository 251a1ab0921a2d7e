package studio

import (
	"slices"
	"strings"

	"goalproof/arimaa"
	"goalproof/arimaa/render"
)

// Moves is a turn taken apart, so that a page can show it step by step.
type Moves struct {
	Label string   `json:"label"` // of the turn
	Turn  string   `json:"turn"`
	From  []string `json:"from"` // squares on which the pieces that have moved stood before
	To    []string `json:"to"`   // squares on which they stand now; none of captured ones
	Steps []Move   `json:"steps"`
}

// Move is the displacement of one piece.
type Move struct {
	From     string    `json:"from"`
	To       string    `json:"to"`
	Piece    string    `json:"piece"`    // its letter
	Kind     string    `json:"kind"`     // step, or how an enemy piece is displaced: push or pull
	Captured []Capture `json:"captured"` // what it captures
}

// Capture is a captured piece.
type Capture struct {
	Square string `json:"square"`
	Piece  string `json:"piece"` // its letter
}

// last takes the turn apart that a page shows as the last one: the steps of the turn under way, or
// else the last turn of the game. It is nil if nothing has been played.
func (p *point) last() *Moves {
	switch n := p.game.Len(); {
	case p.steps.Len() > 0:
		return movesOf(p.label(), p.game.Last(), p.steps, arimaa.Turn{})
	case n > 0:
		return movesOf(p.game.Label(n-1), p.game.Position(n-1), p.game.Turn(n-1), arimaa.Turn{})
	}
	return nil
}

// shown takes steps apart that are shown from the point on; nil for none.
func (p *point) shown(steps arimaa.Turn) *Moves {
	if steps.Len() == 0 {
		return nil
	}
	return movesOf(p.label(), p.game.Last(), steps, p.steps)
}

// movesOf takes the steps of a turn apart that come after some others. Only the whole turn says
// which displacement is a push and which a pull.
func movesOf(label string, start arimaa.Position, steps, after arimaa.Turn) *Moves {
	m := &Moves{Label: label, From: []string{}, To: []string{}, Steps: []Move{}}
	whole := start.Notation(after.Then(steps))
	m.Turn = strings.TrimSpace(strings.TrimPrefix(whole, start.Notation(after)))
	type moved struct{ from, to arimaa.Square }
	var pieces []moved
	for _, step := range render.Moves(start, after.Then(steps))[after.Len():] {
		move := Move{From: step.From.String(), To: step.To.String(), Piece: step.Piece.String(), Kind: "step", Captured: []Capture{}}
		if step.Forced {
			move.Kind = map[bool]string{true: "pull", false: "push"}[step.Pull]
		}
		if i := slices.IndexFunc(pieces, func(m moved) bool { return m.to == step.From }); i >= 0 {
			pieces[i].to = step.To
		} else {
			pieces = append(pieces, moved{step.From, step.To})
		}
		for rest := step.Captured; rest != 0; rest = rest.Rest() {
			at := rest.First()
			move.Captured = append(move.Captured, Capture{at.String(), step.Victim(at).String()})
			if i := slices.IndexFunc(pieces, func(m moved) bool { return m.to == at }); i >= 0 {
				m.From = append(m.From, pieces[i].from.String())
				pieces = slices.Delete(pieces, i, i+1)
			}
		}
		m.Steps = append(m.Steps, move)
	}
	for _, piece := range pieces {
		m.From, m.To = append(m.From, piece.from.String()), append(m.To, piece.to.String())
	}
	slices.Sort(m.From)
	slices.Sort(m.To)
	return m
}

// Captured are the pieces that the sides have lost against a full set, as letters, the strongest
// first; "" for a side with more pieces of a kind than a set has.
type Captured struct {
	Gold   string `json:"gold"`
	Silver string `json:"silver"`
}

// captured returns what is missing on a board.
func captured(b *arimaa.Board) Captured {
	missing := func(side arimaa.Side) (letters string) {
		for kind := arimaa.Elephant; kind >= arimaa.Rabbit; kind-- {
			n := arimaa.FullArmy[kind] - b.Pieces(side, kind).Len()
			if n < 0 {
				return ""
			}
			letters += strings.Repeat(arimaa.NewPiece(side, kind).String(), n)
		}
		return letters
	}
	return Captured{missing(arimaa.Gold), missing(arimaa.Silver)}
}
