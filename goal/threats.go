package goal

import (
	"goalproof/arimaa"
	"goalproof/zobrist"
)

// ThreatTurns calls yield with each distinct result of a turn of the side to move, at the start of its turn
// at p, after which it threatens to win ([Detector.Threat]), and with a turn that leads to it, until yield returns
// false. Results that end the game are left out. The order is not specified; the position that result points to
// is overwritten after yield returns. Within yield every other method of the Detector may be called, but not ThreatTurns.
func (d *Detector) ThreatTurns(p *arimaa.Position, yield func(result *arimaa.Position, turn arimaa.Turn) bool) {
	s := &d.threats
	// What the bounds rule out is not listed. After the last step the question itself is as fast as they are.
	skip := func(b *arimaa.Board, _ zobrist.Key, left int) bool { return left > 0 && Threatless(b, p.Side(), left) }
	for i := range s.generator.Skipping(p, skip) {
		s.result = s.generator.Position(i, p.Side())
		if s.result.Board.Ended(p.Side()).Over() {
			continue
		}
		if _, ok := d.Threat(&s.result); ok && !yield(&s.result, s.generator.Turn(i)) {
			return
		}
	}
}

// threatSearch is the memory of ThreatTurns.
type threatSearch struct {
	generator arimaa.Generator
	result    arimaa.Position // for yield: it escapes
}
