package evaluation

import (
	"math"

	"goalproof/arimaa"
)

// The constants of the HarLog formula (Wu 2015, section 6.3.1).
const (
	harLogG = 0.6314442034
	harLogQ = 1.447530126
)

// perHarLog is the number of centi-rabbits in a unit of the formula: losing the first of eight
// rabbits, and of sixteen pieces, costs 100.
var perHarLog = 100 / (harLogG * math.Log(8.0/7*16/15))

// counts is the number of a side's pieces by kind.
type counts [kinds]int

// worth is what follows for one side from the numbers of pieces on the board, in centi-rabbits
// where nothing else is said.
type worth struct {
	harLog   int         // Material
	loss     [kinds]int  // what losing a piece of the kind costs (Wu 2015, section 6.3.8)
	class    [kinds]int  // the piece-square table of the kind
	strength [kinds]uint // of the kind at a trap, see traps.go
	left     int         // of the enemy: rabbits count one, others two, at most fullCount
}

// material is the worth of the pieces of both sides.
type material struct {
	pieces [2]uint64 // the numbers of pieces, eight bits each, by side; zero in an unused entry
	worth  [2]worth
}

// materialCache is the number of entries in the cache. Inside a search few different ones
// occur.
const materialCache = 1 << 8

// appraise looks up what the numbers of pieces say, or computes it, and links it to the armies.
func (e *Evaluator) appraise(p *position) {
	var pieces [2]uint64
	for side := range p.armies {
		for k := arimaa.Rabbit; k <= arimaa.Elephant; k++ {
			pieces[side] = pieces[side]<<8 | uint64(p.armies[side].kind[k].Len())
		}
	}
	slot := (pieces[0]*0x9e3779b97f4a7c15 ^ pieces[1]*0xc2b2ae3d27d4eb4f) >> 56
	m := &e.cache[slot%materialCache]
	if m.pieces != pieces {
		m.compute(p)
		m.pieces = pieces
	}
	p.armies[arimaa.Gold].worth = &m.worth[arimaa.Gold]
	p.armies[arimaa.Silver].worth = &m.worth[arimaa.Silver]
}

func (m *material) compute(p *position) {
	var have [2]counts
	for side := range have {
		for k := arimaa.Rabbit; k <= arimaa.Elephant; k++ {
			have[side][k] = p.armies[side].kind[k].Len()
		}
	}
	for side := range m.worth {
		own, foe := have[side], have[1-side]
		w := &m.worth[side]
		w.harLog = int(math.Round(harLog(&own, &foe)))
		whole := harLog(&own, &foe) - harLog(&foe, &own)
		stronger, others := 0, 0
		for k := arimaa.Elephant; k >= arimaa.Rabbit; k-- {
			w.loss[k] = 0
			if own[k] > 0 {
				less := own
				less[k]--
				w.loss[k] = int(math.Round(whole - harLog(&less, &foe) + harLog(&foe, &less)))
			}
			w.class[k] = squareClass(k, stronger)
			w.strength[k] = trapStrength(k, stronger)
			stronger += foe[k]
			if k > arimaa.Rabbit {
				others += foe[k]
			}
		}
		w.left = min(2*others+foe[arimaa.Rabbit], fullCount)
	}
}

// harLog is one side's part of the formula, in centi-rabbits. Where the logarithm of nothing is
// asked for, half a piece stands in.
func harLog(own, foe *counts) float64 {
	sum := 0.0
	stronger, pieces := 0, 0
	for k := arimaa.Elephant; k >= arimaa.Cat; k-- {
		each := 1 / (harLogQ + float64(stronger))
		if stronger == 0 {
			each *= 2
		}
		sum += each * float64(own[k])
		stronger += foe[k]
		pieces += own[k]
	}
	log := func(n int) float64 { return math.Log(max(float64(n), 0.5)) }
	return perHarLog * (sum + harLogG*(log(own[arimaa.Rabbit])+log(pieces+own[arimaa.Rabbit])))
}
