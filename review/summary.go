package review

import (
	"goalproof/answer"
	"goalproof/arimaa"
)

// Summary is a review in numbers.
type Summary struct {
	// Missed counts the turns in which a side did not keep its shortest win, by the number of turns of
	// that win: index 1 to the longest that were looked for.
	Missed [2][]int
	// Thrown counts those of them after which no win was left within the limit.
	Thrown [2]int
	// Undecided counts the positions about which a question is open, the position at the end included.
	Undecided int
}

// Summary counts.
func (r *Review) Summary() (s Summary) {
	for side := range s.Missed {
		s.Missed[side] = make([]int, r.WinIn+1)
	}
	for i, j := range r.Judgements {
		mover := side(r.Record.Game, i)
		if j.Mark.Missed() {
			s.Missed[mover][r.Standings[i].Win.Turns]++
		}
		if j.Mark == ThrowsAway {
			s.Thrown[mover]++
		}
	}
	for i := range r.Standings {
		t := &r.Standings[i]
		for _, f := range []*Fact{&t.Win, &t.Threat, &t.Loss} {
			if f.Verdict == answer.Unknown {
				s.Undecided++
				break
			}
		}
	}
	return s
}

// Wins counts the positions at which the side to move is proved to win.
func (r *Review) Wins() (n int) {
	for i := range r.Standings {
		if f := &r.Standings[i].Win; f.Proved() && f.Turns > 0 {
			n++
		}
	}
	return n
}

// Totals adds up the reviews of many games.
type Totals struct {
	Games   int
	Decided int   // in which the win of a side is proved at the end
	Turns   int   // of the winners from there to the end, in those games
	Missed  []int // games in which a side missed a win in so many turns
	Thrown  int   // games in which a side threw a win away
	Against int   // games whose winner by the record is not who is proved to win at the end
	Helped  int   // games in which another turn in place of the losing one holds against all wins that were looked for
	Open    int   // positions about which a question is open
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
	if d := r.Decision; d != nil {
		t.Decided++
		t.Turns += d.Turns
		if d.Losing >= 0 && d.Holds >= r.WinIn {
			t.Helped++
		}
		if r.Record.Finished() && r.Record.Winner != d.Winner {
			t.Against++
		}
	}
}
