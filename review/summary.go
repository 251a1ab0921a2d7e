package review

import (
	"goalproof/arimaa"
)

// Summary holds the statistics of a review.
type Summary struct {
	// Missed counts the turns of a side that did not keep its shortest win, by the length of that win
	// in turns, from index 1 on. Wins that are longer than the limit, which only endgame tables know,
	// count at the limit.
	Missed [2][]int
	// Thrown counts those of them that threw the win away for good.
	Thrown [2]int
	// Undecided counts the positions with an open question, including the last one.
	Undecided int
}

// Summary returns the statistics.
func (r *Review) Summary() (s Summary) {
	for side := range s.Missed {
		s.Missed[side] = make([]int, r.WinIn+1)
	}
	for i, j := range r.Judgements {
		mover := side(r.Record.Game, i)
		if j.Mark.Missed() {
			s.Missed[mover][min(r.Standings[i].Win.Within, r.WinIn)]++
		}
		if j.Mark == ThrowsAway {
			s.Thrown[mover]++
		}
	}
	for i := range r.Standings {
		if r.Standings[i].open() {
			s.Undecided++
		}
	}
	return s
}

// Wins counts the positions at which the side to move is proved to win.
func (r *Review) Wins() (n int) {
	for i := range r.Standings {
		if f := &r.Standings[i].Win; f.Proved() && f.Within > 0 {
			n++
		}
	}
	return n
}

// Totals holds the statistics of many games.
type Totals struct {
	Games   int
	Decided int   // games in which a win is proved at the end
	Turns   int   // of the winners from the turning point to the end, in those games
	Missed  []int // games in which a side missed a win, by its length in turns
	Thrown  int   // games in which a side threw a win away
	Against int   // games whose recorded winner is not the side that is proved to win at the end
	Helped  int   // games in which, instead of the turn before the proved win, another holds against all wins looked for
	Open    int   // positions with an open question
	// Players holds the totals of Gold and Silver. Turns and Loss are those of the games with
	// evaluations.
	Players [2]Player
}

// Add adds a review.
func (t *Totals) Add(r *Review) {
	s := r.Summary()
	t.Games++
	if t.Missed == nil {
		t.Missed = make([]int, r.WinIn+1)
	}
	for n := range t.Missed {
		if s.Missed[arimaa.Gold][n]+s.Missed[arimaa.Silver][n] > 0 {
			t.Missed[n]++
		}
	}
	if s.Thrown[arimaa.Gold]+s.Thrown[arimaa.Silver] > 0 {
		t.Thrown++
	}
	t.Open += s.Undecided
	for side, p := range r.Players() {
		q := &t.Players[side]
		q.Blunders, q.Mistakes, q.Doubted, q.Missed = q.Blunders+p.Blunders, q.Mistakes+p.Mistakes, q.Doubted+p.Doubted, q.Missed+p.Missed
		if r.Evaluations != nil && p.Turns > 0 {
			q.Turns += p.Turns
			q.Loss += (p.Loss - q.Loss) * float64(p.Turns) / float64(q.Turns)
		}
	}
	if d := r.Decision; d != nil {
		t.Decided++
		t.Turns += d.Turns
		if d.Last >= 0 && d.Holds >= r.WinIn {
			t.Helped++
		}
		if r.Record.Finished() && r.Record.Winner != d.Winner {
			t.Against++
		}
	}
}
