package experiment

import (
	"math"
	"slices"

	"goalproof/answer"
)

// Summary is what the runs of an experiment amount to.
type Summary struct {
	Plan   *Plan
	Runs   int // that were done
	Common int // positions that every cell has solved
	Cells  []CellSummary
	// Contradictions are the names of the positions about which runs say what cannot all be true.
	Contradictions []string
}

// CellSummary is what the runs of a cell amount to. Means and medians are over the commonly solved
// positions, and 0 where there are none; seconds are those of the clock.
type CellSummary struct {
	Cell                     Cell
	Runs                     int // that were done
	Proved, Refuted, Unknown int // of them
	MeanSeconds              float64
	MedianSeconds            float64
	MeanNodes                float64
	MedianNodes              float64
}

// Solved returns how many positions the cell has decided.
func (c *CellSummary) Solved() int { return c.Proved + c.Refuted }

// Summarise sums up runs of a plan, each of which is among them once at most.
func Summarise(p *Plan, runs []Run) *Summary {
	s := &Summary{Plan: p, Runs: len(runs)}
	for _, c := range p.Cells {
		s.Cells = append(s.Cells, CellSummary{Cell: c})
	}
	known := make([]struct {
		solved   int // by how many cells
		shortest int // win that was proved, in turns
		refuted  int // the greatest number of turns without a win
	}, len(p.Positions))
	for i := range known {
		known[i].shortest = math.MaxInt
	}
	for _, r := range runs {
		c, k := &s.Cells[r.Cell], &known[r.Position]
		c.Runs++
		switch r.Verdict {
		case answer.Proved:
			c.Proved++
			k.solved++
			k.shortest = min(k.shortest, r.Least)
		case answer.Disproved:
			c.Refuted++
			k.solved++
		default:
			c.Unknown++
		}
		k.refuted = max(k.refuted, r.Refuted)
	}
	for i, k := range known {
		if k.solved == len(p.Cells) {
			s.Common++
		}
		if k.refuted >= k.shortest {
			s.Contradictions = append(s.Contradictions, p.Positions[i])
		}
	}
	for i := range s.Cells {
		var seconds, nodes []float64
		for _, r := range runs {
			if r.Cell == i && known[r.Position].solved == len(p.Cells) {
				seconds, nodes = append(seconds, r.Time.Seconds()), append(nodes, float64(r.Nodes))
			}
		}
		c := &s.Cells[i]
		c.MeanSeconds, c.MedianSeconds = mean(seconds), median(seconds)
		c.MeanNodes, c.MedianNodes = mean(nodes), median(nodes)
	}
	return s
}

// mean returns the mean of numbers, 0 of none.
func mean(all []float64) (m float64) {
	for _, x := range all {
		m += x / float64(len(all))
	}
	return m
}

// median returns the median of numbers, 0 of none, and sorts them.
func median(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}
