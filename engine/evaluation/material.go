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

// perHarLog is the number of centi-rabbits in a unit of the formula: the loss of the first of eight
// rabbits, with a complete army, costs 100.
var perHarLog = 100 / (harLogG * math.Log(8.0/7*16/15))

// counts holds the number of a side's pieces by kind.
type counts [kinds]int

// worth holds what follows from the numbers of pieces for one side, in centi-rabbits unless another
// unit is given.
type worth struct {
	harLog   int         // Material
	loss     [kinds]int  // cost of losing a piece of the kind (Wu 2015, section 6.3.8)
	class    [kinds]int  // piece-square table of the kind
	strength [kinds]uint // of the kind at a trap (trapStrength)
	plane    [kinds]int  // inputs of the network for the kind
	left     int         // enemy pieces: one for a rabbit, two for another, at most fullCount
}

// material is an entry of the material cache.
type material struct {
	pieces [2]uint64 // the numbers of pieces, eight bits each, by side; zero in an unused entry
	worth  [2]worth
}

// materialCache is the number of entries in the cache. A search meets few different ones.
const materialCache = 1 << 8

// setMaterial looks up the entry for the numbers of pieces, or computes it, and links it to the
// armies.
func (e *Evaluator) setMaterial(p *position) {
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
			w.plane[k] = plane(stronger)
			stronger += foe[k]
			if k > arimaa.Rabbit {
				others += foe[k]
			}
		}
		w.left = min(2*others+foe[arimaa.Rabbit], fullCount)
	}
}

// harLog is one side's part of the formula, in centi-rabbits. The logarithm of no pieces is that of
// half a piece.
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
