package goal

import "goalproof/arimaa"

// ThreatTurns calls yield with each distinct result of a turn of the side to move, at the start of
// its turn at p, after which it threatens to win ([Detector.Threat]), and with a turn that leads to
// it, until yield returns false. Results that end the game are left out. The order is not
// specified; the position that result points to is overwritten after yield returns. Within yield
// every other method of the Detector may be called, but not ThreatTurns.
//
// What [NoThreat] rules out is not listed. Of the other results most are threats where there are
// many, by the same few wins, so the last win is played again before another one is looked for.
func (d *Detector) ThreatTurns(p *arimaa.Position, yield func(result *arimaa.Position, turn arimaa.Turn) bool) {
	s := &d.threats
	skip := arimaa.LeavingOut(func(b *arimaa.Board, left int) bool { return NoThreat(b, p.Side(), left) })
	var last arimaa.Turn
	for i := range s.generator.Skipping(p, skip) {
		s.result = s.generator.Position(i, p.Side())
		if s.result.Board.Ended(p.Side()).Over() {
			continue
		}
		threat := false
		if last.Len() > 0 && s.result.Undefended() == 0 {
			threat, _ = relevanceZone(orient(&s.result.Board, p.Side()), &last)
		}
		if !threat {
			var t arimaa.Turn
			if t, threat = d.Threat(&s.result); threat {
				last = restore(t, p.Side())
			}
		}
		if threat && !yield(&s.result, s.generator.Turn(i)) {
			return
		}
	}
}

// threatSearch is the memory of ThreatTurns.
type threatSearch struct {
	generator arimaa.Generator
	result    arimaa.Position // for yield: it escapes
}
