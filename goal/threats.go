package goal

import "goalproof/arimaa"

// ThreatTurns calls yield with each distinct result of a turn of the side to move, at the start of its turn
// at p, after which it threatens to win ([Detector.Threat]), and with a turn that leads to it, until yield returns
// false. Results that end the game are left out. The order is not specified; the position that result points to
// is overwritten after yield returns. Within yield every other method of the Detector may be called, but not ThreatTurns.
func (d *Detector) ThreatTurns(p *arimaa.Position, yield func(result *arimaa.Position, turn arimaa.Turn) bool) {
	s := &d.threats
	for i := range s.generator.Generate(p) {
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
