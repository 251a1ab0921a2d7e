package engine

import (
	"time"

	"goalproof/arimaa"
)

// A search that has an aim takes more time for a difficult turn: while the best turn changes from
// depth to depth, or its score falls. It takes less when the same turn has been best for some
// depths.

// need is what a search knows about how difficult a turn is.
type need struct {
	turn   arimaa.Turn // the best turn at the last complete depth
	score  int         // and its score
	stable int         // complete depths running at which it was the best
}

// completed records a complete depth.
func (n *need) completed(r *Report) {
	if n.stable++; r.Turn != n.turn {
		n.stable = 0
	}
	n.turn, n.score = r.Turn, r.Score
}

const (
	nextDepth  = 60 // percent of the deadline after which no other depth begins
	stableFrom = 3  // complete depths with the same best turn that make it clear
	fallMargin = 50 // fall of the score, in centi-rabbits, that makes a turn difficult
)

// percent returns the time that a turn needs, in percent of the aim, given what the search has
// found last.
func (n *need) percent(r *Report) time.Duration {
	percent := time.Duration(100)
	switch {
	case r.Turn != n.turn || n.stable == 0:
		percent = 140
	case n.stable >= stableFrom:
		percent = 70
	}
	if r.Deeper && n.score-r.Score >= fallMargin {
		percent *= 2
	}
	return percent
}

// deadline returns the time from the start of the search at which it is to end. The caller holds
// mu.
func (s *shared) deadline() time.Duration { return s.run.limits.Aim * s.need.percent(&s.best) / 100 }

// watch ends the search at its deadline, which may move. It returns a function that ends the watch.
func (s *shared) watch() (end func()) {
	var timer *time.Timer
	s.mu.Lock()
	defer s.mu.Unlock()
	timer = time.AfterFunc(s.deadline()-time.Since(s.start), func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if left := s.deadline() - time.Since(s.start); left > 0 {
			timer.Reset(left)
			return
		}
		s.run.stop.Store(true)
	})
	return func() { timer.Stop() }
}
