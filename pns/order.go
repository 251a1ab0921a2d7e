package pns

import "goalproof/arimaa"

// worth is what displacing or capturing a piece counts (Majerech 2012, table 4.1).
// A rabbit's worth grows as it nears its goal.
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

// play makes an option of the side to move and rates it: captures count four times
// the piece's worth, for or against; a piece that is pushed or pulled twice; an own
// rabbit's step counts the rabbit's worth on its new square, and an enemy rabbit
// that is displaced counts as much against (Majerech 2012, section 4.3.1).
func play(p arimaa.Position, o arimaa.Option) (after arimaa.Position, score int16) {
	side := p.Side()
	total := 0
	for _, step := range [...]arimaa.Step{o.First(), o.Second()} {
		if step == 0 {
			continue
		}
		piece, w := step.Piece(), worth(step.Piece(), step.To())
		switch {
		case piece.Side() != side && piece.Kind() == arimaa.Rabbit:
			total += 2*w - w
		case piece.Side() != side:
			total += 2 * w
		case piece.Kind() == arimaa.Rabbit:
			total += w
		}
		next := p.After(arimaa.SingleStep(step))
		moved := p.Occupied() ^ step.From().Set() ^ step.To().Set()
		for lost := moved &^ next.Occupied(); lost != 0; lost = lost.Rest() {
			at := lost.First()
			taken := p.At(at)
			if at == step.To() {
				taken = piece
			}
			if taken.Side() == side {
				total -= 4 * worth(taken, at)
			} else {
				total += 4 * worth(taken, at)
			}
		}
		p = next
	}
	return p, int16(total)
}
