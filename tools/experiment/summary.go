package experiment

import (
	"math"
	"slices"

	"goalproof/answer"
)

// Summary summarises the runs of an experiment.
type Summary struct {
	Plan   *Plan
	Runs   int // number of recorded runs
	Common int // number of commonly solved positions
	Cells  []CellSummary
	// Contradictions holds the names of the positions about which runs contradict each other.
	Contradictions []string
}

// CellSummary summarises the runs of a cell. Means and medians are over the commonly solved
// positions, 0 if there are none; seconds are wall-clock time.
type CellSummary struct {
	Cell                       Cell
	Runs                       int // recorded
	Proved, Disproved, Unknown int // of these
	MeanSeconds                float64
	MedianSeconds              float64
	MeanNodes                  float64
	MedianNodes                float64
}

// Solved returns the number of positions that the cell has decided.
func (c *CellSummary) Solved() int { return c.Proved + c.Disproved }

// Summarise summarises runs of a plan, each given at most once.
func Summarise(p *Plan, runs []Run) *Summary {
	s := &Summary{Plan: p, Runs: len(runs)}
	for _, c := range p.Cells {
		s.Cells = append(s.Cells, CellSummary{Cell: c})
	}
	known := make([]struct {
		solved   int // number of cells that solve it
		shortest int // length of the shortest proved win, in turns
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
			k.shortest = min(k.shortest, r.Within)
		case answer.Disproved:
			c.Disproved++
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

// mean returns the mean, 0 of no numbers.
func mean(all []float64) (m float64) {
	for _, x := range all {
		m += x / float64(len(all))
	}
	return m
}

// median sorts numbers and returns their median, 0 of no numbers.
func median(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}
