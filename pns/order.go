package pns

import (
	"goalproof/arimaa"
	"goalproof/internal/recent"
)

// worth is the value of displacing or capturing a piece (Majerech 2012, table 4.1). A rabbit's
// worth grows as it nears its goal.
func worth(p arimaa.Piece, at arimaa.Square) int {
	switch p.Kind() {
	case arimaa.Cat:
		return 2
	case arimaa.Dog:
		return 3
	case arimaa.Horse:
		return 5
	case arimaa.Camel:
		return 7
	case arimaa.Elephant:
		return 10
	}
	advanced := int(at >> 3)
	if p.Side() == arimaa.Silver {
		advanced = 7 - advanced
	}
	if advanced < 4 {
		return 1
	}
	return 2 * advanced
}

// play makes an option of the side to move and rates it: a capture counts four times the piece's
// worth, for or against; a pushed or pulled piece twice its worth; a step of an own rabbit the
// rabbit's worth on its new square, and a displaced enemy rabbit its worth against (Majerech 2012,
// section 4.3.1).
func play(p arimaa.Position, o arimaa.Option) (after arimaa.Position, score int16) {
	after = p.After(o)
	side, total := p.Side(), 0
	steps := [...]arimaa.Step{o.First(), o.Second()}
	moved := p.Occupied() // without the captures
	for _, step := range steps[:o.Steps()] {
		moved ^= step.From().Set() ^ step.To().Set()
		switch piece := step.Piece(); {
		case piece.Side() != side && piece.Kind() != arimaa.Rabbit:
			total += 2 * worth(piece, step.To())
		case piece.Kind() == arimaa.Rabbit:
			total += worth(piece, step.To())
		}
	}
	for lost := moved &^ after.Occupied(); lost != 0; lost = lost.Rest() {
		at := lost.First()
		taken := p.At(at)
		for _, step := range steps[:o.Steps()] {
			if at == step.To() {
				taken = step.Piece()
			}
		}
		if taken.Side() == side {
			total -= 4 * worth(taken, at)
		} else {
			total += 4 * worth(taken, at)
		}
	}
	return after, int16(total)
}

// killerScore is more than any option scores by itself.
const killerScore = 1 << 12

// killers are the options that decided nodes lately (Akl and Newborn 1977), the latest first, for
// each level: the turns left, the side and the steps left.
type killers [(MaxTurns + 1) * 2 * arimaa.StepsPerTurn][MaxKillers]arimaa.Option

func (k *killers) clear() { *k = killers{} }

// level returns the first few killers of the level of a node, which has a step left.
func (k *killers) level(n *node, few int) []arimaa.Option {
	i := int(n.turns) * 2
	if n.is(defends) {
		i++
	}
	return k[i*arimaa.StepsPerTurn+n.left()-1][:few]
}

// of returns the killers for a node that is being expanded.
func (k *killers) of(n *node, few int) []arimaa.Option {
	if few == 0 {
		return nil
	}
	return k.level(n, few)
}

// raise puts the option that decided a node in front. A pass edge is no killer.
func (k *killers) raise(n *node, o arimaa.Option, few int) {
	if few == 0 || o == 0 {
		return
	}
	recent.Add(k.level(n, few), o, few)
}
